//! The marks of paths and of outcomes. Hue says who, shape says it again, the sign says how far it got.

use balancescope::observe::{Cause, Outcome};
use yew::prelude::*;

/// The class that carries a path's hue.
pub fn hue(cause: Cause) -> &'static str {
    match cause {
        Cause::Wakeup => "hue-wakeup",
        Cause::Fork => "hue-fork",
        Cause::Newidle => "hue-newidle",
        Cause::Periodic => "hue-periodic",
        Cause::Nohz => "hue-nohz",
        Cause::Active => "hue-active",
    }
}

/// Properties of [`OutcomeGlyph`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Whose hue it wears.
    pub cause: Cause,
    /// How far the attempt got.
    pub outcome: Outcome,
}

/// The sign inside the ring, in strokes.
fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Gated => "M5.500 9h7",
        Outcome::NotDue => "M9 5.200V9h3",
        Outcome::LockLost => "M6.400 8.500h5.200v3.600H6.400zM7.400 8.400V7a1.600 1.600 0 0 1 3.200 0v1.400",
        Outcome::Balanced => "M5.800 7.400h6.400M5.800 10.600h6.400",
        Outcome::Failed => "M6.500 6.500l5 5M11.500 6.500l-5 5",
        Outcome::Moved => "M5 9h7M9.400 6.200L12.200 9l-2.800 2.800",
    }
}

/// An attempt's mark.
#[component]
pub fn OutcomeGlyph(props: &Props) -> Html {
    let ring = match props.outcome {
        Outcome::Moved => "ring-full",
        Outcome::Gated => "ring-dashed",
        _ => "ring",
    };
    html! {
        <svg class={classes!("glyph", hue(props.cause))} viewBox="0 0 18 18" aria-hidden="true" focusable="false">
            <circle class={ring} cx="9" cy="9" r="7.200" />
            <path class="sign" d={sign(props.outcome)} />
        </svg>
    }
}
