//! What moves above the cells: pulses and bars of attempts, flows, flights and their tags.

use super::brush::{Brush, SANS};
use super::marks::{self, cause_dash, cause_word, kind_cause};
use super::plan::attempts::{Bars, Pulses, Show};
use super::plan::flights::{Flight, Flights, Mode};
use super::plan::flows::{CAUSES, Flow, Flows, width};
use super::plan::geom::{Pt, Rect, at, length, pt};
use super::plan::lanes::Half;
use super::plan::layout::{Layout, Wire, WireKind, level_name};
use super::plan::rates::short;
use super::plan::route::between;
use super::plan::tags::place;
use crate::scene::Scene;
use crate::units::fixed;
use balancescope::observe::{Cause, Outcome};

const OUTCOMES: [Outcome; 6] =
    [Outcome::Gated, Outcome::NotDue, Outcome::LockLost, Outcome::Balanced, Outcome::Failed, Outcome::Moved];

/// Height of the pulse of an attempt on a wire: at its CPU, on the wire.
fn pulse_at(layout: &Layout, wire: usize, cpu: usize) -> Pt {
    let w = &layout.wires[wire];
    let x = match (w.kind, layout.cells.get(cpu)) {
        // On a lane, where the stub of the CPU's node meets it.
        (WireKind::Lane, Some(cell)) if layout.lanes > 1 => layout.regions[cell.region].port.x,
        (_, Some(cell)) => cell.rect.centre().x,
        _ => w.x0,
    };
    pt(x.max(w.x0).min(w.x1), w.y)
}

/// Attempts, as rings, glyphs or bars.
pub fn attempts(b: &Brush, layout: &Layout, pulses: &Pulses, now_ms: f64) {
    if pulses.show == Show::Bars && !pulses.still {
        return bars(b, layout, pulses);
    }
    let small = layout.stage < super::plan::measure::Stage::Dots;
    for p in &pulses.live {
        let at = pulse_at(layout, p.wire, p.cpu);
        b.ctx.set_global_alpha(p.alpha(now_ms));
        if let (Show::Rings, Some(t), false) = (pulses.show, p.ring(now_ms), pulses.still) {
            b.ctx.set_global_alpha((1.0 - t) * 0.7);
            b.ring(at, 8.0 + 13.0 * t, b.theme.cause(kind_cause(p.kind)), 1.5);
            b.ctx.set_global_alpha(p.alpha(now_ms));
        }
        marks::outcome(b, p.kind, p.outcome, at, if small { 5.5 } else { 7.5 });
    }
    b.ctx.set_global_alpha(1.0);
}

fn bars(b: &Brush, layout: &Layout, pulses: &Pulses) {
    let mut most = vec![0.0f64; 1 + layout.wires.iter().map(|w| w.slot).max().unwrap_or(0)];
    for (w, bars) in layout.wires.iter().zip(&pulses.bars) {
        for (kinds, _) in &bars.bins {
            most[w.slot] = most[w.slot].max(kinds.iter().sum());
        }
    }
    let mut pieces = Pieces::default();
    for (w, bars) in layout.wires.iter().zip(&pulses.bars) {
        match w.kind {
            WireKind::Lane if layout.lanes > 1 => lane_outcomes(b, layout, w, bars),
            _ if most[w.slot] > 0.0 => wire_bars(&mut pieces, layout, w, bars, most[w.slot]),
            _ => {}
        }
    }
    b.ctx.set_global_alpha(0.45);
    for (rects, cause) in pieces.tried.iter().zip([Cause::Newidle, Cause::Periodic, Cause::Nohz]) {
        b.rects(rects, b.theme.cause(cause));
    }
    b.ctx.set_global_alpha(1.0);
    b.rects(&pieces.moved, b.theme.moved);
}

/// Pieces of bars, gathered by colour.
#[derive(Default)]
struct Pieces {
    tried: [Vec<Rect>; 3],
    moved: Vec<Rect>,
}

/// Bars along a wire, towards its CPUs; the dark part of each moved something.
fn wire_bars(out: &mut Pieces, layout: &Layout, w: &Wire, bars: &Bars, most: f64) {
    let n = bars.bins.len() as f64;
    if n < 1.0 || w.thick < 4.0 {
        return;
    }
    let step = (w.x1 - w.x0) / n;
    let core = w.kind == WireKind::Core;
    let tall = if core { w.thick } else { 13.0 };
    let up = w.region.and_then(|r| layout.regions.get(r)).is_none_or(|r| r.half == Half::Above);
    let foot = match (core, up) {
        (true, _) => w.y + w.thick / 2.0,
        (false, true) => w.y - w.thick / 2.0 - 1.0,
        (false, false) => w.y + w.thick / 2.0 + 1.0,
    };
    for (i, (kinds, moved)) in bars.bins.iter().enumerate() {
        let x = w.x0 + step * i as f64 + step * 0.15;
        let mut from = 0.0;
        let piece = |lo: f64, hi: f64| {
            let (lo, hi) = (lo / most * tall, hi / most * tall);
            let y = if up || core { foot - hi } else { foot + lo };
            Rect::new(x, y, step * 0.7, hi - lo)
        };
        for (value, rects) in kinds.iter().zip(&mut out.tried) {
            if *value > 0.0 {
                rects.push(piece(from, from + value));
            }
            from += value;
        }
        if *moved > 0.0 {
            out.moved.push(piece(0.0, moved.min(from)));
        }
    }
}

