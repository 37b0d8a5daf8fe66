//! The timer tick: preemption by slice, the balancing softirq, the nohz kick.

use super::World;
use super::event::Kind;
use super::state::Phase;
use super::task::NONE;
use crate::sched::weight::IDLE;

impl World {
    /// A CPU's tick.
    pub(super) fn on_tick(&mut self, c: usize) {
        if let Some(end) = self.stalled_until() {
            self.events.push(end, Kind::Tick, c as u32);
            return;
        }
        let cpu = &mut self.cpus[c];
        cpu.tick_armed = false;
        if !cpu.tick_on {
            return;
        }
        self.seen.ticks += 1;
        self.settle(c);
        self.steal(c, self.setup.costs.tick);
        self.tick_current(c);
        self.cpus[c].got_tick = self.cpus[c].idle_task;
        self.trigger_balance(c);
        self.after_interrupt(c);
        let cpu = &mut self.cpus[c];
        if cpu.tick_on && !cpu.tick_armed {
            cpu.tick_armed = true;
            self.events.push(self.setup.next_tick(c, self.now), Kind::Tick, c as u32);
        }
    }

    /// `task_tick_fair`: accounts the running task and ends its slice.
    fn tick_current(&mut self, c: usize) {
        self.update_queue(c);
        self.update_history(c);
        let t = self.cpus[c].current;
        if t == NONE {
            return;
        }
        self.update_curr(c);
        self.update_task(t);
        let ran = self.tasks[t as usize].ran;
        let cpu = &mut self.cpus[c];
        cpu.need_resched |= cpu.rq.tick(ran, &self.setup.picking);
        self.update_misfit(c, Some(t));
        self.update_frequency(c);
    }

    /// A task left a queue (`dequeue_task_fair`, 5.5 and later): once only SCHED_IDLE tasks are left, the CPU looks
    /// for better ones at its next tick.
    pub(super) fn note_only_sched_idle(&mut self, c: usize, left: u32) {
        let late = self.setup.rules.periodic.sched_idle_is_idle;
        if late && self.tasks[left as usize].weight != IDLE && self.cpus[c].only_sched_idle() {
            self.cpus[c].next_balance = self.jiffies();
        }
    }

    /// `trigger_load_balance`. A tick of a CPU that is not idle leaves the nohz mask.
    fn trigger_balance(&mut self, c: usize) {
        let idle = self.cpus[c].is_idle();
        self.cpus[c].idle_balance = idle;
        if self.setup.depth(c) == 0 || !self.setup.machine.cpus[c].active {
            return;
        }
        if self.jiffies() >= self.cpus[c].next_balance {
            self.cpus[c].softirq = true;
        }
        if !idle {
            self.leave_mask(c);
            self.consider_kick(c);
        }
    }

    /// The end of an interrupt that woke something: with lazy preemption the running task learns here that it has to
    /// give way.
    pub(super) fn notice_lazy(&mut self, c: usize) {
        if self.setup.lazy && self.cpus[c].need_resched && self.context != c as u32 {
            self.after_interrupt(c);
        }
    }

    /// What an interrupt left to do happens at its end, unless the CPU is in the middle of kernel work: then
    /// when that is over.
    pub(super) fn after_interrupt(&mut self, c: usize) {
        let cpu = &self.cpus[c];
        if !matches!(cpu.phase, Phase::User | Phase::Idle) {
            return;
        }
        if cpu.softirq {
            self.begin_softirq(c);
        } else if cpu.need_resched {
            self.settle(c);
            if self.cpus[c].phase == Phase::User {
                self.preempt(c);
            } else {
                self.schedule(c);
            }
        } else {
            self.idle_loop(c);
        }
    }
}
