//! Two scenarios on the same work: what the second has otherwise, where the runs first differ, and by how much.

use balancescope::observe::{Attempt, Frame, figure, figures};
use balancescope::scenario::{Scenario, Show, Warning};
use std::collections::VecDeque;

/// The scenario with what the other has otherwise (`key:value` apart by `;`), and what of that could not be used.
pub fn other(scenario: &Scenario, otherwise: &str) -> (Scenario, Vec<Warning>) {
    let pairs: Vec<(&str, &str)> = otherwise.split(';').filter_map(|pair| pair.split_once(':')).collect();
    let plain = Scenario { show: Show::default(), ..scenario.clone() }.fragment();
    let kept = plain.split('&').filter(|pair| {
        let key = pair.split('=').next().unwrap_or_default();
        !pairs.iter().any(|(k, _)| k.trim() == key)
    });
    let put = pairs.iter().map(|(key, value)| format!("{}={}", key.trim(), value.trim()));
    let all: Vec<String> = kept.map(str::to_owned).chain(put).collect();
    Scenario::parse_link(&all.join("&"))
}

/// How a figure is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A count a second.
    Rate,
    /// A share of one.
    Share,
}

/// What is compared: words, figure, unit.
pub const ROWS: [(&str, &str, Unit); 9] = [
    ("Newidle calls a second", "newidle_calls_per_s", Unit::Rate),
    ("Periodic calls a second", "periodic_calls_per_s", Unit::Rate),
    ("Calls that moved something", "all_moved_calls/all_calls", Unit::Share),
    ("Tasks moved by balancing a second", "all_moved_tasks_per_s", Unit::Rate),
    ("Serialise lock lost a second", "all_lock_failed_per_s", Unit::Rate),
    ("CPU time in balancing", "balance_ns/cpu_ns", Unit::Share),
    ("CPU busy", "busy_ns/cpu_ns", Unit::Share),
    ("Tasks moved by wake-ups a second", "by_wakeup_per_s", Unit::Rate),
    ("Work done a second", "done_per_s", Unit::Rate),
];

/// The figures of [`ROWS`] in a frame.
pub fn row_figures(frame: &Frame) -> [Option<f64>; ROWS.len()] {
    let list = figures(frame, &[]);
    ROWS.map(|(_, name, _)| figure(&list, name))
}

/// Mean and standard deviation (of a sample) of some values.
pub fn spread(values: &[f64]) -> Option<(f64, f64)> {
    let n = values.len() as f64;
    if values.is_empty() {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    Some((mean, if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 }))
}

/// Where two runs first differ: attempts of both are held against each other by their number in the run.
#[derive(Debug, Default)]
pub struct Split {
    waiting: [VecDeque<Attempt>; 2],
    next: [Option<u64>; 2],
    /// The first attempts that differ, of A and of B.
    pub first: Option<(Attempt, Attempt)>,
    /// Attempts were dropped before a difference was found, so that the first one may be missed.
    pub blind: bool,
}

/// Most attempts of a side that wait for those of the other.
const MOST: usize = 10_000;

impl Split {
    /// Takes note of a frame of A (0) or B (1).
    pub fn hear(&mut self, side: usize, frame: &Frame) {
        if self.first.is_some() || self.blind {
            return;
        }
        for attempt in &frame.attempts {
            let next = self.next[side].unwrap_or(0);
            // What is told again after going back is known.
            if attempt.id > next || self.waiting[side].len() >= MOST {
                self.blind = true;
                return;
            }
            if attempt.id == next {
                self.next[side] = Some(next + 1);
                self.waiting[side].push_back(*attempt);
            }
        }
        let [a, b] = &mut self.waiting;
        while let (Some(x), Some(y)) = (a.front(), b.front()) {
            let same = Attempt { took_ns: 0, ..*x } == Attempt { took_ns: 0, ..*y };
            if !same {
                self.first = Some((*x, *y));
                return;
            }
            a.pop_front();
            b.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake;
    use balancescope::observe::{Kind, Outcome};
    use balancescope::topology::Release;

    #[test]
    fn the_other_scenario_differs_in_what_is_written() {
        let (a, _) = Scenario::parse("release=6.6&load=0.9&seed=3&newidle_gate=migration_cost");
        let (b, warnings) = other(&a, "release:4.19; load:0.5");
        assert_eq!((b.release, b.load, b.seed, warnings.len()), (Release::V4_19, 500, 3, 0));
        let (c, warnings) = other(&a, "newidle_gate:domain_cost;lod:1");
        assert_eq!((c.overrides.len(), warnings.len()), (0, 1));
    }

    fn attempts(outcomes: &[(u64, Outcome)]) -> Frame {
        let mut frame = fake::frame(0);
        frame.attempts = outcomes
            .iter()
            .map(|(id, outcome)| Attempt {
                at_ns: 100 * id,
                cpu: 1,
                slot: 0,
                kind: Kind::Newidle,
                outcome: *outcome,
                moved: 0,
                took_ns: *id,
                id: *id,
            })
            .collect();
        frame
    }

    #[test]
    fn the_first_difference_is_found_whatever_the_frames() {
        use Outcome::{Balanced, Gated};
        let mut split = Split::default();
        split.hear(0, &attempts(&[(0, Gated), (1, Gated), (2, Gated)]));
        split.hear(1, &attempts(&[(0, Gated)]));
        assert_eq!(split.first, None);
        split.hear(1, &attempts(&[(0, Gated), (1, Gated), (2, Balanced)]));
        assert_eq!(split.first.map(|(a, b)| (a.id, a.outcome, b.outcome)), Some((2, Gated, Balanced)));
        assert!(!split.blind);
    }

    #[test]
    fn dropped_attempts_are_owned_up_to() {
        let mut split = Split::default();
        split.hear(0, &attempts(&[(5, Outcome::Gated)]));
        assert!(split.blind && split.first.is_none());
    }

    #[test]
    fn spread_is_of_a_sample() {
        assert_eq!(spread(&[1.0, 3.0]), Some((2.0, 2.0_f64.sqrt())));
        assert_eq!((spread(&[5.0]), spread(&[])), (Some((5.0, 0.0)), None));
    }
}
