//! Sheets above the page: keys, share, and on a phone the rest.

use super::form::form;
use super::header::{tabs, theme_words};
use super::icon::{Icon, Shape};
use crate::hooks::{KEYS, fork};
use crate::page::{Page, use_page};
use crate::state::{Action, Sheet};
use crate::tree::{Stage, legend};
use crate::{address, clipboard, scripts, units};
use balancescope::scenario::{Scenario, Show};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
struct DialogProps {
    title: AttrValue,
    children: Html,
}

/// A modal dialog; the browser keeps the focus inside and closes it on Esc.
#[component]
fn Dialog(props: &DialogProps) -> Html {
    let page = use_page();
    let node = use_node_ref();
    let opened = node.clone();
    use_effect_with((), move |()| {
        if let Some(dialog) = opened.cast::<HtmlDialogElement>()
            && !dialog.open()
        {
            let _ = dialog.show_modal();
        }
    });
    let close = page.does(Action::Sheet(None));
    html! {
        <dialog ref={node} class="sheet" aria-label={props.title.clone()} onclose={page.does(Action::Sheet(None))}>
            <header>
                <h2>{ &props.title }</h2>
                <button type="button" class="square" aria-label="Close" onclick={close}><Icon shape={Shape::Close} /></button>
            </header>
            { props.children.clone() }
        </dialog>
    }
}

fn help(page: &Page) -> Html {
    html! {
        <Dialog key="help" title="Keys and marks">
            <dl class="keys">
                { for KEYS.iter().map(|(keys, words)| html! {
                    <>
                        <dt>{ for keys.iter().map(|k| html! { <kbd>{ *k }</kbd> }) }</dt>
                        <dd>{ *words }</dd>
                    </>
                }) }
            </dl>
            { legend(&page.theme, Stage::Full) }
            <p class="hint">
                { "Everything is simulated in this tab. The address is the whole scenario: same link, same run." }
            </p>
        </Dialog>
    }
}

/// The link to exactly the moment that is shown.
pub fn moment_link(page: &Page) -> String {
    let at = page.frames.last().map(|f| f.now_ns);
    address::link(&page.state.link(at))
}

/// The frame that holds this moment in another page.
fn framed(page: &Page, at_ns: u64) -> String {
    let mut scenario = Scenario { at_ns: Some(at_ns), ..page.state.scenario.clone() };
    scenario.show = Show { name: scenario.show.name, embed: true, ..Show::default() };
    let link = address::link(&scenario.fragment()).replace('&', "&amp;").replace('"', "&quot;");
    format!(r#"<iframe src="{link}" title="balancescope" width="960" height="540"></iframe>"#)
}

#[component]
fn Share() -> Html {
    let page = use_page();
    let said = use_state(|| "");
    let whole = address::link(&page.state.link(None));
    let moment = moment_link(&page);
    let at = page.frames.last().map_or(0, |f| f.now_ns);
    let copy = |link: String| {
        let said = said.clone();
        Callback::from(move |_: MouseEvent| {
            let said = said.clone();
            clipboard::copy(
                link.clone(),
                Callback::from(move |done: bool| {
                    said.set(if done {
                        "Copied"
                    } else {
                        "This browser does not let the page copy; select the text above"
                    });
                }),
            );
        })
    };
    let frame = framed(&page, at);
    let named = page.on(|event: Event| {
        let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
        let name: String = input.map(|i| i.value()).unwrap_or_default();
        Action::Name(name.trim().chars().filter(|c| !c.is_control()).take(60).collect())
    });
    let (words, link) = (page.state.machine_title(), moment.clone());
    let picture = Callback::from(move |_: MouseEvent| scripts::save_picture(&words, &link));
    let link = whole.clone();
    let series = Callback::from(move |_: MouseEvent| scripts::save_series(&link));
    let forked = {
        let page = page.clone();
        Callback::from(move |_: MouseEvent| fork(&page))
    };
    html! {
        <Dialog title="Share">
            <label for="link-whole">{ "Link to this scenario, from its beginning" }</label>
            <div class="copy">
                <input id="link-whole" type="text" readonly=true value={whole.clone()} />
                <button type="button" class="primary" onclick={copy(whole)}>{ "Copy link" }</button>
            </div>
            <label for="link-moment">{ format!("Link to this moment, {}", units::moment(at)) }</label>
            <div class="copy">
                <input id="link-moment" type="text" readonly=true value={moment.clone()} />
                <button type="button" onclick={copy(moment)}>{ "Copy moment" }</button>
            </div>
            <label for="link-embed">{ "To stand in another page, as little as can be, at this moment" }</label>
            <div class="copy">
                <input id="link-embed" type="text" readonly=true value={frame.clone()} />
                <button type="button" onclick={copy(frame)}>{ "Copy frame" }</button>
            </div>
            <label for="scenario-name">{ "What you call it; it travels in the link" }</label>
            <input id="scenario-name" type="text" maxlength="60" value={page.state.scenario.show.name.clone()} onchange={named} />
            <div class="actions">
                <button type="button" onclick={picture}>{ "Save picture (PNG)" }</button>
                <button type="button" onclick={series}>{ "Save series (CSV)" }</button>
                <button type="button" onclick={forked}><Icon shape={Shape::Fork} />{ "Open this moment in a new tab" }</button>
            </div>
            <p role="status" class="hint">{ *said }</p>
            <p class="hint">
                { format!("{} turned on the way travel with it; it reproduces this very run.", match page.state.scenario.changes.len() {
                    1 => "The knob".to_owned(),
                    n => format!("The {n} knobs"),
                }) }
            </p>
        </Dialog>
    }
}

fn menu(page: &Page) -> Html {
    let (next, theme) = theme_words(page.state.theme);
    html! {
        <Dialog key="menu" title="Menu">
            { tabs(page) }
            { form(page) }
            <div class="actions">
                <button type="button" onclick={page.does(Action::Theme(next))}>{ format!("Theme: {theme}") }</button>
                <button type="button" onclick={page.does(Action::Sheet(Some(Sheet::Help)))}>{ "Keys and marks…" }</button>
            </div>
        </Dialog>
    }
}

/// The open sheet, if there is one.
pub fn sheets(page: &Page) -> Html {
    match page.state.sheet {
        None => Html::default(),
        Some(Sheet::Help) => help(page),
        Some(Sheet::Share) => html! { <Share key="share" /> },
        Some(Sheet::Menu) => menu(page),
    }
}
