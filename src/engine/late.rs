//! Timers that come late on a busy CPU, as an emulator's do.
//!
//! Real timers interrupt at once, and by default these do. An emulator's timer thread competes with the busy
//! virtual CPU that it is to interrupt, and wins when that CPU goes idle.

use super::World;
use super::event::Ticket;
use crate::workload::Stream;

/// The timer interrupt of one CPU that is on its way, late.
#[derive(Clone, Debug)]
pub(super) struct LateTimers {
    stream: Stream,
    /// When the interrupt comes, ns. One that lies in the past came.
    irq_at: u64,
    /// Timers that were due and wait for it, in order. A task that was woken otherwise has another by now.
    waiting: Vec<Ticket>,
}

impl LateTimers {
    pub(super) fn new(stream: Stream) -> Self {
        Self { stream, irq_at: 0, waiting: Vec::new() }
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> &[Ticket] {
        &self.waiting
    }

    pub(super) fn write(&self, put: &mut impl FnMut(u64)) {
        put(self.stream.draws());
        put(self.irq_at);
        self.waiting.iter().for_each(|ticket| put(ticket.0));
    }
}

/// The times in which no timer interrupt reaches any CPU.
#[derive(Clone, Debug)]
pub(super) struct Stalls {
    stream: Stream,
    /// The latest one that was drawn, ns.
    begins: u64,
    ends: u64,
}

impl Stalls {
    pub(super) fn new(stream: Stream) -> Self {
        Self { stream, begins: 0, ends: 0 }
    }

    /// Nothing where there are no stalls.
    pub(super) fn write(&self, put: &mut impl FnMut(u64)) {
        if self.ends > 0 {
            put(self.stream.draws());
            put(self.begins);
            put(self.ends);
        }
    }

    /// When the stall ends in which that time lies. Times must not go back.
    fn end_at(&mut self, now: u64, costs: &super::Costs) -> Option<u64> {
        if costs.timer_stall == 0 || costs.timer_stall_gap == 0 {
            return None;
        }
        while self.ends <= now {
            self.begins = self.ends + self.stream.exponential(costs.timer_stall_gap).max(1);
            self.ends = self.begins + self.stream.uniform(0, 2 * costs.timer_stall).max(1);
        }
        (self.begins <= now).then_some(self.ends)
    }
}

impl World {
    /// When the stall ends in which this moment lies, ns.
    pub(super) fn stalled_until(&mut self) -> Option<u64> {
        self.stalls.end_at(self.now, &self.setup.costs)
    }

    /// A task's timer is due on CPU `c`. Says whether it has to wait for a late interrupt.
    pub(super) fn timer_waits(&mut self, t: u32, c: usize) -> bool {
        if self.late.is_empty() {
            return false;
        }
        let stalled = self.stalled_until();
        let late = &mut self.late[c];
        let timer = self.tasks[t as usize].timer;
        late.waiting.retain(|waiting| *waiting != timer);
        if late.irq_at == self.now && stalled.is_none() {
            return false;
        }
        if late.irq_at < self.now {
            late.waiting.clear();
        }
        if let Some(end) = stalled {
            late.irq_at = late.irq_at.max(end);
        } else if late.irq_at < self.now {
            let costs = &self.setup.costs;
            let idle = self.cpus[c].idle_task;
            let after = if idle { costs.timer_idle } else { late.stream.exponential(costs.timer_late) };
            late.irq_at = self.now + after.max(1);
        }
        let at = late.irq_at;
        self.wait_for_interrupt(t, at, c);
        true
    }

    /// CPU `c` went idle: an interrupt that was late comes as it comes to an idle CPU.
    pub(super) fn late_timers_come(&mut self, c: usize) {
        let at = self.now + self.setup.costs.timer_idle.max(1);
        let Some(late) = self.late.get_mut(c).filter(|late| late.irq_at > at) else { return };
        late.irq_at = at;
        for timer in std::mem::take(&mut late.waiting) {
            if self.tasks[timer.id() as usize].timer == timer {
                self.wait_for_interrupt(timer.id(), at, c);
            }
        }
    }

    fn wait_for_interrupt(&mut self, t: u32, at: u64, c: usize) {
        self.set_timer(t, at, c);
        self.late[c].waiting.push(self.tasks[t as usize].timer);
    }
}
