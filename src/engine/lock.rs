//! The serialise lock: a try-lock whose cache line travels between the CPUs that try it.

use super::World;
use super::task::NONE;

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

    /// Tries the lock for the pass on CPU `c`.
    pub(super) fn take_lock(&mut self, c: usize) -> bool {
        if self.lock.holder != NONE {
            return false;
        }
        self.lock.holder = c as u32;
        self.cpus[c].pass.holds_lock = true;
        true
    }

    /// Lets the lock go, if the pass on CPU `c` holds it.
    pub(super) fn release_lock(&mut self, c: usize) {
        if std::mem::take(&mut self.cpus[c].pass.holds_lock) {
            self.lock.holder = NONE;
        }
    }
}
