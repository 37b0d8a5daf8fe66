//! Reasons for a reader. Nothing here touches the state of a run, and without a reader decision functions are
//! given `()`, so that nothing is noted.

use super::World;
use crate::observe::{Attempt, Draft, Reason, Reasons, What};

impl World {
    /// Begins to keep the reasons of decisions, or stops and forgets them.
    pub fn read_reasons(&mut self, on: bool) {
        if on != self.reasons.is_some() {
            self.reasons = on.then(|| Box::new(Reasons::new(self.cpus.len())));
        }
    }

    /// The reason of the attempt with that number, if reasons are kept and it is still among them.
    pub fn reason_of_attempt(&self, id: u64) -> Option<Reason> {
        self.reasons.as_ref()?.of_attempt(&self.setup.rules, id)
    }

    /// The latest attempts for a CPU with their reasons, newest first.
    pub fn reasons_of_cpu(&self, cpu: u32, most: usize) -> Vec<Reason> {
        self.reasons.as_ref().map_or_else(Vec::new, |r| r.of_cpu(&self.setup.rules, cpu, most))
    }

    /// Why a task was placed where it was placed last, at its wake-up, fork or exec, if that is still kept.
    pub fn reason_of_task(&self, task: u32) -> Option<Reason> {
        self.reasons.as_ref()?.of_task(&self.setup.rules, task)
    }

    /// Takes out what happened since this was called last, in order, and how much was lost in between.
    pub fn take_reasons(&mut self) -> (Vec<Reason>, u64) {
        self.reasons.as_mut().map_or_else(Default::default, |r| r.take(&self.setup.rules))
    }

    /// The notes of the pass on CPU `c`, if somebody reads; to be given back by [`World::give`].
    #[inline]
    pub(super) fn lend(&mut self, c: usize) -> Option<Draft> {
        self.reasons.as_mut().map(|r| r.lend(c))
    }

    #[inline]
    pub(super) fn give(&mut self, c: usize, draft: Option<Draft>) {
        if let (Some(reasons), Some(draft)) = (&mut self.reasons, draft) {
            reasons.give(c, draft);
        }
    }

    /// What the pass on CPU `c` noted so far belongs to no attempt.
    pub(super) fn forget_reasons(&mut self, c: usize) {
        if let Some(reasons) = &mut self.reasons {
            reasons.forget(c);
        }
    }

    /// The attempt of the pass on CPU `c` ended, the last that was recorded.
    pub(super) fn keep_reasons(&mut self, c: usize, attempt: Attempt) {
        if let Some(reasons) = &mut self.reasons {
            reasons.attempt(c, Attempt { id: self.seen.attempts_made() - 1, ..attempt });
        }
    }

    /// CPU `c` placed a task.
    #[inline]
    pub(super) fn note_placed(&mut self, c: usize, t: u32, to: usize, draft: Option<Draft>) {
        if let (Some(reasons), Some(draft)) = (&mut self.reasons, draft) {
            reasons.placed(self.now, c as u32, (t, to as u32), draft);
        }
    }

    /// Something beside an attempt happened on CPU `c`.
    pub(super) fn note_event(&mut self, c: usize, what: What, draft: Draft) {
        if let Some(reasons) = &mut self.reasons {
            reasons.event(self.now, c as u32, what, draft);
        }
    }
}
