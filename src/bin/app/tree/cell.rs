//! CPU cells as they change: the running task, the queue, idle time against the gate, time shares.

use super::brush::{Brush, MONO, SANS};
use super::marks;
use super::plan::dots::{Parts, dot, parts, shown, spare};
use super::plan::flights::Flights;
use super::plan::geom::{Pt, Rect, pt};
use super::plan::layout::{Cell, Layout};
use super::plan::measure::Stage;
use super::plan::rates::time;
use super::plan::shares::{Share, Shares};
use balancescope::observe::{Activity, Cause, CpuFrame, Frame, Mark};

/// Marks of one look, gathered so that each look is one stroke.
#[derive(Default)]
struct Gathered {
    hot: Vec<(Pt, f64)>,
    cold: Vec<(Pt, f64)>,
    flying: Vec<(Pt, f64, Cause)>,
    moved: Vec<(Pt, f64, Cause)>,
    pinned: Vec<(Pt, f64)>,
}

/// Paints all cells that show.
pub fn paint(b: &Brush, layout: &Layout, frame: &Frame, flights: &Flights, shares: &Shares, view: &Rect) {
    if layout.stage < Stage::Dots {
        return blocks(b, layout, frame, view);
    }
    let shows = |cell: &Cell| cell.rect.overlap(view) > 0.0;
    let all = layout.cells.iter().zip(&frame.cpus).enumerate().filter(|(_, (cell, _))| shows(cell));
    let all: Vec<(usize, &Cell, &CpuFrame, Parts)> =
        all.map(|(i, (cell, state))| (i, cell, state, parts(cell, layout.stage))).collect();
    slots(b, &all);
    share_bars(b, &all, shares);
    let mut marks = Gathered::default();
    let full = layout.stage == Stage::Full;
    for (_, cell, state, p) in &all {
        gather(&mut marks, cell, state, p, flights, full);
    }
    draw(b, &marks);
    texts(b, layout.stage, &all);
    if full {
        tenths(b, &all, shares);
        gates(b, &all);
    }
}

/// Where a short queue leaves room, the time shares of the last ten tenths of the window.
fn tenths(b: &Brush, all: &[(usize, &Cell, &CpuFrame, Parts)], shares: &Shares) {
    let columns = |part: &dyn Fn(&Share) -> (f64, f64)| {
        b.ctx.begin_path();
        for (i, cell, c, p) in all {
            let dots = (c.nr_running as usize).saturating_sub(usize::from(c.current.is_some()));
            let Some(room) = spare(cell, p, dots) else { continue };
            let step = room.w / 10.0;
            let history: Vec<Share> = shares.history(*i).collect();
            for (k, s) in history.iter().rev().take(10).enumerate() {
                let (from, height) = part(s);
                let x = room.right() - step * (k as f64 + 1.0);
                b.ctx.rect(x + 0.5, room.bottom() - (from + height) * room.h, step - 1.0, height * room.h);
            }
        }
    };
    b.ctx.set_global_alpha(0.3);
    columns(&|s| (0.0, s.user + s.system));
    b.ctx.set_fill_style_str(b.theme.user);
    b.ctx.fill();
    b.ctx.set_global_alpha(0.8);
    columns(&|s| (s.user + s.system, s.balance + s.lock));
    b.ctx.set_fill_style_str(b.theme.ink1);
    b.ctx.fill();
    b.ctx.set_global_alpha(1.0);
}

