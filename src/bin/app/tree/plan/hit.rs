//! What lies under the pointer.

use super::dots::{dot, parts, shown};
use super::geom::{Pt, Rect};
use super::layout::{Layout, WireKind};
use super::measure::Stage;
use balancescope::observe::Frame;

/// A thing that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Hit {
    Cpu(usize),
    Task {
        task: u32,
        cpu: usize,
    },
    /// A wire, as the domain of the CPU whose cell is nearest to the point.
    Wire {
        wire: usize,
        cpu: usize,
    },
    Region(usize),
}

/// What lies at a point of the picture. Small things win over what they lie on.
pub fn hit(layout: &Layout, frame: Option<&Frame>, p: Pt) -> Option<Hit> {
    if let Some(cpu) = cell_at(layout, p) {
        let task = frame.and_then(|f| task_at(layout, f, cpu, p));
        return Some(task.map_or(Hit::Cpu(cpu), |task| Hit::Task { task, cpu }));
    }
    if let Some(wire) = wire_at(layout, p) {
        return nearest(layout, wire, p).map(|cpu| Hit::Wire { wire, cpu });
    }
    layout.regions.iter().position(|r| r.header.contains(p)).map(Hit::Region)
}

fn cell_at(layout: &Layout, p: Pt) -> Option<usize> {
    let region = layout.regions.iter().find(|r| r.rect.contains(p))?;
    region.cpus.iter().copied().find(|&c| layout.cells.get(c).is_some_and(|cell| cell.rect.contains(p)))
}

fn task_at(layout: &Layout, frame: &Frame, cpu: usize, p: Pt) -> Option<u32> {
    if layout.stage < Stage::Dots {
        return None;
    }
    let (cell, state) = (&layout.cells[cpu], frame.cpus.get(cpu)?);
    let parts = parts(cell, layout.stage);
    if let (true, Some(current)) = (parts.slot.contains(p), state.current) {
        return Some(current.task);
    }
    let waiting = (state.nr_running as usize).saturating_sub(usize::from(state.current.is_some()));
    let (dots, _) = shown(&parts, state.queue.len(), waiting);
    (0..dots)
        .find(|&i| dot(cell, &parts, i).is_some_and(|at| at.distance(p) <= parts.pitch * 0.55))
        .and_then(|i| state.queue.get(i))
        .map(|m| m.task)
}

fn wire_at(layout: &Layout, p: Pt) -> Option<usize> {
    let reach = |i: usize| {
        let w = &layout.wires[i];
        let half = match w.kind {
            WireKind::Lane if layout.lanes > 1 => layout.metrics.lane / 2.0,
            _ => (w.band.h / 2.0).max(3.0),
        };
        let (x, right) = (w.band.x.min(w.x0), w.band.right().max(w.x1));
        Rect::new(x, w.y - half, right - x, 2.0 * half)
    };
    (0..layout.wires.len())
        .filter(|&i| reach(i).contains(p))
        .min_by(|&a, &b| (layout.wires[a].y - p.y).abs().total_cmp(&(layout.wires[b].y - p.y).abs()))
}

/// The CPU of a wire's domain whose cell is nearest to a point.
pub fn nearest(layout: &Layout, wire: usize, p: Pt) -> Option<usize> {
    let w = layout.wires.get(wire)?;
    let d = |c: usize| layout.cells.get(c).map_or(f64::MAX, |cell| cell.rect.centre().distance(p));
    w.cpus.iter().copied().min_by(|&a, &b| d(a).total_cmp(&d(b)))
}
