//! A canvas context with the few strokes that the tree is made of.

use super::plan::geom::{Pt, Rect};
use crate::theme::Theme;
use crate::units::fixed;
use wasm_bindgen::JsCast;
use web_sys::{CanvasPattern, CanvasRenderingContext2d, HtmlCanvasElement};

/// Plain text.
pub const SANS: &str = "system-ui, -apple-system, \"Segoe UI\", \"Noto Sans\", \"DejaVu Sans\", sans-serif";
/// Kernel names.
pub const MONO: &str = "ui-monospace, \"SF Mono\", Menlo, Consolas, \"DejaVu Sans Mono\", monospace";

/// Fill patterns of one theme.
pub struct Patterns {
    /// Balancing: dark diagonals.
    pub hatch: Option<CanvasPattern>,
    /// Waiting for a lock: upright stripes.
    pub stripes: Option<CanvasPattern>,
    /// Refused by a gate: light diagonals.
    pub gated: Option<CanvasPattern>,
    /// Not due: dots.
    pub dots: Option<CanvasPattern>,
    /// Failed: crossed diagonals.
    pub cross: Option<CanvasPattern>,
}

/// A canvas that can be drawn on, and the theme to draw with.
pub struct Brush {
    /// The context itself.
    pub ctx: CanvasRenderingContext2d,
    /// Colours.
    pub theme: Theme,
    /// Patterns in these colours.
    pub patterns: Patterns,
}

/// The 2D context of a canvas, if the browser gives one.
pub fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

impl Brush {
    /// A brush for a canvas.
    pub fn new(canvas: &HtmlCanvasElement, theme: Theme) -> Option<Self> {
        let ctx = context(canvas)?;
        let patterns = Patterns::new(&ctx, &theme);
        Some(Self { ctx, theme, patterns })
    }

    /// Fills a rectangle with rounded corners.
    pub fn round(&self, r: &Rect, radius: f64, fill: Option<&str>, stroke: Option<(&str, f64)>) {
        self.ctx.begin_path();
        self.round_path(r, radius);
        if let Some(fill) = fill {
            self.ctx.set_fill_style_str(fill);
            self.ctx.fill();
        }
        if let Some((colour, width)) = stroke {
            self.ctx.set_stroke_style_str(colour);
            self.ctx.set_line_width(width);
            self.ctx.stroke();
        }
    }

    /// Adds a rounded rectangle to the current path.
    pub fn round_path(&self, r: &Rect, radius: f64) {
        let radius = radius.min(r.w / 2.0).min(r.h / 2.0).max(0.0);
        // It fails only for radii that are no numbers.
        let _ = self.ctx.round_rect_with_f64(r.x, r.y, r.w.max(0.0), r.h.max(0.0), radius);
    }

    /// Fills a rectangle.
    pub fn rect(&self, r: &Rect, fill: &str) {
        self.ctx.set_fill_style_str(fill);
        self.ctx.fill_rect(r.x, r.y, r.w, r.h);
    }

    /// Fills many rectangles with one stroke of the brush.
    pub fn rects(&self, rects: &[Rect], fill: &str) {
        if rects.is_empty() {
            return;
        }
        self.ctx.begin_path();
        rects.iter().for_each(|r| self.ctx.rect(r.x, r.y, r.w, r.h));
        self.ctx.set_fill_style_str(fill);
        self.ctx.fill();
    }

    /// Fills a rectangle with a pattern over a ground.
    pub fn patterned(&self, r: &Rect, ground: &str, pattern: Option<&CanvasPattern>) {
        self.rect(r, ground);
        if let Some(p) = pattern {
            self.ctx.set_fill_style_canvas_pattern(p);
            self.ctx.fill_rect(r.x, r.y, r.w, r.h);
        }
    }

    /// Adds a path with rounded corners to the current path.
    pub fn bend(&self, pts: &[Pt], radius: f64) {
        let [first, .., last] = pts else { return };
        self.ctx.move_to(first.x, first.y);
        for w in pts.windows(3) {
            let room = w[0].distance(w[1]).min(w[1].distance(w[2])) / 2.0;
            // It fails only for negative radii.
            let _ = self.ctx.arc_to(w[1].x, w[1].y, w[2].x, w[2].y, radius.min(room));
        }
        self.ctx.line_to(last.x, last.y);
    }

