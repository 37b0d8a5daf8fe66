//! Per-entity load tracking: geometric averages of what a task or a queue did.
//!
//! Source of the rules: kernel/sched/pelt.c, 6.1.192 and 6.6 (the same in both).

/// The sum that an always-running entity reaches: `LOAD_AVG_MAX`.
pub const LOAD_AVG_MAX: u64 = 47_742;

/// Units of 1024 ns in one period.
const PERIOD: u64 = 1_024;

/// `floor((2^32 - 1) * y^i)`, with y^32 = 1/2.
const DECAY: [u64; 32] = [
    0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
    0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
    0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
    0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698,
];

/// `value * y^periods`, rounded down as the kernel's `decay_load` does. 0 after 2016 periods.
pub fn decay(value: u64, periods: u64) -> u64 {
    if periods > 63 * 32 {
        return 0;
    }
    let halved = value >> (periods / 32);
    let product = u128::from(halved) * u128::from(DECAY[(periods % 32) as usize]);
    (product >> 32) as u64
}

/// The averages and running sums of one task or one CFS queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Avg {
    /// Time of the last whole unit accounted, ns.
    pub last_update: u64,
    /// Sum behind `load_avg`.
    pub load_sum: u64,
    /// Sum behind `runnable_avg`.
    pub runnable_sum: u64,
    /// Sum behind `util_avg`.
    pub util_sum: u64,
    /// Units of the current, unfinished period: 0 to 1023.
    pub period_contrib: u32,
    /// Runnable share times weight.
    pub load_avg: u64,
    /// Time running or waiting, 0 to 1024 for a task.
    pub runnable_avg: u64,
    /// Time running, 0 to 1024.
    pub util_avg: u64,
}

/// What an entity did since its last update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Did {
    /// Factor on `load_sum`: 1 for a queued task, the total weight for a queue, 0 for a sleeper.
    pub load: u64,
    /// Factor on `runnable_sum`: 1 for a queued task, the number of runnable tasks for a queue.
    pub runnable: u64,
    /// Whether it ran.
    pub running: bool,
}

impl Did {
    /// Slept: everything only decays.
    pub const SLEPT: Self = Self { load: 0, runnable: 0, running: false };
}

/// By what additions are scaled, in 1024ths (4.19; later releases scale time: [`super::clock`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Everything, by the frequency.
    pub freq: u64,
    /// Utilization also, by the capacity.
    pub cpu: u64,
}

impl Scale {
    /// The biggest CPU at its full frequency.
    pub const FULL: Self = Self { freq: 1_024, cpu: 1_024 };
}

impl Avg {
    /// The divisor that turns sums into averages at the current place in the period.
    pub fn divider(&self) -> u64 {
        LOAD_AVG_MAX - PERIOD + u64::from(self.period_contrib)
    }

    /// As [`Avg::update_scaled`] on the biggest CPU at its full frequency.
    pub fn update(&mut self, now: u64, did: Did, weight: u64) -> bool {
        self.update_scaled(now, did, weight, Scale::FULL)
    }

    /// Accounts the time up to `now` ns and, where a period ended, refreshes the averages. `weight` is the
    /// task's nice weight, or 1 for a queue. Returns whether the averages were refreshed. A `now` before the
    /// last update only moves the time stamp (`___update_load_sum`, `___update_load_avg`).
    pub fn update_scaled(&mut self, now: u64, did: Did, weight: u64, scale: Scale) -> bool {
        if now < self.last_update {
            self.last_update = now;
            return false;
        }
        let units = (now - self.last_update) >> 10;
        if units == 0 {
            return false;
        }
        self.last_update += units << 10;
        let refreshed = self.accumulate(units, did, scale);
        if refreshed {
            self.refresh(weight);
        }
        refreshed
    }

    /// Adds `units` of 1024 ns to the sums (`accumulate_sum`). Returns whether a period ended.
    fn accumulate(&mut self, units: u64, did: Did, scale: Scale) -> bool {
        let place = units + u64::from(self.period_contrib);
        let periods = place / PERIOD;
        let mut contribution = units;
        let mut rest = place;
        if periods > 0 {
            self.load_sum = decay(self.load_sum, periods);
            self.runnable_sum = decay(self.runnable_sum, periods);
            self.util_sum = decay(self.util_sum, periods);
            rest = place % PERIOD;
            let head = decay(PERIOD - u64::from(self.period_contrib), periods);
            let middle = LOAD_AVG_MAX - decay(LOAD_AVG_MAX, periods) - PERIOD;
            contribution = head + middle + rest;
        }
        self.period_contrib = rest as u32;
        contribution = (contribution * scale.freq) >> 10;
        if did.load > 0 {
            self.load_sum += did.load * contribution;
            self.runnable_sum += did.runnable * (contribution << 10);
            if did.running {
                self.util_sum += contribution * scale.cpu;
            }
        }
        periods > 0
    }

