//! The known past of a run on its own axis, simulated time: how often the balancer was called, and how far back
//! the run can be sought.

use balancescope::host::WINDOW;
use balancescope::observe::Frame;

/// Points kept at most; then every other one goes.
const MOST: usize = 1_200;

/// Points of one run, earliest first.
#[derive(Debug, Default, PartialEq)]
pub struct Tape {
    /// When, simulated ns, and balance calls since the start.
    points: Vec<(u64, u64)>,
    /// Of which world, and how often its knobs had been turned.
    run: (u32, u32),
    /// The latest moment that was reached, ns.
    latest: u64,
    /// Where the run was forked last, and what had been known until then.
    forked: Option<(u64, u64)>,
}

impl Tape {
    /// Takes note of a frame. `world` tells one run from another; `turned` says how often a knob was turned in it and
    /// when the last time, as what came later is then forgotten.
    pub fn hear(&mut self, world: u32, turned: (u32, u64), frame: &Frame) {
        if self.run.0 != world {
            *self = Self { run: (world, turned.0), ..Self::default() };
        }
        if self.run.1 != turned.0 {
            self.run.1 = turned.0;
            self.fork(turned.1);
        }
        if self.points.last().is_some_and(|last| last.0 >= frame.now_ns) {
            return;
        }
        let calls = frame.totals.levels.iter().flatten().map(|counts| counts.calls).sum();
        self.points.push((frame.now_ns, calls));
        self.latest = frame.now_ns;
        let edge = self.latest.saturating_sub(WINDOW);
        if self.points.len() > MOST {
            let mut nth = 0;
            self.points.retain(|point| {
                nth += 1;
                nth % 2 == 1 && point.0 >= edge
            });
        }
    }

    fn fork(&mut self, at_ns: u64) {
        self.forked = (at_ns < self.latest).then_some((at_ns, self.latest));
        self.points.retain(|point| point.0 <= at_ns);
        self.latest = at_ns.min(self.latest);
    }

    /// From when to when the run is known, ns.
    pub fn span(&self) -> (u64, u64) {
        (self.latest.saturating_sub(WINDOW), self.latest)
    }

    /// Where the run was forked last, and up to when it had been known.
    pub fn forked(&self) -> Option<(u64, u64)> {
        self.forked
    }

    /// Balance calls a second in each of so many equal parts of the known span.
    pub fn rates(&self, columns: usize) -> Vec<f64> {
        let (from, to) = self.span();
        let width = (to - from) as f64 / columns.max(1) as f64;
        let mut rates = vec![0.0; columns];
        for pair in self.points.windows(2) {
            let ((a, before), (b, after)) = (pair[0], pair[1]);
            let rate = (after - before) as f64 * 1e9 / (b - a) as f64;
            let column = |ns: u64| (ns.saturating_sub(from) as f64 / width.max(1.0)) as usize;
            for place in rates.iter_mut().take(column(b) + 1).skip(column(a)) {
                *place = rate;
            }
        }
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake;
    use balancescope::observe::LevelCounts;

    fn frame(now_ns: u64, calls: u64) -> Frame {
        let mut frame = fake::frame(now_ns);
        let counts = LevelCounts { calls, ..LevelCounts::default() };
        frame.totals.levels = vec![[counts, LevelCounts::default(), counts, LevelCounts::default()]];
        frame
    }

    fn tape(upto: u64) -> Tape {
        let mut tape = Tape::default();
        for second in 0..=upto {
            tape.hear(1, (0, 0), &frame(second * 1_000_000_000, second * 50));
        }
        tape
    }

    #[test]
    fn the_span_reaches_back_to_the_start_and_later_60_seconds() {
        assert_eq!(tape(9).span(), (0, 9_000_000_000));
        assert_eq!(tape(100).span(), (40_000_000_000, 100_000_000_000));
    }

    #[test]
    fn rates_are_of_both_sums_a_second() {
        assert_eq!(tape(8).rates(4), [100.0; 4]);
        assert_eq!(Tape::default().rates(2), [0.0; 2]);
    }

    #[test]
    fn going_back_forgets_nothing_but_a_turn_there_does() {
        let mut tape = tape(9);
        tape.hear(1, (0, 0), &frame(3_000_000_000, 150));
        assert_eq!((tape.span().1, tape.forked()), (9_000_000_000, None));
        tape.hear(1, (1, 3_000_000_000), &frame(3_000_000_000, 150));
        assert_eq!(tape.span().1, 3_000_000_000);
        assert_eq!(tape.forked(), Some((3_000_000_000, 9_000_000_000)));
        tape.hear(1, (2, 4_000_000_000), &frame(4_000_000_000, 200));
        assert_eq!(tape.forked(), None);
    }

    #[test]
    fn a_long_run_keeps_few_points() {
        let tape = tape(10_000);
        assert!(tape.points.len() <= MOST);
        assert_eq!(tape.rates(10), [100.0; 10]);
    }

    #[test]
    fn another_world_begins_another_tape() {
        let mut tape = tape(9);
        tape.hear(2, (0, 0), &frame(0, 0));
        assert_eq!(tape.span(), (0, 0));
    }
}