    /// Strokes a path with rounded corners.
    pub fn way(&self, pts: &[Pt], colour: &str, width: f64) {
        self.ctx.begin_path();
        self.bend(pts, 6.0);
        self.ctx.set_stroke_style_str(colour);
        self.ctx.set_line_width(width);
        self.ctx.stroke();
    }

    /// Sets the dashes of strokes; none for a solid line.
    pub fn dash(&self, lengths: &[f64]) {
        let list = js_sys::Array::new();
        lengths.iter().for_each(|&l| {
            list.push(&l.into());
        });
        // It fails only for lengths that are no numbers.
        let _ = self.ctx.set_line_dash(&list);
    }

    /// Adds a circle to the current path.
    pub fn circle_path(&self, at: Pt, radius: f64) {
        self.ctx.move_to(at.x + radius, at.y);
        // It fails only for negative radii.
        let _ = self.ctx.arc(at.x, at.y, radius.max(0.0), 0.0, std::f64::consts::TAU);
    }

    /// A filled circle.
    pub fn disc(&self, at: Pt, radius: f64, fill: &str) {
        self.ctx.begin_path();
        self.circle_path(at, radius);
        self.ctx.set_fill_style_str(fill);
        self.ctx.fill();
    }

    /// An empty circle.
    pub fn ring(&self, at: Pt, radius: f64, colour: &str, width: f64) {
        self.ctx.begin_path();
        self.circle_path(at, radius);
        self.ctx.set_stroke_style_str(colour);
        self.ctx.set_line_width(width);
        self.ctx.stroke();
    }

    /// Chooses a font: `bold`, size in pixels, family.
    pub fn font(&self, bold: bool, size: f64, family: &str) {
        let weight = if bold { 600 } else { 400 };
        self.ctx.set_font(&format!("{weight} {}px {family}", fixed(size, 1)));
    }

    /// Where the following texts begin: `left`, `right` or `center`.
    pub fn align(&self, align: &str) {
        self.ctx.set_text_align(align);
    }

    /// A text with its middle at the given height.
    pub fn text(&self, text: &str, x: f64, y: f64, colour: &str) {
        self.ctx.set_fill_style_str(colour);
        // It fails only for coordinates that are no numbers.
        let _ = self.ctx.fill_text(text, x, y + 0.5);
    }

    /// Width of a text in the chosen font.
    pub fn width(&self, text: &str) -> f64 {
        self.ctx.measure_text(text).map_or(0.0, |m| m.width())
    }
}

impl Patterns {
    fn new(ctx: &CanvasRenderingContext2d, theme: &Theme) -> Self {
        let make = |side: u32, draw: &dyn Fn(&CanvasRenderingContext2d, f64)| pattern(ctx, side, draw);
        let lines = |colour: &'static str, width: f64, both: bool| {
            move |c: &CanvasRenderingContext2d, s: f64| {
                c.set_stroke_style_str(colour);
                c.set_line_width(width);
                c.begin_path();
                for k in [-1.0, 0.0, 1.0] {
                    c.move_to(k * s - 1.0, s + 1.0);
                    c.line_to(k * s + s + 1.0, -1.0);
                    if both {
                        c.move_to(k * s - 1.0, -1.0);
                        c.line_to(k * s + s + 1.0, s + 1.0);
                    }
                }
                c.stroke();
            }
        };
        let ink3 = theme.ink3;
        let stripe = if theme.dark { theme.edge } else { theme.balanced };
        Self {
            hatch: make(6, &lines(theme.ink1, 2.0, false)),
            gated: make(6, &lines(theme.not_due, 1.5, false)),
            cross: make(5, &lines(theme.failed, 1.1, true)),
            stripes: make(3, &move |c, s| {
                c.set_fill_style_str(stripe);
                c.fill_rect(0.0, 0.0, 1.2, s);
            }),
            dots: make(4, &move |c, _| {
                c.set_fill_style_str(ink3);
                c.fill_rect(1.0, 1.0, 1.3, 1.3);
            }),
        }
    }
}

/// A pattern of a small square tile.
fn pattern(
    ctx: &CanvasRenderingContext2d,
    side: u32,
    draw: &dyn Fn(&CanvasRenderingContext2d, f64),
) -> Option<CanvasPattern> {
    let document = web_sys::window()?.document()?;
    let tile: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    tile.set_width(side);
    tile.set_height(side);
    draw(&context(&tile)?, f64::from(side));
    ctx.create_pattern_with_html_canvas_element(&tile, "repeat").ok()?
}
