//! What a file did not say, and what of it could not be used.

use super::icon::{Icon, Shape};
use balancescope::import::Reading;
use yew::prelude::*;

/// Lines shown at once of what may be a very long list.
const MOST: usize = 8;

/// What the machine needs and the file does not say.
pub fn assumed(reading: &Reading) -> Html {
    let list = &reading.assumed;
    if list.is_empty() {
        return Html::default();
    }
    let more = list.len().saturating_sub(MOST);
    html! {
        <div class="assumed">
            <b>{ "Assumed" }</b>
            <ul>
                { for list.iter().take(MOST).map(|text| html! { <li key={text.clone()}>{ text }</li> }) }
                if more > 0 { <li>{ format!("and {more} more") }</li> }
            </ul>
        </div>
    }
}

/// What could not be used or looks wrong, with its line.
pub fn warnings(reading: &Reading) -> Html {
    let list = &reading.warnings;
    let more = list.len().saturating_sub(MOST);
    html! {
        <>
            { for list.iter().take(MOST).enumerate().map(|(i, w)| html! {
                <p class="caution" key={i}>
                    <Icon shape={Shape::Caution} />
                    <span>
                        if let Some(line) = w.line { <b>{ format!("Line {line}: ") }</b> }
                        { &w.text }
                    </span>
                </p>
            }) }
            if more > 0 { <p class="caution"><span>{ format!("And {more} more.") }</span></p> }
        </>
    }
}
