//! PELT averages of queues and tasks as tasks come, go and move (topology spec 2.1, fair.c 6.1.192 and 6.6:
//! `attach_entity_load_avg`, `detach_entity_load_avg`, `remove_entity_load_avg`), misfit tasks, and frequency.

use super::World;
use super::state::Phase;
use super::stats::Look;
use super::task::{Place, Task};
use crate::balance::CpuView;
use crate::sched::pelt::{Avg, Did, Scale};
use crate::sched::schedutil::FULL;
use crate::sched::tracking::{Misfit, TrackingRules, fits};

/// Smallest divider: sums stay at least this much times their average.
const MIN_DIVIDER: u64 = 46_718;
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
pub(super) fn initial(rules: &TrackingRules, queue: &Avg, weight: u32, capacity: u64) -> Avg {
    let cap = capacity.saturating_sub(queue.util_avg) / 2;
    let scaled = u64::from(weight) * if rules.initial_util_scaled { 1024 } else { 1 };
    let util = if cap == 0 {
        0
    } else if queue.util_avg == 0 {
        cap
    } else {
        cap.min(queue.util_avg * scaled / (queue.load_avg + 1))
    };
    Avg {
        last_update: queue.last_update,
        load_avg: u64::from(weight),
        runnable_avg: util,
        util_avg: util,
        ..Avg::default()
    }
}

impl World {
    /// The time by which a CPU's averages are accounted: now, or less where the CPU does less work a ns.
    #[inline]
    fn pelt_clock(&mut self, c: usize) -> u64 {
        if !self.setup.scales_time {
            return self.now;
        }
        let capacity = self.setup.capacity(c);
        let cpu = &mut self.cpus[c];
        cpu.clock.advance(self.now, cpu.idle_task, capacity, cpu.governor.freq);
        cpu.clock.value()
    }

    /// By what additions to a CPU's averages are scaled (4.19).
    #[inline]
    fn pelt_scale(&self, c: usize) -> Scale {
        if !self.setup.scales_additions {
            return Scale::FULL;
        }
        Scale { freq: self.cpus[c].governor.freq, cpu: self.setup.capacity(c) }
    }

    /// The idle task takes over or is about to leave: the clock of averages is brought up to date, and a queue that
    /// was not saturated catches up.
    pub(super) fn pelt_idles(&mut self, c: usize, enters: bool) {
        if !self.setup.scales_time {
            return;
        }
        self.pelt_clock(c);
        let cpu = &mut self.cpus[c];
        if enters {
            cpu.clock.goes_idle(cpu.avg.util_sum);
        }
    }

    /// `update_misfit_status`: whether what the CPU runs is too big for it, and then how heavy it is.
    pub(super) fn update_misfit(&mut self, c: usize, task: Option<u32>) {
        if !self.setup.marks_misfit {
            return;
        }
        let load = task.map_or(0, |t| if self.task_fits(t, c) { 0 } else { self.misfit_weight(t) });
        self.cpus[c].misfit_load = load;
    }

    fn misfit_weight(&self, t: u32) -> u64 {
        self.tasks[t as usize].avg.load_avg.max(1)
    }

    /// Whether a task need not leave a CPU for a bigger one (`task_fits_cpu`).
    pub(super) fn task_fits(&self, t: u32, c: usize) -> bool {
        let task = &self.tasks[t as usize];
        let capacity = self.setup.capacity(c);
        let allowed = task.allowed.as_ref();
        if allowed.is_some_and(|m| m.weight() == 1) {
            return true;
        }
        let most =
            allowed.map_or(Some(self.setup.max_capacity), |m| m.iter().map(|o| self.setup.capacity(o)).max());
        if self.setup.rules.tracking.misfit == Misfit::UnfitSmaller && most == Some(capacity) {
            return true;
        }
        fits(task.avg.util_avg.max(task.util_est.value()), capacity)
    }

    /// schedutil looks at a CPU whose utilization changed (`sugov_update_single_freq`). Each CPU is a policy of its
    /// own, and the change takes effect at once.
    pub(super) fn update_frequency(&mut self, c: usize) {
        if !self.setup.schedutil {
            return;
        }
        self.settle(c);
        let capacity = self.setup.capacity(c);
        self.pelt_clock(c);
        let rules = &self.setup.rules.tracking;
        let stats = Look(self).stats(c);
        let util = if rules.schedutil_boost { stats.util_boosted() } else { stats.util() };
        let cpu = &mut self.cpus[c];
        if !cpu.governor.update(self.now, rules.headroom, util, capacity) {
            return;
        }
        cpu.rate = (capacity * cpu.governor.freq / FULL).max(1);
        if cpu.phase == Phase::User && self.context != c as u32 {
            self.arm(c);
        }
    }

    /// Brings a queue's averages up to now, from what it held until now.
    #[inline]
    pub(super) fn update_queue(&mut self, c: usize) {
        self.sums.mark(c);
        let (now, scale) = (self.pelt_clock(c), self.pelt_scale(c));
        let cpu = &mut self.cpus[c];
        let nr = u64::from(cpu.rq.nr_runnable());
        let did = Did { load: cpu.rq.weight(), runnable: nr, running: cpu.rq.current().is_some() };
        cpu.avg.update_scaled(now, did, 1, scale);
    }

    /// Brings a task's averages up to now, from where it was until now.
    pub(super) fn update_task(&mut self, t: u32) {
        let c = self.tasks[t as usize].cpu as usize;
        let (now, scale) = (self.pelt_clock(c), self.pelt_scale(c));
        let task = &mut self.tasks[t as usize];
        let did = did(task);
        task.avg.update_scaled(now, did, u64::from(task.weight), scale);
    }

    /// The task leaves the averages of its queue, where it slept: it decays to that queue's last update first.
    pub(super) fn remove_load(&mut self, t: u32) {
        let c = self.tasks[t as usize].cpu as usize;
        self.sums.mark(c);
        let now = self.pelt_clock(c);
        let task = &mut self.tasks[t as usize];
        let queue = &mut self.cpus[task.cpu as usize].avg;
        let weight = u64::from(task.weight);
        task.avg.update(queue.last_update, Did::SLEPT, weight);
        take(queue, &task.avg, weight);
        if self.cpus[c].is_idle() {
            task.avg.update(now, Did::SLEPT, weight);
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
    use crate::balance::Rules;
    use crate::topology::Release;

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
        let rules = Rules::of(Release::V6_6).tracking;
        let mut queue = Avg::default();
        let mut got = Vec::new();
        for _ in 0..4 {
            let mut task = initial(&rules, &queue, 1024, 1024);
            got.push(task.util_avg);
            give(&mut queue, &mut task, 1024);
        }
        assert_eq!(got, [512, 256, 128, 64]);
        // From 6.12 a light task starts with its share of what the queue uses: 300 x 15 / (4096 + 1).
        let queue = Avg { util_avg: 300, load_avg: 4_096, ..Avg::default() };
        let later = Rules::of(Release::V6_12).tracking;
        assert_eq!(initial(&rules, &queue, 15, 1024).util_avg, 362);
        assert_eq!(initial(&later, &queue, 15, 1024).util_avg, 1);
        assert_eq!(initial(&later, &queue, 15, 300).util_avg, 0);
    }
}
