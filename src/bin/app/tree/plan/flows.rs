//! Many moves at once: how many a second go from where to where by which path.

use super::layout::Layout;
use balancescope::observe::{Cause, Move};

/// All paths in the order of the legend.
pub const CAUSES: [Cause; 6] =
    [Cause::Wakeup, Cause::Fork, Cause::Newidle, Cause::Periodic, Cause::Nohz, Cause::Active];

/// Place of a path in [`CAUSES`].
pub fn index(cause: Cause) -> usize {
    CAUSES.iter().position(|&c| c == cause).unwrap_or(0)
}

/// Moves between two regions by one path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Flow {
    pub from: usize,
    pub to: usize,
    pub cause: Cause,
    pub slot: usize,
    /// A simulated second.
    pub rate: f64,
}

/// Smoothed counts. A value halves in a third of a second of the screen, so that nothing flashes.
#[derive(Debug, Default)]
pub struct Flows {
    /// `[from, to, cause, slot]` in ascending order, and how many.
    between: Vec<([usize; 4], f64)>,
    /// `[wire][cause]`
    on: Vec<[f64; 6]>,
    seconds: f64,
}

impl Flows {
    /// Takes in a frame's moves, which stand for `scale` times as many, over `sim_s` simulated seconds, after
    /// `screen_ms` of the screen.
    pub fn arrive(&mut self, layout: &Layout, moves: &[Move], scale: f64, sim_s: f64, screen_ms: f64) {
        self.on.resize(layout.wires.len(), [0.0; 6]);
        let keep = libm::exp2(-screen_ms / 333.0);
        self.seconds = self.seconds * keep + sim_s;
        self.between.iter_mut().for_each(|(_, v)| *v *= keep);
        self.between.retain(|(_, v)| *v > 1e-3);
        self.on.iter_mut().flatten().for_each(|v| *v *= keep);
        for mv in moves {
            let (from, to) = (mv.from as usize, mv.to as usize);
            let (Some(a), Some(b)) = (layout.cells.get(from), layout.cells.get(to)) else { continue };
            let cause = index(mv.cause);
            let slot = mv.slot.map_or(0, usize::from);
            if a.region != b.region {
                self.add([a.region, b.region, cause, slot], scale);
            }
            if let Some(wire) = layout.wire_of(to, slot) {
                self.on[wire][cause] += scale;
            }
        }
    }

    fn add(&mut self, flow: [usize; 4], count: f64) {
        match self.between.binary_search_by(|(known, _)| known.cmp(&flow)) {
            Ok(place) => self.between[place].1 += count,
            Err(place) => self.between.insert(place, (flow, count)),
        }
    }

    /// The strongest flows between regions, at most `most`, strongest first.
    pub fn strongest(&self, most: usize) -> Vec<Flow> {
        if self.seconds <= 0.0 {
            return Vec::new();
        }
        let mut strongest: Vec<Flow> = Vec::with_capacity(most + 1);
        for &([from, to, cause, slot], count) in &self.between {
            let rate = count / self.seconds;
            let place = strongest.partition_point(|stronger| stronger.rate >= rate);
            if place < most {
                strongest.insert(place, Flow { from, to, cause: CAUSES[cause], slot, rate });
                strongest.truncate(most);
            }
        }
        strongest
    }

    /// Moves a simulated second on a wire, by path in the order of [`CAUSES`].
    pub fn on_wire(&self, wire: usize) -> [f64; 6] {
        let seconds = if self.seconds > 0.0 { self.seconds } else { return [0.0; 6] };
        self.on.get(wire).map_or([0.0; 6], |v| v.map(|v| v / seconds))
    }

    /// Forgets everything: another world or another layout.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Width of a flow of some rate: as its square root, 2 to 8 px.
pub fn width(rate: f64, strongest: f64) -> f64 {
    if strongest <= 0.0 { 2.0 } else { (8.0 * (rate / strongest).max(0.0).sqrt()).clamp(2.0, 8.0) }
}
