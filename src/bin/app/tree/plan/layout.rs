//! From a machine, its tree and a size to the place of everything that is drawn.
//!
//! Each domain is a wire; stubs lead from it to its groups. The trunk lies in the middle with half of the
//! nodes above it, mirrored, and half below; with one node it is that node's own wire, on top.

use super::geom::{Pt, Rect, pt};
use super::lanes::{Half, Lane, above, lanes};
use super::measure::{Fit, Metrics, Need, Stage};
use super::nest::{Inside, Nest, Nests, nests};
use super::place::Placer;
use balancescope::topology::{DomainTree, Machine};

/// A way upward: along `pts` to the wire `to`, or to the edge of the region if there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hop {
    /// The wire that it ends on.
    pub to: Option<usize>,
    /// From the thing itself to a point on that wire.
    pub pts: Vec<Pt>,
}

/// A CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its place.
    pub rect: Rect,
    /// On which side of the trunk it lies; its tree side is the other one.
    pub half: Half,
    /// From the middle of its tree side upward.
    pub hop: Hop,
    /// Index of its region.
    pub region: usize,
}

/// What a wire stands for in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireKind {
    /// Threads of a core or a like small domain.
    Core,
    /// A domain inside a node.
    Inner,
    /// A NUMA span.
    Lane,
}

/// A domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Its level.
    pub slot: usize,
    /// What it stands for.
    pub kind: WireKind,
    /// Height of its middle.
    pub y: f64,
    /// Left end.
    pub x0: f64,
    /// Right end.
    pub x1: f64,
    /// Thickness; 0 if the stage leaves it out.
    pub thick: f64,
    /// The strip it may use for label, rate and pulses.
    pub band: Rect,
    /// Whether there is room for its name at the left.
    pub label: bool,
    /// Whether there is room for its rate at the right.
    pub rate: bool,
    /// CPUs of the domain.
    pub cpus: Vec<usize>,
    /// The CPU as whose domain it is drawn.
    pub seen_by: usize,
    /// Its region, unless it is a lane.
    pub region: Option<usize>,
    /// The way to the next wire of its region.
    pub hop: Hop,
    /// Points where members' stubs meet a lane.
    pub dots: Vec<Pt>,
}

/// Where a region's stub meets a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tap {
    /// The lane.
    pub wire: usize,
    /// Where.
    pub at: Pt,
}

/// A NUMA node.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Index into `Machine::nodes`.
    pub node: usize,
    /// Its package.
    pub package: u32,
    /// Its place.
    pub rect: Rect,
    /// The strip for its title, on the outer side.
    pub header: Rect,
    /// Above or below the trunk.
    pub half: Half,
    /// Where its stub leaves it.
    pub port: Pt,
    /// The lanes that its stub meets, nearest first.
    pub taps: Vec<Tap>,
    /// The wire of the whole node, if there is such a domain.
    pub root: Option<usize>,
    /// Its CPUs in the order in which they are drawn.
    pub cpus: Vec<usize>,
}

/// The edge of a box of CPUs that share a domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxShape {
    /// Its place.
    pub rect: Rect,
    /// 0 for a core, more for larger boxes.
    pub depth: usize,
}

/// Where everything lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Width and height that the picture needs; at least what was asked for.
    pub size: (f64, f64),
    /// How much a cell shows.
    pub stage: Stage,
    /// Distances used.
    pub metrics: Metrics,
    /// By CPU index.
    pub cells: Vec<Cell>,
    /// Edges, outer before inner.
    pub boxes: Vec<BoxShape>,
    /// Domains.
    pub wires: Vec<Wire>,
    /// Nodes.
    pub regions: Vec<Region>,
    /// The trunk's strip.
    pub trunk: Rect,
    /// How many lanes the trunk has.
    pub lanes: usize,
    wire_at: Vec<Vec<Option<usize>>>,
}

/// Room around everything, so that edges are not cut.
const EDGE: f64 = 1.0;

/// What a layout is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Want {
    /// Pixels.
    pub width: f64,
    /// Pixels.
    pub height: f64,
    /// The CPU as which overlapping NUMA spans are seen.
    pub viewer: usize,
}

impl Layout {
    /// Lays a machine out.
    pub fn new(machine: &Machine, tree: &DomainTree, want: Want) -> Self {
        let nests = nests(machine, tree);
        let lanes = lanes(tree, &nests, want.viewer);
        let (stage, fit, size) = choose(&nests, &lanes, want);
        let mut layout = Layout {
            size: (want.width, want.height),
            stage,
            metrics: fit.metrics,
            cells: vec![
                Cell { rect: Rect::default(), half: Half::Below, hop: Hop::default(), region: 0 };
                machine.cpus.len()
            ],
            boxes: Vec::new(),
            wires: Vec::new(),
            regions: Vec::new(),
            trunk: Rect::default(),
            lanes: lanes.len(),
            wire_at: vec![vec![None; tree.levels.len()]; machine.cpus.len()],
        };
        layout.fill(&nests, &lanes, &fit, size, want);
        layout.tap(tree, &lanes);
        layout
    }

