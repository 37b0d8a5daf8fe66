//! The known past as a bar: a handle to drag, how often the balancer was called, where knobs were turned, and
//! the way back to now.

use super::slider::put;
use super::strip::context_of;
use crate::hooks::{seek, use_now, words};
use crate::page::{Page, use_page};
use crate::tape::Tape;
use crate::units;
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, HtmlInputElement};
use yew::prelude::*;

/// Positions of the handle.
const LAST: u64 = 1_000;
/// Half of the handle, where the line of time begins and ends, CSS px.
const INSET: f64 = 8.0;
/// Width of a column of the rate, CSS px.
const COLUMN: f64 = 3.0;

/// Draws the rate, and a line where a knob was turned with what it was turned to.
fn paint(canvas: &HtmlCanvasElement, page: &Page, tape: &Tape, now: u64) {
    let Some((ctx, width, height)) = context_of(canvas) else { return };
    let line = width - 2.0 * INSET;
    let (from, to) = tape.span();
    let span = (to - from).max(1) as f64;
    let place = |ns: u64| INSET + ns.saturating_sub(from) as f64 / span * line;
    let rates = tape.rates((line / COLUMN) as usize);
    let top = rates.iter().fold(1.0, |a: f64, b| a.max(*b));
    for (i, rate) in rates.iter().enumerate() {
        let x = INSET + i as f64 * COLUMN;
        let tall = (rate / top).sqrt() * (height - 6.0);
        ctx.set_fill_style_str(if x <= place(now) { page.theme.runnable[2] } else { page.theme.runnable[1] });
        ctx.fill_rect(x, height - 3.0 - tall, COLUMN, tall);
    }
    ctx.set_fill_style_str(page.theme.ink2);
    ctx.set_font("10px system-ui, sans-serif");
    let mut free = 0.0;
    for change in page.state.scenario.changes.iter().filter(|c| (from..=to).contains(&c.at_ns)) {
        let x = place(change.at_ns);
        ctx.fill_rect(x - 0.5, 1.0, 1.0, height - 3.0);
        let text = words(change.to);
        let wide = text.chars().count() as f64 * 5.5;
        if x > free && x + wide < width {
            let _ = ctx.fill_text(&text, x + 3.0, 10.0);
            free = x + wide + 8.0;
        }
    }
}

/// What is to be known of where the run stands: how far back, and what a turn forgets.
fn told(page: &Page, tape: &Tape, now: u64) -> Html {
    let (_, to) = tape.span();
    if now < to {
        let back = {
            let page = page.clone();
            Callback::from(move |_: MouseEvent| seek(&page, to))
        };
        return html! {
            <>
                <span>{ format!("{} back: a knob turned here begins another future", units::duration(to - now)) }</span>
                <button type="button" class="now" onclick={back}>{ "Back to now" }</button>
            </>
        };
    }
    let forked = tape.forked().map(|(at, until)| {
        format!(
            "Forked at {}: what came after, up to {}, is forgotten",
            units::moment(at),
            units::moment(until)
        )
    });
    html! { <span>{ forked }</span> }
}

/// The bar below the lanes.
#[component]
pub fn Scrub() -> Html {
    let page = use_page();
    let (canvas, handle) = (use_node_ref(), use_node_ref());
    let tape = use_mut_ref(Tape::default);
    let frame = use_now(100);
    if let Some(frame) = &frame {
        tape.borrow_mut().hear(page.state.world, page.state.turned, frame);
    }
    let now = page.player.seeking().or(frame.map(|f| f.now_ns)).unwrap_or(0);
    let (from, to) = tape.borrow().span();
    let now = now.min(to);
    let position = (now.saturating_sub(from) * LAST).checked_div(to - from).unwrap_or(LAST);

    let (drawn, moved, kept, shown) = (canvas.clone(), handle.clone(), tape.clone(), page.clone());
    use_effect(move || {
        put(&moved, "--share", position as f64 / LAST as f64);
        if let Some(canvas) = drawn.cast::<HtmlCanvasElement>() {
            paint(&canvas, &shown, &kept.borrow(), now);
        }
    });
    let go = page.clone();
    let oninput = Callback::from(move |event: InputEvent| {
        let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
        let place: u64 = input.and_then(|i| i.value().parse().ok()).unwrap_or(LAST);
        seek(&go, if place >= LAST { to } else { from + (to - from) / LAST * place });
    });
    let told = told(&page, &tape.borrow(), now);
    html! {
        <div class="scrub">
            <div class="scrub-bar">
                <canvas ref={canvas} aria-hidden="true"></canvas>
                <input ref={handle} id="time" type="range" min="0" max={LAST.to_string()} value={position.to_string()}
                    aria-label="Moment of the run" aria-valuetext={units::moment(now)} {oninput} />
            </div>
            <footer class="strip-foot">
                <span>{ units::moment(from) }</span>
                <span class="scrub-told" role="status">{ told }</span>
                <span>{ units::moment(to) }</span>
            </footer>
        </div>
    }
}
