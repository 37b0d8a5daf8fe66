//! Who runs on a CPU: picking, sleeping, and what a task that was just queued does to the running one.

use super::World;
use super::state::Phase;
use super::task::{NONE, Place};
use crate::balance::IdleEnd;
use crate::observe::Activity;
use crate::observe::tape::{Left, Who};
use crate::sched::Entity;
use crate::sched::preempt::Preempts;
use crate::sched::runqueue::{Arrival, Blocked, Picked};

impl World {
    /// Picks the next task (`__schedule`): the stopper, a fair task, or a new-idle pass. The running task, if there
    /// is one, takes part.
    pub(super) fn schedule(&mut self, c: usize) {
        self.tell(|tape, _| tape.scheduled(c));
        self.schedule_again(c);
    }

    /// The same where `__schedule` was called before and still picks.
    pub(super) fn schedule_again(&mut self, c: usize) {
        self.update_curr(c);
        self.cpus[c].need_resched = false;
        if self.cpus[c].stop_pending {
            self.put_current(c);
            self.start_stopper(c);
            return;
        }
        self.update_queue(c);
        loop {
            match self.cpus[c].rq.pick(&self.setup.picking) {
                Picked::Asleep(entity) => self.delay_over(c, entity),
                Picked::Nothing => return self.begin_newidle(c),
                Picked::Same(t) => return self.go_on(c, t),
                Picked::Other(t) => return self.switch_to(c, t),
            }
        }
    }

    /// The CPU turns to another task.
    fn switch_to(&mut self, c: usize, t: u32) {
        let prev = std::mem::replace(&mut self.cpus[c].current, t);
        if prev != NONE {
            self.update_task(prev);
            self.tasks[prev as usize].place = Place::Queued;
            self.cpus[c].last = prev;
        }
        self.update_task(t);
        self.tell_switch(c, Who::Task(t));
        let was_idle = self.leave_idle(c);
        let costs = &self.setup.costs;
        let cpu = &mut self.cpus[c];
        if was_idle {
            cpu.debt += costs.idle_exit;
        }
        if cpu.last != t {
            cpu.debt += costs.switch;
        }
        let debt = cpu.debt;
        let task = &mut self.tasks[t as usize];
        task.place = Place::Running;
        task.ran = 0;
        task.exec_start = self.now;
        if let Some(woken) = task.woken_at.take() {
            self.seen.woken(self.now + debt - woken);
        }
        self.go_on(c, t);
    }

    /// The picked task runs.
    fn go_on(&mut self, c: usize, t: u32) {
        self.update_misfit(c, Some(t));
        self.enter(c, Phase::User, Activity::User);
        self.unlink(c, t);
        self.link_head(c, t);
        if self.cpus[c].softirq {
            self.begin_softirq(c);
        } else {
            self.arm(c);
        }
    }

    /// Makes the running task wait.
    pub(super) fn put_current(&mut self, c: usize) {
        let t = self.cpus[c].current;
        if t == NONE {
            return;
        }
        self.update_queue(c);
        self.update_task(t);
        let cpu = &mut self.cpus[c];
        cpu.rq.put_current(&self.setup.picking);
        cpu.last = t;
        cpu.current = NONE;
        self.tasks[t as usize].place = Place::Queued;
    }

    /// The running task goes to sleep (`dequeue_task_fair`). It may stay queued until its lag is made up for.
    pub(super) fn sleep_current(&mut self, c: usize) {
        let t = self.cpus[c].current;
        self.tell_leaves(c, Left::Asleep);
        self.update_curr(c);
        self.update_queue(c);
        self.update_task(t);
        let capacity = self.setup.capacity(c);
        let cpu = &mut self.cpus[c];
        let task = &mut self.tasks[t as usize];
        cpu.util_est = cpu.util_est.saturating_sub(task.util_est.value());
        let form = self.setup.rules.tracking.util_est;
        task.util_est.sleep(form, task.avg.util_avg, task.avg.runnable_avg, capacity);
        cpu.last = t;
        cpu.current = NONE;
        match cpu.rq.block_current(&self.setup.picking) {
            Some(Blocked::Delayed) => task.place = Place::Delayed,
            Some(Blocked::Left(entity)) => {
                task.se = entity;
                task.place = Place::Asleep;
                self.unlink(c, t);
            }
            None => {}
        }
        self.note_only_sched_idle(c, t);
    }

    /// A sleeper's delayed dequeue is over; the queue's averages are up to date.
    fn delay_over(&mut self, c: usize, entity: Entity) {
        let t = entity.task;
        self.sums.mark(c);
        self.update_task(t);
        let task = &mut self.tasks[t as usize];
        task.se = entity;
        task.place = Place::Asleep;
        self.unlink(c, t);
    }

    /// Wakes a sleeper that is still queued (`ttwu_runnable`): it stays where it is.
    pub(super) fn wake_delayed(&mut self, t: u32) {
        let c = self.tasks[t as usize].cpu as usize;
        self.tell_queued(t, c, false);
        self.settle(c);
        self.update_queue(c);
        self.update_task(t);
        let cpu = &mut self.cpus[c];
        cpu.rq.requeue(t, &self.setup.picking);
        let task = &mut self.tasks[t as usize];
        task.place = Place::Queued;
        cpu.util_est += task.util_est.value();
        cpu.idle.sample(&self.setup.rules, IdleEnd::QueuedWakeup, self.now, cpu.max_idle_balance_cost);
        self.check_preempt(t, c, Arrival::Woken);
    }

    /// The running task has to give way to one that was woken: at once, or with lazy preemption at its CPU's next
    /// interrupt if another CPU found it (`resched_curr_lazy`).
    fn resched_curr(&mut self, c: usize) {
        if self.setup.lazy && self.acting != NONE && self.acting != c as u32 {
            self.cpus[c].need_resched = true;
        } else {
            self.resched(c);
        }
    }

    /// Whether a task that was just queued takes the CPU (`wakeup_preempt`).
    pub(super) fn check_preempt(&mut self, t: u32, c: usize, arrival: Arrival) {
        let cpu = &self.cpus[c];
        if cpu.idle_task || cpu.current == NONE {
            self.resched(c);
            return;
        }
        self.update_curr(c);
        if self.cpus[c].need_resched {
            self.resched_curr(c);
            return;
        }
        loop {
            match self.cpus[c].rq.preempts(t, arrival, &self.setup.picking) {
                Preempts::Yes => return self.resched_curr(c),
                Preempts::No => return,
                Preempts::Asleep(entity) => {
                    self.update_queue(c);
                    self.delay_over(c, entity);
                }
            }
        }
    }
}
