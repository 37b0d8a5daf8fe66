//! What the charts show: frames are sampled ten times a second, and rates are taken between samples.
//!
//! The time axis is the person's own (so it moves at any speed); every rate is for a simulated second.

use balancescope::observe::{Frame, Histogram, Kind};
use balancescope::topology::DomainTree;
use std::collections::VecDeque;

/// Seconds that the charts look back.
pub const WINDOW_S: f64 = 10.0;
/// Seconds that are kept, for when the run goes back.
const KEPT_S: f64 = 6.0 * WINDOW_S;
/// Seconds over which a rate is taken.
const RATE_S: f64 = 1.0;
/// A pause between samples counts as no more than this.
const GAP_S: f64 = 0.25;

/// Balance kinds as the charts show them: newidle, periodic (idle and busy CPUs), nohz.
pub const KINDS: usize = 3;

fn kind_of(kind: Kind) -> usize {
    match kind {
        Kind::Newidle => 0,
        Kind::Idle | Kind::Busy => 1,
        Kind::Nohz => 2,
    }
}

/// Kinds in the order of a [`balancescope::observe::Totals::levels`] row.
const ORDER: [Kind; 4] = [Kind::Newidle, Kind::Idle, Kind::Busy, Kind::Nohz];

/// Cumulative figures at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sample {
    x: f64,
    now_ns: u64,
    calls: [u64; KINDS],
    time_ns: [u64; KINDS],
    levels: Vec<[u64; 2]>,
    busy_ns: u64,
    balance_ns: u64,
    total_ns: u64,
    done: u64,
    moves: u64,
    wakeups: Vec<(u16, u32)>,
}

/// Rates at one moment, for a simulated second. Shares are of one; latencies are ns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Seconds on the charts' axis.
    pub x: f64,
    /// The simulated moment.
    pub now_ns: u64,
    /// Passes that ran `load_balance`, by kind.
    pub calls: [f64; KINDS],
    /// Share of all CPU time spent in passes, by kind.
    pub balance: [f64; KINDS],
    /// Share of all CPU time spent balancing or waiting for a balancer's lock.
    pub balance_all: f64,
    /// Share of calls that moved a task, by group of levels; `None` without calls.
    pub moved: Vec<Option<f64>>,
    /// The same over all levels.
    pub moved_all: Option<f64>,
    /// Share of CPU time that was not idle.
    pub busy: f64,
    /// Work done.
    pub done: f64,
    /// Tasks that changed their CPU, by whatever path.
    pub moves: f64,
    /// Wake-up to running: half of them are faster, and 99 in a hundred.
    pub latency: Option<(f64, f64)>,
}

/// The window of rates that charts draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// Oldest first.
    pub rates: Vec<Rates>,
    /// Names of the groups of levels, bottom up.
    pub levels: Vec<&'static str>,
    /// Where knobs were turned: place on the axis, and words.
    pub marks: Vec<(f64, String)>,
    /// Simulated nanoseconds that went by in a second of the person's time, lately.
    pub speed: f64,
}

impl Window {
    /// The newest rates.
    pub fn now(&self) -> Option<&Rates> {
        self.rates.last()
    }
}

/// Collects samples.
#[derive(Debug, Default)]
pub struct Meter {
    x: f64,
    last_ms: Option<f64>,
    samples: VecDeque<Sample>,
    rates: VecDeque<Rates>,
    marks: VecDeque<(f64, String)>,
    levels: Vec<&'static str>,
    group_of_slot: Vec<usize>,
    heard: Histogram,
}

impl Meter {
    /// Begins anew for a tree: levels of one name are counted together.
    pub fn reset(&mut self, tree: &DomainTree) {
        *self = Self::default();
        for level in &tree.levels {
            let name = level.name.as_str();
            let group = self.levels.iter().position(|l| *l == name).unwrap_or_else(|| {
                self.levels.push(name);
                self.levels.len() - 1
            });
            self.group_of_slot.push(group);
        }
    }

    /// Marks that a knob was turned.
    pub fn mark(&mut self, words: String) {
        if self.marks.back().is_some_and(|(x, w)| self.x - x < 1.0 && same_knob(w, &words)) {
            self.marks.pop_back();
        }
        self.marks.push_back((self.x, words));
        if self.marks.len() > 16 {
            self.marks.pop_front();
        }
    }

    /// Takes note of a frame between samples: wake-ups are told once.
    pub fn hear(&mut self, frame: &Frame) {
        self.heard.add(&frame.wakeups);
    }

