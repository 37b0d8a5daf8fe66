//! One frame of what changes.

use super::air;
use super::brush::{Brush, SANS};
use super::card;
use super::cell;
use super::plan::attempts::Pulses;
use super::plan::dots::{dot, parts, shown};
use super::plan::flights::{Flights, Mode};
use super::plan::flows::Flows;
use super::plan::geom::{Pt, Rect, pt};
use super::plan::hit::Hit;
use super::plan::layout::{Layout, WireKind};
use super::plan::measure::Stage;
use super::plan::rates::{Rates, short};
use super::plan::shares::Shares;
use super::plan::walk::Spot;
use super::say::{self, Known};
use super::still::wire_rect;
use crate::scene::{Scene, Selection};
use balancescope::observe::Frame;

/// Everything that a frame is painted from.
pub struct Picture<'a> {
    /// Machine and tree.
    pub scene: &'a Scene,
    /// Where everything lies.
    pub layout: &'a Layout,
    /// The moment.
    pub frame: Option<&'a Frame>,
    /// Tasks on their way.
    pub flights: &'a Flights,
    /// Many moves.
    pub flows: &'a Flows,
    /// Attempts.
    pub pulses: &'a Pulses,
    /// Time shares.
    pub shares: &'a Shares,
    /// Calls a second.
    pub rates: &'a Rates,
    /// What is selected.
    pub selected: Option<Selection>,
    /// Where the keyboard is, while the canvas has the focus.
    pub focus: Option<Spot>,
    /// What lies under the pointer, and where that is.
    pub hover: Option<(Hit, Pt)>,
    /// The part of the picture that shows.
    pub view: Rect,
}

/// Paints it.
pub fn paint(b: &Brush, p: &Picture, now_ms: f64) {
    b.ctx.set_text_baseline("middle");
    b.align("left");
    if let Some(frame) = p.frame {
        cell::paint(b, p.layout, frame, p.flights, p.shares, &p.view);
        figures(b, p, frame);
    } else {
        cell_grounds(b, p);
    }
    let many = p.flights.mode == Mode::Flows && !p.flights.still;
    if many {
        air::splits(b, p.layout, p.flows);
    }
    spans(b, p);
    air::attempts(b, p.layout, p.pulses, now_ms);
    if many {
        air::flows(b, p.layout, p.flows, now_ms, p.flights.still);
    }
    air::flights(b, p.scene, p.layout, p.flights, now_ms);
    outlines(b, p);
    if let Some((hit, near)) = p.hover {
        let known =
            Known { scene: p.scene, layout: p.layout, frame: p.frame, shares: p.shares, rates: p.rates };
        card::paint(b, &known.words(hit), p.shares, near, &p.view);
    }
}

/// Before the first frame, blocks show as empty.
fn cell_grounds(b: &Brush, p: &Picture) {
    if p.layout.stage < Stage::Dots {
        p.layout.cells.iter().for_each(|c| b.rect(&c.rect, b.theme.runnable[0]));
    }
}

/// Runnable tasks of regions, and calls a second at the right ends of wires.
fn figures(b: &Brush, p: &Picture, frame: &Frame) {
    let t = &b.theme;
    b.font(false, 11.0, SANS);
    b.align("right");
    for region in p.layout.regions.iter().filter(|r| r.rect.w >= 150.0 && r.rect.overlap(&p.view) > 0.0) {
        let (runnable, idle) = say::region_state(frame, region);
        let text = if region.rect.w > 200.0 {
            format!("{runnable} runnable, {idle} idle")
        } else {
            runnable.to_string()
        };
        b.text(&text, region.rect.right() - 12.0, region.header.centre().y, t.ink3);
    }
    b.font(false, 10.5, SANS);
    for (i, w) in p.layout.wires.iter().enumerate().filter(|(_, w)| w.rate && w.band.overlap(&p.view) > 0.0) {
        if w.kind == WireKind::Lane && p.layout.lanes > 1 {
            continue;
        }
        let Some(rate) = p.rates.of(p.layout, i) else { continue };
        let (text, x) = match w.kind {
            WireKind::Core => (short(rate), w.band.right() - 5.0),
            WireKind::Inner => (format!("{}/s", short(rate)), w.band.right() - 4.0),
            WireKind::Lane => (format!("{}/s", short(rate)), w.x1 + 48.0),
        };
        b.text(&text, x, w.y, t.ink3);
    }
    b.align("left");
}

