//! The shapes: who moved a task, and how far an attempt got. Hue says it, shape says it again.

use super::brush::Brush;
use super::plan::geom::{Pt, Rect, pt};
use balancescope::observe::{Cause, Kind, Outcome};

/// The word for a path.
pub fn cause_word(cause: Cause) -> &'static str {
    match cause {
        Cause::Wakeup => "wake-up",
        Cause::Fork => "fork",
        Cause::Newidle => "newidle",
        Cause::Periodic => "periodic",
        Cause::Nohz => "nohz",
        Cause::Active => "active",
    }
}

/// The word for how far an attempt got.
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Gated => "gated",
        Outcome::NotDue => "not due",
        Outcome::LockLost => "lock lost",
        Outcome::Balanced => "balanced",
        Outcome::Failed => "failed",
        Outcome::Moved => "moved",
    }
}

/// The path whose hue an attempt of some kind wears.
pub fn kind_cause(kind: Kind) -> Cause {
    match kind {
        Kind::Newidle => Cause::Newidle,
        Kind::Idle | Kind::Busy => Cause::Periodic,
        Kind::Nohz => Cause::Nohz,
    }
}

/// Dashes of a path's flow.
pub fn cause_dash(cause: Cause) -> &'static [f64] {
    match cause {
        Cause::Wakeup | Cause::Newidle => &[],
        Cause::Fork => &[2.0, 4.0],
        Cause::Periodic => &[9.0, 5.0],
        Cause::Nohz => &[10.0, 4.0, 2.0, 4.0],
        Cause::Active => &[4.0, 3.0],
    }
}

/// Outlines of a path's shape around the origin at radius 1: corners, or nothing for the round ones.
fn corners(cause: Cause) -> &'static [(f64, f64)] {
    match cause {
        Cause::Fork => &[
            (-0.36, -1.1),
            (0.36, -1.1),
            (0.36, -0.36),
            (1.1, -0.36),
            (1.1, 0.36),
            (0.36, 0.36),
            (0.36, 1.1),
            (-0.36, 1.1),
            (-0.36, 0.36),
            (-1.1, 0.36),
            (-1.1, -0.36),
            (-0.36, -0.36),
        ],
        Cause::Newidle => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        Cause::Periodic => &[(-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)],
        Cause::Active => &[(-0.85, -1.1), (1.15, 0.0), (-0.85, 1.1)],
        Cause::Wakeup | Cause::Nohz => &[],
    }
}

/// Adds a path's shape to the current path.
fn shape_path(b: &Brush, cause: Cause, at: Pt, r: f64) {
    if let [first, rest @ ..] = corners(cause) {
        b.ctx.move_to(at.x + first.0 * r, at.y + first.1 * r);
        rest.iter().for_each(|c| b.ctx.line_to(at.x + c.0 * r, at.y + c.1 * r));
        b.ctx.close_path();
    } else if cause == Cause::Nohz {
        // The outer circle's left two thirds, closed by a smaller circle through the same two tips.
        let (x, y, big) = (at.x + 0.2 * r, at.y, 1.2 * r);
        let deg = std::f64::consts::PI / 180.0;
        b.ctx.move_to(x + 0.5 * big, y + 0.866 * big);
        // Arcs fail only for negative radii.
        let _ = b.ctx.arc(x, y, big, 60.0 * deg, 300.0 * deg);
        let _ = b.ctx.arc_with_anticlockwise(x + 0.75 * big, y, 0.9 * big, 254.0 * deg, 106.0 * deg, true);
        b.ctx.close_path();
    } else {
        b.circle_path(at, r);
    }
}

/// A path's shape in its hue, with an outline in the colour of what lies around it.
pub fn token(b: &Brush, cause: Cause, at: Pt, r: f64, around: &str) {
    tokens(b, cause, &[at], r, around);
}

/// Many of a path's shapes at once, as [`token`] draws one.
pub fn tokens(b: &Brush, cause: Cause, at: &[Pt], r: f64, around: &str) {
    b.ctx.begin_path();
    for &p in at {
        shape_path(b, cause, p, r);
    }
    b.ctx.set_line_join("round");
    b.ctx.set_stroke_style_str(around);
    b.ctx.set_line_width(3.0);
    b.ctx.stroke();
    b.ctx.set_fill_style_str(b.theme.cause(cause));
    b.ctx.fill();
}

