//! Tokens become a tree.

use super::ast::{Binary, Node};
use super::token::{Token, error_at, tokens};
use super::{Input, PolicyError};

/// Deepest nesting of brackets and signs.
pub(super) const DEEPEST: u32 = 16;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(usize, Token<'a>)>,
    next: usize,
    depth: u32,
}

type Parsed = Result<Node, PolicyError>;

/// Reads a whole expression.
pub(super) fn parse(text: &str) -> Parsed {
    let mut parser = Parser { text, tokens: tokens(text)?, next: 0, depth: 0 };
    let node = parser.or()?;
    match parser.peek() {
        Token::End => Ok(node),
        Token::Sign(sign) if Binary::of(sign).is_some_and(Binary::compares) => {
            Err(parser.error("comparisons do not chain; write a<b and b<c"))
        }
        other => Err(parser.error(format!("an operator is expected and not {}", other.shown()))),
    }
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens.get(self.next).map_or(Token::End, |token| token.1)
    }

    /// Where the next token begins, in bytes.
    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.text.len(), |token| token.0)
    }

    fn error(&self, what: impl Into<String>) -> PolicyError {
        error_at(self.text, self.at(), what)
    }

    /// Takes a sign if it is one of these.
    fn takes(&mut self, signs: &[&str]) -> Option<&'static str> {
        match self.peek() {
            Token::Sign(sign) if signs.contains(&sign) => {
                self.next += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn expect(&mut self, sign: &str) -> Result<(), PolicyError> {
        if self.takes(&[sign]).is_some() {
            return Ok(());
        }
        Err(self.error(format!("{sign} is expected and not {}", self.peek().shown())))
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth == DEEPEST {
            return Err(self.error(format!("the expression is nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let node = inner(self)?;
        self.depth -= 1;
        Ok(node)
    }

    /// Operators of one strength, from the left.
    fn row(&mut self, signs: &[&str], part: fn(&mut Self) -> Parsed) -> Parsed {
        let mut node = part(self)?;
        while let Some(op) = self.takes(signs).and_then(Binary::of) {
            node = self.joined(op, node, part)?;
        }
        Ok(node)
    }

    fn joined(&mut self, op: Binary, left: Node, part: fn(&mut Self) -> Parsed) -> Parsed {
        let column = self.error("").column;
        let right = part(self)?;
        Ok(Node::Binary(op, Box::new(left), Box::new(right), column))
    }

    fn or(&mut self) -> Parsed {
        self.row(&["or"], Self::and)
    }

    fn and(&mut self) -> Parsed {
        self.row(&["and"], Self::not)
    }

    fn not(&mut self) -> Parsed {
        if self.takes(&["not"]).is_some() {
            return self.nested(|p| Ok(Node::Not(Box::new(p.not()?))));
        }
        let left = self.sum()?;
        match self.takes(&["<", "<=", ">", ">=", "==", "!="]).and_then(Binary::of) {
            Some(op) => self.joined(op, left, Self::sum),
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> Parsed {
        self.row(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Parsed {
        self.row(&["*", "/"], Self::signed)
    }

    fn signed(&mut self) -> Parsed {
        if self.takes(&["-"]).is_some() {
            return self.nested(|p| Ok(Node::Negative(Box::new(p.signed()?))));
        }
        self.single()
    }

    fn single(&mut self) -> Parsed {
        match self.peek() {
            Token::Number(digits, unit) => self.number(digits, unit),
            Token::Name(name) => self.name(name),
            Token::Sign("(") => {
                self.next += 1;
                let node = self.nested(Self::or)?;
                self.expect(")")?;
                Ok(node)
            }
            other => Err(self.error(format!("a value is expected and not {}", other.shown()))),
        }
    }

    fn number(&mut self, digits: &str, unit: &str) -> Parsed {
        let scale = match unit {
            "" | "ns" => 1,
            "us" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            _ => return Err(self.error(format!("{unit} is no unit; there are ns, us, ms and s"))),
        };
        let value = digits.parse::<i64>().ok().and_then(|number| number.checked_mul(scale));
        let Some(value) = value else {
            return Err(self.error("the number is larger than 9223372036854775807"));
        };
        self.next += 1;
        Ok(Node::Number(value, format!("{}{unit}", value / scale)))
    }

    fn name(&mut self, name: &str) -> Parsed {
        let count = match name {
            "min" | "max" => 2,
            "if" => 3,
            _ => {
                let Some(input) = Input::find(name) else { return Err(self.error(unknown(name))) };
                self.next += 1;
                return Ok(Node::Input(input));
            }
        };
        self.next += 1;
        self.expect("(")?;
        let mut parts = Vec::with_capacity(count);
        for i in 0..count {
            if i > 0 {
                self.expect(",")?;
            }
            let part = self.nested(Self::or)?;
            parts.push(part);
        }
        self.expect(")")?;
        match <[Node; 3]>::try_from(parts) {
            Ok(parts) => Ok(Node::If(Box::new(parts))),
            Err(mut two) => {
                let op = if name == "min" { Binary::Min } else { Binary::Max };
                let right = two.pop().map_or_else(|| Err(self.error("a value is missing")), Ok)?;
                let left = two.pop().map_or_else(|| Err(self.error("a value is missing")), Ok)?;
                Ok(Node::Binary(op, Box::new(left), Box::new(right), 0))
            }
        }
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = Input::ALL.iter().map(|(_, name, _)| *name).collect();
    let short: String = name.chars().take(40).collect();
    format!("{short} is no input; there are {}, and the functions min, max and if", names.join(", "))
}
