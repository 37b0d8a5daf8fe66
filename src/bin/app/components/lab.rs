//! The laboratory: knobs, tree, charts, time.

use super::charts::charts;
use super::decisions::Decisions;
use super::figures::Figures;
use super::form::form;
use super::knobs::knobs;
use super::stage::stage;
use super::strip::Strip;
use super::transport::transport;
use super::why::why;
use crate::page::Page;
use yew::prelude::*;

/// All of it; the style sheet places the parts for each width.
pub fn lab(page: &Page) -> Html {
    html! {
        <div class={classes!("lab", page.state.asks().map(|_| "lab-why"))}>
            <aside class="side">
                { knobs(page) }
                { form(page) }
                <Decisions />
            </aside>
            { stage(page) }
            <aside class="measured" aria-label="Measured">
                <Figures />
                { charts() }
            </aside>
            { why(page) }
            { transport(page) }
            <Strip />
        </div>
    }
}