/// Ground of the slots: running, idle, balancing, waiting for a lock.
fn slots(b: &Brush, all: &[(usize, &Cell, &CpuFrame, Parts)]) {
    let t = &b.theme;
    let path = |keep: &dyn Fn(&CpuFrame) -> bool| {
        b.ctx.begin_path();
        all.iter().filter(|(_, _, c, _)| keep(c)).for_each(|(_, _, _, p)| b.round_path(&p.slot, 4.0));
    };
    path(&|c| c.activity != Activity::Idle);
    b.ctx.set_fill_style_str(t.slot);
    b.ctx.fill();
    for (activity, pattern) in [(Activity::Balance, &b.patterns.hatch), (Activity::Lock, &b.patterns.stripes)]
    {
        path(&|c| c.activity == activity);
        if let Some(pattern) = pattern {
            b.ctx.set_fill_style_canvas_pattern(pattern);
            b.ctx.fill();
        }
    }
    path(&|c| c.activity == Activity::Idle);
    b.ctx.set_stroke_style_str(t.stub);
    b.ctx.set_line_width(1.0);
    b.dash(&[3.0, 2.5]);
    b.ctx.stroke();
    b.dash(&[]);
    b.ctx.begin_path();
    for (_, _, c, p) in all.iter().filter(|(_, _, c, p)| c.current.is_some() && p.slot.h > 24.0) {
        let used = f64::from(c.slice_used.min(1000)) / 1000.0;
        b.ctx.rect(p.slot.x + 5.0, p.slot.bottom() - 5.0, (p.slot.w - 10.0) * used, 2.5);
    }
    b.ctx.set_fill_style_str(t.task);
    b.ctx.fill();
}

fn share_bars(b: &Brush, all: &[(usize, &Cell, &CpuFrame, Parts)], shares: &Shares) {
    let t = &b.theme;
    b.ctx.begin_path();
    all.iter().for_each(|(_, _, _, p)| b.ctx.rect(p.share.x, p.share.y, p.share.w, p.share.h));
    b.ctx.set_fill_style_str(t.well);
    b.ctx.fill();
    let part = |from: &dyn Fn(&Share) -> f64, width: &dyn Fn(&Share) -> f64| {
        b.ctx.begin_path();
        for (i, _, _, p) in all {
            let s = shares.of(*i);
            // A sliver is drawn too, so that little balancing is not none.
            let w = match width(&s) {
                w if w > 0.0 => (w * p.share.w).max(1.0),
                _ => continue,
            };
            let x = (p.share.x + from(&s) * p.share.w).min(p.share.right() - w);
            b.ctx.rect(x, p.share.y, w, p.share.h);
        }
    };
    part(&|_| 0.0, &|s| s.user + s.system);
    b.ctx.set_fill_style_str(t.user);
    b.ctx.fill();
    part(&|s| s.user + s.system, &|s| s.balance);
    match &b.patterns.hatch {
        Some(p) => b.ctx.set_fill_style_canvas_pattern(p),
        None => b.ctx.set_fill_style_str(t.ink1),
    }
    b.ctx.fill();
    part(&|s| s.user + s.system + s.balance, &|s| s.lock);
    if let Some(p) = &b.patterns.stripes {
        b.ctx.set_fill_style_canvas_pattern(p);
        b.ctx.fill();
    }
}

/// Draws a time bar of one CPU, for a card.
pub fn share_bar(b: &Brush, r: &Rect, s: &Share) {
    b.rect(r, b.theme.well);
    let user = (s.user + s.system) * r.w;
    b.rect(&Rect::new(r.x, r.y, user, r.h), b.theme.user);
    b.patterned(
        &Rect::new(r.x + user, r.y, s.balance * r.w, r.h),
        b.theme.surface,
        b.patterns.hatch.as_ref(),
    );
    let x = r.x + user + s.balance * r.w;
    b.patterned(&Rect::new(x, r.y, s.lock * r.w, r.h), b.theme.slot, b.patterns.stripes.as_ref());
}

fn gather(g: &mut Gathered, cell: &Cell, c: &CpuFrame, p: &Parts, flights: &Flights, full: bool) {
    let slot = p.slot.centre();
    if let Some(mark) = c.current {
        let at = if full { pt(p.slot.x + 14.0, slot.y - 2.0) } else { slot };
        sort(g, mark, at, if full { 6.5 } else { 5.5 }, true, flights);
    }
    let waiting = (c.nr_running as usize).saturating_sub(usize::from(c.current.is_some()));
    let (dots, _) = shown(p, c.queue.len(), waiting);
    for (i, mark) in c.queue.iter().take(dots).enumerate() {
        if let Some(at) = dot(cell, p, i) {
            sort(g, *mark, at, p.radius, false, flights);
        }
    }
}

