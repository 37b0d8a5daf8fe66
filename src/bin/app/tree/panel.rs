//! The component: two canvases on each other, the pointer, the keyboard, the legend.

use super::legend::legend;
use super::plan::geom::{Pt, pt};
use super::plan::measure::Stage;
use super::plan::walk::{Spot, Step};
use super::view::View;
use crate::bus::{FrameBus, Subscription};
use crate::probe::Timer;
use crate::scene::{Scene, Selection};
use crate::theme::Theme;
use gloo::render::{AnimationFrame, request_animation_frame};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{HtmlCanvasElement, HtmlElement, ResizeObserver};
use yew::{Callback, Component, Context, Html, NodeRef, Properties, html};

/// What the tree is given.
#[derive(Properties, Clone)]
pub struct TreeProps {
    /// Machine and tree.
    pub scene: Rc<Scene>,
    /// Where frames come from.
    pub bus: FrameBus,
    /// Colours.
    pub theme: Theme,
    /// What is selected on the page.
    #[prop_or_default]
    pub selected: Option<Selection>,
    /// The person chose something, or nothing.
    #[prop_or_default]
    pub onselect: Callback<Option<Selection>>,
}

impl PartialEq for TreeProps {
    /// A scene is compared by identity: it is large, and a new one means a new world.
    fn eq(&self, o: &Self) -> bool {
        Rc::ptr_eq(&self.scene, &o.scene)
            && self.bus == o.bus
            && self.theme == o.theme
            && self.selected == o.selected
            && self.onselect == o.onselect
    }
}

/// What the component and its browser callbacks share.
#[derive(Default)]
struct Shared {
    view: RefCell<Option<View>>,
    turn: RefCell<Option<AnimationFrame>>,
    stage: Cell<Option<Stage>>,
}

