//! Tasks on their way. Few moves fly one by one with a tag, more as tokens with tails, many as flows
//! (`flows`). All times are milliseconds of the screen.

use super::geom::{Pt, at, length, slice};
use super::layout::Layout;
use super::route::{berth, route};
use balancescope::observe::{Cause, Move};
use std::collections::{HashMap, VecDeque};

/// How moves are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Up to 12 a second.
    #[default]
    OneByOne,
    /// Up to 300 a second.
    Tokens,
    /// More.
    Flows,
}

/// A moved task keeps its path's mark this long.
pub const KEEP_MS: f64 = 1000.0;
const OUT_MS: f64 = 120.0;
const TOKEN_MS: f64 = 240.0;
/// Flights drawn at once, at most.
const MOST: usize = 160;

/// A task on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Flight {
    /// Which.
    pub task: u32,
    /// Who moved it.
    pub cause: Cause,
    /// From this CPU.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// Level of the wire on which it turns.
    pub slot: Option<usize>,
    /// Corners of its way.
    pub path: Vec<Pt>,
    /// Length of the way.
    pub length: f64,
    /// When it began.
    pub start_ms: f64,
    /// How long it takes.
    pub takes_ms: f64,
    /// Drawn with a tag and the way ahead.
    pub single: bool,
    ends: (f64, f64),
}

/// Where a flight is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The token.
    pub at: Pt,
    /// Pixels flown.
    pub along: f64,
}

impl Flight {
    /// Whether it has landed.
    pub fn landed(&self, now_ms: f64) -> bool {
        now_ms >= self.start_ms + self.takes_ms
    }

    /// Where it is.
    pub fn progress(&self, now_ms: f64) -> Option<Progress> {
        let t = (now_ms - self.start_ms).clamp(0.0, self.takes_ms);
        let along = if self.single { self.along_single(t) } else { self.length * ease(t / self.takes_ms) };
        at(&self.path, along).map(|at| Progress { at, along })
    }

    /// Out of the cell, along the wires, into the other cell.
    fn along_single(&self, t: f64) -> f64 {
        let (out, landing) = self.ends;
        let cruise = self.takes_ms - 2.0 * OUT_MS;
        if t < OUT_MS {
            out * ease(t / OUT_MS)
        } else if t < OUT_MS + cruise {
            out + (self.length - out - landing) * ease((t - OUT_MS) / cruise)
        } else {
            self.length - landing + landing * ease((t - OUT_MS - cruise) / OUT_MS)
        }
    }

    /// The way flown so far.
    pub fn flown(&self, along: f64) -> Vec<Pt> {
        slice(&self.path, 0.0, along)
    }

    /// The way still ahead.
    pub fn ahead(&self, along: f64) -> Vec<Pt> {
        slice(&self.path, along, self.length)
    }

    /// The last `px` pixels flown.
    pub fn tail(&self, along: f64, px: f64) -> Vec<Pt> {
        slice(&self.path, (along - px).max(0.0), along)
    }
}

