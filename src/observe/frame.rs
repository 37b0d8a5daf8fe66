//! A frame: what a page needs to draw one moment, and what happened since the frame before.

use serde::{Deserialize, Serialize};

/// Which path moved a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Cause {
    Wakeup,
    Fork,
    Newidle,
    Periodic,
    Nohz,
    Active,
}

/// What kind of pass an attempt belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Kind {
    Newidle,
    /// Periodic on an idle CPU.
    Idle,
    /// Periodic on a busy CPU.
    Busy,
    /// On behalf of an idle CPU.
    Nohz,
}

/// How far an attempt got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Outcome {
    Gated,
    NotDue,
    LockLost,
    Balanced,
    Failed,
    Moved,
}

/// What a CPU is doing right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Activity {
    Idle,
    User,
    Balance,
    Lock,
    System,
}

/// One task in a queue, as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Task number.
    pub task: u32,
    /// Ran less than the migration cost ago.
    pub hot: bool,
    /// May not run everywhere.
    pub pinned: bool,
    /// -20 to 19.
    pub nice: i8,
    /// The path that moved it last and when, in simulated ns.
    pub moved: Option<(Cause, u64)>,
}

/// One CPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuFrame {
    /// What it is doing.
    pub activity: Activity,
    /// Since when, simulated ns.
    pub since_ns: u64,
    /// The running task.
    pub current: Option<Mark>,
    /// How much of its slice the running task has used, in thousandths.
    pub slice_used: u16,
    /// Waiting tasks, next to run first; at most 16, the rest only count in `nr_running`.
    pub queue: Vec<Mark>,
    /// Tasks on the runqueue, the running one included.
    pub nr_running: u32,
    /// ns.
    pub avg_idle: u64,
    /// `max_newidle_lb_cost` of the lowest domain, ns: what the gate compares with from 5.16.
    pub gate_cost: u64,
    /// Cumulative ns of user time.
    pub user_ns: u64,
    /// Cumulative ns of balancing.
    pub balance_ns: u64,
    /// Cumulative ns of waiting for a contended line or lock.
    pub lock_ns: u64,
    /// Cumulative ns of other system time.
    pub system_ns: u64,
    /// Cumulative ns idle.
    pub idle_ns: u64,
}

/// A task changed its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// When.
    pub at_ns: u64,
    /// Which.
    pub task: u32,
    /// From this CPU index.
    pub from: u32,
    /// To this one.
    pub to: u32,
    /// By which path.
    pub cause: Cause,
    /// Slot in `DomainTree::levels` of the domain that moved it: for wake-ups and forks the lowest that holds
    /// both CPUs.
    pub slot: Option<u8>,
}

/// A balance attempt at one domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// When it began.
    pub at_ns: u64,
    /// For which CPU (with `Kind::Nohz`, on whose behalf).
    pub cpu: u32,
    /// Slot in `DomainTree::levels`.
    pub slot: u8,
    /// Kind of pass.
    pub kind: Kind,
    /// How far it got.
    pub outcome: Outcome,
    /// Tasks moved.
    pub moved: u32,
    /// What it cost, ns.
    pub took_ns: u64,
    /// Number of this attempt in the run, from 0: asks for its reasons.
    pub id: u64,
}

/// Cumulative counts of one (level, kind).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct LevelCounts {
    /// Passes that ran `load_balance`.
    pub calls: u64,
    pub gated: u64,
    pub not_due: u64,
    pub lock_failed: u64,
    pub balanced: u64,
    pub failed: u64,
    pub moved_calls: u64,
    pub moved_tasks: u64,
    pub time_ns: u64,
}

/// Cumulative figures of the whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// `[slot][kind]`, kinds in the order of [`Kind`].
    pub levels: Vec<[LevelCounts; 4]>,
    /// Moves by cause, in the order of [`Cause`].
    pub migrations: [u64; 6],
    /// Work units done: requests, round trips, or jobs.
    pub done: u64,
    /// Times the overload flag changed.
    pub overload_flips: u64,
}

/// One moment of the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Simulated now, ns.
    pub now_ns: u64,
    /// Events handled since the start.
    pub events: u64,
    /// Hash of the whole state; only when paused or asked for, since it costs time.
    pub state_hash: Option<u64>,
    /// The root domain's overload flag.
    pub overload: bool,
    /// Every CPU, by index.
    pub cpus: Vec<CpuFrame>,
    /// Moves since the frame before, oldest first; at most 256.
    pub moves: Vec<Move>,
    /// Moves that did not fit.
    pub moves_dropped: u64,
    /// Attempts since the frame before, oldest first; at most 256.
    pub attempts: Vec<Attempt>,
    /// Attempts that did not fit.
    pub attempts_dropped: u64,
    /// Cumulative figures.
    pub totals: Totals,
    /// Wake-up to running since the frame before: (bucket, count), as [`Histogram::filled`] gives them.
    ///
    /// [`Histogram::filled`]: super::Histogram::filled
    pub wakeups: Vec<(u16, u32)>,
}
