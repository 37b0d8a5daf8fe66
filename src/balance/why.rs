//! Reasons: the conditions a decision function tested, in order, with their numbers.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How the two numbers of a [`Condition`] were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Op {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// One condition that was tested. `text` names the two sides in kernel words, such as
/// `avg_idle < max_newidle_lb_cost`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The kernel function it stands for, by its name in the release that is modelled.
    pub function: &'static str,
    /// The test in kernel words.
    pub text: Cow<'static, str>,
    /// Left number; values beyond an `i64` are shown as its limit.
    pub left: i64,
    /// Comparison.
    pub op: Op,
    /// Right number.
    pub right: i64,
    /// Whether it held.
    pub holds: bool,
}

/// What a condition is about, beside the pass itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// The pass and the CPU it runs for.
    #[default]
    Pass,
    /// A group: its index among those that the function was given.
    Group(u32),
    /// A CPU that may be the source.
    Cpu(u32),
    /// A task that may move.
    Task(u32),
}

/// Receives conditions as they are tested.
pub trait Why {
    /// False if nobody reads: then callers need not prepare anything.
    const READ: bool;
    /// Records one condition.
    fn note(&mut self, condition: Condition);
    /// What the conditions from here on are about.
    fn about(&mut self, _: Subject) {}
}

impl Why for () {
    const READ: bool = false;
    fn note(&mut self, _: Condition) {}
}

impl Why for Vec<Condition> {
    const READ: bool = true;
    fn note(&mut self, condition: Condition) {
        self.push(condition);
    }
}

/// A number that a condition can show.
pub(crate) trait Shown: Copy + PartialOrd {
    fn shown(self) -> i64;
}

impl Shown for i64 {
    fn shown(self) -> i64 {
        self
    }
}

impl Shown for u64 {
    fn shown(self) -> i64 {
        i64::try_from(self).unwrap_or(i64::MAX)
    }
}

impl Shown for u32 {
    fn shown(self) -> i64 {
        i64::from(self)
    }
}

/// Where a condition belongs: function and text.
#[derive(Clone, Copy)]
pub(crate) struct Test(pub &'static str, pub &'static str);

/// Tests `left op right`, notes it if somebody reads, and returns whether it holds.
#[inline]
pub(crate) fn test<W: Why, T: Shown>(why: &mut W, at: Test, left: T, op: Op, right: T) -> bool {
    let holds = match op {
        Op::Lt => left < right,
        Op::Le => left <= right,
        Op::Gt => left > right,
        Op::Ge => left >= right,
        Op::Eq => left == right,
        Op::Ne => left != right,
    };
    note(why, || {
        let (left, right) = (left.shown(), right.shown());
        Condition { function: at.0, text: Cow::Borrowed(at.1), left, op, right, holds }
    });
    holds
}

/// Notes a condition, if somebody reads.
#[inline]
pub(crate) fn note<W: Why>(why: &mut W, condition: impl FnOnce() -> Condition) {
    if W::READ {
        why.note(condition());
    }
}

/// Notes a fact that is true or false in itself, and returns it.
#[inline]
pub(crate) fn fact<W: Why>(why: &mut W, at: Test, holds: bool) -> bool {
    test(why, at, u32::from(holds), Op::Ne, 0);
    holds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_keeps_its_numbers_and_its_outcome() {
        let mut why = Vec::new();
        assert!(test(&mut why, Test("f", "a < b"), 1_u64, Op::Lt, u64::MAX));
        assert!(!fact(&mut why, Test("g", "idle"), false));
        assert_eq!((why[0].left, why[0].right, why[0].holds), (1, i64::MAX, true));
        assert_eq!((why[1].left, why[1].right, why[1].holds), (0, 0, false));
    }

    #[test]
    fn each_comparison_tells_equal_from_less() {
        let ops = [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne];
        let holds = |left: i64| ops.map(|op| test(&mut (), Test("", ""), left, op, 5));
        assert_eq!(holds(4), [true, true, false, false, false, true]);
        assert_eq!(holds(5), [false, true, false, true, true, false]);
        assert_eq!(holds(6), [false, false, true, true, false, true]);
    }
}