fn now_ms() -> f64 {
    web_sys::window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

impl Shared {
    fn with<R>(&self, act: impl FnOnce(&mut View) -> R) -> Option<R> {
        self.view.try_borrow_mut().ok()?.as_mut().map(act)
    }

    /// Asks for one drawing with the screen's next turn, unless one is asked for already.
    fn wake(self: &Rc<Self>) {
        if self.turn.borrow().is_some() {
            return;
        }
        let shared = self.clone();
        let turn = request_animation_frame(move |_| {
            let done = shared.turn.borrow_mut().take();
            let timer = Timer::start();
            let moving = shared.with(|v| v.draw(now_ms()));
            timer.drawn();
            if moving == Some(true) {
                shared.wake();
            }
            drop(done);
        });
        *self.turn.borrow_mut() = Some(turn);
    }
}

/// Messages of the tree.
pub enum Msg {
    /// The stage's size may have changed.
    Resized,
    /// The pointer is at this point of the view, pressed or not.
    Point(Pt, bool),
    /// The pointer has left.
    Leave,
    /// Pressed here.
    Press(Pt),
    /// Released here.
    Release(Pt),
    /// The wheel turned.
    Pan(f64, f64),
    /// Enlarge or shrink, about a point of the view.
    Zoom(f64, Option<Pt>),
    /// Show the whole machine.
    Fit,
    /// An arrow key.
    Walk(Step),
    /// Select where the keyboard is.
    Choose,
    /// Select nothing.
    Nothing,
    /// The keyboard came or left.
    Focused(bool),
}

/// The scheduling-domain tree of a machine, drawn from the frames of a bus.
pub struct TreePanel {
    stage: NodeRef,
    canvases: [NodeRef; 2],
    shared: Rc<Shared>,
    subscription: Option<Subscription>,
    observer: Option<(ResizeObserver, Closure<dyn FnMut()>)>,
    pressed: Option<(Pt, Pt, bool)>,
}

impl Component for TreePanel {
    type Message = Msg;
    type Properties = TreeProps;

    fn create(_: &Context<Self>) -> Self {
        Self {
            stage: NodeRef::default(),
            canvases: [NodeRef::default(), NodeRef::default()],
            shared: Rc::default(),
            subscription: None,
            observer: None,
            pressed: None,
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first {
            self.open(ctx);
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &TreeProps) -> bool {
        let props = ctx.props();
        self.shared.with(|v| {
            v.set_theme(props.theme);
            v.set_reduced_motion(props.theme.reduced_motion);
            if !Rc::ptr_eq(&props.scene, &old.scene) {
                v.set_scene(props.scene.clone());
            }
            v.set_selected(props.selected);
        });
        if props.bus != old.bus || !Rc::ptr_eq(&props.scene, &old.scene) {
            self.listen(ctx);
        }
        self.stage_changed();
        self.shared.wake();
        true
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let redraw = self.handle(ctx, msg);
        self.shared.wake();
        self.stage_changed() || redraw
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let machine = &props.scene.machine;
        let label = format!(
            "Scheduling domains of {}, {} CPUs. Arrows walk: up to the parent, down to the child, left and right to neighbours. Enter selects.",
            machine.name,
            machine.cpus.len()
        );
        let (spoken, level) = self.shared.with(|v| v.spoken()).unwrap_or_default();
        let larger = self.shared.with(|v| v.larger()).unwrap_or(false);
        let link = ctx.link();
        let stage = self.shared.stage.get().unwrap_or(Stage::Full);
        let zoom = if larger || stage < Stage::Dots { "tree-zoom" } else { "tree-zoom tree-zoom-spare" };
        let chosen =
            self.shared.with(|v| selection_of(v.spot())) == Some(props.selected) && props.selected.is_some();
        let place = self.stage.clone();
        let at = |msg: fn(Pt, &web_sys::PointerEvent) -> Option<Msg>| {
            let place = place.clone();
            link.batch_callback(move |e: web_sys::PointerEvent| msg(point(&place, &e), &e))
        };
        let place = self.stage.clone();
        let zoom_in = link.callback(move |e: web_sys::MouseEvent| Msg::Zoom(2.0, Some(point(&place, &e))));
        html! {
            <div class="tree">
                <div ref={self.stage.clone()} class={if larger { "tree-stage tree-larger" } else { "tree-stage" }}
                    tabindex="0" role="tree" aria-label={label} aria-activedescendant="tree-spot"
                    onkeydown={link.batch_callback(key)}
                    onfocus={link.callback(|_| Msg::Focused(true))}
                    onblur={link.callback(|_| Msg::Focused(false))}
                    onpointermove={at(|p, e| Some(Msg::Point(p, e.buttons() & 1 == 1)))}
                    onpointerleave={link.callback(|_| Msg::Leave)}
                    onpointerdown={at(|p, e| (e.button() == 0).then_some(Msg::Press(p)))}
                    onpointerup={at(|p, e| (e.button() == 0).then_some(Msg::Release(p)))}
                    ondblclick={zoom_in}
                    onwheel={self.wheel(ctx)}>
                    <canvas ref={self.canvases[0].clone()} aria-hidden="true"></canvas>
                    <canvas ref={self.canvases[1].clone()} aria-hidden="true"></canvas>
                    <div id="tree-spot" class="tree-spoken" role="treeitem" aria-level={level.max(1).to_string()}
                        aria-selected={if chosen { "true" } else { "false" }} aria-label={spoken}></div>
                </div>
                <div class="tree-foot">
                    { legend(&props.theme, stage) }
                    if larger || stage < Stage::Full {
                        <div class={zoom} role="group" aria-label="Zoom">
                            <button type="button" aria-label="Zoom out" title="Zoom out (−)"
                                disabled={!larger} onclick={link.callback(|_| Msg::Zoom(0.5, None))}>{"−"}</button>
                            <button type="button" title="Whole machine (0)"
                                disabled={!larger} onclick={link.callback(|_| Msg::Fit)}>{"Fit"}</button>
                            <button type="button" aria-label="Zoom in" title="Zoom in (+)"
                                onclick={link.callback(|_| Msg::Zoom(2.0, None))}>{"+"}</button>
                        </div>
                    }
                </div>
            </div>
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        if let Some((observer, _)) = &self.observer {
            observer.disconnect();
        }
        self.subscription = None;
        self.shared.turn.borrow_mut().take();
        self.shared.view.borrow_mut().take();
    }
}

impl TreePanel {
    fn open(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        let [Some(a), Some(b)] = self.canvases.each_ref().map(|c| c.cast::<HtmlCanvasElement>()) else {
            return;
        };
        let Some(mut view) = View::new([a, b], props.scene.clone(), props.theme) else { return };
        view.set_reduced_motion(props.theme.reduced_motion);
        view.set_selected(props.selected);
        *self.shared.view.borrow_mut() = Some(view);
        self.listen(ctx);
        let link = ctx.link().clone();
        let resized = Closure::new(move || link.send_message(Msg::Resized));
        if let (Ok(observer), Some(stage)) =
            (ResizeObserver::new(resized.as_ref().unchecked_ref()), self.stage.cast::<HtmlElement>())
        {
            observer.observe(&stage);
            self.observer = Some((observer, resized));
        }
        ctx.link().send_message(Msg::Resized);
    }

    fn listen(&mut self, ctx: &Context<Self>) {
        let shared = self.shared.clone();
        let bus = &ctx.props().bus;
        if let Some(frame) = bus.last() {
            shared.with(|v| v.arrive(&frame, now_ms()));
        }
        self.subscription = Some(bus.subscribe(move |frame| {
            shared.with(|v| v.arrive(frame, now_ms()));
            shared.wake();
        }));
    }

    /// Notes the stage of detail; true if the legend has to follow.
    fn stage_changed(&self) -> bool {
        let stage = self.shared.with(|v| v.stage());
        self.shared.stage.replace(stage) != stage
    }

    fn handle(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Resized => return self.resized(),
            Msg::Point(at, pressed) => return self.pointed(at, pressed),
            Msg::Leave => {
                self.shared.with(|v| v.point(None));
            }
            Msg::Press(at) => self.pressed = Some((at, at, false)),
            Msg::Release(at) => {
                if let Some((_, _, false)) = self.pressed.take()
                    && let Some(picked) = self.shared.with(|v| v.pick(at))
                {
                    ctx.props().onselect.emit(picked);
                }
            }
            Msg::Pan(dx, dy) => {
                self.shared.with(|v| v.pan_by(dx, dy));
            }
            Msg::Zoom(factor, about) => {
                self.shared.with(|v| v.zoom_by(factor, about));
                return true;
            }
            Msg::Fit => {
                self.shared.with(View::fit);
                return true;
            }
            Msg::Walk(step) => {
                self.shared.with(|v| v.walk(step));
                return true;
            }
            Msg::Choose => {
                if let Some(spot) = self.shared.with(|v| v.spot()) {
                    ctx.props().onselect.emit(selection_of(spot));
                }
            }
            Msg::Nothing => ctx.props().onselect.emit(None),
            Msg::Focused(here) => {
                // A click focuses too; then the edge of the focus would only be in the way.
                let by_keyboard = here && self.pressed.is_none();
                self.shared.with(|v| v.set_focused(by_keyboard));
                return true;
            }
        }
        false
    }

    fn resized(&self) -> bool {
        let Some(stage) = self.stage.cast::<HtmlElement>() else { return false };
        let (w, h) = (f64::from(stage.client_width()), f64::from(stage.client_height()));
        self.shared.with(|v| v.resize(w, h)).unwrap_or(false)
    }

    /// Moves the view while pressed, else shows what lies there.
    fn pointed(&mut self, at: Pt, pressed: bool) -> bool {
        match &mut self.pressed {
            Some((start, last, dragged)) if pressed => {
                *dragged |= start.distance(at) > 4.0;
                let by = pt(last.x - at.x, last.y - at.y);
                *last = at;
                if *dragged {
                    self.shared.with(|v| {
                        v.point(None);
                        v.pan_by(by.x, by.y)
                    });
                }
            }
            _ => {
                self.pressed = None;
                self.shared.with(|v| v.point(Some(at)));
            }
        }
        false
    }

    /// The wheel zooms with Ctrl, and pans where the picture is larger than the view; else the page scrolls.
    fn wheel(&self, ctx: &Context<Self>) -> Callback<web_sys::WheelEvent> {
        let (link, shared, stage) = (ctx.link().clone(), self.shared.clone(), self.stage.clone());
        Callback::from(move |e: web_sys::WheelEvent| {
            if e.ctrl_key() || e.meta_key() {
                e.prevent_default();
                link.send_message(Msg::Zoom((-e.delta_y() / 300.0).exp2(), Some(point(&stage, &e))));
            } else if shared.with(|v| v.pan_by(e.delta_x(), e.delta_y())) == Some(true) {
                e.prevent_default();
                link.send_message(Msg::Pan(0.0, 0.0));
            }
        })
    }
}

/// What a place of the keyboard selects.
fn selection_of(spot: Spot) -> Option<Selection> {
    Some(match spot {
        Spot::Cpu(cpu) => Selection::Cpu(cpu),
        Spot::Domain { cpu, slot } => Selection::Domain { cpu, slot },
    })
}

/// Where a pointer event lies in the view. The stage is asked, not the event: its current target is the
/// page's root, where all listeners sit.
fn point(stage: &NodeRef, e: &web_sys::MouseEvent) -> Pt {
    let origin = stage.cast::<HtmlElement>().map(|s| s.get_bounding_client_rect());
    let (x, y) = origin.map_or((0.0, 0.0), |r| (r.x(), r.y()));
    pt(f64::from(e.client_x()) - x, f64::from(e.client_y()) - y)
}

/// Keys that the tree takes for itself; others go on to the page.
fn key(e: web_sys::KeyboardEvent) -> Option<Msg> {
    if e.ctrl_key() || e.meta_key() || e.alt_key() {
        return None;
    }
    let msg = match e.key().as_str() {
        "ArrowUp" => Msg::Walk(Step::Parent),
        "ArrowDown" => Msg::Walk(Step::Child),
        "ArrowLeft" => Msg::Walk(Step::Previous),
        "ArrowRight" => Msg::Walk(Step::Next),
        "Home" => Msg::Walk(Step::First),
        "End" => Msg::Walk(Step::Last),
        "Enter" => Msg::Choose,
        "Escape" => Msg::Nothing,
        "+" | "=" => Msg::Zoom(2.0, None),
        "-" | "−" => Msg::Zoom(0.5, None),
        "0" => Msg::Fit,
        _ => return None,
    };
    // Enter and Escape go on: the page opens and closes the why card with them.
    if !matches!(msg, Msg::Choose | Msg::Nothing) {
        e.prevent_default();
        e.stop_propagation();
    }
    Some(msg)
}
