//! Waking tasks: placement, the way there, arrival in a queue.

use super::World;
use super::event::{Kind, Ticket};
use super::load;
use super::placement::Placement;
use super::task::{NONE, Place};
use crate::observe::tape::{Left, Who};
use crate::observe::{Cause, Draft};
use crate::sched::runqueue::Arrival;
use crate::sched::util_est::UtilEst;
use crate::topology::SdFlags;
use crate::wakeup::{self, Flips, Waking};
use crate::workload::{Effects, Waker};

impl World {
    /// Carries out what a step of the workload has as effects. `by`: the task that was asked, and its CPU.
    pub(super) fn carry_out(&mut self, effects: &Effects, by: Option<(u32, usize)>) {
        self.seen.totals.done += u64::from(effects.done);
        for &ns in &effects.response_ns {
            self.seen.response.record(ns);
        }
        let on = by.map_or(0, |(_, c)| c);
        for fork in &effects.forks {
            self.fork_child(fork.task, fork.work, on);
        }
        for wake in &effects.wake {
            match (wake.waker, by) {
                (Waker::Task { sync }, Some((_, c))) => self.wake(wake.task, c, sync),
                (Waker::Task { .. }, None) => self.wake_by_irq(wake.task, 0),
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
        let acting = self.acting;
        self.wake(t, c, false);
        self.acting = acting;
        self.notice_lazy(c);
        self.idle_loop(c);
    }

    /// A task's timer: an interrupt on the CPU where it was armed, wherever the task's queue is by now.
    pub(super) fn on_timer(&mut self, t: u32) {
        let c = self.tasks[t as usize].timer_cpu as usize;
        self.cpus[c].timers.fired(self.now);
        if !self.timer_waits(t, c) {
            self.wake_by_irq(t, c);
        }
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

    /// `try_to_wake_up` on CPU `c`, by a task or by an interrupt. `sync`: the waker is about to sleep.
    pub(super) fn wake(&mut self, t: u32, c: usize, sync: bool) {
        if !self.tasks[t as usize].asleep() {
            return;
        }
        self.settle(c);
        self.steal(c, self.setup.costs.wakeup);
        self.acting = c as u32;
        let task = &mut self.tasks[t as usize];
        task.timer = Ticket::NONE;
        task.woken_at = Some(self.now);
        let (delayed, prev) = (task.place == Place::Delayed, task.cpu as usize);
        self.tell(|tape, now| tape.waking(now, c, t, prev));
        if delayed {
            self.tell_woke(c, prev, prev, false);
            self.wake_delayed(t);
            return;
        }
        let to = self.place_waking(t, c, prev, sync);
        if to != prev {
            self.tell_migrate(t, prev, to);
            self.change_queue(t, to);
            self.moved(t, prev, to, Cause::Wakeup, None);
        }
        let near = self.setup.shares_cache(c, to);
        if wakeup::queues(&self.setup.rules, c, to, near, self.cpus[to].nr_running(), &mut ()) {
            self.queue_wakeup(t, to);
        } else {
            self.activate(t, to, true);
        }
    }

    /// Where a waking task goes (`select_task_rq`), and what the search leaves behind. A task that may use one CPU
    /// alone is not placed, and its wake-up counts for nobody's flips.
    fn place_waking(&mut self, t: u32, c: usize, prev: usize, sync: bool) -> usize {
        if self.tasks[t as usize].allowed.as_ref().is_some_and(|mask| mask.weight() == 1) {
            self.tell_woke(c, prev, prev, false);
            return prev;
        }
        let (jiffies, hz) = (self.jiffies(), self.setup.hz);
        let waker = self.flips_of(c);
        waker.record(t, jiffies, hz);
        let waker_flips = waker.flips;
        let wakee_flips = self.tasks[t as usize].flips.flips;
        let view = Placement { world: self, task: t };
        let waking = Waking { this: c, prev, sync, waker_flips, wakee_flips };
        let (rules, task) = (&self.setup.rules, view.task(false));
        let mut draft = self.reasons.is_some().then(Draft::default);
        let choice = match &mut draft {
            None => wakeup::select(rules, &view, &task, &waking, &mut ()),
            Some(why) => wakeup::select(rules, &view, &task, &waking, why),
        };
        self.note_placed(c, t, choice.cpu, draft);
        self.tell_woke(c, prev, choice.cpu, choice.target == c);
        if choice.cleared_idle_cores {
            self.llcs[self.setup.llc[choice.target] as usize].has_idle_cores = false;
        }
        if let Some(cost) = choice.avg_scan_cost {
            self.cpus[c].avg_scan_cost = cost;
        }
        if choice.recent_becomes_prev {
            self.tasks[t as usize].recent_cpu = prev as u32;
        }
        self.steal(c, choice.looked_ns);
        choice.cpu
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
        self.tell_queued(t, c, !wakeup);
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
            self.set_overload(c, true);
        }
    }

    /// A running task forks: the new one starts with this much work.
    fn fork_child(&mut self, t: u32, work: u64, c: usize) {
        if self.tasks[t as usize].place != Place::Gone {
            return;
        }
        self.settle(c);
        let parent = self.cpus[c].current;
        let flips = self.tasks.get(parent as usize).map_or_else(Flips::default, |parent| parent.flips);
        let task = &mut self.tasks[t as usize];
        task.place = Place::Asleep;
        task.left = work.max(1).saturating_mul(1024);
        task.util_est = UtilEst::default();
        task.flips = flips;
        task.exec_start = 0;
        self.tell_fork(c, t);
        self.fork(t, c);
    }

    /// A new task starts to run (`wake_up_new_task`): the slow path finds it a CPU.
    pub(super) fn fork(&mut self, t: u32, from: usize) {
        self.tasks[t as usize].recent_cpu = from as u32;
        let to = self.place_slowly(t, from, SdFlags::BALANCE_FORK);
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

    /// Where a task goes that is forked or execs on CPU `c`, by that flag's domains.
    fn place_slowly(&mut self, t: u32, c: usize, flag: SdFlags) -> usize {
        let view = Placement { world: self, task: t };
        let (rules, task) = (&self.setup.rules, view.task(flag == SdFlags::BALANCE_FORK));
        let mut draft = self.reasons.is_some().then(Draft::default);
        let placed = match &mut draft {
            None => wakeup::slow_path(rules, &view, &task, flag, c, &mut ()),
            Some(why) => wakeup::slow_path(rules, &view, &task, flag, c, why),
        };
        self.note_placed(c, t, placed.cpu, draft);
        self.steal(c, placed.looked_ns);
        placed.cpu
    }

    /// The running task of a CPU execs (`sched_exec`): it moves while its memory is small. Says whether it left.
    pub(super) fn exec(&mut self, t: u32, c: usize) -> bool {
        let to = self.place_slowly(t, c, SdFlags::BALANCE_EXEC);
        if to == c {
            return false;
        }
        self.steal(c, self.setup.costs.stopper);
        self.tell_switch(c, Who::Stopper);
        self.put_current(c);
        let slot = self.setup.slot_between(c, to).unwrap_or(0);
        self.migrate(t, c, to, Cause::Fork, slot);
        true
    }

    /// The running task of a CPU exits: it leaves the queue at once, and its load with it.
    pub(super) fn exit_current(&mut self, c: usize) {
        let t = self.cpus[c].current;
        self.tell_leaves(c, Left::Dead);
        self.update_curr(c);
        self.put_current(c);
        let cpu = &mut self.cpus[c];
        cpu.rq.dequeue(t, &self.setup.picking);
        let task = &mut self.tasks[t as usize];
        cpu.util_est = cpu.util_est.saturating_sub(task.util_est.value());
        task.place = Place::Gone;
        self.unlink(c, t);
        self.remove_load(t);
        self.note_only_sched_idle(c, t);
    }

    /// Whose wakee flips a wake-up on CPU `c` counts for: the running task's; while a switch is under way, those
    /// of the task that leaves; else the idle task's.
    fn flips_of(&mut self, c: usize) -> &mut Flips {
        let cpu = &mut self.cpus[c];
        let waker = if cpu.current != NONE || cpu.idle_task { cpu.current } else { cpu.last };
        if waker == NONE { &mut cpu.flips } else { &mut self.tasks[waker as usize].flips }
    }
}