/// Outcomes of a lane as one stacked bar at its right, with the share of the largest.
fn lane_outcomes(b: &Brush, layout: &Layout, w: &Wire, bars: &Bars) {
    let sum: f64 = bars.outcomes.iter().sum();
    if sum <= 0.0 || layout.size.0 < 560.0 {
        return;
    }
    let right = layout.size.0 - 12.0;
    let r = Rect::new(right - 92.0, w.y - 5.0, 56.0, 10.0);
    let mut x = r.x;
    for (outcome, value) in OUTCOMES.into_iter().zip(bars.outcomes) {
        let part = value / sum * r.w;
        marks::outcome_ground(b, outcome, &Rect::new(x, r.y, part, r.h));
        x += part;
    }
    let most = (0..6).max_by(|&a, &b| bars.outcomes[a].total_cmp(&bars.outcomes[b])).unwrap_or(0);
    b.font(false, 10.5, SANS);
    b.align("right");
    b.text(&format!("{} %", fixed(bars.outcomes[most] / sum * 100.0, 0)), right, w.y, b.theme.ink2);
    let first = layout.wires.iter().find(|w| w.kind == WireKind::Lane).is_some_and(|f| std::ptr::eq(f, w));
    if first {
        b.font(false, 10.0, SANS);
        b.text(marks::outcome_word(OUTCOMES[most]), right, layout.trunk.y + 7.0, b.theme.ink3);
    }
    b.align("left");
}

/// While moves are many, wires split by the path that moved tasks on them.
pub fn splits(b: &Brush, layout: &Layout, flows: &Flows) {
    let mut small: [Vec<Rect>; 6] = Default::default();
    for (i, w) in layout.wires.iter().enumerate() {
        if w.thick < 4.0 || w.kind == WireKind::Lane && layout.lanes > 1 {
            continue;
        }
        let rates = flows.on_wire(i);
        let parts = parts_of(w, &rates);
        if w.kind == WireKind::Core || w.x1 - w.x0 < 60.0 {
            parts.into_iter().for_each(|(cause, r)| small[cause].push(r));
        } else {
            split(b, w, &parts);
        }
    }
    b.ctx.set_global_alpha(0.55);
    for (rects, cause) in small.iter().zip(CAUSES) {
        b.rects(rects, b.theme.cause(cause));
    }
    b.ctx.set_global_alpha(1.0);
}

/// The parts of a wire by path, as places in [`CAUSES`]; none if nothing moved.
fn parts_of(w: &Wire, rates: &[f64; 6]) -> Vec<(usize, Rect)> {
    let sum: f64 = rates.iter().sum();
    let mut x = w.x0;
    let mut parts = Vec::new();
    for (cause, rate) in rates.iter().enumerate().filter(|(_, r)| **r > 0.0) {
        let width = rate / sum * (w.x1 - w.x0);
        parts.push((cause, Rect::new(x, w.y - w.thick / 2.0, width, w.thick)));
        x += width;
    }
    parts
}

/// A large wire: rounded ends, a gap and a sign for each part.
fn split(b: &Brush, w: &Wire, parts: &[(usize, Rect)]) {
    b.ctx.save();
    b.ctx.begin_path();
    b.round_path(&super::still::wire_rect(w), w.thick / 2.0);
    b.ctx.clip();
    for (cause, r) in parts {
        b.ctx.set_global_alpha(0.85);
        b.rect(r, b.theme.cause(CAUSES[*cause]));
        b.ctx.set_global_alpha(1.0);
        b.rect(&Rect::new(r.right() - 0.5, r.y, 1.0, r.h), b.theme.surface);
        if r.w > 14.0 {
            marks::flat(b, CAUSES[*cause], pt(r.x + 8.0, w.y), 2.6, b.theme.surface);
        }
    }
    b.ctx.restore();
}

