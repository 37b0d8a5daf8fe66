//! What stands: regions, boxes, wires, stubs, the edges of cells and their numbers. Painted once a layout.

use super::brush::{Brush, MONO, SANS};
use super::plan::geom::{Pt, Rect, pt};
use super::plan::lanes::Half;
use super::plan::layout::{Layout, Wire, WireKind, level_name};
use super::plan::measure::Stage;
use super::say;
use crate::scene::Scene;

/// Paints all of it. `view` is the part of the picture that shows.
pub fn paint(b: &Brush, scene: &Scene, layout: &Layout, view: &Rect) {
    b.ctx.set_text_baseline("middle");
    b.align("left");
    regions(b, scene, layout, view);
    boxes(b, layout, view);
    stubs(b, layout, view);
    for wire in layout.wires.iter().filter(|w| w.thick > 0.0) {
        bar(b, wire, view);
    }
    if layout.lanes > 1 {
        lane_dots(b, layout);
    }
    cells(b, scene, layout, view);
    names(b, scene, layout, view);
}

fn regions(b: &Brush, scene: &Scene, layout: &Layout, view: &Rect) {
    let t = &b.theme;
    for region in layout.regions.iter().filter(|r| r.rect.overlap(view) > 0.0) {
        b.round(&region.rect, 10.0, Some(t.surface), Some((t.line, 1.0)));
        b.font(true, 11.0, SANS);
        let titles = say::region_titles(scene, layout, region);
        // The right end is left for the count of tasks.
        let room = region.rect.w - 24.0 - if region.rect.w > 200.0 { 130.0 } else { 0.0 };
        let title = titles.iter().find(|t| b.width(t) <= room).unwrap_or(&titles[2]);
        b.text(title, region.rect.x + 12.0, region.header.centre().y, t.ink1);
    }
}

fn boxes(b: &Brush, layout: &Layout, view: &Rect) {
    let t = &b.theme;
    for shape in layout.boxes.iter().filter(|s| s.rect.overlap(view) > 0.0) {
        match shape.depth {
            0 if layout.stage == Stage::Block => {}
            0 => b.round(&shape.rect, 6.0, Some(t.core), None),
            _ if layout.stage == Stage::Heat => b.round(&shape.rect, 3.0, Some(t.core), None),
            _ => b.round(&shape.rect, 6.0, None, Some((t.line, 1.0))),
        }
    }
}

fn stubs(b: &Brush, layout: &Layout, view: &Rect) {
    let c = &b.ctx;
    c.begin_path();
    let line = |pts: &[Pt]| {
        if let [first, rest @ ..] = pts {
            c.move_to(first.x, first.y);
            rest.iter().for_each(|p| c.line_to(p.x, p.y));
        }
    };
    layout.wires.iter().filter(|w| w.thick > 2.0).for_each(|w| line(&w.hop.pts));
    if layout.stage >= Stage::Dots {
        layout.cells.iter().filter(|cell| cell.rect.overlap(view) > 0.0).for_each(|cell| line(&cell.hop.pts));
    }
    for region in &layout.regions {
        if let Some(last) = region.taps.last() {
            line(&[region.port, last.at]);
        }
    }
    c.set_stroke_style_str(b.theme.stub);
    c.set_line_width(if layout.stage >= Stage::Dots { 2.0 } else { 1.5 });
    c.stroke();
}

/// The bar of a wire.
fn bar(b: &Brush, w: &Wire, view: &Rect) {
    let r = wire_rect(w);
    if r.overlap(view) > 0.0 {
        b.round(
            &r,
            r.h / 2.0,
            Some(if w.kind == WireKind::Core && w.thick <= 2.0 { b.theme.stub } else { b.theme.wire }),
            None,
        );
    }
}

/// Where the bar of a wire lies.
pub fn wire_rect(w: &Wire) -> Rect {
    Rect::new(w.x0, w.y - w.thick / 2.0, w.x1 - w.x0, w.thick)
}

