//! The state behind the two canvases: layout, zoom, what flies, what is pointed at.

use super::brush::Brush;
use super::paint::{self, Picture};
use super::plan::attempts::Pulses;
use super::plan::flights::Flights;
use super::plan::flows::Flows;
use super::plan::geom::{Pt, Rect, pt};
use super::plan::hit::{Hit, hit};
use super::plan::layout::{Layout, Want};
use super::plan::measure::Stage;
use super::plan::rates::Rates;
use super::plan::shares::Shares;
use super::plan::walk::{Spot, Step, walk};
use super::say::Known;
use super::still;
use crate::scene::{Scene, Selection};
use crate::theme::Theme;
use balancescope::observe::Frame;
use std::rc::Rc;
use web_sys::HtmlCanvasElement;

/// Most that the picture is enlarged.
const MOST_ZOOM: f64 = 16.0;

/// The tree as it shows now.
pub struct View {
    still: Brush,
    live: Brush,
    canvases: [HtmlCanvasElement; 2],
    scene: Rc<Scene>,
    layout: Layout,
    size: (f64, f64),
    ratio: f64,
    zoom: f64,
    pan: Pt,
    frame: Option<Rc<Frame>>,
    seen_ms: Option<f64>,
    flights: Flights,
    flows: Flows,
    pulses: Pulses,
    shares: Shares,
    rates: Rates,
    selected: Option<Selection>,
    focus: Option<Spot>,
    hover: Option<Pt>,
    stale: bool,
}

fn ratio() -> f64 {
    web_sys::window().map_or(1.0, |w| w.device_pixel_ratio()).clamp(1.0, 4.0)
}

impl View {
    /// A view on two canvases that lie on each other. `None` without a 2D context.
    pub fn new(canvases: [HtmlCanvasElement; 2], scene: Rc<Scene>, theme: Theme) -> Option<Self> {
        let (still, live) = (Brush::new(&canvases[0], theme)?, Brush::new(&canvases[1], theme)?);
        let layout =
            Layout::new(&scene.machine, &scene.tree, Want { width: 320.0, height: 240.0, viewer: 0 });
        Some(Self {
            still,
            live,
            canvases,
            scene,
            layout,
            size: (0.0, 0.0),
            ratio: ratio(),
            zoom: 1.0,
            pan: Pt::default(),
            frame: None,
            seen_ms: None,
            flights: Flights::default(),
            flows: Flows::default(),
            pulses: Pulses::default(),
            shares: Shares::default(),
            rates: Rates::default(),
            selected: None,
            focus: None,
            hover: None,
            stale: true,
        })
    }

    /// Another machine: what flew is forgotten.
    pub fn set_scene(&mut self, scene: Rc<Scene>) {
        self.scene = scene;
        self.frame = None;
        self.hover = None;
        self.focus = None;
        self.forget();
        self.zoom = 1.0;
        self.pan = Pt::default();
        self.lay_out();
    }

    fn forget(&mut self) {
        self.flights.clear();
        self.flows.clear();
        self.pulses.clear();
        self.shares.clear();
        self.rates.clear();
        self.seen_ms = None;
    }

    /// Other colours.
    pub fn set_theme(&mut self, theme: Theme) {
        for (brush, canvas) in [(&mut self.still, &self.canvases[0]), (&mut self.live, &self.canvases[1])] {
            if brush.theme != theme
                && let Some(new) = Brush::new(canvas, theme)
            {
                *brush = new;
                self.stale = true;
            }
        }
    }

    /// Whether nothing may travel or pulse.
    pub fn set_reduced_motion(&mut self, reduced: bool) {
        self.flights.still = reduced;
        self.pulses.still = reduced;
    }

    /// What is selected elsewhere on the page; overlapping spans are seen as the selected CPU sees them.
    pub fn set_selected(&mut self, selected: Option<Selection>) {
        let before = self.viewer();
        self.selected = selected;
        if self.viewer() != before && self.layout.lanes > 1 {
            self.lay_out();
        }
    }

    fn viewer(&self) -> usize {
        match self.selected {
            Some(Selection::Cpu(cpu) | Selection::Domain { cpu, .. }) => cpu,
            _ => 0,
        }
    }

    /// Fits the canvases to a new size in CSS pixels. True if anything changed.
    pub fn resize(&mut self, width: f64, height: f64) -> bool {
        let ratio = ratio();
        if self.size == (width, height) && (self.ratio - ratio).abs() < 1e-6 || width < 2.0 || height < 2.0 {
            return false;
        }
        self.size = (width, height);
        self.ratio = ratio;
        for canvas in &self.canvases {
            canvas.set_width((width * ratio).round() as u32);
            canvas.set_height((height * ratio).round() as u32);
        }
        self.lay_out();
        true
    }

