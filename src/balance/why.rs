//! Reasons: the conditions a decision function tested, in order, with their numbers.

use serde::{Deserialize, Serialize};

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
    pub text: &'static str,
    /// Left number.
    pub left: i64,
    /// Comparison.
    pub op: Op,
    /// Right number.
    pub right: i64,
    /// Whether it held.
    pub holds: bool,
}

/// Receives conditions as they are tested.
pub trait Why {
    /// False if nobody reads: then callers need not prepare anything.
    const READ: bool;
    /// Records one condition.
    fn note(&mut self, condition: Condition);
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