/// The domain under the pointer or selected: what is not in it steps back, its groups wear dashed edges.
fn spans(b: &Brush, p: &Picture) {
    let hovered = match p.hover {
        Some((Hit::Wire { wire, cpu }, _)) => {
            let w = &p.layout.wires[wire];
            Some((if w.region.is_some() { cpu } else { w.seen_by }, w.slot))
        }
        _ => None,
    };
    let selected = match p.selected {
        Some(Selection::Domain { cpu, slot }) => Some((cpu, slot)),
        _ => None,
    };
    let Some((cpu, slot)) = hovered.or(selected) else { return };
    let Some(domain) = super::plan::lanes::domain(&p.scene.tree, cpu, slot) else { return };
    b.ctx.set_global_alpha(0.6);
    b.ctx.begin_path();
    for (i, cell) in p.layout.cells.iter().enumerate() {
        if !domain.span.contains(i) && cell.rect.overlap(&p.view) > 0.0 {
            b.ctx.rect(cell.rect.x - 0.5, cell.rect.y - 0.5, cell.rect.w + 1.0, cell.rect.h + 1.0);
        }
    }
    b.ctx.set_fill_style_str(b.theme.surface);
    b.ctx.fill();
    b.ctx.set_global_alpha(1.0);
    b.dash(&[4.0, 3.0]);
    for id in &domain.groups {
        let Some(group) = p.scene.tree.groups.get(id.0 as usize) else { continue };
        for r in hulls(p.layout, group.span.iter()) {
            b.round(&r.grown(3.0), 6.0, None, Some((b.theme.ink3, 1.2)));
        }
    }
    b.dash(&[]);
    if let Some(wire) = p.layout.wire_of(cpu, slot) {
        let r = wire_rect(&p.layout.wires[wire]).grown(2.5);
        b.round(&r, r.h / 2.0, None, Some((b.theme.ink1, if selected.is_some() { 2.0 } else { 1.4 })));
    }
}

/// The rectangles around CPUs, one a region.
fn hulls(layout: &Layout, cpus: impl Iterator<Item = usize>) -> Vec<Rect> {
    let mut hulls: Vec<(usize, Rect)> = Vec::new();
    for cell in cpus.filter_map(|c| layout.cells.get(c)) {
        let r = cell.rect;
        match hulls.iter_mut().find(|h| h.0 == cell.region) {
            Some((_, h)) => {
                let (x, y) = (h.x.min(r.x), h.y.min(r.y));
                *h = Rect::new(x, y, h.right().max(r.right()) - x, h.bottom().max(r.bottom()) - y);
            }
            None => hulls.push((cell.region, r)),
        }
    }
    hulls.into_iter().map(|h| h.1).collect()
}

/// Edges of what is selected and of where the keyboard is.
fn outlines(b: &Brush, p: &Picture) {
    let t = &b.theme;
    match p.selected {
        Some(Selection::Cpu(cpu)) => {
            if let Some(cell) = p.layout.cells.get(cpu) {
                b.round(&cell.rect.grown(1.0), 5.0, None, Some((t.ink1, 2.4)));
            }
        }
        Some(Selection::Task(task)) => {
            if let Some(at) = task_place(p, task) {
                b.ring(at, 9.5, t.ink1, 2.2);
            }
        }
        Some(Selection::Attempt(id)) => {
            if let Some(pulse) = p.pulses.live.iter().find(|q| q.id == id) {
                let x = p.layout.cells.get(pulse.cpu).map_or(0.0, |c| c.rect.centre().x);
                b.ring(pt(x, p.layout.wires[pulse.wire].y), 11.5, t.ink1, 2.2);
            }
        }
        Some(Selection::Domain { .. }) | None => {}
    }
    let spot = match p.focus {
        Some(Spot::Cpu(cpu)) => p.layout.cells.get(cpu).map(|c| c.rect),
        Some(Spot::Domain { cpu, slot }) => {
            p.layout.wire_of(cpu, slot).map(|w| wire_rect(&p.layout.wires[w]))
        }
        None => None,
    };
    if let Some(r) = spot {
        b.round(&r.grown(4.5), 7.0, None, Some((t.surface, 5.0)));
        b.round(&r.grown(4.0), 7.0, None, Some((t.ink1, 2.0)));
    }
}

/// Where a task lies: in a slot or a queue, or at its CPU's middle if it has no dot of its own.
fn task_place(p: &Picture, task: u32) -> Option<Pt> {
    for (state, cell) in p.frame?.cpus.iter().zip(&p.layout.cells) {
        let here = state.queue.iter().position(|m| m.task == task);
        let runs = state.current.is_some_and(|m| m.task == task);
        if !runs && here.is_none() {
            continue;
        }
        if p.layout.stage < Stage::Dots {
            return Some(cell.rect.centre());
        }
        let q = parts(cell, p.layout.stage);
        if runs {
            let at = q.slot.centre();
            return Some(if p.layout.stage == Stage::Full { pt(q.slot.x + 14.0, at.y - 2.0) } else { at });
        }
        let waiting = (state.nr_running as usize).saturating_sub(usize::from(state.current.is_some()));
        let (dots, _) = shown(&q, state.queue.len(), waiting);
        let at = here.filter(|&i| i < dots).and_then(|i| dot(cell, &q, i));
        return at.or(Some(q.queue.centre()));
    }
    None
}
