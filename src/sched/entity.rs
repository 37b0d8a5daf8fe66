//! A task as a fair queue sees it (`struct sched_entity`).

use super::weight;

/// A task's place in virtual time. It travels with the task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// Task number.
    pub task: u32,
    /// Nice weight, 3 for SCHED_IDLE.
    pub weight: u32,
    /// Virtual ns run. Off the queue CFS may hold it relative to a queue's `min_vruntime`.
    pub vruntime: i64,
    /// EEVDF: virtual time by which its request is to be served.
    pub deadline: i64,
    /// EEVDF: how far it is behind (above 0) or ahead of the mean, as of its last dequeue.
    pub vlag: i64,
    /// EEVDF: while it runs, up to where it is protected.
    pub vprot: i64,
    /// EEVDF: the request, ns.
    pub slice: u64,
    /// CFS: `vruntime` is relative to `min_vruntime`; EEVDF: `deadline` is relative to `vruntime`.
    pub relative: bool,
    /// It sleeps, and its dequeue is delayed.
    pub delayed: bool,
}

impl Entity {
    /// A task that was never queued.
    pub fn new(task: u32, weight: u32) -> Self {
        Self { task, weight, ..Self::default() }
    }

    /// SCHED_IDLE; no nice level has that weight.
    pub fn is_idle(&self) -> bool {
        self.weight == weight::IDLE
    }

    /// Virtual ns of `delta` ns at its weight (`calc_delta_fair`).
    pub fn virtual_time(&self, delta: u64) -> i64 {
        weight::virtual_time(delta, self.weight) as i64
    }

    /// Every field as numbers, for a hash of the state.
    pub fn write(&self, mut put: impl FnMut(u64)) {
        put(u64::from(self.task) << 32 | u64::from(self.weight));
        for v in [self.vruntime, self.deadline, self.vlag, self.vprot] {
            put(v as u64);
        }
        put(self.slice << 2 | u64::from(self.relative) << 1 | u64::from(self.delayed));
    }
}
