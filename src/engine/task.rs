//! A task as the world keeps it.

use super::event::Ticket;
use crate::observe::Cause;
use crate::sched::Entity;
use crate::sched::pelt::Avg;
use crate::sched::util_est::UtilEst;
use crate::topology::CpuMask;
use crate::wakeup::Flips;

/// No CPU, no task.
pub(super) const NONE: u32 = u32::MAX;

/// Where a task is. It is in exactly one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On its CPU.
    Running,
    /// Waiting in its CPU's queue.
    Queued,
    /// Woken, in its CPU's list of pending wake-ups.
    Pending,
    /// Asleep until its timer or until woken.
    Asleep,
    /// The same, but still in its CPU's queue, until its lag is made up for (DELAY_DEQUEUE).
    Delayed,
    /// Not forked yet, or exited.
    Gone,
}

/// One task.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub place: Place,
    /// The CPU it is on, or was on last.
    pub cpu: u32,
    pub nice: i8,
    pub weight: u32,
    /// Where it may run, if not everywhere.
    pub allowed: Option<CpuMask>,
    /// The event of its timer; any other is stale.
    pub timer: Ticket,
    /// The CPU on which that was armed.
    pub timer_cpu: u32,
    /// Work left, in ns at capacity 1 (so 1024 a ns on the biggest CPU).
    pub left: u64,
    /// ns run since it was last picked.
    pub ran: u64,
    /// Clock of the last accounting while running; 0 after a migration (`exec_start`).
    pub exec_start: u64,
    /// Its place in virtual time, as of its last dequeue; while it is queued, the queue holds it.
    pub se: Entity,
    pub avg: Avg,
    pub util_est: UtilEst,
    /// Its averages are in no queue's yet.
    pub fresh: bool,
    /// When it was woken, until it runs.
    pub woken_at: Option<u64>,
    /// The path that moved it last, and when.
    pub moved: Option<(Cause, u64)>,
    /// Neighbours in its CPU's task list (running and waiting tasks), or in the list of pending wake-ups.
    pub next: u32,
    pub prev: u32,
    /// Whom it wakes (`record_wakee`).
    pub flips: Flips,
    /// The CPU before the last one (`recent_used_cpu`).
    pub recent_cpu: u32,
}

impl Task {
    /// Whether it waits to be woken.
    pub(super) fn asleep(&self) -> bool {
        matches!(self.place, Place::Asleep | Place::Delayed)
    }

    /// Whether the task may run on that CPU.
    pub(super) fn may_run_on(&self, cpu: usize) -> bool {
        self.allowed.as_ref().is_none_or(|m| m.contains(cpu))
    }
}
