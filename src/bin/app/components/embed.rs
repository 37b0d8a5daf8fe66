//! As little as can be, for a frame in another page: title, tree, one knob, one figure, and a link to the rest.

use super::glance::{Glance, Of};
use super::icon::{Icon, Shape, mark};
use super::knobs::load_slider;
use crate::hooks::{step, use_window};
use crate::page::{Page, use_page};
use crate::state::{Action, Phase};
use crate::tree::TreePanel;
use crate::{address, units};
use balancescope::scenario::{Scenario, Show};
use yew::prelude::*;

/// The figure and the link, both as of now.
#[component]
fn Calls() -> Html {
    let (page, window) = (use_page(), use_window());
    let calls = window.now().map_or("–".to_owned(), |r| units::short(r.calls.iter().sum()));
    html! {
        <>
            <span class="embed-figure">{ "Balance calls/s " }<b>{ calls }</b></span>
            <a href={whole(&page)} target="_blank" rel="noopener">{ "Open in balancescope" }</a>
        </>
    }
}

/// The link to the same moment with everything around it.
fn whole(page: &Page) -> String {
    let show = Show { embed: false, ..page.state.scenario.show.clone() };
    let at_ns = page.frames.last().map(|f| f.now_ns).or(page.state.scenario.at_ns);
    address::link(&Scenario { at_ns, show, ..page.state.scenario.clone() }.fragment())
}

/// The whole page in little.
pub fn embed(page: &Page) -> Html {
    let Some(scene) = page.state.scene.clone() else { return Html::default() };
    let playing = page.state.playing;
    let stopped = matches!(page.state.phase, Phase::Stopped(_));
    let one = |back: bool| {
        let page = page.clone();
        Callback::from(move |_: MouseEvent| step(&page, page.state.step, back))
    };
    let told = match &page.state.phase {
        Phase::Stopped(why) => Some(why.clone()),
        Phase::Opening(_) => None,
        Phase::Ready => page.state.warnings.first().map(|w| w.text.clone()),
    };
    html! {
        <div class="embed">
            <header>
                { mark() }
                <h1>{ page.state.machine_title() }</h1>
                <span class="hint">{ format!("rules of {}", page.state.scenario.release.name()) }</span>
                <Glance of={Of::Clock} />
            </header>
            if let Some(told) = told { <p class="caution" role="alert">{ told }</p> }
            <main class="stage" id="stage">
                <TreePanel {scene} bus={page.frames.clone()} theme={page.theme}
                    selected={page.state.selected} onselect={page.on(Action::Select)} />
            </main>
            <footer>
                <button type="button" class="square" aria-label="Step back" title="Step back (PageUp)" disabled={stopped}
                    onclick={one(true)}><Icon shape={Shape::Back} /></button>
                <button type="button" class="play" title="Play or pause (Space)" disabled={stopped}
                    aria-label={if playing { "Pause" } else { "Play" }} onclick={page.does(Action::Play(!playing))}>
                    <Icon shape={if playing { Shape::Pause } else { Shape::Play }} />
                </button>
                <button type="button" class="square" aria-label="Step" title="Step (PageDown)" disabled={stopped}
                    onclick={one(false)}><Icon shape={Shape::Step} /></button>
                { load_slider(page) }
                <Calls />
            </footer>
        </div>
    }
}
