//! An expression as a tree: its canonical text, its inputs, and what is known of it before it runs.

use super::{Input, PolicyError};
use std::fmt;

/// A function or operator of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Or,
    And,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

impl Binary {
    /// As written, and how tightly it binds; functions bind by their brackets.
    fn spelling(self) -> (&'static str, u8) {
        match self {
            Self::Or => (" or ", 1),
            Self::And => (" and ", 2),
            Self::Lt => ("<", 4),
            Self::Le => ("<=", 4),
            Self::Gt => (">", 4),
            Self::Ge => (">=", 4),
            Self::Eq => ("==", 4),
            Self::Ne => ("!=", 4),
            Self::Add => ("+", 5),
            Self::Sub => ("-", 5),
            Self::Mul => ("*", 6),
            Self::Div => ("/", 6),
            Self::Min => ("min", 8),
            Self::Max => ("max", 8),
        }
    }

    /// The operator of that sign.
    pub fn of(sign: &str) -> Option<Self> {
        const ALL: [Binary; 12] = [
            Binary::Or,
            Binary::And,
            Binary::Lt,
            Binary::Le,
            Binary::Gt,
            Binary::Ge,
            Binary::Eq,
            Binary::Ne,
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Div,
        ];
        ALL.into_iter().find(|op| op.spelling().0.trim() == sign)
    }

    /// Whether it compares two numbers.
    pub fn compares(self) -> bool {
        self.spelling().1 == 4
    }

    /// The value; `None` for a division by 0. `and` and `or` as if both sides had been looked at.
    #[inline]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            Self::Or => i64::from(a != 0 || b != 0),
            Self::And => i64::from(a != 0 && b != 0),
            Self::Lt => i64::from(a < b),
            Self::Le => i64::from(a <= b),
            Self::Gt => i64::from(a > b),
            Self::Ge => i64::from(a >= b),
            Self::Eq => i64::from(a == b),
            Self::Ne => i64::from(a != b),
            Self::Add => a.saturating_add(b),
            Self::Sub => a.saturating_sub(b),
            Self::Mul => a.saturating_mul(b),
            Self::Div if b == 0 => return None,
            Self::Div => a.saturating_div(b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        })
    }
}

/// A tree. Its depth is bounded by the length of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A number, with the text that stands for it.
    Number(i64, String),
    Input(Input),
    Not(Box<Node>),
    Negative(Box<Node>),
    /// With the column of the right side.
    Binary(Binary, Box<Node>, Box<Node>, usize),
    If(Box<[Node; 3]>),
}

const NOT: u8 = 3;
const NEGATIVE: u8 = 7;
const WHOLE: u8 = 8;

impl Node {
    fn binds(&self) -> u8 {
        match self {
            Self::Number(..) | Self::Input(_) | Self::If(_) => WHOLE,
            Self::Not(_) => NOT,
            Self::Negative(_) => NEGATIVE,
            Self::Binary(op, ..) => op.spelling().1,
        }
    }

    /// Every input that is read, perhaps more than once.
    pub fn inputs(&self, found: &mut Vec<Input>) {
        match self {
            Self::Number(..) => {}
            Self::Input(input) => found.push(*input),
            Self::Not(a) | Self::Negative(a) => a.inputs(found),
            Self::Binary(_, a, b, _) => {
                a.inputs(found);
                b.inputs(found);
            }
            Self::If(parts) => parts.iter().for_each(|part| part.inputs(found)),
        }
    }

    /// The value, if it hangs on no input. The error is a division that can only fail.
    fn constant(&self) -> Result<Option<i64>, PolicyError> {
        Ok(match self {
            Self::Number(value, _) => Some(*value),
            Self::Input(_) => None,
            Self::Not(a) => a.constant()?.map(|a| i64::from(a == 0)),
            Self::Negative(a) => a.constant()?.map(i64::saturating_neg),
            Self::Binary(op, a, b, column) => match (op, a.constant()?, b.constant()?) {
                (Binary::Div, _, Some(0)) => {
                    return Err(PolicyError { column: *column, what: "is a division by 0".to_owned() });
                }
                (op, Some(a), Some(b)) => op.apply(a, b),
                _ => None,
            },
            Self::If(parts) => {
                let [condition, then, other] = parts.as_ref();
                let values = (condition.constant()?, then.constant()?, other.constant()?);
                match values {
                    (Some(0), _, other) => other,
                    (Some(_), then, _) => then,
                    _ => None,
                }
            }
        })
    }
}

/// The tree, if no division in it can only fail.
pub(super) fn folded(node: Node) -> Result<Node, PolicyError> {
    node.constant().map(|_| node)
}

/// The canonical spelling: brackets only where they change something.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_least = |f: &mut fmt::Formatter<'_>, node: &Node, binds: u8| {
            if node.binds() < binds { write!(f, "({node})") } else { write!(f, "{node}") }
        };
        match self {
            Self::Number(_, text) => f.write_str(text),
            Self::Input(input) => f.write_str(input.name()),
            Self::Not(a) => {
                f.write_str("not ")?;
                at_least(f, a, NOT)
            }
            Self::Negative(a) => {
                f.write_str("-")?;
                at_least(f, a, NEGATIVE)
            }
            Self::Binary(op @ (Binary::Min | Binary::Max), a, b, _) => {
                write!(f, "{}({a},{b})", op.spelling().0)
            }
            Self::Binary(op, a, b, _) => {
                let (sign, binds) = op.spelling();
                // Comparisons do not chain, so both of their sides need the brackets.
                at_least(f, a, binds + u8::from(op.compares()))?;
                f.write_str(sign)?;
                at_least(f, b, binds + 1)
            }
            Self::If(parts) => write!(f, "if({},{},{})", parts[0], parts[1], parts[2]),
        }
    }
}
