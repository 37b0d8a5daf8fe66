//! The way of a move along wires: up to the domain that moved the task, and down.

use super::geom::{Pt, pt, tidy};
use super::lanes::Half;
use super::layout::Layout;

/// A way from one cell to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Its corners. It begins and ends inside the two cells, at their tree sides.
    pub pts: Vec<Pt>,
    /// The wire where it turns; `None` if the CPUs share no wire at that level or above.
    pub wire: Option<usize>,
}

struct Climb {
    pts: Vec<Pt>,
    /// (wire, how many points lead to it)
    stops: Vec<(usize, usize)>,
}

/// Where flights leave and enter a cell: on its centre line, a little inside.
pub fn berth(layout: &Layout, cpu: usize) -> Pt {
    let cell = &layout.cells[cpu];
    let inside = (cell.rect.h * 0.25).min(10.0);
    let c = cell.rect.centre();
    match cell.half {
        Half::Below => pt(c.x, cell.rect.y + inside),
        Half::Above => pt(c.x, cell.rect.bottom() - inside),
    }
}

/// The way from a CPU up through all its wires.
fn climb(layout: &Layout, cpu: usize) -> Climb {
    let cell = &layout.cells[cpu];
    let mut up = Climb { pts: vec![berth(layout, cpu)], stops: Vec::new() };
    up.pts.extend(&cell.hop.pts);
    let mut next = cell.hop.to;
    while let Some(wire) = next {
        // Each hop leads to a later wire, so this ends; the bound holds even if a layout were broken.
        if up.stops.len() > layout.wires.len() {
            break;
        }
        up.stops.push((wire, up.pts.len()));
        up.pts.extend(&layout.wires[wire].hop.pts);
        next = layout.wires[wire].hop.to;
    }
    let Some(region) = layout.regions.get(cell.region) else { return up };
    if let (Some(last), false) = (up.pts.last().copied(), region.taps.is_empty()) {
        up.pts.push(pt(region.port.x, last.y));
    }
    for tap in &region.taps {
        up.pts.push(tap.at);
        up.stops.push((tap.wire, up.pts.len()));
    }
    up
}

/// The way of a move. `slot` is the level whose domain moved the task; without one, the lowest that holds
/// both CPUs. CPUs that do not exist give an empty way.
pub fn route(layout: &Layout, from: usize, to: usize, slot: Option<usize>) -> Route {
    if from == to || from >= layout.cells.len() || to >= layout.cells.len() {
        return Route::default();
    }
    let (a, b) = (climb(layout, from), climb(layout, to));
    let least = slot.unwrap_or(0);
    let meet = a.stops.iter().find_map(|&(wire, i)| {
        let high = layout.wires[wire].slot >= least;
        b.stops.iter().find(|s| high && s.0 == wire).map(|&(_, j)| (wire, i, j))
    });
    let (mut pts, wire) = match meet {
        Some((wire, i, j)) => {
            let down = b.pts[..j].iter().rev();
            (a.pts[..i].iter().chain(down).copied().collect::<Vec<_>>(), Some(wire))
        }
        None => (around(layout, &a, &b), None),
    };
    pts = tidy(&pts);
    Route { pts, wire }
}

/// A way for CPUs without a common wire: out of both regions and along the trunk's middle.
fn around(layout: &Layout, a: &Climb, b: &Climb) -> Vec<Pt> {
    let y = layout.trunk.centre().y;
    let mut pts = a.pts.clone();
    pts.extend(a.pts.last().map(|p| pt(p.x, y)));
    pts.extend(b.pts.last().map(|p| pt(p.x, y)));
    pts.extend(b.pts.iter().rev());
    pts
}

/// The way between two regions for a flow: from one's stub along the lane of a level to the other's.
pub fn between(layout: &Layout, from: usize, to: usize, slot: usize) -> Route {
    let (Some(a), Some(b)) = (layout.regions.get(from), layout.regions.get(to)) else {
        return Route::default();
    };
    let meet = a
        .taps
        .iter()
        .filter(|t| layout.wires[t.wire].slot >= slot)
        .find_map(|t| b.taps.iter().find(|u| u.wire == t.wire).map(|u| (t, u)));
    match meet {
        Some((t, u)) => Route { pts: tidy(&[a.port, t.at, u.at, b.port]), wire: Some(t.wire) },
        None => Route::default(),
    }
}
