//! Places for tags so that they cover neither each other nor tokens, and wires as little as they can.

use super::geom::{Pt, Rect};

/// Finds a place for a tag of a size beside a token: the candidate that covers least, if it covers no tag
/// and no token. `soft` may be covered, at a price.
pub fn place(token: Pt, size: (f64, f64), view: Rect, hard: &[Rect], soft: &[Rect]) -> Option<Rect> {
    let (w, h) = size;
    let aside = 14.0;
    let candidates = [
        Rect::new(token.x + aside, token.y - h - 8.0, w, h),
        Rect::new(token.x - aside - w, token.y - h - 8.0, w, h),
        Rect::new(token.x + aside, token.y + 8.0, w, h),
        Rect::new(token.x - aside - w, token.y + 8.0, w, h),
        Rect::new(token.x + aside, token.y - h / 2.0, w, h),
        Rect::new(token.x - aside - w, token.y - h / 2.0, w, h),
        Rect::new(token.x - w / 2.0, token.y - aside - h, w, h),
        Rect::new(token.x - w / 2.0, token.y + aside, w, h),
    ];
    candidates
        .into_iter()
        .filter(|c| view.holds(c) && hard.iter().all(|r| r.overlap(c) == 0.0))
        .enumerate()
        .map(|(i, c)| (soft.iter().map(|r| r.overlap(&c)).sum::<f64>() + 4.0 * i as f64, c))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}
