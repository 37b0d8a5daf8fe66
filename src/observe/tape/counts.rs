//! The counters of `/proc/schedstat`, counted in a run as the kernel counts them.

/// Counters of one CPU line, in the kernel's meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuCounts {
    /// Calls of `schedule()`.
    pub schedules: u64,
    /// Of those, how often the idle task was picked.
    pub went_idle: u64,
    /// Wake-ups that began on this CPU.
    pub wakeups: u64,
    /// Of those, how many tasks were queued on this CPU.
    pub local_wakeups: u64,
    /// Time that tasks ran, ns, counted when they leave the CPU.
    pub run_ns: u64,
    /// Time that tasks waited in the queue, ns, counted when they leave it or run.
    pub wait_ns: u64,
    /// How often a task came to run (`pcount`).
    pub timeslices: u64,
}

/// Counters of one domain of one CPU for one idle type, in the kernel's meaning. `balanced` counts every pass that
/// ends without wanting to move, also one whose CPU was not the designated one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TypeCounts {
    pub count: u64,
    pub balanced: u64,
    pub failed: u64,
    /// Sums of imbalances by unit: load, util, task, misfit.
    pub imbalance: [u64; 4],
    pub gained: u64,
    pub hot_gained: u64,
    pub nobusyq: u64,
    pub nobusyg: u64,
}

/// Counters of one domain of one CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DomainCounts {
    /// By idle type: idle, busy, newly idle.
    pub types: [TypeCounts; 3],
    /// Active balances that looked for a task.
    pub alb_count: u64,
    /// Of those, how many moved none.
    pub alb_failed: u64,
    /// Of those, how many moved one.
    pub alb_pushed: u64,
    /// Wake-ups from this CPU to another in the domain, at the lowest that holds both.
    pub ttwu_wake_remote: u64,
    /// Wake-ups that were drawn to the waker's CPU.
    pub ttwu_move_affine: u64,
}
