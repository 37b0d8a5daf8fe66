//! What lies where inside a cell: the slot of the running task, the queue, and the lines at the far end.

use super::geom::{Pt, Rect, pt};
use super::lanes::Half;
use super::layout::Cell;
use super::measure::Stage;

/// The parts of a cell, from the tree outward.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Parts {
    /// Line of CPU number and count.
    pub head: Rect,
    pub slot: Rect,
    pub queue: Rect,
    /// Figure of `avg_idle`, at the full stage only.
    pub figure: Rect,
    /// `avg_idle` against its gate, at the full stage only.
    pub gate: Rect,
    /// Bar of time shares.
    pub share: Rect,
    /// Radius of a task's dot in the queue, and the distance of dots.
    pub radius: f64,
    pub pitch: f64,
}

/// The parts of a cell; all empty where a cell is but a block.
pub fn parts(cell: &Cell, stage: Stage) -> Parts {
    let r = cell.rect;
    let full = stage == Stage::Full;
    let narrow = r.w < 30.0;
    let pad = match (full, narrow) {
        (true, _) => 5.0,
        (_, true) => 2.0,
        _ => 3.0,
    };
    let (head, slot, gap) =
        if full { (21.0, (r.h * 0.22).clamp(25.0, 34.0), 5.0) } else { (16.0, 18.0, 3.0) };
    let strip = |d: f64, h: f64| match cell.half {
        Half::Below => Rect::new(r.x + pad, r.y + d, r.w - 2.0 * pad, h),
        Half::Above => Rect::new(r.x + pad, r.bottom() - d - h, r.w - 2.0 * pad, h),
    };
    let share_h = if full { 7.0 } else { 5.0 };
    let share_d = r.h - pad - share_h;
    let (gate_d, figure_d) = (share_d - 15.0, share_d - 30.0);
    let queue_d = head + slot + gap;
    let queue_end = if full { figure_d } else { share_d - 2.0 };
    let (radius, pitch) = match (full, narrow) {
        (true, _) => (4.5, 14.0),
        (_, true) => (2.9, 8.0),
        _ => (3.6, 10.0),
    };
    Parts {
        head: strip(0.0, head),
        slot: strip(head, slot),
        queue: strip(queue_d, (queue_end - queue_d).max(0.0)),
        figure: if full { strip(figure_d, 15.0) } else { Rect::default() },
        gate: if full { strip(gate_d, 14.0) } else { Rect::default() },
        share: strip(share_d, share_h),
        radius,
        pitch,
    }
}

/// The room that a queue of so many dots leaves free, for the last tenths of time shares; `None` if too little.
pub fn spare(cell: &Cell, parts: &Parts, dots: usize) -> Option<Rect> {
    let (across, _) = capacity(parts);
    let used = parts.pitch * dots.div_ceil(across).max(1) as f64 + 4.0;
    let h = (parts.queue.h - used).min(38.0);
    let q = &parts.queue;
    let y = match cell.half {
        Half::Below => q.bottom() - h,
        Half::Above => q.y,
    };
    (h >= 14.0).then(|| Rect::new(q.x, y, q.w, h))
}

/// Dots in one row of the queue, and how many rows there are room for.
pub fn capacity(parts: &Parts) -> (usize, usize) {
    let across = ((parts.queue.w - 1.0) / parts.pitch).floor().max(1.0) as usize;
    let rows = (parts.queue.h / parts.pitch).floor().max(0.0) as usize;
    (across, rows)
}

/// Where the dot of the `i`th waiting task lies; the one to run next lies nearest to the tree. `None` when
/// there is no room.
pub fn dot(cell: &Cell, parts: &Parts, i: usize) -> Option<Pt> {
    let (across, rows) = capacity(parts);
    let (row, column) = (i / across, i % across);
    if row >= rows {
        return None;
    }
    let x = parts.queue.x + parts.pitch * (column as f64 + 0.5);
    let d = parts.pitch * (row as f64 + 0.5);
    let y = match cell.half {
        Half::Below => parts.queue.y + d,
        Half::Above => parts.queue.bottom() - d,
    };
    Some(pt(x, y))
}

/// How many of `told` waiting tasks are drawn as dots, and how many of `all` are left to say as a number.
/// The number takes the place of the last dots when not all fit.
pub fn shown(parts: &Parts, told: usize, all: usize) -> (usize, usize) {
    let (across, rows) = capacity(parts);
    let room = across * rows;
    if all <= told.min(room) {
        return (all, 0);
    }
    let for_number = if across > 3 { 2 } else { 1 };
    let dots = told.min(room.saturating_sub(for_number));
    (dots, all - dots)
}
