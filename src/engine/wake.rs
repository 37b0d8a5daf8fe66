//! Waking tasks: placement, the way there, arrival in a queue.

use super::World;
use super::event::{Kind, Ticket};
use super::load;
use super::task::{NONE, Place};
use crate::observe::Cause;
use crate::sched::runqueue::Arrival;
use crate::wakeup::{self, View};
use crate::workload::{Effects, Waker};

/// Wakee flips halve once a second (`record_wakee`).
const FLIP_PERIOD: u64 = 1_000_000_000;

impl World {
    /// Carries out what a step of the workload has as effects. `by`: the task that was asked, and its CPU.
    pub(super) fn carry_out(&mut self, effects: &Effects, by: Option<(u32, usize)>) {
        self.seen.totals.done += u64::from(effects.done);
        for &ns in &effects.response_ns {
            self.seen.response.record(ns);
        }
        for wake in &effects.wake {
            match (wake.waker, by) {
                (Waker::Task, Some((waker, c))) => self.wake(wake.task, c, Some(waker)),
                (Waker::Task, None) => self.wake_by_irq(wake.task, 0),
                (Waker::Irq(hint), _) => self.wake_by_irq(wake.task, hint as usize % self.setup.cpus()),
            }
        }
    }

    /// An interrupt on CPU `c` wakes a task.
    pub(super) fn wake_by_irq(&mut self, t: u32, c: usize) {
        if !self.tasks[t as usize].asleep() {
            return;
        }
        self.settle(c);
        self.steal(c, self.setup.costs.irq);
        self.wake(t, c, None);
        self.notice_lazy(c);
    }

    /// A task's timer: an interrupt on the CPU where it went to sleep.
    pub(super) fn on_timer(&mut self, t: u32) {
        self.wake_by_irq(t, self.tasks[t as usize].cpu as usize);
    }

    /// The outside world acts.
    pub(super) fn on_arrival(&mut self) {
        let mut effects = std::mem::take(&mut self.effects);
        effects.clear();
        self.workload.arrive(self.now, &mut effects);
        self.carry_out(&effects, None);
        self.effects = effects;
        self.arm_arrival();
    }

    /// Schedules the next arrival.
    pub(super) fn arm_arrival(&mut self) {
        self.arrival = match self.workload.next_arrival() {
            Some(at) => self.events.push(at.max(self.now), Kind::Arrival, 0),
            None => Ticket::NONE,
        };
    }

    /// `try_to_wake_up` on CPU `c`, by a task or by an interrupt.
    pub(super) fn wake(&mut self, t: u32, c: usize, waker: Option<u32>) {
        if !self.tasks[t as usize].asleep() {
            return;
        }
        self.settle(c);
        self.steal(c, self.setup.costs.wakeup);
        self.acting = c as u32;
        let task = &mut self.tasks[t as usize];
        task.timer = Ticket::NONE;
        task.woken_at = Some(self.now);
        if task.place == Place::Delayed {
            self.wake_delayed(t);
            return;
        }
        if let Some(waker) = waker {
            self.record_wakee(waker, t);
        }
        let prev = self.tasks[t as usize].cpu as usize;
        let choice = wakeup::select(&Placement { world: self, task: t, waker }, c, prev);
        if choice.cleared_idle_cores {
            self.llcs[self.setup.llc[choice.target] as usize].has_idle_cores = false;
        }
        let to = choice.cpu;
        let task = &mut self.tasks[t as usize];
        if choice.fast {
            task.recent_cpu = prev as u32;
        }
        if to != prev {
            self.change_queue(t, to);
            self.moved(t, prev, to, Cause::Wakeup, None);
        }
        if to != c && self.queues_remotely(c, to) {
            self.queue_wakeup(t, to);
        } else {
            self.activate(t, to, true);
        }
    }

    /// A sleeping task changes its queue: its averages leave the old one.
    fn change_queue(&mut self, t: u32, to: usize) {
        self.remove_load(t);
        let task = &mut self.tasks[t as usize];
        self.cpus[task.cpu as usize].rq.uproot(&mut task.se, &self.setup.picking);
        task.cpu = to as u32;
        task.exec_start = 0;
        task.fresh = true;
    }

    /// Whether the wake-up goes over the target's list of pending wake-ups (`ttwu_queue_cond`).
    fn queues_remotely(&self, from: usize, to: usize) -> bool {
        if !self.setup.shares_cache(from, to) {
            return true;
        }
        self.cpus[to].nr_running() == 0
    }

    fn queue_wakeup(&mut self, t: u32, to: usize) {
        self.sums.mark(to);
        let task = &mut self.tasks[t as usize];
        task.place = Place::Pending;
        task.next = NONE;
        let cpu = &mut self.cpus[to];
        let first = cpu.pending == 0;
        cpu.pending += 1;
        let tail = std::mem::replace(&mut cpu.pending_tail, t);
        if tail == NONE {
            cpu.pending_head = t;
        } else {
            self.tasks[tail as usize].next = t;
        }
        if first {
            self.events.push(self.now + self.setup.costs.ipi, Kind::Deliver, to as u32);
        }
    }

    /// The interrupt for pending wake-ups arrived (`sched_ttwu_pending`).
    pub(super) fn on_deliver(&mut self, c: usize) {
        self.settle(c);
        self.steal(c, self.setup.costs.irq);
        self.acting = c as u32;
        let mut t = self.cpus[c].pending_head;
        let cpu = &mut self.cpus[c];
        cpu.pending_head = NONE;
        cpu.pending_tail = NONE;
        // The flag of a pending wake-up falls only when the tasks are in the queue, and a task in the queue
        // makes the CPU not idle as well.
        while t != NONE {
            let next = self.tasks[t as usize].next;
            self.cpus[c].pending -= 1;
            self.activate(t, c, true);
            t = next;
        }
        self.notice_lazy(c);
    }

