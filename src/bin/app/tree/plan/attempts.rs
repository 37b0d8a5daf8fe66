//! Balance attempts as pulses on their domain's wire: rings while few show, glyphs up to 60 a second, bars
//! above. No place changes more than three times a second.

use super::layout::{Layout, Wire};
use balancescope::observe::{Attempt, Kind, Outcome};
use std::collections::VecDeque;

/// How attempts are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// One ring each, while 8 or fewer show.
    #[default]
    Rings,
    /// Glyphs only.
    Glyphs,
    /// Bars along the wire.
    Bars,
}

/// One place flashes at most three times a second.
const APART_MS: f64 = 334.0;
/// How long a ring spreads.
pub const RING_MS: f64 = 400.0;
/// How long a glyph fades after it has stood.
pub const FADE_MS: f64 = 300.0;
/// How long a glyph stands before it fades.
pub const STAND_MS: f64 = 300.0;
const RINGS: usize = 8;
const GLYPHS: f64 = 60.0;
const MOST: usize = 120;

/// An attempt that shows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Pulse {
    pub wire: usize,
    pub cpu: usize,
    pub kind: Kind,
    pub outcome: Outcome,
    pub id: u64,
    /// When its ring began, ms of the screen.
    pub ring_ms: f64,
    /// When it last was renewed.
    pub seen_ms: f64,
}

impl Pulse {
    /// 1 while it stands, falling to 0 as it fades.
    pub fn alpha(&self, now_ms: f64) -> f64 {
        (1.0 - (now_ms - self.seen_ms - STAND_MS) / FADE_MS).clamp(0.0, 1.0)
    }

    /// How far its ring has spread, 0 to 1; `None` when it is over.
    pub fn ring(&self, now_ms: f64) -> Option<f64> {
        let t = (now_ms - self.ring_ms) / RING_MS;
        (0.0..1.0).contains(&t).then_some(t)
    }
}

/// Counts along one wire, smoothed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// From left to right: attempts by (newidle, periodic, nohz), and those that moved something.
    pub bins: Vec<([f64; 3], f64)>,
    /// By outcome, in the order of [`Outcome`].
    pub outcomes: [f64; 6],
    /// From the middle of its leftmost CPU to that of its rightmost.
    reach: (f64, f64),
}

/// All that shows.
#[derive(Debug, Default)]
pub struct Pulses {
    /// Oldest first.
    pub live: VecDeque<Pulse>,
    /// By wire.
    pub bars: Vec<Bars>,
    /// How they are drawn now.
    pub show: Show,
    /// No rings, and glyphs stay until the next step.
    pub still: bool,
    seen: VecDeque<(f64, f64)>,
}

/// Place of a kind among the three that have a hue: newidle, periodic, nohz.
pub fn hue_of(kind: Kind) -> usize {
    match kind {
        Kind::Newidle => 0,
        Kind::Idle | Kind::Busy => 1,
        Kind::Nohz => 2,
    }
}

impl Pulses {
    /// Attempts a second of the screen, over the last second.
    pub fn rate(&self) -> f64 {
        self.seen.iter().map(|s| s.1).sum()
    }

    /// Takes in a frame's attempts, after `screen_ms` since the frame before; `dropped` more were not told.
    pub fn arrive(
        &mut self,
        layout: &Layout,
        attempts: &[Attempt],
        dropped: u64,
        now_ms: f64,
        screen_ms: f64,
    ) {
        let count = attempts.len() as f64 + dropped as f64;
        if count > 0.0 {
            self.seen.push_back((now_ms, count));
        }
        self.age(layout, screen_ms);
        let scale = if attempts.is_empty() { 1.0 } else { count / attempts.len() as f64 };
        if self.still && !attempts.is_empty() {
            self.live.clear();
        }
        for a in attempts {
            let cpu = a.cpu as usize;
            let Some(wire) = layout.wire_of(cpu, usize::from(a.slot)) else { continue };
            self.count(layout, wire, a, scale);
            self.pulse(wire, cpu, a, now_ms);
        }
        self.step(now_ms);
    }