    /// The wire of a CPU's domain at a level.
    pub fn wire_of(&self, cpu: usize, slot: usize) -> Option<usize> {
        self.wire_at.get(cpu)?.get(slot).copied().flatten()
    }

    /// Sets the wire of a CPU's domain at a level.
    pub(super) fn set_wire(&mut self, cpu: usize, slot: usize, wire: usize) {
        if let Some(place) = self.wire_at.get_mut(cpu).and_then(|w| w.get_mut(slot)) {
            *place = Some(wire);
        }
    }

    fn fill(&mut self, nests: &Nests, lanes: &[Lane], fit: &Fit, (cw, ch): (f64, f64), want: Want) {
        let m = fit.metrics;
        let split = above(nests.nodes.len());
        let (upper, lower) = nests.nodes.split_at(split);
        let depth = |half: &[super::nest::NodeNest]| {
            let need = half.iter().map(|n| fit.need(&n.root)).fold(Need::default(), Need::max);
            if half.is_empty() { 0.0 } else { need.ra * ch + need.rb + m.header }
        };
        let trunk = trunk_height(&m, nests.nodes.len(), lanes.len());
        let (up, down) = (depth(upper), depth(lower));
        let total = up + trunk + down;
        let top = ((want.height - total) / 2.0).max(EDGE);
        let mut width = want.width;
        for half in [upper, lower] {
            width = width.max(half_width(half, fit, cw) + 2.0 * EDGE);
        }
        self.size = (width, want.height.max(total + 2.0 * EDGE));
        self.trunk = Rect::new(0.0, top + up, width, trunk);
        for (half, nodes, base, depth) in
            [(Half::Above, upper, top + up, up), (Half::Below, lower, top + up + trunk, down)]
        {
            let mut x = (width - half_width(nodes, fit, cw)) / 2.0;
            for node in nodes {
                let need = fit.need(&node.root);
                let w = need.a * cw + need.b + 2.0 * m.region_pad;
                let mut placer = Placer { out: self, fit, cw, ch, half, base, region: 0 };
                placer.region(node, x, w, depth);
                x += w + m.region_gap;
            }
        }
        self.lay_lanes(lanes);
    }

    /// Puts the lanes into the trunk.
    fn lay_lanes(&mut self, lanes: &[Lane]) {
        let m = self.metrics;
        let step = if lanes.len() == 1 { self.trunk.h } else { m.lane };
        let pad = if lanes.len() == 1 { 0.0 } else { m.lanes_pad };
        let room = lane_room(self.size.0, lanes.len());
        for (i, lane) in lanes.iter().enumerate() {
            let top = self.trunk.y + pad + step * i as f64;
            let cpus: Vec<usize> = lane.span.iter().collect();
            self.wires.push(Wire {
                slot: lane.slot,
                kind: WireKind::Lane,
                y: top + step / 2.0,
                x0: room.0,
                x1: self.size.0 - room.1,
                thick: if lanes.len() == 1 { m.thick } else { 8.0 },
                band: Rect::new(0.0, top, self.size.0, step),
                label: true,
                rate: true,
                cpus,
                seen_by: lane.seen_by,
                region: None,
                hop: Hop::default(),
                dots: Vec::new(),
            });
        }
    }

    /// Leads every region's stub to its lanes.
    fn tap(&mut self, tree: &DomainTree, lanes: &[Lane]) {
        let first = self.wires.len() - lanes.len();
        let room = lane_room(self.size.0, lanes.len());
        for r in 0..self.regions.len() {
            let region = &self.regions[r];
            let (left, right) = match region.root {
                Some(root) => (self.wires[root].x0 + 4.0, self.wires[root].x1 - 4.0),
                None => (region.rect.x + 4.0, region.rect.right() - 4.0),
            };
            let aside = if lanes.len() > 1 { 6.0 } else { 0.0 };
            let side = if region.half == Half::Above { -aside } else { aside };
            let x = (region.rect.centre().x + side).max(room.0 + 10.0).min(self.size.0 - room.1 - 10.0);
            let x = x.max(left).min(right.max(left));
            self.regions[r].port.x = x;
            for cpu in self.regions[r].cpus.clone() {
                for (i, lane) in lanes.iter().enumerate() {
                    let other_half = lane.half.is_some_and(|h| h != self.regions[r].half);
                    let own = super::lanes::domain(tree, cpu, lane.slot).is_some();
                    if !other_half && own {
                        self.set_wire(cpu, lane.slot, first + i);
                    }
                    // A node may belong to a span at a level where it has no domain of its own.
                    if !other_half && (own || lane.span.contains(cpu)) {
                        let tap = Tap { wire: first + i, at: pt(x, self.wires[first + i].y) };
                        if !self.regions[r].taps.contains(&tap) {
                            let place = self.place_of(&tap, r);
                            self.regions[r].taps.insert(place, tap);
                        }
                    }
                }
            }
        }
        for (i, lane) in lanes.iter().enumerate() {
            self.mark_members(first + i, lane);
        }
    }

