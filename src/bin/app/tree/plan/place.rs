//! Puts the boxes of one node into a layout. Depth counts from the trunk outward, so that the two halves
//! mirror each other.

use super::geom::{Pt, Rect, pt};
use super::lanes::Half;
use super::layout::{BoxShape, Cell, Hop, Layout, Region, Wire, WireKind};
use super::measure::{Fit, Need};
use super::nest::{Inside, Nest, NodeNest};

/// Places one node.
pub struct Placer<'a> {
    /// Where to.
    pub out: &'a mut Layout,
    /// Measures and rows.
    pub fit: &'a Fit,
    /// Width of a cell.
    pub cw: f64,
    /// Height of a cell.
    pub ch: f64,
    /// Side of the trunk.
    pub half: Half,
    /// Height of the node's edge towards the trunk.
    pub base: f64,
    /// Index of the region being filled.
    pub region: usize,
}

enum Who {
    Cell(usize),
    Wire(usize),
}

/// An open end that has to be led to a wire above; points are (x, depth).
struct Port {
    who: Who,
    pts: Vec<Pt>,
}

struct Area {
    x: f64,
    d: f64,
    w: f64,
    h: f64,
}

impl Placer<'_> {
    fn y(&self, d: f64) -> f64 {
        match self.half {
            Half::Below => self.base + d,
            Half::Above => self.base - d,
        }
    }

    fn rect(&self, a: &Area) -> Rect {
        match self.half {
            Half::Below => Rect::new(a.x, self.base + a.d, a.w, a.h),
            Half::Above => Rect::new(a.x, self.base - a.d - a.h, a.w, a.h),
        }
    }

    /// Places a whole node, `depth` deep with its title.
    pub fn region(&mut self, node: &NodeNest, x: f64, w: f64, depth: f64) {
        let m = self.fit.metrics;
        self.region = self.out.regions.len();
        let header = self.rect(&Area { x, d: depth - m.header, w, h: m.header });
        self.out.regions.push(Region {
            node: node.node,
            package: node.package,
            rect: self.rect(&Area { x, d: 0.0, w, h: depth }),
            header,
            half: self.half,
            port: pt(x + w / 2.0, self.base),
            taps: Vec::new(),
            root: None,
            cpus: node.root.cpus(),
        });
        let area = Area { x: x + m.region_pad, d: 0.0, w: w - 2.0 * m.region_pad, h: depth - m.header };
        let ports = self.nest(&node.root, &area, 0);
        let root = match ports.as_slice() {
            [Port { who: Who::Wire(w), .. }] if node.root.slot.is_some() => Some(*w),
            _ => None,
        };
        self.out.regions[self.region].root = root;
        if let Some(root) = root {
            self.out.regions[self.region].port.y = self.out.wires[root].y;
        }
        for port in ports {
            // Without a wire of the whole node, what lies below it is led to the node's edge.
            if root.is_none() {
                let last = port.pts.last().copied().unwrap_or_default();
                self.finish(port, None, pt(last.x, 0.0));
            }
        }
    }

    fn nest(&mut self, nest: &Nest, area: &Area, depth: usize) -> Vec<Port> {
        if depth > 0 && nest.slot.is_some() && self.fit.pad(nest) > 0.0 {
            let lowest = nest.layer == 0 && self.fit.cores;
            self.out.boxes.push(BoxShape { rect: self.rect(area), depth: usize::from(!lowest) });
        }
        let ports = self.children(nest, area, depth);
        let Some(slot) = nest.slot else { return ports };
        let wire = self.wire(nest, slot, area, &ports);
        let d = self.band_middle(nest, area);
        for port in ports {
            let last = port.pts.last().copied().unwrap_or_default();
            self.finish(port, Some(wire), pt(last.x, d));
        }
        let w = &self.out.wires[wire];
        vec![Port { who: Who::Wire(wire), pts: vec![pt((w.x0 + w.x1) / 2.0, d)] }]
    }

    fn band_middle(&self, nest: &Nest, area: &Area) -> f64 {
        area.d + self.fit.rise(nest)
    }

    /// Places what a box holds, row by row, and returns the open ends.
    fn children(&mut self, nest: &Nest, area: &Area, depth: usize) -> Vec<Port> {
        let fit = self.fit;
        let per_row = fit.per_row(nest.layer, nest.children());
        let mut ports = Vec::new();
        let mut d = area.d + fit.band(nest);
        for row in 0..nest.children().div_ceil(per_row) {
            let range = row * per_row..((row + 1) * per_row).min(nest.children());
            let needs: Vec<Need> = range.clone().map(|i| self.child_need(nest, i)).collect();
            let tall = needs.iter().copied().fold(Need::default(), Need::max);
            let h = tall.ra * self.ch + tall.rb;
            let mut x = area.x + fit.pad(nest);
            for (i, need) in range.zip(needs) {
                let w = need.a * self.cw + need.b;
                let child = Area { x, d, w, h };
                let mut own = match &nest.inside {
                    Inside::Cpus(cpus) => vec![self.cell(cpus[i], &child)],
                    Inside::Boxes(boxes) => self.nest(&boxes[i], &child, depth + 1),
                };
                if row > 0 {
                    let gap = self.gap_beside(nest, area, &child);
                    own.iter_mut().for_each(|p| detour(p, gap, d - fit.metrics.row_gap / 2.0));
                }
                ports.extend(own);
                x += w + fit.gap(nest);
            }
            d += h + fit.metrics.row_gap;
        }
        ports
    }

    fn child_need(&self, nest: &Nest, i: usize) -> Need {
        match &nest.inside {
            Inside::Cpus(_) => Need { a: 1.0, b: 0.0, ra: 1.0, rb: 0.0 },
            Inside::Boxes(boxes) => self.fit.need(&boxes[i]),
        }
    }

    /// The gap beside a child, on the side of the box's middle: the way past the rows nearer to the trunk.
    fn gap_beside(&self, nest: &Nest, area: &Area, child: &Area) -> f64 {
        let half = self.fit.gap(nest) / 2.0;
        let middle = area.x + area.w / 2.0;
        if child.x + child.w / 2.0 < middle { child.x + child.w + half } else { child.x - half }
    }

    fn cell(&mut self, cpu: usize, area: &Area) -> Port {
        let area = Area { x: area.x, d: area.d, w: area.w, h: self.ch };
        let rect = self.rect(&area);
        if let Some(cell) = self.out.cells.get_mut(cpu) {
            *cell = Cell { rect, half: self.half, hop: Hop::default(), region: self.region };
        }
        Port { who: Who::Cell(cpu), pts: vec![pt(area.x + area.w / 2.0, area.d)] }
    }

    fn wire(&mut self, nest: &Nest, slot: usize, area: &Area, ports: &[Port]) -> usize {
        let m = self.fit.metrics;
        let lowest = nest.layer == 0 && self.fit.cores;
        let (name_w, rate_w) = if lowest { (29.0, 30.0) } else { (44.0, 50.0) };
        let xs = ports.iter().filter_map(|p| p.pts.last()).map(|p| p.x);
        let (first, last) = xs.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        let wide = area.w >= if lowest { 120.0 } else { 170.0 };
        let label = wide && (!lowest || first - 5.0 - area.x >= name_w);
        // Larger domains keep their name even where it has to lie on the wire's own end.
        let rate = wide && (!lowest || area.x + area.w - last - 5.0 >= rate_w);
        let x0 = if label { area.x + name_w } else { (area.x + 5.0).min(first - 3.0).max(area.x) };
        let right = area.x + area.w;
        let x1 = if rate { right - rate_w } else { (right - 5.0).max(last + 3.0).min(right) };
        let band = Area { x: area.x, d: area.d, w: area.w, h: self.fit.band(nest) };
        let cpus = nest.cpus();
        let index = self.out.wires.len();
        for &cpu in &cpus {
            self.out.set_wire(cpu, slot, index);
        }
        self.out.wires.push(Wire {
            slot,
            kind: if lowest { WireKind::Core } else { WireKind::Inner },
            y: self.y(self.band_middle(nest, area)),
            x0: x0.min(first),
            x1: x1.max(last),
            thick: if lowest { m.thin } else { m.wire },
            band: self.rect(&band),
            label,
            rate,
            seen_by: cpus.first().copied().unwrap_or(0),
            cpus,
            region: Some(self.region),
            hop: Hop::default(),
            dots: Vec::new(),
        });
        index
    }

    /// Ends an open end at `end` (x, depth).
    fn finish(&mut self, mut port: Port, to: Option<usize>, end: Pt) {
        port.pts.push(end);
        let pts = port.pts.iter().map(|p| pt(p.x, self.y(p.y))).collect();
        let hop = Hop { to, pts };
        match port.who {
            Who::Cell(cpu) => {
                if let Some(cell) = self.out.cells.get_mut(cpu) {
                    cell.hop = hop;
                }
            }
            Who::Wire(wire) => self.out.wires[wire].hop = hop,
        }
    }
}

/// Leads an open end sideways into a gap at the given depth; a wire goes on at its own depth.
fn detour(port: &mut Port, gap: f64, channel: f64) {
    let Some(last) = port.pts.last().copied() else { return };
    let d = if matches!(port.who, Who::Wire(_)) { last.y } else { channel };
    port.pts.push(pt(last.x, d));
    port.pts.push(pt(gap, d));
}
