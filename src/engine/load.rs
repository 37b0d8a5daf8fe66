//! PELT averages of queues and tasks as tasks come, go and move (topology spec 2.1, fair.c 6.1.192 and 6.6:
//! `attach_entity_load_avg`, `detach_entity_load_avg`, `remove_entity_load_avg`, `util_est_update`).

use super::World;
use super::task::{Place, Task};
use crate::sched::pelt::{Avg, Did};

/// Smallest divider: sums stay at least this much times their average.
const MIN_DIVIDER: u64 = 46_718;
/// `util_est` ignores changes below 1 %.
const UTIL_EST_MARGIN: u64 = 1024 / 100;

/// `util_est` of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct UtilEst {
    pub ewma: u64,
    pub enqueued: u64,
    /// `util_avg` at the last estimate; a sleep without change of it leaves the estimate alone.
    pub seen: u64,
}

impl UtilEst {
    /// The estimate.
    pub(super) fn value(&self) -> u64 {
        self.ewma.max(self.enqueued)
    }

    /// The task goes to sleep with this `util_avg` on a CPU of this capacity.
    pub(super) fn sleep(&mut self, util: u64, capacity: u64) {
        if util == self.seen {
            return;
        }
        self.seen = util;
        if self.ewma < util {
            *self = Self { ewma: util, enqueued: util, seen: util };
            return;
        }
        if self.ewma - util < UTIL_EST_MARGIN {
            if self.enqueued.abs_diff(util) >= UTIL_EST_MARGIN {
                self.enqueued = util;
            }
            return;
        }
        if util > capacity {
            return;
        }
        self.enqueued = util;
        self.ewma = (3 * self.ewma + util) / 4;
    }
}

/// What a task did, from where it is.
pub(super) fn did(task: &Task) -> Did {
    match task.place {
        Place::Running => Did { load: 1, runnable: 1, running: true },
        Place::Queued => Did { load: 1, runnable: 1, running: false },
        Place::Delayed => Did { load: 1, runnable: 0, running: false },
        _ => Did::SLEPT,
    }
}

/// Takes a task's averages from a queue's; no average goes below 0.
pub(super) fn take(queue: &mut Avg, task: &Avg, weight: u64) {
    queue.load_avg = queue.load_avg.saturating_sub(task.load_avg);
    queue.runnable_avg = queue.runnable_avg.saturating_sub(task.runnable_avg);
    queue.util_avg = queue.util_avg.saturating_sub(task.util_avg);
    let floor = |sum: u64, part: u64, avg: u64| sum.saturating_sub(part).max(avg * MIN_DIVIDER);
    queue.load_sum = floor(queue.load_sum, weight * task.load_sum, queue.load_avg);
    queue.runnable_sum = floor(queue.runnable_sum, task.runnable_sum, queue.runnable_avg);
    queue.util_sum = floor(queue.util_sum, task.util_sum, queue.util_avg);
}

/// Adds a task's averages to a queue's; the task takes over the queue's clock.
pub(super) fn give(queue: &mut Avg, task: &mut Avg, weight: u64) {
    let divider = queue.divider();
    task.last_update = queue.last_update;
    task.period_contrib = queue.period_contrib;
    task.util_sum = task.util_avg * divider;
    task.runnable_sum = task.runnable_avg * divider;
    task.load_sum = (task.load_avg * divider / weight.max(1)).max(1);
    queue.load_avg += task.load_avg;
    queue.runnable_avg += task.runnable_avg;
    queue.util_avg += task.util_avg;
    queue.load_sum += weight * task.load_sum;
    queue.runnable_sum += task.runnable_sum;
    queue.util_sum += task.util_sum;
}

/// Averages of a new task (`post_init_entity_util_avg`); `queue` is the one chosen for it.
pub(super) fn initial(queue: &Avg, weight: u32, capacity: u64, now: u64) -> Avg {
    let cap = capacity.saturating_sub(queue.util_avg) / 2;
    let scaled = u64::from(weight) * 1024;
    let util = if cap == 0 {
        0
    } else if queue.util_avg == 0 {
        cap
    } else {
        cap.min(queue.util_avg * scaled / (queue.load_avg + 1))
    };
    Avg {
        last_update: now,
        load_avg: u64::from(weight),
        runnable_avg: util,
        util_avg: util,
        ..Avg::default()
    }
}