    fn lay_out(&mut self) {
        let (width, height) = (self.size.0 * self.zoom, self.size.1 * self.zoom);
        if width < 2.0 {
            return;
        }
        let want = Want { width, height, viewer: self.viewer() };
        self.layout = Layout::new(&self.scene.machine, &self.scene.tree, want);
        self.flights.reroute(&self.layout);
        self.flows.clear();
        self.rates.clear();
        self.pulses.clear();
        self.clamp_pan();
        self.stale = true;
    }

    /// How much a cell shows now.
    pub fn stage(&self) -> Stage {
        self.layout.stage
    }

    /// Whether the picture is larger than the view.
    pub fn larger(&self) -> bool {
        self.layout.size.0 > self.size.0 + 0.5 || self.layout.size.1 > self.size.1 + 0.5
    }

    fn clamp_pan(&mut self) {
        let most = |picture: f64, view: f64| (picture - view).max(0.0);
        self.pan.x = self.pan.x.clamp(0.0, most(self.layout.size.0, self.size.0));
        self.pan.y = self.pan.y.clamp(0.0, most(self.layout.size.1, self.size.1));
    }

    /// Moves the view over the picture. False if there is nowhere to go.
    pub fn pan_by(&mut self, dx: f64, dy: f64) -> bool {
        let before = self.pan;
        self.pan = pt(self.pan.x + dx, self.pan.y + dy);
        self.clamp_pan();
        self.stale |= self.pan != before;
        self.pan != before
    }

    /// Enlarges the picture about a point of the view, or about its middle.
    pub fn zoom_by(&mut self, factor: f64, about: Option<Pt>) {
        let zoom = (self.zoom * factor).clamp(1.0, MOST_ZOOM);
        let about = about.unwrap_or(pt(self.size.0 / 2.0, self.size.1 / 2.0));
        let grow = zoom / self.zoom;
        self.pan = pt((self.pan.x + about.x) * grow - about.x, (self.pan.y + about.y) * grow - about.y);
        self.zoom = zoom;
        self.lay_out();
    }

    /// The whole machine.
    pub fn fit(&mut self) {
        self.zoom = 1.0;
        self.pan = Pt::default();
        self.lay_out();
    }

    /// Takes in a frame at a time of the screen.
    pub fn arrive(&mut self, frame: &Rc<Frame>, now_ms: f64) {
        if frame.cpus.len() != self.scene.machine.cpus.len() {
            return; // A last frame of a world that is gone.
        }
        let back = self.frame.as_ref().filter(|f| f.now_ns > frame.now_ns).is_some();
        if back {
            self.forget();
        }
        let screen_ms = (now_ms - self.seen_ms.unwrap_or(now_ms - 16.0)).clamp(1.0, 250.0);
        let sim_s = self.frame.as_ref().map_or(0.0, |f| frame.now_ns.saturating_sub(f.now_ns) as f64 / 1e9);
        let told = frame.moves.len() as f64;
        let scale = if told > 0.0 { (told + frame.moves_dropped as f64) / told } else { 1.0 };
        self.seen_ms = Some(now_ms);
        self.flights.arrive(&self.layout, &frame.moves, frame.moves_dropped, now_ms);
        self.flows.arrive(&self.layout, &frame.moves, scale, sim_s, screen_ms);
        self.pulses.arrive(&self.layout, &frame.attempts, frame.attempts_dropped, now_ms, screen_ms);
        self.rates.arrive(&self.layout, frame, screen_ms);
        self.shares.arrive(frame);
        self.frame = Some(frame.clone());
    }

    /// Draws. True if something still moves and wants another turn.
    pub fn draw(&mut self, now_ms: f64) -> bool {
        self.flights.step(now_ms);
        self.pulses.step(now_ms);
        let view = Rect::new(self.pan.x, self.pan.y, self.size.0, self.size.1);
        if std::mem::take(&mut self.stale) {
            self.begin(&self.still);
            still::paint(&self.still, &self.scene, &self.layout, &view);
        }
        self.begin(&self.live);
        let frame = self.frame.as_deref();
        let hover = self.hover.and_then(|p| hit(&self.layout, frame, p).map(|h| (h, p)));
        let picture = Picture {
            scene: &self.scene,
            layout: &self.layout,
            frame,
            flights: &self.flights,
            flows: &self.flows,
            pulses: &self.pulses,
            shares: &self.shares,
            rates: &self.rates,
            selected: self.selected,
            focus: self.focus,
            hover,
            view,
        };
        paint::paint(&self.live, &picture, now_ms);
        self.flights.moving() || self.pulses.moving()
    }

