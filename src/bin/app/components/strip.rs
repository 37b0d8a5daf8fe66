//! How many tasks were runnable, over the last ten seconds: a lane a CPU, or a group of CPUs.

use super::scrub::Scrub;
use crate::lanes::{self, Lanes};
use crate::page::use_page;
use crate::theme::Theme;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};
use yew::prelude::*;

/// Room for the names of lanes, CSS px.
const NAMES: f64 = 52.0;
/// Above the first lane and below the last, CSS px.
const MARGIN: f64 = 3.0;

/// An empty canvas as large as it is shown, with its size in CSS px.
pub fn context_of(canvas: &HtmlCanvasElement) -> Option<(CanvasRenderingContext2d, f64, f64)> {
    let ratio = gloo::utils::window().device_pixel_ratio();
    let (width, height) = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
    let (w, h) = ((width * ratio) as u32, (height * ratio) as u32);
    if canvas.width() != w || canvas.height() != h {
        canvas.set_width(w);
        canvas.set_height(h);
    }
    let ctx = canvas.get_context("2d").ok().flatten()?.dyn_into::<CanvasRenderingContext2d>().ok()?;
    let _ = ctx.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    ctx.clear_rect(0.0, 0.0, width, height);
    Some((ctx, width, height))
}

fn paint(canvas: &HtmlCanvasElement, lanes: &Lanes, theme: &Theme) {
    let Some((ctx, width, height)) = context_of(canvas) else { return };
    let count = lanes.names().len().max(1) as f64;
    // The names of the outermost lanes stand out a little.
    let lane = (height - 2.0 * MARGIN) / count;
    let gap = if lane > 5.0 { 1.0 } else { 0.0 };
    let column = (width - NAMES) / lanes::COLUMNS as f64;
    let missing = lanes::COLUMNS - lanes.shown();
    for (value, runs) in (0..).zip(lanes.runs()) {
        ctx.set_fill_style_str(theme.runnable[value]);
        for run in runs {
            let x = NAMES + (missing + run.from) as f64 * column;
            let y = MARGIN + run.lane as f64 * lane;
            ctx.fill_rect(x, y, (run.to - run.from) as f64 * column + 0.5, lane - gap);
        }
    }
    ctx.set_fill_style_str(theme.ink3);
    ctx.set_font("10px system-ui, sans-serif");
    ctx.set_text_align("right");
    ctx.set_text_baseline("middle");
    let every = (11.0 / lane).ceil().max(1.0) as usize;
    for (row, name) in lanes.names().iter().enumerate().step_by(every) {
        let _ = ctx.fill_text(name, NAMES - 8.0, MARGIN + (row as f64 + 0.5) * lane);
    }
}

/// The strip below the tree.
#[component]
pub fn Strip() -> Html {
    let page = use_page();
    let node = use_node_ref();
    let lanes = use_mut_ref(|| None::<Lanes>);
    let (canvas, kept) = (node.clone(), lanes.clone());
    let (windows, frames, theme) = (page.windows.clone(), page.frames.clone(), page.theme);
    let scene = page.state.scene.clone();
    use_effect_with((page.state.world, theme), move |_| {
        if let Some(scene) = &scene {
            let fits = kept.borrow().as_ref().is_some_and(|l| l.fits(scene));
            if !fits {
                *kept.borrow_mut() = Some(Lanes::of(scene));
            }
        }
        let draw = Rc::new(move |fresh: bool| {
            let mut kept = kept.borrow_mut();
            let Some(lanes) = kept.as_mut() else { return };
            if let Some(frame) = frames.last().filter(|_| fresh) {
                lanes.push(&frame);
            }
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                paint(&canvas, lanes, &theme);
            }
        });
        draw(false);
        let subscription = windows.subscribe(move |_| draw(true));
        move || drop(subscription)
    });
    let what = lanes.borrow().as_ref().map_or("", |l| l.what());
    html! {
        <section class="strip" aria-label="Runnable tasks over time">
            <header class="strip-head">
                <span class="chart-title">{ "Runnable tasks" }</span>
                <span class="hint">{ what }</span>
                <span class="scale" aria-label="From no task to five or more">
                    { "0" }
                    { for (0..6).map(|i| html! { <i key={i} class={format!("runnable-{i}")}></i> }) }
                    { "5+" }
                </span>
            </header>
            <canvas ref={node} aria-hidden="true"></canvas>
            <Scrub />
        </section>
    }
}