    /// Takes a sample at a wall time in ms.
    pub fn sample(&mut self, frame: &Frame, wall_ms: f64) {
        let gap = self.last_ms.map_or(0.0, |last| ((wall_ms - last) / 1000.0).clamp(0.0, GAP_S));
        self.last_ms = Some(wall_ms);
        self.x += gap;
        let sample = self.read(frame);
        self.go_back(sample.now_ns);
        let sample = Sample { x: self.x, ..sample };
        let base = self.base_for(&sample);
        if let Some(base) = base {
            self.rates.push_back(rates(&self.samples, base, &sample));
        }
        self.samples.push_back(sample);
        self.forget();
    }

    /// The run went back to a moment: so do the charts, and what comes next is drawn from there.
    fn go_back(&mut self, now_ns: u64) {
        let mut went = false;
        while self.samples.back().is_some_and(|last| last.now_ns > now_ns) {
            self.samples.pop_back();
            went = true;
        }
        if went {
            self.x = self.samples.back().map_or(self.x, |last| last.x);
            while self.rates.back().is_some_and(|last| last.x > self.x) {
                self.rates.pop_back();
            }
            self.marks.retain(|mark| mark.0 <= self.x);
        }
    }

    /// What the charts draw now.
    pub fn window(&self) -> Window {
        let edge = self.x - WINDOW_S;
        Window {
            rates: self.rates.iter().filter(|r| r.x >= edge).cloned().collect(),
            levels: self.levels.clone(),
            marks: self.marks.iter().cloned().collect(),
            speed: self.speed(),
        }
    }

    fn speed(&self) -> f64 {
        let Some(last) = self.samples.back() else { return 0.0 };
        let from = self.samples.iter().find(|s| last.x - s.x <= RATE_S);
        from.filter(|s| last.x > s.x).map_or(0.0, |s| (last.now_ns - s.now_ns) as f64 / (last.x - s.x))
    }

    fn forget(&mut self) {
        let edge = self.x - KEPT_S;
        while self.samples.front().is_some_and(|s| s.x < edge - RATE_S) {
            self.samples.pop_front();
        }
        while self.rates.front().is_some_and(|r| r.x < edge) {
            self.rates.pop_front();
        }
        while self.marks.front().is_some_and(|(x, _)| *x < edge) {
            self.marks.pop_front();
        }
    }

    /// The sample that a rate is taken from: a second back, or further while nothing was simulated.
    fn base_for(&self, sample: &Sample) -> Option<usize> {
        let near = self.samples.iter().position(|s| sample.x - s.x <= RATE_S)?;
        (0..=near).rev().find(|&i| self.samples[i].now_ns < sample.now_ns)
    }

    fn read(&mut self, frame: &Frame) -> Sample {
        let mut s = Sample { x: self.x, now_ns: frame.now_ns, ..Sample::default() };
        s.levels = vec![[0; 2]; self.levels.len()];
        for (slot, row) in frame.totals.levels.iter().enumerate() {
            for (kind, counts) in ORDER.iter().zip(row) {
                let k = kind_of(*kind);
                s.calls[k] += counts.calls;
                s.time_ns[k] += counts.time_ns;
                if let Some(level) = self.group_of_slot.get(slot).and_then(|g| s.levels.get_mut(*g)) {
                    level[0] += counts.calls;
                    level[1] += counts.moved_calls;
                }
            }
        }
        for cpu in &frame.cpus {
            let busy = cpu.user_ns + cpu.balance_ns + cpu.lock_ns + cpu.system_ns;
            s.busy_ns += busy;
            s.balance_ns += cpu.balance_ns + cpu.lock_ns;
            s.total_ns += busy + cpu.idle_ns;
        }
        s.done = frame.totals.done;
        s.moves = frame.totals.migrations.iter().sum();
        s.wakeups = self.heard.filled();
        self.heard.clear();
        s
    }
}

