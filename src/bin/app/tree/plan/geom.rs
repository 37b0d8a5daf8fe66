//! Points, rectangles and paths, in CSS pixels with y downward.

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pt {
    /// Rightward.
    pub x: f64,
    /// Downward.
    pub y: f64,
}

/// Short for a point.
pub const fn pt(x: f64, y: f64) -> Pt {
    Pt { x, y }
}

impl Pt {
    /// Straight distance to another point.
    pub fn distance(self, other: Pt) -> f64 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        (dx * dx + dy * dy).sqrt()
    }
}

/// A rectangle by its upper left corner and size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Rect {
    /// A rectangle by its upper left corner and size.
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    /// Right edge.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// Lower edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// Centre.
    pub fn centre(&self) -> Pt {
        pt(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// Whether the point lies in it.
    pub fn contains(&self, p: Pt) -> bool {
        p.x >= self.x && p.x <= self.right() && p.y >= self.y && p.y <= self.bottom()
    }

    /// Area shared with another rectangle.
    pub fn overlap(&self, other: &Rect) -> f64 {
        let w = self.right().min(other.right()) - self.x.max(other.x);
        let h = self.bottom().min(other.bottom()) - self.y.max(other.y);
        w.max(0.0) * h.max(0.0)
    }

    /// The rectangle grown by `by` on every side.
    pub fn grown(&self, by: f64) -> Rect {
        Rect::new(self.x - by, self.y - by, self.w + 2.0 * by, self.h + 2.0 * by)
    }

    /// Whether `other` lies wholly inside, within a thousandth of a pixel.
    pub fn holds(&self, other: &Rect) -> bool {
        let e = 1e-3;
        other.x >= self.x - e
            && other.y >= self.y - e
            && other.right() <= self.right() + e
            && other.bottom() <= self.bottom() + e
    }
}

/// Length of a path of straight pieces.
pub fn length(path: &[Pt]) -> f64 {
    path.windows(2).map(|w| w[0].distance(w[1])).sum()
}

/// The point at `along` pixels from the start of a path, clamped to its ends; `None` for an empty path.
pub fn at(path: &[Pt], along: f64) -> Option<Pt> {
    let mut left = along.max(0.0);
    for pair in path.windows(2) {
        let step = pair[0].distance(pair[1]);
        if left <= step && step > 0.0 {
            let f = left / step;
            return Some(pt(
                pair[0].x + (pair[1].x - pair[0].x) * f,
                pair[0].y + (pair[1].y - pair[0].y) * f,
            ));
        }
        left -= step;
    }
    path.last().copied()
}

/// The piece of a path between two distances from its start.
pub fn slice(path: &[Pt], from: f64, to: f64) -> Vec<Pt> {
    let mut out = Vec::new();
    if to <= from {
        return out;
    }
    out.extend(at(path, from));
    let mut walked = 0.0;
    for pair in path.windows(2) {
        walked += pair[0].distance(pair[1]);
        if walked > from && walked < to {
            out.push(pair[1]);
        }
    }
    out.extend(at(path, to));
    out
}

/// A path without repeated points and without points in the middle of a straight piece. A path that turns
/// back on itself keeps its turning point.
pub fn tidy(path: &[Pt]) -> Vec<Pt> {
    let mut out: Vec<Pt> = Vec::with_capacity(path.len());
    for &p in path {
        if out.last().is_some_and(|q| q.distance(p) < 0.01) {
            continue;
        }
        if let [.., a, b] = out[..] {
            let straight_x =
                (a.x - b.x).abs() < 0.01 && (b.x - p.x).abs() < 0.01 && (b.y - a.y) * (p.y - b.y) > 0.0;
            let straight_y =
                (a.y - b.y).abs() < 0.01 && (b.y - p.y).abs() < 0.01 && (b.x - a.x) * (p.x - b.x) > 0.0;
            if straight_x || straight_y {
                out.pop();
            }
        }
        out.push(p);
    }
    out
}