    /// Recomputes the averages from the sums.
    fn refresh(&mut self, weight: u64) {
        let divider = self.divider();
        self.load_avg = weight * self.load_sum / divider;
        self.runnable_avg = self.runnable_sum / divider;
        self.util_avg = self.util_sum / divider;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RUNS: Did = Did { load: 1, runnable: 1, running: true };
    /// One period: what the published vectors call a millisecond.
    const MS: u64 = 1 << 20;

    fn ran(ms: u64) -> Avg {
        let mut avg = Avg::default();
        avg.update(ms * MS, RUNS, 1024);
        avg
    }

    #[test]
    fn one_jump_from_zero_reaches_the_known_values() {
        for (ms, util) in [(1, 21), (8, 162), (16, 299), (32, 512), (64, 768), (128, 960)] {
            assert_eq!(ran(ms).util_avg, util, "after {ms} ms");
        }
    }

    #[test]
    fn a_saturated_average_decays_by_half_in_32_periods() {
        for (ms, util) in [(1, 1002), (32, 511), (64, 255)] {
            let mut avg = ran(10_000);
            assert_eq!(avg.util_avg, 1024);
            let now = 10_000 * MS + ms * MS;
            avg.update(now, Did::SLEPT, 1024);
            assert_eq!(avg.util_avg, util, "after {ms} ms idle");
        }
    }

    #[test]
    fn load_follows_weight_and_runnable_counts_waiting() {
        let mut avg = Avg::default();
        avg.update(10_000 * MS, Did { load: 1, runnable: 1, running: false }, 335);
        assert_eq!((avg.load_avg, avg.runnable_avg, avg.util_avg), (335, 1024, 0));
    }

    /// 4.19 on a CPU of 446 at half the frequency: load and waiting by half, utilization by both.
    #[test]
    fn additions_can_be_scaled() {
        let mut avg = Avg::default();
        for ms in 1..1_000 {
            avg.update_scaled(ms * MS, RUNS, 1024, Scale { freq: 512, cpu: 446 });
        }
        assert!((508..=512).contains(&avg.load_avg) && (508..=512).contains(&avg.runnable_avg));
        assert!((220..=223).contains(&avg.util_avg), "{}", avg.util_avg);
    }

    #[test]
    fn less_than_a_unit_is_kept_for_later() {
        let mut avg = Avg::default();
        assert!(!avg.update(1_023, RUNS, 1024));
        assert_eq!(avg.last_update, 0);
        avg.update(1_024, RUNS, 1024);
        assert_eq!((avg.last_update, avg.util_sum), (1_024, 1_024));
    }

    #[test]
    fn time_going_back_only_moves_the_stamp() {
        let mut avg = ran(32);
        let before = avg;
        assert!(!avg.update(5, RUNS, 1024));
        assert_eq!(avg, Avg { last_update: 5, ..before });
    }

    proptest! {
        #[test]
        fn averages_stay_within_their_bounds(steps in prop::collection::vec((0u64..200_000_000, 0u8..3), 1..60)) {
            let mut avg = Avg::default();
            let mut now = 0;
            for (delta, state) in steps {
                now += delta;
                let did = match state { 0 => Did::SLEPT, 1 => Did { running: false, ..RUNS }, _ => RUNS };
                avg.update(now, did, 1024);
                prop_assert!(avg.util_avg <= 1024 && avg.runnable_avg <= 1024 && avg.load_avg <= 1024);
                prop_assert!(avg.util_avg <= avg.runnable_avg);
                prop_assert!(avg.period_contrib < 1024);
            }
        }

        #[test]
        fn splitting_a_stretch_changes_an_average_by_at_most_one(ms in 1u64..400, at in 1u64..400) {
            let (ms, at) = (ms.max(at), ms.min(at));
            let mut split = Avg::default();
            split.update(at * MS, RUNS, 1024);
            split.update(ms * MS, RUNS, 1024);
            prop_assert!(split.util_avg.abs_diff(ran(ms).util_avg) <= 1);
        }
    }
}