impl World {
    /// Brings a queue's averages up to now, from what it held until now.
    #[inline]
    pub(super) fn update_queue(&mut self, c: usize) {
        self.sums.mark(c);
        let now = self.now;
        let cpu = &mut self.cpus[c];
        let nr = u64::from(cpu.rq.nr_runnable());
        let did = Did { load: cpu.rq.weight(), runnable: nr, running: cpu.rq.current().is_some() };
        cpu.avg.update(now, did, 1);
    }

    /// Brings a task's averages up to now, from where it was until now.
    pub(super) fn update_task(&mut self, t: u32) {
        let now = self.now;
        let task = &mut self.tasks[t as usize];
        let did = did(task);
        task.avg.update(now, did, u64::from(task.weight));
    }

    /// The task leaves the averages of its queue, where it slept: it decays to that queue's last update first.
    pub(super) fn remove_load(&mut self, t: u32) {
        self.sums.mark(self.tasks[t as usize].cpu as usize);
        let task = &mut self.tasks[t as usize];
        let queue = &mut self.cpus[task.cpu as usize].avg;
        let weight = u64::from(task.weight);
        task.avg.update(queue.last_update, Did::SLEPT, weight);
        take(queue, &task.avg, weight);
        if self.cpus[task.cpu as usize].is_idle() {
            task.avg.update(self.now, Did::SLEPT, weight);
        }
    }

    /// The task leaves the averages of its queue, where it waited.
    pub(super) fn detach_load(&mut self, t: u32) {
        self.update_task(t);
        let task = &self.tasks[t as usize];
        let c = task.cpu as usize;
        self.sums.mark(c);
        take(&mut self.cpus[c].avg, &task.avg, u64::from(task.weight));
    }

    /// The task joins the averages of its new queue.
    pub(super) fn attach_load(&mut self, t: u32, c: usize) {
        self.sums.mark(c);
        let task = &mut self.tasks[t as usize];
        give(&mut self.cpus[c].avg, &mut task.avg, u64::from(task.weight));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_can_be_taken() {
        let mut queue = Avg { last_update: 1 << 20, period_contrib: 100, ..Avg::default() };
        let mut task = Avg { load_avg: 1024, runnable_avg: 300, util_avg: 200, ..Avg::default() };
        give(&mut queue, &mut task, 1024);
        assert_eq!((queue.load_avg, queue.runnable_avg, queue.util_avg), (1024, 300, 200));
        assert_eq!((task.last_update, task.period_contrib), (1 << 20, 100));
        take(&mut queue, &task, 1024);
        assert_eq!((queue.load_avg, queue.runnable_sum, queue.util_sum), (0, 0, 0));
    }

    #[test]
    fn a_queue_smaller_than_its_task_goes_to_zero() {
        let mut queue = Avg::default();
        let task = Avg { load_avg: 5, load_sum: 9, util_avg: 3, util_sum: 7, ..Avg::default() };
        take(&mut queue, &task, 1024);
        assert_eq!(queue, Avg::default());
    }

    #[test]
    fn new_tasks_on_one_cpu_start_at_half_of_what_is_left() {
        let mut queue = Avg::default();
        let mut got = Vec::new();
        for _ in 0..4 {
            let mut task = initial(&queue, 1024, 1024, 0);
            got.push(task.util_avg);
            give(&mut queue, &mut task, 1024);
        }
        assert_eq!(got, [512, 256, 128, 64]);
    }

    #[test]
    fn the_estimate_jumps_up_and_creeps_down() {
        let mut e = UtilEst::default();
        e.sleep(400, 1024);
        assert_eq!(e.value(), 400);
        e.sleep(200, 1024);
        assert_eq!((e.ewma, e.enqueued), (350, 200));
        e.sleep(345, 1024);
        assert_eq!((e.ewma, e.enqueued), (350, 345));
    }
}
