//! `avg_idle`: how long a CPU expects to stay idle.

use super::Rules;
use super::rules::{AvgIdleDivision, AvgIdleSample};

/// What may end an idle period, as far as `avg_idle` cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleEnd {
    /// A wake-up enqueued a task here.
    Activation,
    /// A task was woken that is still queued here.
    QueuedWakeup,
    /// A fork or exec placed a task here, or a balancer attached one. No release samples here.
    Attach,
    /// The idle task was switched out.
    IdleSwitchOut,
}

/// A CPU's idle clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AvgIdle {
    /// ns; the kernel boots with 1 ms.
    pub avg_idle: u64,
    /// rq clock when the CPU last began to go idle; 0 for none.
    pub idle_stamp: u64,
}

impl AvgIdle {
    /// As at boot: 2 x migration_cost by default, no stamp.
    pub const BOOT: Self = Self { avg_idle: 1_000_000, idle_stamp: 0 };

    /// Takes a sample if this release does at this event, and clears the stamp. True if it did.
    /// `clock` is the rq clock, `max_idle_balance_cost` the rq's: twice that caps the average.
    pub fn sample(&mut self, rules: &Rules, end: IdleEnd, clock: u64, max_idle_balance_cost: u64) -> bool {
        if !samples(rules, end) {
            return false;
        }
        let huge = rules.newidle.avg_idle_zero_stamp && end == IdleEnd::IdleSwitchOut;
        if self.idle_stamp == 0 && !huge {
            return false;
        }
        let delta = clock.saturating_sub(self.idle_stamp);
        self.avg_idle = averaged(rules, self.avg_idle, delta, max_idle_balance_cost);
        self.idle_stamp = 0;
        true
    }
}

fn samples(rules: &Rules, end: IdleEnd) -> bool {
    match rules.newidle.avg_idle_sample {
        AvgIdleSample::Activation => end == IdleEnd::Activation,
        AvgIdleSample::AnyWakeup => matches!(end, IdleEnd::Activation | IdleEnd::QueuedWakeup),
        AvgIdleSample::IdleSwitchOut => end == IdleEnd::IdleSwitchOut,
    }
}

/// One sample weighed in by an eighth, and capped at `2 x max_idle_balance_cost` (`update_avg`).
pub fn averaged(rules: &Rules, avg: u64, sample: u64, max_idle_balance_cost: u64) -> u64 {
    let diff = i128::from(sample) - i128::from(avg);
    let eighth = match rules.newidle.avg_idle_division {
        AvgIdleDivision::Shift => diff >> 3,
        AvgIdleDivision::Signed => diff / 8,
    };
    // An eighth of the way from one u64 to another stays between them.
    let moved = u64::try_from(i128::from(avg) + eighth).unwrap_or(0);
    moved.min(max_idle_balance_cost.saturating_mul(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Release;

    #[test]
    fn the_vector_of_the_spec() {
        for release in Release::ALL {
            assert_eq!(averaged(&Rules::of(release), 1_000_000, 100_000, 500_000), 887_500);
        }
    }

    #[test]
    fn shift_rounds_down_and_division_toward_zero() {
        assert_eq!(averaged(&Rules::of(Release::V4_19), 100, 99, 1000), 99);
        assert_eq!(averaged(&Rules::of(Release::V6_6), 100, 99, 1000), 100);
    }

    #[test]
    fn the_cap_is_twice_the_balance_cost() {
        let rules = Rules::of(Release::V6_6);
        assert_eq!(averaged(&rules, 1_000_000, u64::MAX, 500_000), 1_000_000);
        assert_eq!(averaged(&rules, 999_999, 1_000_015, 500_000), 1_000_000);
    }

    #[test]
    fn each_release_samples_at_its_own_events() {
        let ends = [IdleEnd::Activation, IdleEnd::QueuedWakeup, IdleEnd::Attach, IdleEnd::IdleSwitchOut];
        let sampled = |release| {
            ends.map(|end| {
                let mut idle = AvgIdle { avg_idle: 1000, idle_stamp: 5 };
                idle.sample(&Rules::of(release), end, 10, 500_000)
            })
        };
        assert_eq!(sampled(Release::V4_19), [true, false, false, false]);
        assert_eq!(sampled(Release::V6_1), [true, true, false, false]);
        assert_eq!(sampled(Release::V6_6), [true, false, false, false]);
        assert_eq!(sampled(Release::V6_19), [true, false, false, false]);
        assert_eq!(sampled(Release::V7_1), [false, false, false, true]);
    }

    #[test]
    fn a_zero_stamp_gives_no_sample_before_7_0_and_a_huge_one_after() {
        let mut idle = AvgIdle::BOOT;
        assert!(!idle.sample(&Rules::of(Release::V6_6), IdleEnd::Activation, 9_000_000_000, 500_000));
        idle.avg_idle = 10;
        assert!(idle.sample(&Rules::of(Release::V7_1), IdleEnd::IdleSwitchOut, 9_000_000_000, 500_000));
        assert_eq!(idle.avg_idle, 1_000_000);
    }
}
