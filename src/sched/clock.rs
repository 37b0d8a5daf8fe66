//! The clock that PELT reads on one CPU (`clock_pelt`): it runs slow while the CPU does less work than the biggest
//! CPU would at full frequency, and catches up while the CPU idles.
//!
//! Source of the rule: kernel/sched/pelt.h, 6.1.192 and 6.6. 4.19 has none; it scales what is added instead.

use super::pelt::LOAD_AVG_MAX;

/// From this sum on a queue counts as saturated: it may not have had idle time to give back.
const SATURATED: u64 = ((LOAD_AVG_MAX - 1_024) << 10) - LOAD_AVG_MAX;

/// One CPU's clock. All times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeltClock {
    /// Real time of the last advance.
    seen: u64,
    /// `clock_pelt`.
    pelt: u64,
    /// `lost_idle_time`.
    lost: u64,
}

impl PeltClock {
    /// Goes on to `now` (`update_rq_clock_pelt`): while the idle task runs at once, else by the work that the CPU
    /// can do, each factor of 1024 and rounded down by itself.
    pub fn advance(&mut self, now: u64, idle: bool, capacity: u64, freq: u64) {
        let delta = now - self.seen;
        self.seen = now;
        if idle {
            self.pelt = now;
        } else {
            self.pelt += (((delta * capacity) >> 10) * freq) >> 10;
        }
    }

    /// What averages are accounted by (`rq_clock_pelt`).
    pub fn value(&self) -> u64 {
        self.pelt - self.lost
    }

    /// The idle task takes over (`update_idle_rq_clock_pelt`). A queue that was saturated, as its `util_sum` says,
    /// would have used the time that it is behind: that time is lost.
    pub fn goes_idle(&mut self, util_sum: u64) {
        if util_sum >= SATURATED {
            self.lost += self.seen - self.pelt;
        }
        self.pelt = self.seen;
    }

    /// Every field, for a hash of the state.
    pub fn write(&self, mut put: impl FnMut(u64)) {
        [self.seen, self.pelt, self.lost].into_iter().for_each(&mut put);
    }
}

#[cfg(test)]
mod tests {
    use super::super::pelt::{Avg, Did};
    use super::*;

    #[test]
    fn a_small_cpu_runs_slow_and_catches_up_idle() {
        let mut clock = PeltClock::default();
        clock.advance(1_024_000, false, 446, 1024);
        assert_eq!(clock.value(), 446_000);
        clock.advance(2_048_000, false, 446, 512);
        assert_eq!(clock.value(), 669_000);
        clock.goes_idle(0);
        assert_eq!(clock.value(), 2_048_000);
        clock.advance(3_000_000, true, 446, 512);
        assert_eq!(clock.value(), 3_000_000);
    }

    #[test]
    fn each_factor_rounds_down() {
        let mut clock = PeltClock::default();
        clock.advance(1_000, false, 446, 777);
        assert_eq!(clock.value(), (1_000 * 446 / 1_024) * 777 / 1_024);
    }

    #[test]
    fn a_saturated_queue_loses_its_idle_time() {
        let mut clock = PeltClock::default();
        clock.advance(1_024_000, false, 512, 1024);
        clock.goes_idle(SATURATED);
        assert_eq!(clock.value(), 512_000);
        clock.advance(2_024_000, true, 512, 1024);
        assert_eq!(clock.value(), 1_512_000);
        assert_eq!(SATURATED, 46_718 * 1_024 - 47_742);
    }

    /// On a CPU of half the capacity a task that needs 4 ms of every 16 on the biggest runs 8 ms of every 16, and
    /// its utilization swings round 256 as it would there.
    #[test]
    fn utilization_is_that_of_the_biggest_cpu() {
        let mut clock = PeltClock::default();
        let mut avg = Avg::default();
        let runs = Did { load: 1, runnable: 1, running: true };
        let ms = 1 << 20;
        let mut now = 0;
        for _ in 0..60 {
            now += 8 * ms;
            clock.advance(now, false, 512, 1024);
            avg.update(clock.value(), runs, 1024);
            clock.goes_idle(0);
            now += 8 * ms;
            clock.advance(now, true, 512, 1024);
            avg.update(clock.value(), Did::SLEPT, 1024);
        }
        assert!((215..=300).contains(&avg.util_avg), "{}", avg.util_avg);
    }
}