    /// Where a tap belongs among those of its region: by level, and within one by wire, the nearest first.
    fn place_of(&self, tap: &Tap, r: usize) -> usize {
        let region = &self.regions[r];
        let below = region.half == Half::Below;
        let key = |t: &Tap| (self.wires[t.wire].slot, if below { usize::MAX - t.wire } else { t.wire });
        region.taps.partition_point(|other| key(other) < key(tap))
    }

    /// Cuts a lane to its members and marks where their stubs meet it.
    fn mark_members(&mut self, wire: usize, lane: &Lane) {
        let y = self.wires[wire].y;
        let members = self.regions.iter().filter(|r| r.cpus.iter().any(|&c| lane.span.contains(c)));
        let dots: Vec<Pt> = members.map(|r| pt(r.port.x, y)).collect();
        let (lo, hi) = dots.iter().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p.x), h.max(p.x)));
        let w = &mut self.wires[wire];
        if self.lanes > 1 && lo <= hi {
            (w.x0, w.x1) = ((lo - 12.0).max(w.x0.min(lo)), (hi + 12.0).min(w.x1.max(hi)));
        } else if lo <= hi {
            (w.x0, w.x1) = (w.x0.min(lo - 6.0), w.x1.max(hi + 6.0));
        }
        w.dots = dots;
    }
}

/// Room left of and right of the lanes for their names and rates.
pub fn lane_room(width: f64, lanes: usize) -> (f64, f64) {
    match (lanes > 1, width >= 560.0) {
        (false, true) => (60.0, 66.0),
        (false, false) => (50.0, 54.0),
        (true, true) => (96.0, 108.0),
        (true, false) => (44.0, 44.0),
    }
}

fn trunk_height(m: &Metrics, nodes: usize, lanes: usize) -> f64 {
    match (nodes, lanes) {
        (0 | 1, _) => 0.0,
        (_, 0) => 16.0,
        (_, 1) => m.trunk,
        (_, n) => m.lane * n as f64 + 2.0 * m.lanes_pad,
    }
}

fn half_width(nodes: &[super::nest::NodeNest], fit: &Fit, cw: f64) -> f64 {
    let m = fit.metrics;
    let regions: f64 =
        nodes.iter().map(|n| fit.need(&n.root)).map(|n| n.a * cw + n.b + 2.0 * m.region_pad).sum();
    regions + m.region_gap * (nodes.len() as f64 - 1.0).max(0.0)
}

/// Size of a cell if the machine is laid out with these rows, before limits.
fn cell_size(kinds: &Kinds, lanes: usize, fit: &Fit, want: Want) -> (f64, f64) {
    let m = fit.metrics;
    let needs: Vec<Need> = kinds.shapes.iter().map(|n| fit.need(n)).collect();
    let mut cw = f64::MAX;
    let mut tall = Need::default();
    for half in &kinds.halves {
        if half.is_empty() {
            continue;
        }
        let a: f64 = half.iter().map(|&k| needs[k].a).sum();
        let b: f64 = half.iter().map(|&k| needs[k].b + 2.0 * m.region_pad).sum();
        cw = cw.min((want.width - 2.0 * EDGE - b - m.region_gap * (half.len() as f64 - 1.0)) / a);
        let need = half.iter().map(|&k| needs[k]).fold(Need::default(), Need::max);
        tall.ra += need.ra;
        tall.rb += need.rb + m.header;
    }
    let nodes = kinds.halves.iter().map(Vec::len).sum();
    (cw, (want.height - 2.0 * EDGE - tall.rb - trunk_height(&m, nodes, lanes)) / tall.ra.max(1.0))
}

/// The distinct shapes among the nodes, and which of them lie in each half.
struct Kinds<'a> {
    shapes: Vec<&'a Nest>,
    halves: [Vec<usize>; 2],
    layers: usize,
    most: Vec<usize>,
}