fn same_knob(a: &str, b: &str) -> bool {
    a.split(' ').next() == b.split(' ').next()
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn rates(samples: &VecDeque<Sample>, base: usize, now: &Sample) -> Rates {
    let from = &samples[base];
    let seconds = (now.now_ns - from.now_ns) as f64 / 1e9;
    let per_second = |a: u64, b: u64| b.saturating_sub(a) as f64 / seconds;
    let cpu_time = now.total_ns.saturating_sub(from.total_ns);
    let cpu_share = |a: u64, b: u64| share(b.saturating_sub(a), cpu_time).unwrap_or(0.0);
    let level = |i: usize| {
        let zero = [0; 2];
        let (a, b) = (from.levels.get(i).unwrap_or(&zero), now.levels.get(i).unwrap_or(&zero));
        [b[0].saturating_sub(a[0]), b[1].saturating_sub(a[1])]
    };
    let levels: Vec<[u64; 2]> = (0..now.levels.len()).map(level).collect();
    let (calls, moved) = levels.iter().fold((0, 0), |(c, m), l| (c + l[0], m + l[1]));
    Rates {
        x: now.x,
        now_ns: now.now_ns,
        calls: std::array::from_fn(|k| per_second(from.calls[k], now.calls[k])),
        balance: std::array::from_fn(|k| cpu_share(from.time_ns[k], now.time_ns[k])),
        balance_all: cpu_share(from.balance_ns, now.balance_ns),
        moved: levels.iter().map(|l| share(l[1], l[0])).collect(),
        moved_all: share(moved, calls),
        busy: cpu_share(from.busy_ns, now.busy_ns),
        done: per_second(from.done, now.done),
        moves: per_second(from.moves, now.moves),
        latency: latency(samples.iter().skip(base + 1).chain([now])),
    }
}

/// p50 and p99 of all wake-ups in these samples.
fn latency<'a>(samples: impl Iterator<Item = &'a Sample>) -> Option<(f64, f64)> {
    let mut all = Histogram::default();
    for sample in samples {
        all.add(&sample.wakeups);
    }
    all.quantile(500).zip(all.quantile(990)).map(|(p50, p99)| (p50 as f64, p99 as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake;

    fn meter() -> Meter {
        let mut meter = Meter::default();
        meter.levels = vec!["MC"];
        meter.group_of_slot = vec![0];
        meter
    }

    #[test]
    fn rates_are_for_a_simulated_second() {
        let mut meter = meter();
        for i in 0..=20_u64 {
            let mut frame = fake::frame(i * 1_000_000);
            let mut row = <[balancescope::observe::LevelCounts; 4]>::default();
            row[0].calls = i * 5;
            row[0].moved_calls = i;
            frame.totals.levels = vec![row];
            frame.totals.done = i * 40;
            meter.sample(&frame, i as f64 * 100.0);
        }
        let window = meter.window();
        let now = window.now().expect("there are rates");
        assert!((now.calls[0] - 5_000.0).abs() < 1e-6);
        assert!((now.done - 40_000.0).abs() < 1e-6);
        assert_eq!(now.moved, [Some(0.2)]);
        assert!((window.speed - 1e7).abs() < 1.0);
    }

    #[test]
    fn a_world_that_stands_still_keeps_its_last_rate() {
        let mut meter = meter();
        let mut frame = fake::frame(0);
        meter.sample(&frame, 0.0);
        frame.now_ns = 1_000;
        frame.totals.done = 1;
        meter.sample(&frame, 100.0);
        for i in 2..30 {
            meter.sample(&frame, f64::from(i) * 100.0);
        }
        let rates = meter.window().rates;
        assert!(rates.iter().all(|r| r.done.is_finite()));
        assert!(rates.last().is_some_and(|r| r.done > 0.0));
    }

    #[test]
    fn latencies_are_of_all_wake_ups_in_the_window() {
        let mut meter = meter();
        for i in 0..5_u64 {
            let mut frame = fake::frame(i * 1_000);
            // Buckets below 32 are single nanoseconds.
            frame.wakeups = vec![(10, 98), (20 + i as u16, 2)];
            meter.hear(&frame);
            meter.sample(&frame, i as f64 * 100.0);
        }
        let window = meter.window();
        assert_eq!(window.now().and_then(|r| r.latency), Some((10.0, 22.0)));
    }

    #[test]
    fn turning_one_knob_on_and_on_leaves_one_mark() {
        let mut meter = meter();
        meter.mark("load 0.80".to_owned());
        meter.mark("load 0.90".to_owned());
        meter.mark("overload set".to_owned());
        let words: Vec<String> = meter.window().marks.into_iter().map(|m| m.1).collect();
        assert_eq!(words, ["load 0.90", "overload set"]);
    }

    #[test]
    fn going_back_shows_again_what_was_before() {
        let mut meter = meter();
        for i in 0..30_u64 {
            meter.sample(&fake::frame(i * 1_000), i as f64 * 100.0);
        }
        let before = meter.window().rates;
        meter.sample(&fake::frame(20_000), 3_000.0);
        let after = meter.window().rates;
        assert!(after.len() > 15 && after.len() < before.len());
        assert!(after.windows(2).all(|pair| pair[0].x <= pair[1].x));
    }

    #[test]
    fn the_window_forgets_what_is_older() {
        let mut meter = meter();
        for i in 0..500_u64 {
            meter.sample(&fake::frame(i * 1_000), i as f64 * 100.0);
        }
        let window = meter.window();
        assert!(window.rates.len() <= 101, "{}", window.rates.len());
    }
}