fn sort(g: &mut Gathered, mark: Mark, at: Pt, radius: f64, running: bool, flights: &Flights) {
    let r = radius * weight_scale(mark.nice);
    match flights.mark_of(mark.task) {
        Some(cause) if flights.in_flight(mark.task) => g.flying.push((at, radius, cause)),
        Some(cause) => g.moved.push((at, r, cause)),
        None if running || mark.hot => g.hot.push((at, r)),
        None => g.cold.push((at, r)),
    }
    if mark.pinned {
        g.pinned.push((at, radius));
    }
}

/// A dot's area follows the weight of the task, within what can still be seen.
fn weight_scale(nice: i8) -> f64 {
    libm::pow(1.25, -f64::from(nice) / 2.0).clamp(0.6, 1.3)
}

fn draw(b: &Brush, g: &Gathered) {
    let t = &b.theme;
    b.ctx.begin_path();
    g.hot.iter().for_each(|&(p, r)| b.circle_path(p, r));
    b.ctx.set_fill_style_str(t.task);
    b.ctx.fill();
    b.ctx.begin_path();
    g.cold.iter().for_each(|&(p, r)| b.circle_path(p, r - 0.9));
    b.ctx.set_stroke_style_str(t.task);
    b.ctx.set_line_width(1.8);
    b.ctx.stroke();
    for &(p, r, cause) in &g.moved {
        marks::token(b, cause, p, r, t.cell);
    }
    b.dash(&[2.4, 1.8]);
    for &(p, r, cause) in &g.flying {
        b.ring(p, r, t.cause(cause), 1.5);
    }
    b.dash(&[]);
    b.ctx.begin_path();
    g.pinned.iter().for_each(|&(p, r)| b.ctx.rect(p.x - r, p.y + r + 1.2, 2.0 * r, 1.4));
    b.ctx.set_fill_style_str(t.task);
    b.ctx.fill();
}

fn texts(b: &Brush, stage: Stage, all: &[(usize, &Cell, &CpuFrame, Parts)]) {
    let t = &b.theme;
    let full = stage == Stage::Full;
    b.font(false, if full { 11.0 } else { 10.0 }, SANS);
    b.align("right");
    for (_, cell, c, p) in all {
        let room = cell.rect.w >= 34.0;
        if c.nr_running > 0 && room {
            let inset = if full { 3.0 } else { 1.0 };
            b.text(&c.nr_running.to_string(), p.head.right() - inset, p.head.centre().y, t.ink3);
        }
        let waiting = (c.nr_running as usize).saturating_sub(usize::from(c.current.is_some()));
        let (dots, more) = shown(p, c.queue.len(), waiting);
        if more > 0 {
            let y = dot(cell, p, dots).map_or(p.queue.centre().y, |d| d.y);
            b.text(&format!("+{more}"), p.queue.right(), y, t.ink3);
        }
    }
    if full {
        slot_words(b, all);
    }
    b.align("left");
}

/// What runs, or how long nothing has.
fn slot_words(b: &Brush, all: &[(usize, &Cell, &CpuFrame, Parts)]) {
    let t = &b.theme;
    b.align("left");
    b.font(false, 11.5, MONO);
    for (_, _, c, p) in all {
        if let Some(mark) =
            c.current.filter(|_| c.activity == Activity::User || c.activity == Activity::System)
        {
            b.text(&format!("t{}", mark.task), p.slot.x + 25.0, p.slot.centre().y - 2.0, t.ink1);
        }
    }
    b.font(false, 10.5, SANS);
    b.align("center");
    for (_, _, c, p) in all {
        let at = p.slot.centre();
        match c.activity {
            Activity::Idle => b.text("idle", at.x, at.y, t.ink3),
            Activity::Balance | Activity::Lock => {
                let word = if c.activity == Activity::Lock { "lock" } else { "balancing" };
                let w = b.width(word) + 10.0;
                b.round(&Rect::new(at.x - w / 2.0, at.y - 8.0, w, 16.0), 4.0, Some(t.cell), None);
                b.text(word, at.x, at.y, t.ink1);
            }
            Activity::User | Activity::System => {}
        }
    }
}

