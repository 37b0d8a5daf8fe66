//! The page as a whole.

use super::ab::Ab;
use super::embed::embed;
use super::header::header;
use super::import::import_view;
use super::lab::lab;
use super::lesson::lessons;
use super::notices::notices;
use super::sheets::{moment_link, sheets};
use crate::address;
use crate::bus::FrameBus;
use crate::clipboard;
use crate::hooks::{use_address, use_drop_and_paste, use_keys, use_media, use_meter, use_theme, use_world};
use crate::page::Page;
use crate::player::Player;
use crate::state::{State, View};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Copies a link to this moment and says so for a while.
#[hook]
fn use_copy(page: &Page) -> (Callback<()>, &'static str) {
    let said = use_state(|| "");
    let words = *said;
    let page = page.clone();
    let copy = Callback::from(move |()| {
        let said = said.clone();
        let told = Callback::from(move |done: bool| {
            said.set(if done {
                "Link to this moment copied"
            } else {
                "This browser does not let the page copy"
            });
            let said = said.clone();
            gloo::timers::callback::Timeout::new(2_500, move || said.set("")).forget();
        });
        clipboard::copy(moment_link(&page), told);
    });
    (copy, words)
}

/// Shows in every select what is chosen. Once a person has picked, a browser no longer follows the `selected` of
/// options, so that after Back it would go on naming what was picked.
#[hook]
fn use_selects() {
    use_effect(|| {
        let Ok(selects) = gloo::utils::document().query_selector_all("select[data-chosen]") else { return };
        for i in 0..selects.length() {
            let select = selects.get(i).and_then(|node| node.dyn_into::<HtmlSelectElement>().ok());
            if let Some((select, chosen)) =
                select.and_then(|s| s.get_attribute("data-chosen").map(|c| (s, c)))
                && select.value() != chosen
            {
                select.set_value(&chosen);
            }
        }
    });
}

/// Wires state, worker, frames and rooms.
#[component]
pub fn App() -> Html {
    let calm = use_media("(prefers-reduced-motion: reduce)");
    let state = use_reducer(|| State::open(&address::fragment(), address::theme(), calm));
    let frames = (*use_state(FrameBus::default)).clone();
    let player = {
        let (frames, dispatcher) = (frames.clone(), state.dispatcher());
        use_memo((), move |()| Player::new(frames, Callback::from(move |action| dispatcher.dispatch(action))))
    };
    let player = Rc::clone(&*player);
    let theme = use_theme(state.theme, calm);
    let windows = use_meter(&state, &frames, calm);
    use_world(&state, &player);
    use_address(&state);
    let dispatcher = state.dispatcher();
    let hovers = use_drop_and_paste(Callback::from(move |action| dispatcher.dispatch(action)));
    let page = Page { state, player, frames, windows, theme };
    let (copy, said) = use_copy(&page);
    use_keys(&page, copy);
    use_selects();
    if page.state.scenario.show.embed {
        return html! { <ContextProvider<Page> context={page.clone()}>{ embed(&page) }</ContextProvider<Page>> };
    }
    let room = match page.state.view {
        View::Lab => lab(&page),
        View::Ab => html! { <Ab key={page.state.world} /> },
        View::Lessons => lessons(&page),
        View::Import => import_view(&page),
    };
    html! {
        <ContextProvider<Page> context={page.clone()}>
            { header(&page) }
            { notices(&page) }
            { room }
            { sheets(&page) }
            <p class={classes!("toast", (!said.is_empty()).then_some("toast-shown"))} role="status">{ said }</p>
            if hovers {
                <div class="dropzone" aria-hidden="true"><p>{ "Drop the file: its machine becomes the tree" }</p></div>
            }
        </ContextProvider<Page>>
    }
}
