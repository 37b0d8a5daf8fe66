//! Small facts of the newest frame, each in its own component, so that a fresh one redraws nothing else.

use super::icon::{Icon, Shape};
use crate::hooks::use_now;
use crate::units;
use balancescope::observe::Frame;
use yew::prelude::*;

/// Which fact.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// The simulated moment.
    Clock,
    /// The root domain's overload flag, as a chip.
    Chip,
    /// The same in one word.
    Flag,
    /// How often it has changed.
    Flips,
}

/// Properties of [`Glance`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Which fact.
    pub of: Of,
}

fn chip(frame: Option<&Frame>) -> Html {
    let set = frame.is_some_and(|f| f.overload);
    let words = if set { "overload set" } else { "overload clear" };
    html! {
        <span class={classes!("chip", set.then_some("chip-set"))} title="The root domain's overload flag">
            <Icon shape={Shape::Flag} />{ words }
        </span>
    }
}

fn flips(frame: Option<&Frame>) -> Html {
    let words = match frame.map_or(0, |f| f.totals.overload_flips) {
        1 => ", flipped once".to_owned(),
        n => format!(", flipped {} times", units::count(n as f64)),
    };
    html! { { words } }
}

/// The fact as the newest frame has it.
#[component]
pub fn Glance(props: &Props) -> Html {
    let frame = use_now(if props.of == Of::Clock { 60 } else { 250 });
    let frame = frame.as_deref();
    match props.of {
        Of::Clock => {
            let now = frame.map_or(0, |f| f.now_ns);
            html! { <output class="clock" aria-label="Simulated time">{ units::moment(now) }</output> }
        }
        Of::Chip => chip(frame),
        Of::Flag => {
            html! { <output>{ frame.map_or("", |f| if f.overload { "set" } else { "clear" }) }</output> }
        }
        Of::Flips => flips(frame),
    }
}