/// The strongest flows between nodes, with their counts.
pub fn flows(b: &Brush, layout: &Layout, flows: &Flows, now_ms: f64, still: bool) {
    let top = flows.strongest(if layout.size.0 < 560.0 { 4 } else { 7 });
    let strongest = top.first().map_or(0.0, |f| f.rate);
    let mut used = vec![0usize; layout.regions.len()];
    let mut ways: Vec<(Flow, Vec<Pt>)> = Vec::new();
    for flow in top.into_iter().filter(|f| f.rate >= strongest / 50.0) {
        let way = between(layout, flow.from, flow.to, flow.slot).pts;
        if way.len() < 2 {
            continue;
        }
        let (a, z) = (aside(&mut used, flow.from), aside(&mut used, flow.to));
        ways.push((flow, shifted(layout, &flow, &way, a, z)));
    }
    for (flow, way) in ways.iter().rev() {
        let (w, hue) = (width(flow.rate, strongest), b.theme.cause(flow.cause));
        b.way(way, b.theme.surface, w + 3.0);
        b.dash(cause_dash(flow.cause));
        b.ctx.set_line_dash_offset(if still { 0.0 } else { -(now_ms * 0.03) % 1000.0 });
        b.way(way, hue, w);
        b.dash(&[]);
        b.ctx.set_line_dash_offset(0.0);
        marks::arrow(b, way, hue, 7.0 + w * 0.5);
    }
    labels(b, layout, &ways);
}

/// Flows at one port lie beside each other.
fn aside(used: &mut [usize], region: usize) -> f64 {
    let Some(n) = used.get_mut(region) else { return 0.0 };
    *n += 1;
    let k = (*n / 2) as f64 * 16.0;
    if n.is_multiple_of(2) { -k } else { k }
}

fn shifted(layout: &Layout, flow: &Flow, way: &[Pt], a: f64, z: f64) -> Vec<Pt> {
    let inside = |x: f64, region: usize| {
        let r = &layout.regions[region].rect;
        let room = super::plan::layout::lane_room(layout.size.0, layout.lanes);
        x.max(r.x + 10.0).max(room.0 - 4.0).min(r.right() - 10.0)
    };
    let (Some(first), Some(last)) = (way.first(), way.last()) else { return Vec::new() };
    let y = way.get(1).filter(|_| way.len() > 2).map_or((first.y + last.y) / 2.0, |p| p.y);
    let (x0, x1) = (inside(first.x + a, flow.from), inside(last.x + z, flow.to));
    vec![pt(x0, first.y), pt(x0, y), pt(x1, y), pt(x1, last.y)]
}

fn labels(b: &Brush, layout: &Layout, ways: &[(Flow, Vec<Pt>)]) {
    b.font(false, 11.0, SANS);
    let view = Rect::new(0.0, 0.0, layout.size.0, layout.size.1);
    // Names and rates of lanes stay readable.
    let room = super::plan::layout::lane_room(layout.size.0, layout.lanes);
    let t = &layout.trunk;
    let mut taken = vec![Rect::new(0.0, t.y, room.0, t.h), Rect::new(t.right() - room.1, t.y, room.1, t.h)];
    for (flow, way) in ways {
        let text = format!("{} {}/s", cause_word(flow.cause), short(flow.rate));
        let w = b.width(&text) + 18.0;
        let whole = length(way);
        let spots = [0.5, 0.38, 0.62, 0.26, 0.74];
        let free = spots
            .iter()
            .filter_map(|f| at(way, whole * f))
            .map(|p| Rect::new(p.x - w / 2.0, p.y - 9.0, w, 18.0));
        let free = free.into_iter().find(|r| view.holds(r) && taken.iter().all(|t| t.overlap(r) == 0.0));
        if let Some(r) = free {
            marks::tag(b, &r, &text, b.theme.cause(flow.cause));
            taken.push(r);
        }
    }
}

/// Tasks on their way.
pub fn flights(b: &Brush, scene: &Scene, layout: &Layout, flights: &Flights, now_ms: f64) {
    let tokens: Vec<(&Flight, Pt, f64)> =
        flights.live.iter().filter_map(|f| f.progress(now_ms).map(|p| (f, p.at, p.along))).collect();
    let small = |f: &&(&Flight, Pt, f64)| !f.0.single && !flights.still;
    swarm(b, &tokens.iter().filter(small).copied().collect::<Vec<_>>());
    for (f, _, along) in tokens.iter().filter(|t| !small(t)) {
        trail(b, f, *along, flights.still);
    }
    for (f, at, _) in tokens.iter().filter(|t| !small(t)) {
        if flights.still {
            numbered_ends(b, f);
        } else {
            b.ctx.set_global_alpha(0.22);
            b.disc(*at, 14.0, b.theme.cause(f.cause));
            b.ctx.set_global_alpha(1.0);
            marks::token(b, f.cause, *at, 7.0, b.theme.surface);
        }
    }
    if flights.mode == Mode::OneByOne && !flights.still {
        tags(b, scene, layout, &tokens);
    }
}