    fn pulse(&mut self, wire: usize, cpu: usize, a: &Attempt, now_ms: f64) {
        let known = self.live.iter_mut().find(|p| p.wire == wire && p.cpu == cpu);
        match known {
            // The same place again within a third of a second: the glyph may change, the ring does not start anew.
            Some(p) => {
                if now_ms - p.ring_ms >= APART_MS {
                    p.ring_ms = now_ms;
                    (p.kind, p.outcome, p.id) = (a.kind, a.outcome, a.id);
                }
                p.seen_ms = now_ms;
            }
            None => self.live.push_back(Pulse {
                wire,
                cpu,
                kind: a.kind,
                outcome: a.outcome,
                id: a.id,
                ring_ms: now_ms,
                seen_ms: now_ms,
            }),
        }
        if self.live.len() > MOST {
            self.live.pop_front();
        }
    }

    fn count(&mut self, layout: &Layout, wire: usize, a: &Attempt, scale: f64) {
        let bars = &mut self.bars[wire];
        bars.outcomes[a.outcome as usize] += scale;
        let n = bars.bins.len();
        if n == 0 {
            return;
        }
        let x = layout.cells[a.cpu as usize].rect.centre().x;
        let (left, right) = bars.reach;
        let f = ((x - left) / (right - left).max(1.0)).clamp(0.0, 1.0);
        // Shared between the two nearest bins, so that CPUs and bins of unlike spacing make no comb.
        let place = f * n as f64 - 0.5;
        let low = place.floor();
        for (bin, part) in [(low, 1.0 - (place - low)), (low + 1.0, place - low)] {
            let bin = &mut bars.bins[(bin.max(0.0) as usize).min(n - 1)];
            bin.0[hue_of(a.kind)] += scale * part;
            if a.outcome == Outcome::Moved {
                bin.1 += scale * part;
            }
        }
    }

    fn age(&mut self, layout: &Layout, screen_ms: f64) {
        if self.bars.len() != layout.wires.len() {
            self.bars = layout.wires.iter().map(|w| empty(layout, w)).collect();
        }
        let keep = libm::exp2(-screen_ms / 333.0);
        for bars in &mut self.bars {
            bars.outcomes.iter_mut().for_each(|v| *v *= keep);
            for (kinds, moved) in &mut bars.bins {
                kinds.iter_mut().for_each(|v| *v *= keep);
                *moved *= keep;
            }
        }
    }

    /// Lets go of what has faded, and chooses how to draw.
    pub fn step(&mut self, now_ms: f64) {
        while self.seen.front().is_some_and(|s| s.0 <= now_ms - 1000.0 || s.0 > now_ms) {
            self.seen.pop_front();
        }
        if !self.still {
            self.live.retain(|p| p.alpha(now_ms) > 0.0);
        }
        let limit = if self.show == Show::Bars { GLYPHS * 0.75 } else { GLYPHS };
        self.show = if self.rate() > limit {
            Show::Bars
        } else if self.live.len() <= RINGS && !self.still {
            Show::Rings
        } else {
            Show::Glyphs
        };
    }

    /// Whether anything still changes without a new frame.
    pub fn moving(&self) -> bool {
        !self.still && (!self.live.is_empty() || !self.seen.is_empty())
    }

    /// Forgets everything: another world or another layout.
    pub fn clear(&mut self) {
        let still = self.still;
        *self = Self { still, ..Self::default() };
    }
}

/// Empty bars of a wire.
fn empty(layout: &Layout, w: &Wire) -> Bars {
    let xs = w.cpus.iter().filter_map(|&c| layout.cells.get(c)).map(|c| c.rect.centre().x);
    let reach = xs.fold((f64::MAX, f64::MIN), |(l, r), x| (l.min(x), r.max(x)));
    let bins = vec![([0.0; 3], 0.0); ((w.x1 - w.x0) / 24.0).clamp(0.0, 40.0) as usize];
    Bars { bins, outcomes: [0.0; 6], reach }
}
