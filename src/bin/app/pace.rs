//! How much simulated time a frame of the screen is worth.

use crate::scales::Speed;

/// The worker works no longer than this for one frame, µs: the page stays at the screen's rate.
pub const BUDGET_US: u32 = 10_000;
/// What is asked of the worker at once when time shall go as fast as it can, ns.
const FASTEST_NS: u64 = 1_000_000_000;
/// A longer gap between frames (a hidden tab, a slow machine) counts as no more than this, ms.
const LONGEST_MS: f64 = 100.0;

/// Keeps what is left over of a nanosecond, so that slow speeds are right in the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    last_ms: Option<f64>,
    rest_ns: f64,
}

impl Pace {
    /// Simulated ns to go for the frame at a wall time in ms.
    pub fn due(&mut self, speed: Speed, wall_ms: f64) -> u64 {
        let gap_ms = self.last_ms.map_or(0.0, |last| (wall_ms - last).clamp(0.0, LONGEST_MS));
        self.last_ms = Some(wall_ms);
        match speed {
            Speed::Fastest => FASTEST_NS,
            Speed::PerSecond(ns) => {
                let due = ns as f64 * gap_ms / 1_000.0 + self.rest_ns;
                self.rest_ns = due.fract();
                due as u64
            }
        }
    }

    /// Time stood still meanwhile.
    pub fn stop(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_of_frames_is_a_second_at_any_speed() {
        for ns in [1_000, 20_000, 5_000_000, 1_000_000_000] {
            let mut pace = Pace::default();
            let total: u64 =
                (0..=60).map(|i| pace.due(Speed::PerSecond(ns), f64::from(i) * 1_000.0 / 60.0)).sum();
            assert!(total.abs_diff(ns) <= 1, "{ns}: {total}");
        }
    }

    #[test]
    fn a_long_sleep_is_not_made_up_for() {
        let mut pace = Pace::default();
        pace.due(Speed::PerSecond(1_000), 0.0);
        assert_eq!(pace.due(Speed::PerSecond(1_000), 60_000.0), 100);
    }
}
