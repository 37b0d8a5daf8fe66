//! Why: what a decision looked at, in the kernel's order, kept for whoever reads.
//!
//! A pass writes its [`Draft`] through the sink that decision functions take. When its attempt at a domain ends,
//! the draft goes into the [`Reasons`], a bounded ring. Without a reader the sink is `()` and nothing is written.

mod draft;
mod elsewhere;
mod ring;
#[cfg(test)]
mod tests;
mod text;

pub use draft::{Draft, Notes};
pub use elsewhere::{Elsewhere, Says};
pub use ring::{ENTRIES, Reasons};
pub use text::{Place, amount, lines, relation, verdict};

use super::Attempt;
use crate::balance::{Condition, MigrationType, Op, Subject};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A text that is the kernel's or ours, and owned only after it has travelled.
pub type Text = Cow<'static, str>;

/// One condition, as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// What it is about. Groups by their number in the tree, CPUs by index.
    pub subject: Subject,
    /// The kernel function, by its name in the release of the run.
    pub function: Text,
    /// The test in kernel words.
    pub text: Text,
    /// Left number.
    pub left: i64,
    /// Comparison.
    pub op: Op,
    /// Right number.
    pub right: i64,
    /// Whether it held.
    pub holds: bool,
}

impl Said {
    fn of(subject: Subject, c: &Condition) -> Self {
        Self {
            subject,
            function: Text::Borrowed(c.function),
            text: c.text.clone(),
            left: c.left,
            op: c.op,
            right: c.right,
            holds: c.holds,
        }
    }

    /// True or false in itself, so that there are no two sides to show.
    pub fn is_fact(&self) -> bool {
        self.op == Op::Ne && self.right == 0 && !self.text.contains("!=")
    }
}

/// A group as the pass saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupSeen {
    /// Its number in the tree ([`crate::topology::DomainTree::group`]).
    pub group: u32,
    /// The group of the CPU that tasks go to.
    pub local: bool,
    /// Picked as the busiest.
    pub busiest: bool,
    /// CPUs in the whole group.
    pub weight: u32,
    /// Tasks of all classes.
    pub nr_running: u32,
    /// CPUs with nothing to run.
    pub idle_cpus: u32,
    /// Capacity.
    pub capacity: u64,
    /// Sum of loads.
    pub load: u64,
    /// Sum of utilization.
    pub util: u64,
    /// Sum of `runnable_avg`; `None` in 4.19, which does not read it.
    pub runnable: Option<u64>,
    /// `has_spare`, `overloaded`, …, in the words of the release.
    pub group_type: Text,
    /// Load by capacity; 0 where the release does not compute it.
    pub avg_load: u64,
}

/// Why a task moved or stayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Verdict {
    Moved,
    /// Although hot, since passes had failed too often.
    MovedHot,
    TooBig,
    Throttled,
    Kthread,
    Pinned,
    Running,
    Delayed,
    Ineligible,
    Hot,
}

/// A task that the pass looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its number.
    pub task: u32,
    /// What came of it.
    pub verdict: Verdict,
}

/// What the group statistics led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Whether there is something to pull.
    pub pulls: bool,
    /// In what unit; `None` if nothing is to move, and in 4.19, which counts load alone.
    pub migration_type: Option<MigrationType>,
    /// How much.
    pub amount: i64,
}

/// What happened, of which a [`Reason`] tells why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// An attempt at one domain.
    Attempt(Attempt),
    /// A tick kicked an idle CPU to balance for those without a tick; `None`: there was none to kick.
    Kick(Option<u32>),
    /// The root domain's overload flag was set or cleared.
    Overload(bool),
    /// An active balance was started: the CPU whose running task is to go, and where to.
    ActiveStarted(u32, u32),
    /// The stopper was done: where to, and the task it moved.
    Pushed(u32, Option<u32>),
    /// A task that woke, was forked or execs was placed: the task, and where.
    Placed(u32, u32),
}

/// What happened and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// When it ended, simulated ns.
    pub at_ns: u64,
    /// The CPU that did it. For whom, an attempt says.
    pub cpu: u32,
    /// What.
    pub what: What,
    /// What was tested, in order.
    pub said: Vec<Said>,
    /// Group statistics, in the CPU's own order; empty if the pass did not get that far.
    pub groups: Vec<GroupSeen>,
    /// What these led to.
    pub found: Option<Found>,
    /// The CPU to pull from.
    pub source: Option<u32>,
    /// Tasks looked at, in order.
    pub candidates: Vec<Candidate>,
    /// The same moment under the rules of every release.
    pub elsewhere: Vec<Elsewhere>,
}
