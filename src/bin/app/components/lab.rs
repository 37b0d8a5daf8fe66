//! The laboratory: knobs, tree, charts, time.

use super::charts::charts;
use super::decisions::Decisions;
use super::figures::Figures;
use super::form::form;
use super::knobs::knobs;
use super::stage::stage;
use super::strip::Strip;
use super::transport::transport;
use super::why::why as why_card;
use crate::page::Page;
use crate::state::View;
use yew::prelude::*;

/// All of it; the style sheet places the parts for each width.
pub fn lab(page: &Page) -> Html {
    let side = html! {
        <aside class="side">
            { knobs(page) }
            { form(page) }
            <Decisions />
        </aside>
    };
    lab_beside(page, "lab", side)
}

/// Tree, charts and time, with something at their side.
pub fn lab_beside(page: &Page, class: &'static str, side: Html) -> Html {
    let why = page.state.asks().is_some();
    let lesson = page.state.view == View::Lessons;
    html! {
        <div class={classes!(class, why.then_some("lab-why"))}>
            { side }
            { stage(page) }
            <aside class="measured" aria-label="Measured">
                <Figures />
                { charts() }
                if lesson { { knobs(page) } }
            </aside>
            { why_card(page) }
            { transport(page) }
            <Strip />
        </div>
    }
}
