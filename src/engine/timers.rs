//! Timers by the CPU on which they were armed: when the next one is due decides whether an idle CPU's tick stops.

use super::event::Ticket;
use super::task::Task;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The timers of one CPU, the earliest first. A timer that its task no longer waits for stays until its time has
/// come or somebody asks; so the list itself is no part of the state, which the tasks' timers are.
#[derive(Clone, Debug, Default)]
pub(super) struct Timers(BinaryHeap<Reverse<(u64, Ticket)>>);

impl Timers {
    /// Adds the timer of that event.
    pub(super) fn arm(&mut self, at: u64, ticket: Ticket) {
        self.0.push(Reverse((at, ticket)));
    }

    /// Forgets timers whose time has come.
    pub(super) fn fired(&mut self, now: u64) {
        while self.0.peek().is_some_and(|Reverse((at, _))| *at <= now) {
            self.0.pop();
        }
    }

    /// When the next timer is due, ns.
    pub(super) fn next(&mut self, tasks: &[Task]) -> Option<u64> {
        while let Some(Reverse((at, ticket))) = self.0.peek() {
            if tasks[ticket.id() as usize].timer == *ticket {
                return Some(*at);
            }
            self.0.pop();
        }
        None
    }

    /// Whether that timer is among them; none always is.
    pub(super) fn knows(&self, timer: Ticket) -> bool {
        timer == Ticket::NONE || self.0.iter().any(|Reverse((_, ticket))| *ticket == timer)
    }
}