    /// Clears a canvas and puts its origin at that of the picture.
    fn begin(&self, b: &Brush) {
        let r = self.ratio;
        // These fail only for numbers that are not finite.
        let _ = b.ctx.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        b.ctx.clear_rect(0.0, 0.0, self.size.0 * r + 1.0, self.size.1 * r + 1.0);
        let _ = b.ctx.set_transform(r, 0.0, 0.0, r, -self.pan.x * r, -self.pan.y * r);
    }

    fn picture_point(&self, view: Pt) -> Pt {
        pt(view.x + self.pan.x, view.y + self.pan.y)
    }

    /// The pointer is at a point of the view, or has left.
    pub fn point(&mut self, at: Option<Pt>) {
        self.hover = at.map(|p| self.picture_point(p));
    }

    /// What a click at a point of the view selects.
    pub fn pick(&self, at: Pt) -> Option<Selection> {
        let p = self.picture_point(at);
        let near = |q: &&super::plan::attempts::Pulse| {
            let x = self.layout.cells.get(q.cpu).map_or(f64::MAX, |c| c.rect.centre().x);
            pt(x, self.layout.wires[q.wire].y).distance(p) < 10.0
        };
        if let Some(pulse) = self.pulses.live.iter().rev().find(near) {
            return Some(Selection::Attempt(pulse.id));
        }
        match hit(&self.layout, self.frame.as_deref(), p)? {
            Hit::Cpu(cpu) => Some(Selection::Cpu(cpu)),
            Hit::Task { task, .. } => Some(Selection::Task(task)),
            Hit::Wire { wire, cpu } => {
                let w = &self.layout.wires[wire];
                let cpu = if w.region.is_some() { cpu } else { w.seen_by };
                Some(Selection::Domain { cpu, slot: w.slot })
            }
            Hit::Region(_) => None,
        }
    }

    /// The keyboard comes to the canvas or leaves it.
    pub fn set_focused(&mut self, focused: bool) {
        self.focus = focused.then(|| self.focus.unwrap_or_else(|| self.first_spot()));
    }

    /// Where the keyboard begins: at what is selected, else at the first CPU.
    fn first_spot(&self) -> Spot {
        match self.selected {
            Some(Selection::Cpu(cpu)) => Spot::Cpu(cpu),
            Some(Selection::Domain { cpu, slot }) => Spot::Domain { cpu, slot },
            _ => Spot::Cpu(self.layout.regions.first().and_then(|r| r.cpus.first()).copied().unwrap_or(0)),
        }
    }

    /// Where the keyboard is.
    pub fn spot(&self) -> Spot {
        self.focus.unwrap_or_else(|| self.first_spot())
    }

    /// One step of the keyboard; the view follows.
    pub fn walk(&mut self, step: Step) {
        let spot = walk(&self.layout, &self.scene.tree, self.spot(), step);
        self.focus = Some(spot);
        let r = match spot {
            Spot::Cpu(cpu) => self.layout.cells.get(cpu).map(|c| c.rect),
            Spot::Domain { cpu, slot } => {
                self.layout.wire_of(cpu, slot).map(|w| still::wire_rect(&self.layout.wires[w]))
            }
        };
        if let Some(r) = r {
            let c = r.centre();
            let inside = |c: f64, pan: f64, size: f64| (pan + 30.0).min(c) < c || c > pan + size - 30.0;
            if inside(c.x, self.pan.x, self.size.0) || inside(c.y, self.pan.y, self.size.1) {
                let far = |c: f64, pan: f64, size: f64| {
                    (c - (pan + size - 40.0)).max(0.0) + (c - (pan + 40.0)).min(0.0)
                };
                let (dx, dy) = (far(c.x, self.pan.x, self.size.0), far(c.y, self.pan.y, self.size.1));
                self.pan_by(dx, dy);
            }
        }
    }

    /// The keyboard's place in words, and its depth from the top, for a screen reader.
    pub fn spoken(&self) -> (String, usize) {
        let known = Known {
            scene: &self.scene,
            layout: &self.layout,
            frame: self.frame.as_deref(),
            shares: &self.shares,
            rates: &self.rates,
        };
        let spot = self.spot();
        let chain = self.scene.tree.chains.get(spot.cpu()).map_or(0, Vec::len);
        let level = match spot {
            Spot::Cpu(_) => chain + 1,
            Spot::Domain { cpu, slot } => {
                let above = self.scene.tree.chains.get(cpu).into_iter().flatten().filter(|d| d.slot > slot);
                above.count() + 1
            }
        };
        (known.spoken(spot), level)
    }
}
