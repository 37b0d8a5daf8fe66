//! The last decisions of the balancer, to read and, now and then, to hear.

use super::glyph::OutcomeGlyph;
use crate::decisions::{Decision, Log};
use crate::page::{Page, use_page};
use crate::scene::Selection;
use crate::state::Action;
use yew::prelude::*;

/// The list changes this often at most, ms, so that it can be read.
const READ_MS: f64 = 400.0;
/// Something is read aloud this often at most, ms.
const HEAR_MS: f64 = 6_000.0;

/// The lines to show, newest first, and the sentence to be heard.
#[hook]
fn use_decisions() -> (Vec<Decision>, String) {
    let page = use_page();
    let lines = use_state(Vec::<Decision>::new);
    let aloud = use_state(String::new);
    let (set_lines, set_aloud) = (lines.setter(), aloud.setter());
    let frames = page.frames.clone();
    let scene = page.state.scene.clone();
    use_effect_with(page.state.world, move |_| {
        set_lines.set(Vec::new());
        let mut log = Log::default();
        let (mut read, mut heard) = (f64::NEG_INFINITY, js_sys::Date::now());
        let subscription = frames.subscribe(move |frame| {
            let Some(scene) = &scene else { return };
            log.hear(scene, frame);
            let now = js_sys::Date::now();
            if now - read < READ_MS && frame.state_hash.is_none() {
                return;
            }
            read = now;
            let fresh = log.lines();
            if now - heard > HEAR_MS {
                heard = now;
                if let Some(first) = fresh.first() {
                    set_aloud.set(first.sentence());
                }
            }
            set_lines.set(fresh);
        });
        move || drop(subscription)
    });
    ((*lines).clone(), (*aloud).clone())
}

fn line(page: &Page, d: &Decision) -> Html {
    let picked = page.state.selected == Some(Selection::Attempt(d.id));
    let onclick = page.does(Action::Select((!picked).then_some(Selection::Attempt(d.id))));
    html! {
        <li key={d.id}>
            <button type="button" class="decision" aria-pressed={picked.to_string()} {onclick}>
                <OutcomeGlyph cause={d.cause} outcome={d.outcome} />
                <span class="decision-words">
                    <span><b>{ &d.head }</b>{ " " }{ &d.tail }</span>
                    <span class="decision-small">{ &d.small }</span>
                </span>
            </button>
        </li>
    }
}

/// The list, and a polite region that mirrors it.
#[component]
pub fn Decisions() -> Html {
    let page = use_page();
    let (lines, aloud) = use_decisions();
    html! {
        <section class="decisions" aria-label="Last decisions">
            <h2>{ "Last decisions" }</h2>
            if lines.is_empty() {
                <p class="empty">{ "No balance attempt yet: play, or step to one with " }<kbd>{ "B" }</kbd></p>
            }
            <ol>
                { for lines.iter().map(|d| line(&page, d)) }
            </ol>
            <p class="unseen" aria-live="polite">{ aloud }</p>
        </section>
    }
}
