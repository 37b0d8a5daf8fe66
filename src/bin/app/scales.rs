//! Sliders that count in steps and mean quantities over many decades.

use balancescope::scenario::MigrationCost;

/// Steps within a decade, in tenths.
const STEPS: [u64; 6] = [10, 15, 20, 30, 50, 70];

/// The value of a step, where step 0 is `base`.
fn at(base: u64, step: u32) -> u64 {
    let decade = 10_u64.saturating_pow(step / 6);
    (base.saturating_mul(decade)).saturating_mul(STEPS[(step % 6) as usize]) / 10
}

/// The step nearest to a value by ratio, from 0 to `last`.
fn nearest(base: u64, last: u32, value: u64) -> u32 {
    let off = |step: u32| {
        let (a, b) = (at(base, step) as f64, value.max(1) as f64);
        if a > b { a / b } else { b / a }
    };
    (0..=last).min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(0)
}

/// Migration cost: 0 is "never hot", then 1 µs to 10 ms, then "always hot".
pub mod cost {
    use super::*;

    const BASE: u64 = 1_000;
    const LAST: u32 = 24;
    /// The last position.
    pub const MAX: u32 = LAST + 2;

    /// Where on the slider a cost lies; one between two steps lies at the nearer.
    pub fn position(cost: MigrationCost) -> u32 {
        match cost {
            MigrationCost::NeverHot => 0,
            MigrationCost::Ns(ns) => 1 + nearest(BASE, LAST, ns),
            MigrationCost::AlwaysHot => MAX,
        }
    }

    /// The cost at a position.
    pub fn value(position: u32) -> MigrationCost {
        match position {
            0 => MigrationCost::NeverHot,
            p if p >= MAX => MigrationCost::AlwaysHot,
            p => MigrationCost::Ns(at(BASE, p - 1)),
        }
    }
}

/// How fast simulated time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// Simulated nanoseconds in a second of the person's time.
    PerSecond(u64),
    /// As fast as the machine can.
    Fastest,
}

/// Speed: 1 µs to 10 s in a second, then as fast as it goes.
pub mod speed {
    use super::*;

    const BASE: u64 = 1_000;
    const LAST: u32 = 42;
    /// The last position: as fast as it goes.
    pub const MAX: u32 = LAST + 1;
    /// Marks under the slider: position and words.
    pub const MARKS: [(u32, &str); 4] = [(0, "1 µs/s"), (18, "1 ms/s"), (36, ""), (MAX, "fastest")];

    /// Where on the slider a speed lies.
    pub fn position(speed: Speed) -> u32 {
        match speed {
            Speed::PerSecond(ns) => nearest(BASE, LAST, ns),
            Speed::Fastest => MAX,
        }
    }

    /// The speed at a position.
    pub fn value(position: u32) -> Speed {
        if position >= MAX { Speed::Fastest } else { Speed::PerSecond(at(BASE, position)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_the_cost_comes_back() {
        for p in 0..=cost::MAX {
            assert_eq!(cost::position(cost::value(p)), p);
        }
        assert_eq!(cost::value(1), MigrationCost::Ns(1_000));
        assert_eq!(cost::value(cost::MAX - 1), MigrationCost::Ns(10_000_000));
        assert_eq!(cost::value(cost::position(MigrationCost::default())), MigrationCost::default());
    }

    #[test]
    fn every_position_of_the_speed_comes_back() {
        for p in 0..=speed::MAX {
            assert_eq!(speed::position(speed::value(p)), p);
        }
        assert_eq!(speed::value(18), Speed::PerSecond(1_000_000));
        assert_eq!(speed::value(36), Speed::PerSecond(1_000_000_000));
    }

    #[test]
    fn a_value_between_two_steps_lies_at_the_nearer() {
        assert_eq!(cost::position(MigrationCost::Ns(510_000)), cost::position(MigrationCost::Ns(500_000)));
        assert_eq!(cost::position(MigrationCost::Ns(1)), 1);
    }
}