fn trail(b: &Brush, f: &Flight, along: f64, still: bool) {
    let hue = b.theme.cause(f.cause);
    if still {
        b.way(&f.path, b.theme.surface, 5.5);
        b.way(&f.path, hue, 3.0);
        marks::arrow(b, &f.path, hue, 9.0);
    } else {
        let (flown, ahead) = (f.flown(along), f.ahead(along));
        b.way(&f.path, b.theme.surface, 5.5);
        b.dash(&[4.0, 3.0]);
        b.way(&ahead, hue, 1.7);
        b.dash(&[]);
        b.way(&flown, hue, 3.0);
        marks::arrow(b, &ahead, hue, 8.0);
        if let Some(start) = f.path.first() {
            b.disc(*start, 4.6, b.theme.surface);
            b.ring(*start, 3.6, hue, 1.8);
        }
    }
}

/// Many small tokens with tails, one stroke for each hue.
fn swarm(b: &Brush, tokens: &[(&Flight, Pt, f64)]) {
    if tokens.is_empty() {
        return;
    }
    let tails = |cause: Option<Cause>| {
        b.ctx.begin_path();
        for (f, _, along) in tokens.iter().filter(|t| cause.is_none_or(|c| t.0.cause == c)) {
            b.bend(&f.tail(*along, 26.0), 6.0);
        }
    };
    tails(None);
    b.ctx.set_stroke_style_str(b.theme.surface);
    b.ctx.set_line_width(5.0);
    b.ctx.stroke();
    b.ctx.set_global_alpha(0.6);
    b.ctx.set_line_width(2.4);
    for cause in CAUSES {
        tails(Some(cause));
        b.ctx.set_stroke_style_str(b.theme.cause(cause));
        b.ctx.stroke();
    }
    b.ctx.set_global_alpha(1.0);
    for cause in CAUSES {
        let at: Vec<Pt> = tokens.iter().filter(|t| t.0.cause == cause).map(|t| t.1).collect();
        marks::tokens(b, cause, &at, 4.6, b.theme.surface);
    }
}

/// Where nothing travels: 1 at the beginning of a way, 2 at its highest wire, the token at its end.
fn numbered_ends(b: &Brush, f: &Flight) {
    let hue = b.theme.cause(f.cause);
    let half = f.progress(f.start_ms + f.takes_ms / 2.0).map(|p| p.at);
    b.font(true, 10.0, SANS);
    b.align("center");
    for (n, at) in [("1", f.path.first().copied()), ("2", half)] {
        if let Some(at) = at {
            b.disc(at, 9.0, b.theme.surface);
            b.disc(at, 7.5, hue);
            b.text(n, at.x, at.y, b.theme.surface);
        }
    }
    b.align("left");
    if let Some(end) = f.path.last() {
        marks::token(b, f.cause, *end, 6.0, b.theme.surface);
    }
}

/// Tags of the newest flights, where they cover nothing. When several fly, they say less.
fn tags(b: &Brush, scene: &Scene, layout: &Layout, tokens: &[(&Flight, Pt, f64)]) {
    b.font(false, 11.0, SANS);
    let view = Rect::new(0.0, 0.0, layout.size.0, layout.size.1);
    let long = tokens.len() <= 3 && layout.size.0 >= 560.0;
    let mut hard: Vec<Rect> =
        tokens.iter().map(|(_, p, _)| Rect::new(p.x - 9.0, p.y - 9.0, 18.0, 18.0)).collect();
    let soft: Vec<Rect> = layout
        .wires
        .iter()
        .filter(|w| w.thick > 2.0)
        .map(super::still::wire_rect)
        .chain(tokens.iter().flat_map(|(f, _, _)| f.path.windows(2).map(|w| piece(w[0], w[1]))))
        .collect();
    for (f, at, _) in tokens.iter().rev().take(5) {
        let level = f.slot.map_or("", |s| level_name(&scene.tree, s));
        let text = match (long, level) {
            (false, _) => format!("t{}", f.task),
            (true, "") => format!("t{} {}", f.task, cause_word(f.cause)),
            (true, level) => format!("t{} {}, {level}", f.task, cause_word(f.cause)),
        };
        let size = (b.width(&text) + 18.0, 19.0);
        if let Some(r) = place(*at, size, view, &hard, &soft) {
            marks::tag(b, &r, &text, b.theme.cause(f.cause));
            hard.push(r);
        }
    }
}

fn piece(a: Pt, z: Pt) -> Rect {
    Rect::new(a.x.min(z.x) - 2.0, a.y.min(z.y) - 2.0, (a.x - z.x).abs() + 4.0, (a.y - z.y).abs() + 4.0)
}
