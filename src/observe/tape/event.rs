//! What the scheduler's tracepoints would have said.

use crate::observe::{Kind, Outcome};

/// Who is on a CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// The CPU's idle task.
    #[default]
    Idle,
    /// The CPU's stopper (`migration/N`).
    Stopper,
    /// A task of the workload.
    Task(u32),
}

/// How a task leaves its CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Left {
    /// It could have gone on.
    #[default]
    Runnable,
    /// It went to sleep.
    Asleep,
    /// It exited.
    Dead,
}

/// What happened. CPUs are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Happening {
    Switch {
        prev: Who,
        left: Left,
        next: Who,
    },
    /// The waker begins; `target` is the CPU the task was on.
    Waking {
        task: u32,
        target: u32,
    },
    /// The task is in a queue.
    Woken {
        task: u32,
        target: u32,
    },
    /// A new task is in a queue.
    New {
        task: u32,
        target: u32,
    },
    Migrate {
        task: u32,
        from: u32,
        to: u32,
    },
    Fork {
        parent: u32,
        child: u32,
    },
    /// A balance attempt ended that began `took_ns` before; `cpu` is the one it was made for.
    Attempt {
        cpu: u32,
        slot: u8,
        kind: Kind,
        outcome: Outcome,
        moved: u32,
        took_ns: u64,
    },
}

/// Something that happened on a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Simulated ns.
    pub at_ns: u64,
    /// Index of the CPU on which it happened.
    pub cpu: u32,
    /// An interrupt was being served there.
    pub interrupt: bool,
    /// What.
    pub what: Happening,
}
