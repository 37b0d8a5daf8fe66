//! The card beside the pointer: what a thing is, with its numbers.

use super::brush::{Brush, SANS};
use super::cell::share_bar;
use super::plan::geom::{Pt, Rect};
use super::plan::shares::Shares;
use super::say::Words;

const LINE: f64 = 17.0;

/// Paints a card near a point, inside `view`.
pub fn paint(b: &Brush, words: &Words, shares: &Shares, near: Pt, view: &Rect) {
    let t = &b.theme;
    b.font(false, 11.0, SANS);
    let widest = words.lines.iter().map(|l| b.width(l)).fold(0.0, f64::max);
    let place = b.width(&words.place);
    b.font(true, 12.0, SANS);
    let title = b.width(&words.title);
    let w = (widest.max(title + 20.0 + place) + 24.0).max(180.0).min(view.w - 8.0);
    let bar = if words.bar.is_some() { 14.0 } else { 0.0 };
    let h = 34.0 + LINE * words.lines.len() as f64 + bar + 4.0;
    let right = near.x + 16.0 + w <= view.right() - 4.0;
    let x = if right { near.x + 16.0 } else { (near.x - 16.0 - w).max(view.x + 4.0) };
    let y = (near.y + 14.0).min(view.bottom() - h - 4.0).max(view.y + 4.0);
    let r = Rect::new(x, y, w, h);
    b.ctx.set_shadow_color(if t.dark { "rgba(0,0,0,.6)" } else { "rgba(21,27,34,.22)" });
    b.ctx.set_shadow_blur(14.0);
    b.round(&r, 6.0, Some(t.surface), None);
    b.ctx.set_shadow_blur(0.0);
    b.ctx.set_shadow_color("transparent");
    b.round(&r, 6.0, None, Some((t.edge, 1.0)));
    b.text(&words.title, x + 12.0, y + 17.0, t.ink1);
    b.font(false, 11.0, SANS);
    b.align("right");
    b.text(&words.place, x + w - 12.0, y + 17.0, t.ink3);
    b.align("left");
    let mut at = y + 38.0;
    for (i, line) in words.lines.iter().enumerate() {
        b.text(line, x + 12.0, at, if i == 0 { t.ink1 } else { t.ink2 });
        at += LINE;
        if let (0, Some(cpu)) = (i, words.bar) {
            share_bar(b, &Rect::new(x + 12.0, at - 6.0, w - 24.0, 7.0), &shares.of(cpu));
            at += bar;
        }
    }
}
