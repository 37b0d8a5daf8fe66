//! The laboratory: knobs, tree, charts, time.

use super::charts::Charts;
use super::decisions::Decisions;
use super::figures::Figures;
use super::form::Form;
use super::knobs::Knobs;
use super::stage::Stage;
use super::strip::Strip;
use super::transport::Transport;
use yew::prelude::*;

/// All of it; the style sheet places the parts for each width.
#[component]
pub fn Lab() -> Html {
    html! {
        <div class="lab">
            <aside class="side">
                <Knobs />
                <Form />
                <Decisions />
            </aside>
            <Stage />
            <aside class="measured" aria-label="Measured">
                <Figures />
                <Charts />
            </aside>
            <Transport />
            <Strip />
        </div>
    }
}
