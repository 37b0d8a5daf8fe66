//! Name, rooms, link, share, theme, help.

use super::icon::{Icon, Shape, mark};
use crate::page::Page;
use crate::state::{Action, Sheet, ThemeChoice, View};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;

fn tab(page: &Page, view: View, words: &'static str) -> Html {
    let here = (page.state.view == view).then_some("page");
    html! {
        <button type="button" class="tab" aria-current={here} onclick={page.does(Action::View(view))}>
            { words }
        </button>
    }
}

/// The rooms.
pub fn tabs(page: &Page) -> Html {
    html! {
        <nav class="tabs" aria-label="Rooms">
            { tab(page, View::Lab, "Lab") }
            { tab(page, View::Ab, "A/B") }
            { tab(page, View::Lessons, "Lessons") }
            { tab(page, View::Import, "Import") }
        </nav>
    }
}

/// The next theme, and what holds now.
pub fn theme_words(choice: ThemeChoice) -> (ThemeChoice, &'static str) {
    match choice {
        ThemeChoice::Auto => (ThemeChoice::Light, "as the system"),
        ThemeChoice::Light => (ThemeChoice::Dark, "light"),
        ThemeChoice::Dark => (ThemeChoice::Auto, "dark"),
    }
}

/// The top line.
pub fn header(page: &Page) -> Html {
    let (next, theme) = theme_words(page.state.theme);
    let select = Callback::from(|event: FocusEvent| {
        if let Some(input) = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) {
            input.select();
        }
    });
    let scenario = &page.state.scenario;
    let fragment = page.state.link(page.state.scenario.at_ns);
    // The default scenario's link is empty; its machine, spelled out, opens the same.
    let link = if fragment.is_empty() {
        format!("#machine={}", scenario.machine.name())
    } else {
        format!("#{fragment}")
    };
    html! {
        <header class="top">
            <a class="skip" href="#stage" onclick={skip()}>{ "Skip to the tree" }</a>
            <span class="name">{ mark() }<span class="name-words">{ "balancescope" }</span></span>
            <span class="title-small">
                <b>{ page.state.machine_title() }</b>
                { format!(" {}, {}", scenario.workload.kind, scenario.release.name()) }
            </span>
            { tabs(page) }
            <input class="link" type="text" readonly=true value={link} aria-label="Link to this scenario" onfocus={select} />
            <button type="button" class="share" onclick={page.does(Action::Sheet(Some(Sheet::Share)))} aria-label="Share…">
                <Icon shape={Shape::Link} /><span>{ "Share…" }</span>
            </button>
            <button type="button" class="bare theme" title={format!("Theme: {theme}")} aria-label={format!("Theme: {theme}")}
                onclick={page.does(Action::Theme(next))}><Icon shape={Shape::Theme} /></button>
            <button type="button" class="bare help" title="Keys (?)" aria-label="Keys and help"
                onclick={page.does(Action::Sheet(Some(Sheet::Help)))}>{ "?" }</button>
            <button type="button" class="bare menu" aria-label="Menu"
                onclick={page.does(Action::Sheet(Some(Sheet::Menu)))}><Icon shape={Shape::Menu} /></button>
        </header>
    }
}

/// The fragment belongs to the scenario, so the skip link moves the focus itself.
fn skip() -> Callback<MouseEvent> {
    Callback::from(|event: MouseEvent| {
        event.prevent_default();
        let stage = gloo::utils::document().get_element_by_id("stage");
        if let Some(stage) = stage.and_then(|s| s.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = stage.focus();
        }
    })
}
