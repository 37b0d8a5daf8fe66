//! Keys that work anywhere on the page, save where text is typed.

use crate::components::moment_link;
use crate::page::Page;
use crate::scales::speed;
use crate::state::{Action, Display, Phase, Sheet, View};
use balancescope::host::StepTo;
use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, MouseEvent};
use yew::prelude::*;

/// The keys and what they do, as the help sheet lists them.
pub const KEYS: [(&[&str], &str); 12] = [
    (&["Space"], "play, pause"),
    (&["←", "→"], "step back, step; while it plays, slower, faster"),
    (&["E", "T", "B"], "step by event, tick, balance pass; with Shift, back"),
    (&["1", "2", "3"], "migration cost, load, overload flag; then arrows"),
    (&["+", "−", "0"], "zoom in, out, whole machine"),
    (&["R"], "restart from the seed"),
    (&["U"], "undo the last turn of a knob"),
    (&["F"], "fork: this moment in a tab of its own"),
    (&["V"], "tree or table"),
    (&["S"], "copy a link to this moment"),
    (&["?"], "these keys"),
    (&["Esc"], "close, select nothing"),
];

/// What kind of element has the focus.
fn typing(target: &Element) -> bool {
    let tag = target.tag_name();
    let range = target.get_attribute("type").is_some_and(|t| t == "range" || t == "radio");
    matches!(tag.as_str(), "TEXTAREA" | "SELECT") || (tag == "INPUT" && !range)
}

/// Elements that use Space and arrows themselves.
fn own_keys(target: &Element) -> bool {
    matches!(target.tag_name().as_str(), "BUTTON" | "INPUT" | "SUMMARY" | "A")
}

/// Takes the focus from a button that a pointer clicked, so that Space goes on meaning play. A button that a key
/// clicked keeps it.
fn let_go(event: &Event) {
    let pointer = event.dyn_ref::<MouseEvent>().is_some_and(|click| click.detail() > 0);
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok()).filter(|_| pointer);
    let button = target.and_then(|t| t.closest("button").ok().flatten());
    if let Some(button) = button.and_then(|b| b.dyn_into::<HtmlElement>().ok()) {
        let _ = button.blur();
    }
}

fn focus(id: &str) {
    let element = gloo::utils::document().get_element_by_id(id);
    if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Moves the speed by so many positions of its slider.
fn speed_by(page: &Page, by: i64) {
    let position = i64::from(speed::position(page.state.speed)) + by;
    let position = u32::try_from(position.max(0)).unwrap_or(0).min(speed::MAX);
    page.act(Action::Speed(speed::value(position)));
}

/// One step, back if asked; a world that runs stands still first.
pub fn step(page: &Page, to: StepTo, back: bool) {
    if page.state.phase == Phase::Ready {
        page.act(Action::StepTo(to));
        page.act(Action::Play(false));
        page.player.step(to, back);
    }
}

/// Goes to a moment; a world that runs stands still first.
pub fn seek(page: &Page, at_ns: u64) {
    if page.state.phase == Phase::Ready {
        page.act(Action::Play(false));
        page.player.seek(at_ns);
    }
}

/// Turns the knob that was turned last back to where it was, now.
fn undo(page: &Page) {
    if let Some(to) = page.state.undo.last() {
        page.act(Action::Undo);
        page.player.turn(*to);
        page.player.turned();
    }
}

/// Opens the moment that is shown in a tab of its own: both go on.
pub fn fork(page: &Page) {
    let link = moment_link(page);
    let _ = gloo::utils::window().open_with_url_and_target_and_features(&link, "_blank", "noopener");
}

fn press(page: &Page, event: &KeyboardEvent, copy: &Callback<()>) -> bool {
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else { return false };
    let key = event.key();
    if key == "Escape" {
        page.act(if page.state.sheet.is_some() { Action::Sheet(None) } else { Action::Select(None) });
        return true;
    }
    if typing(&target) || page.state.sheet.is_some() {
        return false;
    }
    let lab = page.state.view == View::Lab;
    let inside = own_keys(&target);
    match key.as_str() {
        " " if !inside || target.tag_name() == "INPUT" => page.act(Action::Play(!page.state.playing)),
        "ArrowLeft" | "ArrowRight" if !inside && page.state.playing => {
            speed_by(page, if key == "ArrowLeft" { -1 } else { 1 });
        }
        "ArrowLeft" | "ArrowRight" if !inside => step(page, page.state.step, key == "ArrowLeft"),
        "e" | "E" => step(page, StepTo::Event, event.shift_key()),
        "t" | "T" => step(page, StepTo::Tick, event.shift_key()),
        "b" | "B" => step(page, StepTo::Balance, event.shift_key()),
        // What a clicker sends.
        "PageDown" | "PageUp" if page.state.scenario.show.embed => {
            step(page, page.state.step, key == "PageUp");
        }
        "u" | "U" => undo(page),
        "f" | "F" => fork(page),
        "r" | "R" => page.act(Action::Restart),
        "s" | "S" => copy.emit(()),
        "v" | "V" if lab => page.act(Action::Display(match page.state.display {
            Display::Tree => Display::Table,
            Display::Table => Display::Tree,
        })),
        "?" => page.act(Action::Sheet(Some(Sheet::Help))),
        "1" if lab => focus("knob-cost"),
        "2" if lab => focus("knob-load"),
        "3" if lab => focus("knob-overload"),
        _ => return false,
    }
    true
}

/// Listens to keys while the page stands. `copy` copies a link to this moment.
#[hook]
pub fn use_keys(page: &Page, copy: Callback<()>) {
    let page = page.clone();
    use_effect(move || {
        let options = EventListenerOptions::enable_prevent_default();
        let document = gloo::utils::document();
        let listener = EventListener::new_with_options(&document, "keydown", options, move |event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            let chord = event.ctrl_key() || event.alt_key() || event.meta_key();
            if !chord && !event.default_prevented() && press(&page, event, &copy) {
                event.prevent_default();
            }
        });
        let clicks = EventListener::new(&document, "click", let_go);
        move || drop((listener, clicks))
    });
}
