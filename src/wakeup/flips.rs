//! Wakee flips: how often a task wakes another than the last time (`record_wakee`).

/// What a waker remembers of whom it wakes. The idle task of each CPU has it too: interrupts wake in its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flips {
    /// The last task woken; `u32::MAX` for none.
    pub last_wakee: u32,
    /// How often it changed, halved once a second.
    pub flips: u32,
    /// When it was halved last, jiffies.
    pub decayed_at: u64,
}

impl Default for Flips {
    fn default() -> Self {
        Self { last_wakee: u32::MAX, flips: 0, decayed_at: 0 }
    }
}

impl Flips {
    /// `record_wakee` (all releases): the waker wakes `wakee`. `hz` is ticks a second.
    pub fn record(&mut self, wakee: u32, jiffies: u64, hz: u32) {
        if jiffies > self.decayed_at + u64::from(hz) {
            self.flips >>= 1;
            self.decayed_at = jiffies;
        }
        if self.last_wakee != wakee {
            self.last_wakee = wakee;
            self.flips = self.flips.wrapping_add(1);
        }
    }
}