fn lane_dots(b: &Brush, layout: &Layout) {
    b.ctx.begin_path();
    for w in layout.wires.iter().filter(|w| w.kind == WireKind::Lane) {
        w.dots.iter().for_each(|&p| b.circle_path(p, 2.6));
    }
    b.ctx.set_fill_style_str(b.theme.ink3);
    b.ctx.fill();
}

fn cells(b: &Brush, scene: &Scene, layout: &Layout, view: &Rect) {
    if layout.stage < Stage::Dots {
        return;
    }
    let t = &b.theme;
    b.ctx.begin_path();
    for cell in layout.cells.iter().filter(|c| c.rect.overlap(view) > 0.0) {
        b.round_path(&cell.rect, 5.0);
    }
    b.ctx.set_fill_style_str(t.cell);
    b.ctx.fill();
    b.ctx.set_stroke_style_str(t.line);
    b.ctx.set_line_width(1.0);
    b.ctx.stroke();
    let (size, inset) = if layout.stage == Stage::Full { (12.0, 8.0) } else { (11.0, 4.0) };
    b.font(true, size, SANS);
    for (cpu, cell) in layout.cells.iter().enumerate().filter(|(_, c)| c.rect.overlap(view) > 0.0) {
        let y = match cell.half {
            Half::Below => cell.rect.y + size * 0.95,
            Half::Above => cell.rect.bottom() - size * 0.95,
        };
        b.text(&say::cpu_id(scene, cpu).to_string(), cell.rect.x + inset, y, t.ink1);
    }
}

/// Names of levels at the left ends of their wires.
fn names(b: &Brush, scene: &Scene, layout: &Layout, view: &Rect) {
    let t = &b.theme;
    b.font(true, 10.5, MONO);
    for w in layout.wires.iter().filter(|w| w.label && w.band.overlap(view) > 0.0) {
        let name = level_name(&scene.tree, w.slot);
        match w.kind {
            WireKind::Lane if layout.lanes > 1 => {}
            WireKind::Core => b.text(name, w.band.x + 6.0, w.y, t.ink2),
            _ => {
                let x = if w.kind == WireKind::Lane { w.x0 - 44.0 } else { w.band.x + 4.0 };
                if w.x0 < x + b.width(name) {
                    let ground = Rect::new(x - 2.0, w.y - 7.0, b.width(name) + 6.0, 14.0);
                    b.round(&ground, 3.0, Some(t.surface), None);
                }
                b.text(name, x.max(2.0), w.y, t.ink2);
            }
        }
    }
    if layout.lanes > 1 {
        lane_names(b, scene, layout);
    }
}

/// Weights of the spans, and as whose they are seen.
fn lane_names(b: &Brush, scene: &Scene, layout: &Layout) {
    let t = &b.theme;
    let lanes: Vec<&Wire> = layout.wires.iter().filter(|w| w.kind == WireKind::Lane).collect();
    let wide = layout.size.0 >= 560.0;
    let seen = lanes.iter().find(|w| w.dots.len() > 1).map_or(0, |w| w.seen_by);
    for (i, w) in lanes.iter().enumerate() {
        if wide {
            b.font(false, 10.5, MONO);
            let name = level_name(&scene.tree, w.slot);
            if i == 0 || i + 1 == lanes.len() {
                b.text(name, 12.0, w.y, t.ink2);
            }
            b.align("right");
            b.text(&w.cpus.len().to_string(), 78.0, w.y, t.ink2);
        } else {
            b.font(false, 10.0, MONO);
            b.align("right");
            b.text(&w.cpus.len().to_string(), 34.0, w.y, t.ink3);
        }
        b.align("left");
    }
    if wide {
        b.font(false, 10.0, SANS);
        let at = pt(12.0, layout.trunk.y + 7.0);
        b.text(&format!("spans cpu {} sees", say::cpu_id(scene, seen)), at.x, at.y, t.ink3);
    }
}
