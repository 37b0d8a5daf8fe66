//! The serialise lock: a try-lock whose cache line travels between the CPUs that try it.

use super::World;
use super::task::NONE;
use crate::balance::rules::SerializeLock;
use crate::balance::{Condition, Op, Why};

impl World {
    /// How long until CPU `c` has the lock's line: those that asked before come first, then it travels.
    pub(super) fn line_delay(&mut self, c: usize) -> u64 {
        let travel = if self.lock.line_at == c as u32 {
            0
        } else {
            self.setup.costs.line[self.setup.distance(self.lock.line_at as usize, c) as usize]
        };
        let there = self.now.max(self.lock.line_free_at) + travel;
        self.lock.line_at = c as u32;
        self.lock.line_free_at = there;
        there - self.now
    }

    /// How often the serialise lock was tried, and how often in vain.
    pub fn lock_tries(&self) -> (u64, u64) {
        (self.lock.tries, self.lock.lost)
    }

    /// Tries the lock for the pass on CPU `c`.
    pub(super) fn take_lock(&mut self, c: usize) -> bool {
        let free = self.lock.holder == NONE && self.now >= self.lock.free_at;
        self.lock.tries += 1;
        self.lock.lost += u64::from(!free);
        self.note_lock(c, free);
        if !free {
            return false;
        }
        self.lock.holder = c as u32;
        self.cpus[c].pass.holds_lock = true;
        true
    }

    fn note_lock(&mut self, c: usize, free: bool) {
        let Some(mut draft) = self.lend(c) else { return };
        let rules = &self.setup.rules;
        let function = match rules.periodic.serialize_lock {
            SerializeLock::BeforeDue => rules.names.domains,
            SerializeLock::AfterShouldWeBalance => rules.names.load_balance,
        };
        let (text, left) = ("serialise lock is free", i64::from(free));
        draft.note(Condition { function, text: text.into(), left, op: Op::Ne, right: 0, holds: free });
        self.give(c, Some(draft));
    }

    /// Lets the lock go, if the pass on CPU `c` holds it. That is a store: the CPU goes on at once, but the others see
    /// it when the line is back, and those that asked for the line meanwhile have it first.
    pub(super) fn release_lock(&mut self, c: usize) {
        if std::mem::take(&mut self.cpus[c].pass.holds_lock) {
            self.lock.holder = NONE;
            self.lock.free_at = self.now + self.line_delay(c);
        }
    }
}
