//! What a host needs to go back in a run: places, turned knobs that are replayed, and what a snapshot weighs.

use super::World;
use super::state::Cpu;
use super::task::Task;
use super::world::StepTo;
use crate::scenario::ChangeTo;
use std::mem::size_of;
use std::sync::Arc;

/// Where a world is in its run. Of two places of one run the later one is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Events handled.
    pub events: u64,
    /// Simulated time, ns.
    pub now: u64,
    /// Knobs turned so far.
    pub changes: usize,
}

/// A knob that turns on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub at: u64,
    pub to: ChangeTo,
    /// It was turned while running and is not the scenario's.
    pub live: bool,
}

/// What a queued task weighs in its runqueue, about; bytes.
const ENTITY: usize = 32;
/// What the observer, the event queue and the workload weigh beside what grows with CPUs and tasks, about; bytes.
const FIXED: usize = 64 << 10;

impl World {
    /// Where it is in its run.
    pub fn place(&self) -> Place {
        Place { events: self.handled, now: self.now, changes: self.next_change }
    }

    /// A copy without the reasons of decisions and the tape, which are no part of the state.
    pub fn snapshot(&self) -> Self {
        let mut copy = self.clone();
        copy.read_reasons(false);
        copy.tape = None;
        copy
    }

    /// Lets an earlier snapshot of a run see the knobs that were turned after it was taken, and keeps reasons if the
    /// later world does.
    pub fn follow(&mut self, later: &Self) {
        self.changes = Arc::clone(&later.changes);
        self.read_reasons(later.reasons.is_some());
    }

    /// Runs until that many events were handled, but not beyond `until` ns.
    pub fn run_to_event(&mut self, events: u64, until: u64) {
        while self.handled < events && !self.run_budget(until, events - self.handled) {}
    }

    /// How many steps of a kind were made since the start.
    pub fn steps_made(&self, to: StepTo) -> u64 {
        match to {
            StepTo::Event => self.handled,
            StepTo::Tick => self.seen.ticks,
            StepTo::Balance => self.seen.attempts_made(),
        }
    }

    /// What a snapshot of it weighs, about; bytes.
    pub fn weight(&self) -> usize {
        self.cpus.len() * (size_of::<Cpu>() + self.setup.stride * size_of::<super::Sd>())
            + self.tasks.len() * (size_of::<Task>() + ENTITY)
            + FIXED
    }

    /// Puts a knob that turns now into the row of those that turn. What was turned later, in a future that this one
    /// replaces, is forgotten; what the scenario turns later stays.
    pub(super) fn remember_turn(&mut self, to: ChangeTo) {
        let turn = Turn { at: self.now, to, live: true };
        let next = self.next_change;
        let changes = Arc::make_mut(&mut self.changes);
        let mut i = 0;
        changes.retain(|change| {
            i += 1;
            i <= next || !change.live
        });
        changes.insert(next, turn);
        self.next_change += 1;
    }
}