fn kinds(nests: &Nests) -> Kinds<'_> {
    let mut signatures: Vec<Vec<usize>> = Vec::new();
    let mut kinds = Kinds {
        shapes: Vec::new(),
        halves: [Vec::new(), Vec::new()],
        layers: nests.layers.len() + 1,
        most: vec![],
    };
    kinds.most = vec![1; kinds.layers];
    for (i, node) in nests.nodes.iter().enumerate() {
        let mut signature = Vec::new();
        sign(&node.root, &mut signature, &mut kinds.most);
        let k = signatures.iter().position(|s| *s == signature).unwrap_or_else(|| {
            signatures.push(signature);
            kinds.shapes.push(&node.root);
            kinds.shapes.len() - 1
        });
        kinds.halves[usize::from(i >= above(nests.nodes.len()))].push(k);
    }
    kinds
}

fn sign(nest: &Nest, out: &mut Vec<usize>, most: &mut [usize]) {
    out.extend([nest.layer, usize::from(nest.slot.is_some()), nest.children()]);
    if let Some(m) = most.get_mut(nest.layer) {
        *m = (*m).max(nest.children());
    }
    if let Inside::Boxes(boxes) = &nest.inside {
        out.push(usize::MAX);
        boxes.iter().for_each(|b| sign(b, out, most));
    }
}

/// Ways to break `n` things into rows.
fn row_choices(n: usize, threads: bool) -> Vec<usize> {
    const ROWS: [usize; 9] = [1, 2, 3, 4, 6, 8, 12, 16, 24];
    let most = if threads { n.div_ceil(4).min(2) } else { n };
    ROWS.into_iter().filter(|&r| r <= most.max(1)).collect()
}

/// Picks the richest stage for which the machine fits, and the rows that suit it.
fn choose(nests: &Nests, lanes: &[Lane], want: Want) -> (Stage, Fit, (f64, f64)) {
    let kinds = kinds(nests);
    let cores = is_core_level(&kinds);
    let mut combos: Vec<Vec<usize>> = vec![Vec::new()];
    for layer in 0..kinds.layers {
        let choices = row_choices(kinds.most[layer], layer == 0 && cores);
        combos = combos
            .into_iter()
            .flat_map(|c| choices.iter().map(move |&r| c.iter().copied().chain([r]).collect()))
            .collect();
    }
    let mut last = None;
    for stage in Stage::ALL {
        let ((min_w, min_h), (max_w, max_h)) = stage.limits();
        let mut best: Option<(f64, Fit, (f64, f64))> = None;
        for rows in &combos {
            let fit = Fit { metrics: Metrics::of(stage), rows: rows.clone(), cores };
            let (w, h) = cell_size(&kinds, lanes.len(), &fit, want);
            let fits = w >= min_w && h >= min_h;
            if !fits && stage != Stage::Heat {
                continue;
            }
            let score = score(stage, rows, (w, h), fits) * filled(&kinds, &fit);
            if best.as_ref().is_none_or(|b| score > b.0) {
                best = Some((score, fit, (w.clamp(min_w, max_w), h.clamp(min_h, max_h))));
            }
        }
        if let Some((_, fit, size)) = best {
            return (stage, fit, size);
        }
        last = Some((stage, min_w, min_h));
    }
    let (stage, w, h) = last.unwrap_or((Stage::Heat, 1.0, 2.0));
    (stage, Fit { metrics: Metrics::of(stage), rows: vec![1; kinds.layers], cores }, (w, h))
}

/// Few rows where a cell shows tasks; well-shaped blocks where it does not.
fn score(stage: Stage, rows: &[usize], (w, h): (f64, f64), fits: bool) -> f64 {
    let count: usize = rows.iter().product();
    match stage {
        Stage::Full | Stage::Dots => w.min(h) - 1e4 * count as f64,
        Stage::Block => w.min(h / 2.4) + 0.2 * w.min(12.0),
        Stage::Heat => w.min(h / 2.0) + if fits { 1e3 } else { 0.0 },
    }
}

/// How much of the grid holds cells: 1 if no row falls short.
fn filled(kinds: &Kinds, fit: &Fit) -> f64 {
    let all = kinds.shapes.iter().map(|s| {
        let need = fit.need(s);
        s.weight() as f64 / (need.a * need.ra).max(1.0)
    });
    if fit.metrics == Metrics::of(Stage::Block) || fit.metrics == Metrics::of(Stage::Heat) {
        all.fold(1.0, f64::min)
    } else {
        1.0
    }
}

/// Whether the lowest level is one of threads or a like small domain: at most 8 CPUs and not a whole node.
fn is_core_level(kinds: &Kinds) -> bool {
    kinds.layers > 1 && kinds.most[0] <= 8 && kinds.shapes.iter().any(|s| s.layer > 0)
}

/// The name of a level as the kernel prints it.
pub fn level_name(tree: &DomainTree, slot: usize) -> &'static str {
    tree.levels.get(slot).map_or("", |l| l.name.as_str())
}