/// A path's shape in one colour, without outline.
pub fn flat(b: &Brush, cause: Cause, at: Pt, r: f64, colour: &str) {
    b.ctx.begin_path();
    shape_path(b, cause, at, r);
    b.ctx.set_fill_style_str(colour);
    b.ctx.fill();
}

/// How far an attempt got, in the hue of who tried.
pub fn outcome(b: &Brush, kind: Kind, outcome: Outcome, at: Pt, r: f64) {
    let hue = b.theme.cause(kind_cause(kind));
    let ground = b.theme.surface;
    let c = &b.ctx;
    b.disc(at, r + 1.6, ground);
    c.set_line_cap("round");
    let full = outcome == Outcome::Moved;
    if full {
        b.disc(at, r, hue);
    } else {
        if outcome == Outcome::Gated {
            b.dash(&[r * 0.62, r * 0.42]);
        }
        b.ring(at, r - 0.8, hue, 1.6);
        b.dash(&[]);
    }
    c.set_stroke_style_str(if full { ground } else { hue });
    c.set_line_width(1.6);
    c.begin_path();
    let line = |x0: f64, y0: f64, x1: f64, y1: f64| {
        c.move_to(at.x + x0 * r, at.y + y0 * r);
        c.line_to(at.x + x1 * r, at.y + y1 * r);
    };
    match outcome {
        Outcome::Gated => line(-0.4, 0.0, 0.4, 0.0),
        Outcome::NotDue => {
            line(0.0, -0.5, 0.0, 0.0);
            line(0.0, 0.0, 0.38, 0.18);
        }
        Outcome::LockLost => {
            c.rect(at.x - 0.32 * r, at.y - 0.05 * r, 0.64 * r, 0.42 * r);
            c.move_to(at.x - 0.2 * r, at.y - 0.05 * r);
            let _ = c.arc(at.x, at.y - 0.16 * r, 0.2 * r, std::f64::consts::PI, std::f64::consts::TAU);
        }
        Outcome::Balanced => {
            line(-0.4, -0.2, 0.4, -0.2);
            line(-0.4, 0.22, 0.4, 0.22);
        }
        Outcome::Failed => {
            line(-0.32, -0.32, 0.32, 0.32);
            line(-0.32, 0.32, 0.32, -0.32);
        }
        Outcome::Moved => {
            line(-0.48, 0.0, 0.46, 0.0);
            line(0.08, -0.38, 0.46, 0.0);
            line(0.08, 0.38, 0.46, 0.0);
        }
    }
    c.stroke();
    c.set_line_cap("butt");
}

/// The ground of an outcome in bars: plain or patterned ink.
pub fn outcome_ground(b: &Brush, outcome: Outcome, r: &Rect) {
    let p = match outcome {
        Outcome::Gated => b.patterns.gated.as_ref(),
        Outcome::NotDue => b.patterns.dots.as_ref(),
        Outcome::LockLost => b.patterns.stripes.as_ref(),
        Outcome::Failed => b.patterns.cross.as_ref(),
        Outcome::Balanced | Outcome::Moved => None,
    };
    b.patterned(r, b.theme.outcome(outcome), p);
}

/// A small text on a pill with an edge; `r` is its place.
pub fn tag(b: &Brush, r: &Rect, text: &str, edge: &str) {
    b.round(r, r.h / 2.0, Some(b.theme.surface), Some((edge, 1.4)));
    b.align("center");
    b.text(text, r.centre().x, r.centre().y, b.theme.ink1);
    b.align("left");
}

/// An arrow's head at the end of a path.
pub fn arrow(b: &Brush, pts: &[Pt], colour: &str, size: f64) {
    let [.., a, z] = pts else { return };
    let d = a.distance(*z).max(1e-6);
    let (ux, uy) = ((z.x - a.x) / d, (z.y - a.y) / d);
    let back = pt(z.x - ux * size, z.y - uy * size);
    let side = size * 0.6;
    b.ctx.begin_path();
    b.ctx.move_to(back.x - uy * side, back.y + ux * side);
    b.ctx.line_to(z.x, z.y);
    b.ctx.line_to(back.x + uy * side, back.y - ux * side);
    b.ctx.close_path();
    b.ctx.set_fill_style_str(colour);
    b.ctx.fill();
}