fn ease(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// All flights, and who moved which task lately.
#[derive(Debug, Default)]
pub struct Flights {
    /// On their way, oldest first.
    pub live: VecDeque<Flight>,
    /// How moves are drawn now.
    pub mode: Mode,
    /// Whole ways stay, nothing travels.
    pub still: bool,
    seen: VecDeque<(f64, f64)>,
    kept: HashMap<u32, (Cause, f64)>,
}

impl Flights {
    /// Moves a second of the screen, over the last second.
    pub fn rate(&self) -> f64 {
        self.seen.iter().map(|s| s.1).sum()
    }

    /// Takes in the moves of a frame; `dropped` more were not told.
    pub fn arrive(&mut self, layout: &Layout, moves: &[Move], dropped: u64, now_ms: f64) {
        let count = moves.len() as f64 + dropped as f64;
        if count > 0.0 {
            self.seen.push_back((now_ms, count));
        }
        self.forget(now_ms);
        self.mode = next_mode(self.mode, self.rate());
        if self.still && !moves.is_empty() {
            self.live.clear();
        }
        if self.mode == Mode::Flows && !self.still {
            return;
        }
        let most = if self.still { 3 } else { MOST };
        for mv in &moves[moves.len().saturating_sub(most)..] {
            self.kept.insert(mv.task, (mv.cause, now_ms));
            if let Some(flight) = self.begin(layout, mv, now_ms) {
                self.live.push_back(flight);
            }
        }
        while self.live.len() > most {
            self.live.pop_front();
        }
    }

    fn begin(&self, layout: &Layout, mv: &Move, now_ms: f64) -> Option<Flight> {
        let (from, to) = (mv.from as usize, mv.to as usize);
        let way = route(layout, from, to, mv.slot.map(usize::from));
        let length = length(&way.pts);
        if length <= 0.0 {
            return None;
        }
        let single = self.still || self.mode == Mode::OneByOne;
        let cruise = (length * 0.9).clamp(240.0, 480.0);
        let ends = (end_length(layout, from), end_length(layout, to));
        let both = ends.0 + ends.1;
        let ends = if both > length * 0.8 { (length * 0.25, length * 0.25) } else { ends };
        Some(Flight {
            task: mv.task,
            cause: mv.cause,
            from,
            to,
            slot: way.wire.map(|w| layout.wires[w].slot).or(mv.slot.map(usize::from)),
            path: way.pts,
            length,
            start_ms: now_ms,
            takes_ms: if single { cruise + 2.0 * OUT_MS } else { TOKEN_MS },
            single,
            ends,
        })
    }

    /// Lets go of what has landed or is too old. Where nothing travels, ways stay until the next move.
    pub fn step(&mut self, now_ms: f64) {
        self.forget(now_ms);
        self.mode = next_mode(self.mode, self.rate());
        if !self.still {
            self.live.retain(|f| !f.landed(now_ms));
        }
    }

    fn forget(&mut self, now_ms: f64) {
        while self.seen.front().is_some_and(|s| s.0 <= now_ms - 1000.0 || s.0 > now_ms) {
            self.seen.pop_front();
        }
        self.kept.retain(|_, (_, ms)| now_ms - *ms < KEEP_MS);
    }

    /// The path that moved a task within the last second.
    pub fn mark_of(&self, task: u32) -> Option<Cause> {
        self.kept.get(&task).map(|k| k.0)
    }

    /// Whether the task is still on its way, one by one.
    pub fn in_flight(&self, task: u32) -> bool {
        self.live.iter().any(|f| f.single && f.task == task)
    }

    /// Whether anything still changes without a new frame.
    pub fn moving(&self) -> bool {
        !self.still && (!self.live.is_empty() || !self.kept.is_empty() || !self.seen.is_empty())
    }

    /// Leads all flights along a new layout, after a change of size.
    pub fn reroute(&mut self, layout: &Layout) {
        for f in &mut self.live {
            let done = f.length.max(1.0);
            f.path = route(layout, f.from, f.to, f.slot).pts;
            f.length = length(&f.path);
            let scale = f.length / done;
            f.ends = (f.ends.0 * scale, f.ends.1 * scale);
        }
        self.live.retain(|f| f.length > 0.0);
    }

    /// Forgets everything: another world.
    pub fn clear(&mut self) {
        let still = self.still;
        *self = Self { still, ..Self::default() };
    }
}

/// From inside a cell to its first wire.
fn end_length(layout: &Layout, cpu: usize) -> f64 {
    let start = berth(layout, cpu);
    let hop = &layout.cells[cpu].hop.pts;
    hop.first().map_or(0.0, |p| start.distance(*p)) + length(hop)
}

/// Modes change a little late on the way down, so that a rate near a border does not flicker.
fn next_mode(mode: Mode, rate: f64) -> Mode {
    let (few, many) = match mode {
        Mode::OneByOne => (12.0, 300.0),
        Mode::Tokens => (8.0, 300.0),
        Mode::Flows => (8.0, 220.0),
    };
    if rate <= few {
        Mode::OneByOne
    } else if rate <= many {
        Mode::Tokens
    } else {
        Mode::Flows
    }
}