/// From 1 µs to 4 ms, logarithmic, the same for every cell.
fn gate_place(r: &Rect, ns: u64) -> f64 {
    let f = libm::log(ns.max(1) as f64 / 1e3) / libm::log(4e3);
    r.x + 2.0 + f.clamp(0.0, 1.0) * (r.w - 4.0)
}

/// `avg_idle` against its gate: a hollow dot left of the tick is refused.
fn gates(b: &Brush, all: &[(usize, &Cell, &CpuFrame, Parts)]) {
    let t = &b.theme;
    b.ctx.begin_path();
    for (_, _, _, p) in all {
        b.ctx.move_to(p.gate.x, p.gate.centre().y);
        b.ctx.line_to(p.gate.right(), p.gate.centre().y);
    }
    b.ctx.set_stroke_style_str(t.line);
    b.ctx.set_line_width(1.0);
    b.ctx.stroke();
    b.ctx.begin_path();
    for (_, _, c, p) in all {
        let (x, y) = (gate_place(&p.gate, c.gate_cost), p.gate.centre().y);
        b.ctx.move_to(x, y - 5.0);
        b.ctx.line_to(x, y + 5.0);
        let mut k = p.gate.x + 4.0;
        while k < x - 3.0 {
            b.ctx.move_to(k, y + 2.5);
            b.ctx.line_to(k + 3.0, y - 2.5);
            k += 7.0;
        }
    }
    b.ctx.set_stroke_style_str(t.ink3);
    b.ctx.set_line_width(1.2);
    b.ctx.stroke();
    for (_, _, c, p) in all {
        let at = pt(gate_place(&p.gate, c.avg_idle), p.gate.centre().y);
        if c.avg_idle < c.gate_cost {
            b.disc(at, 3.2, t.cell);
            b.ring(at, 2.8, t.ink1, 1.4);
        } else {
            b.disc(at, 3.2, t.ink1);
        }
    }
    b.font(false, 10.5, SANS);
    b.align("right");
    for (_, _, c, p) in all {
        b.text(&time(c.avg_idle), p.figure.right() - 2.0, p.figure.centre().y, t.ink2);
    }
    b.align("left");
}

/// Blocks of colour by runnable tasks; hatched while balancing.
fn blocks(b: &Brush, layout: &Layout, frame: &Frame, view: &Rect) {
    let t = &b.theme;
    let block = layout.stage == Stage::Block;
    let mut levels: [Vec<Rect>; 6] = Default::default();
    let (mut hatched, mut striped) = (Vec::new(), Vec::new());
    for (cell, c) in layout.cells.iter().zip(&frame.cpus).filter(|(cell, _)| cell.rect.overlap(view) > 0.0) {
        let mut r = cell.rect;
        if !block {
            r.w = (r.w - 0.4).max(0.5);
        }
        levels[(c.nr_running as usize).min(5)].push(r);
        match c.activity {
            Activity::Balance => hatched.push(r),
            Activity::Lock => striped.push(r),
            _ => {}
        }
    }
    let path = |rects: &[Rect]| {
        b.ctx.begin_path();
        rects.iter().for_each(|r| if block { b.round_path(r, 2.0) } else { b.ctx.rect(r.x, r.y, r.w, r.h) });
    };
    for (rects, colour) in levels.iter().zip(t.runnable) {
        path(rects);
        b.ctx.set_fill_style_str(colour);
        b.ctx.fill();
    }
    if block {
        path(&levels[0].iter().map(|r| r.grown(-0.5)).collect::<Vec<_>>());
        b.ctx.set_stroke_style_str(t.line);
        b.ctx.set_line_width(1.0);
        b.ctx.stroke();
    }
    for (rects, pattern) in [(hatched, &b.patterns.hatch), (striped, &b.patterns.stripes)] {
        path(&rects);
        b.ctx.set_fill_style_str(t.surface);
        b.ctx.fill();
        if let Some(p) = pattern {
            b.ctx.set_fill_style_canvas_pattern(p);
            b.ctx.fill();
        }
    }
}
