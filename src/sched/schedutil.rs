//! schedutil: utilization asks for a frequency.
//!
//! Source of the rules: kernel/sched/cpufreq_schedutil.c of 4.19, 6.1.192, 6.6 and 6.19.

/// Where the margin of a quarter is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headroom {
    /// To the frequency (4.19).
    Frequency,
    /// To the utilization (6.1, 6.6).
    Utilization,
    /// To the utilization, which then is held at the capacity (6.8 and later).
    Performance,
}

/// The frequency for `util` on a CPU of capacity `max`, in the unit of `full`, the highest one: rounded down, not
/// held within the supported ones (`get_next_freq`, `map_util_freq`, `sugov_effective_cpu_perf`).
pub fn frequency(headroom: Headroom, util: u64, max: u64, full: u64) -> u64 {
    let util = util.min(max);
    let max = max.max(1);
    match headroom {
        Headroom::Frequency => (full + (full >> 2)) * util / max,
        Headroom::Utilization => full * (util + (util >> 2)) / max,
        Headroom::Performance => full * (util + (util >> 2)).min(max) / max,
    }
}

/// A frequency that follows utilization, on one CPU that is a policy of its own. Frequencies are in 1024ths of the
/// highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Governor {
    /// Now.
    pub freq: u64,
    /// When it was last set, ns.
    set_at: u64,
    /// Whether the CPU went idle since.
    idled: bool,
}

/// No frequency is set sooner after another (`rate_limit_us`; the kernel's default follows from the hardware, and is
/// 1 ms where that says nothing).
const RATE_LIMIT: u64 = 1_000_000;
/// The lowest frequency, in 1024ths of the highest: assumed, since machines differ.
pub const LOWEST: u64 = 256;
/// The highest.
pub const FULL: u64 = 1_024;

impl Default for Governor {
    fn default() -> Self {
        Self { freq: FULL, set_at: 0, idled: false }
    }
}

impl Governor {
    /// The CPU went idle.
    pub fn went_idle(&mut self) {
        self.idled = true;
    }

    /// Utilization changed. A CPU that was busy throughout does not go slower (`sugov_hold_freq`). True if the
    /// frequency changed.
    pub fn update(&mut self, now: u64, headroom: Headroom, util: u64, max: u64) -> bool {
        if now < self.set_at + RATE_LIMIT {
            return false;
        }
        let mut next = frequency(headroom, util, max, FULL).clamp(LOWEST, FULL);
        if !std::mem::take(&mut self.idled) {
            next = next.max(self.freq);
        }
        self.set_at = now;
        std::mem::replace(&mut self.freq, next) != next
    }

    /// Every field, for a hash of the state.
    pub fn write(&self, mut put: impl FnMut(u64)) {
        [self.freq, self.set_at, u64::from(self.idled)].into_iter().for_each(&mut put);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frequencies_of_a_3_ghz_cpu() {
        let khz = |headroom, util| frequency(headroom, util, 1024, 3_000_000);
        assert_eq!(khz(Headroom::Frequency, 333), 1_219_482);
        assert_eq!(khz(Headroom::Utilization, 333), 1_218_750);
        assert_eq!(khz(Headroom::Performance, 333), 1_218_750);
        for headroom in [Headroom::Frequency, Headroom::Utilization, Headroom::Performance] {
            assert_eq!(khz(headroom, 512), 1_875_000);
        }
        assert_eq!(khz(Headroom::Utilization, 1024), 3_750_000);
        assert_eq!(khz(Headroom::Performance, 1024), 3_000_000);
    }

    #[test]
    fn a_busy_cpu_does_not_slow_down_and_changes_are_rare() {
        let mut g = Governor::default();
        let at = |g: &mut Governor, us: u64, util| {
            g.update(us * 1_000, Headroom::Utilization, util, 1024);
            g.freq
        };
        assert_eq!(at(&mut g, 1_000, 512), 1024);
        g.went_idle();
        assert_eq!(at(&mut g, 1_999, 512), 1024);
        assert_eq!(at(&mut g, 2_000, 512), 640);
        assert_eq!(at(&mut g, 3_000, 600), 750);
        g.went_idle();
        assert_eq!(at(&mut g, 4_000, 0), LOWEST);
    }
}
