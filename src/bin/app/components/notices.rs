//! What the person should know, where they look: what of a link could not be used, what a file said, what
//! was refused, and that the simulator broke down.

use super::icon::{Icon, Shape};
use super::report::{assumed, warnings};
use crate::page::Page;
use crate::state::{Action, Navigation, Notice, Phase, View};
use crate::units;
use balancescope::import::Reading;
use yew::prelude::*;

/// Sentences shown at once; a very broken link has more.
const MOST: usize = 6;

fn link_warnings(page: &Page) -> Html {
    let warnings = &page.state.warnings;
    if warnings.is_empty() {
        return Html::default();
    }
    let fragment = page.state.link(page.state.scenario.at_ns);
    let correct = {
        let page = page.clone();
        Callback::from(move |_: MouseEvent| page.act(Action::Open(fragment.clone(), Navigation::Replace)))
    };
    let more = warnings.len().saturating_sub(MOST);
    html! {
        <section class="notice" role="alert" aria-label="Of the link, not all could be used">
            { for warnings.iter().take(MOST).map(|w| html! {
                <p class="caution" key={w.text.clone()}><Icon shape={Shape::Caution} /><span>{ &w.text }</span></p>
            }) }
            if more > 0 { <p class="caution">{ format!("And {more} more of this kind.") }</p> }
            <div class="actions">
                <button type="button" class="primary" onclick={correct}>{ "Use the corrected link" }</button>
                <button type="button" class="plain" onclick={page.does(Action::Dismiss)}>{ "Dismiss" }</button>
            </div>
        </section>
    }
}

fn stopped(page: &Page) -> Html {
    let Phase::Stopped(why) = &page.state.phase else { return Html::default() };
    let at = page.frames.last().map_or(0, |f| f.now_ns);
    let report =
        format!("{why}\nat {} of\n{}", units::moment(at), crate::address::link(&page.state.link(None)));
    // The same moment in a new worker: what was computed is computed again.
    let again = page.does(Action::Open(page.state.link(Some(at)), Navigation::Replace));
    let copy = Callback::from(move |_: MouseEvent| crate::clipboard::copy(report.clone(), Callback::noop()));
    html! {
        <section class="notice" role="alert">
            <div class="error">
                <Icon shape={Shape::Error} />
                <div>
                    <b>{ format!("The simulator stopped at {}", units::moment(at)) }</b>
                    <p>
                        { "This is our mistake, not yours. Your scenario is in the address bar; what is drawn stays readable." }
                    </p>
                    <p class="why"><code>{ why }</code></p>
                    <div class="actions">
                        <button type="button" class="primary" onclick={page.does(Action::Restart)}>
                            { "Restart from the seed" }
                        </button>
                        <button type="button" onclick={again}>{ format!("Go on from {}", units::moment(at)) }</button>
                        <button type="button" onclick={copy}>{ "Copy report" }</button>
                    </div>
                </div>
            </div>
        </section>
    }
}

fn read(page: &Page, reading: &Reading) -> Html {
    let undo = Callback::from(|_: MouseEvent| {
        if let Ok(history) = gloo::utils::window().history() {
            let _ = history.back();
        }
    });
    html! {
        <section class="notice" role="status">
            <div class="card">
                <p><b>{ &reading.summary }</b></p>
                { assumed(reading) }
                { warnings(reading) }
                <div class="actions">
                    <button type="button" onclick={undo}>{ "Undo" }</button>
                    <button type="button" class="plain" onclick={page.does(Action::Dismiss)}>{ "Dismiss" }</button>
                </div>
            </div>
        </section>
    }
}

/// All notices.
pub fn notices(page: &Page) -> Html {
    let told = match &page.state.notice {
        None => Html::default(),
        // The room for files says so in its own place.
        Some(Notice::Reading) if page.state.view == View::Import => Html::default(),
        Some(Notice::Reading) => html! {
            <section class="notice" role="status"><div class="card"><p><b>{ "Reading…" }</b></p></div></section>
        },
        Some(Notice::Read(reading)) => read(page, reading),
        Some(Notice::Refused(why)) => html! {
            <section class="notice" role="alert">
                <div class="error">
                    <Icon shape={Shape::Error} />
                    <div>
                        <p>{ why }</p>
                        <div class="actions">
                            <button type="button" class="plain" onclick={page.does(Action::Dismiss)}>{ "Dismiss" }</button>
                        </div>
                    </div>
                </div>
            </section>
        },
    };
    html! { <div class="notices">{ stopped(page) }{ told }{ link_warnings(page) }</div> }
}