    /// Puts a woken or new task into a queue (`ttwu_do_activate`, `wake_up_new_task`).
    pub(super) fn activate(&mut self, t: u32, c: usize, wakeup: bool) {
        self.update_curr(c);
        self.update_queue(c);
        let arrival = if wakeup { Arrival::Woken } else { Arrival::New };
        let task = &mut self.tasks[t as usize];
        if !wakeup && !task.se.relative {
            task.se = self.cpus[c].rq.fork(t, task.weight, &self.setup.picking);
        }
        if std::mem::replace(&mut self.tasks[t as usize].fresh, false) {
            self.attach_load(t, c);
        } else {
            self.update_task(t);
        }
        self.enqueue(t, c, arrival);
        if wakeup {
            self.sample_at_wakeup(c);
        }
        self.update_frequency(c);
        self.check_preempt(t, c, arrival);
    }

    /// Adds a task to a queue's waiting ones; averages and clock are up to date.
    pub(super) fn enqueue(&mut self, t: u32, c: usize, arrival: Arrival) {
        self.sums.mark(c);
        let task = &mut self.tasks[t as usize];
        task.cpu = c as u32;
        let cpu = &mut self.cpus[c];
        if task.se.delayed {
            task.place = Place::Delayed;
        } else {
            task.place = Place::Queued;
            cpu.util_est += task.util_est.value();
        }
        cpu.rq.enqueue(task.se, arrival, &self.setup.picking);
        let crossed = cpu.nr_running() == 2;
        self.link_head(c, t);
        if crossed {
            self.set_overload(true);
        }
    }

    /// A new task starts to run: the slow path finds it a CPU.
    pub(super) fn fork(&mut self, t: u32, from: usize) {
        let to = wakeup::idlest(&Placement { world: self, task: t, waker: None }, &self.setup.tree, from);
        self.update_queue(to);
        let capacity = self.setup.capacity(to);
        self.update_curr(from);
        let task = &mut self.tasks[t as usize];
        task.se = self.cpus[from].rq.fork(t, task.weight, &self.setup.picking);
        task.avg = load::initial(&self.setup.rules.tracking, &self.cpus[to].avg, task.weight, capacity);
        task.fresh = true;
        let prev = task.cpu as usize;
        task.cpu = to as u32;
        if to != prev {
            self.moved(t, prev, to, Cause::Fork, None);
        }
        self.activate(t, to, false);
    }

    fn record_wakee(&mut self, waker: u32, wakee: u32) {
        let now = self.now;
        let task = &mut self.tasks[waker as usize];
        if now > task.flip_decay_at + FLIP_PERIOD {
            task.wakee_flips >>= 1;
            task.flip_decay_at = now;
        }
        if task.last_wakee != wakee {
            task.last_wakee = wakee;
            task.wakee_flips = task.wakee_flips.saturating_add(1);
        }
    }
}

/// What placement may look at.
struct Placement<'a> {
    world: &'a World,
    task: u32,
    waker: Option<u32>,
}

impl View for Placement<'_> {
    fn idle(&self, cpu: usize) -> bool {
        self.world.cpus[cpu].is_idle()
    }

    fn allowed(&self, cpu: usize) -> bool {
        let task = &self.world.tasks[self.task as usize];
        match &task.allowed {
            Some(mask) => mask.contains(cpu),
            // An isolated CPU takes only tasks that ask for it.
            None => self.world.setup.machine.cpus[cpu].active || task.cpu as usize == cpu,
        }
    }

    fn shares_cache(&self, a: usize, b: usize) -> bool {
        self.world.setup.shares_cache(a, b)
    }

    fn llc(&self, cpu: usize) -> &[u32] {
        &self.world.setup.llc_cpus[self.world.setup.llc[cpu] as usize]
    }

    fn siblings(&self, cpu: usize) -> &[u32] {
        &self.world.setup.siblings[cpu]
    }

    fn has_idle_cores(&self, cpu: usize) -> bool {
        self.world.llcs[self.world.setup.llc[cpu] as usize].has_idle_cores
    }

    fn scan_limit(&self, cpu: usize) -> u32 {
        self.world.llcs[self.world.setup.llc[cpu] as usize].nr_idle_scan
    }

    fn nr_running(&self, cpu: usize) -> u32 {
        self.world.cpus[cpu].nr_running()
    }

    fn load(&self, cpu: usize) -> u64 {
        self.world.cpus[cpu].avg.load_avg
    }

    fn util(&self, cpu: usize) -> u64 {
        let cpu = &self.world.cpus[cpu];
        cpu.avg.util_avg.max(cpu.util_est)
    }

    fn capacity(&self, cpu: usize) -> u64 {
        self.world.setup.capacity(cpu)
    }

    fn task_load(&self) -> u64 {
        self.world.tasks[self.task as usize].avg.load_avg
    }

    fn recent(&self) -> Option<usize> {
        let recent = self.world.tasks[self.task as usize].recent_cpu;
        (recent != NONE).then_some(recent as usize)
    }

    fn wakee_flips(&self) -> (u32, u32) {
        let wakee = self.world.tasks[self.task as usize].wakee_flips;
        (self.waker.map_or(0, |w| self.world.tasks[w as usize].wakee_flips), wakee)
    }

    fn affine_pct(&self, this: usize, prev: usize) -> Option<u64> {
        use crate::topology::SdFlags;
        self.world.setup.tree.chains[this]
            .iter()
            .find(|d| d.flags.contains(SdFlags::WAKE_AFFINE) && d.span.contains(prev))
            .map(|d| u64::from(d.imbalance_pct))
    }
}
