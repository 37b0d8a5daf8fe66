//! A labelled range input.

use crate::units;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// Properties of [`Slider`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Id of the input.
    pub id: AttrValue,
    /// What it sets, in plain words.
    pub label: AttrValue,
    /// The value with its unit.
    pub text: AttrValue,
    /// One sentence with the kernel's name.
    #[prop_or_default]
    pub hint: Html,
    /// Position.
    pub value: u32,
    /// Last position; the first is 0.
    pub max: u32,
    /// Marks below the track: position and words (may be empty).
    #[prop_or_default]
    pub marks: Vec<(u32, AttrValue)>,
    /// Called while it is dragged.
    pub oninput: Callback<u32>,
    /// Called once it is let go.
    #[prop_or_default]
    pub onletgo: Callback<()>,
}

/// Sets a custom property, which a Content-Security-Policy allows where an inline style is forbidden.
pub fn put(node: &NodeRef, name: &str, value: f64) {
    if let Some(element) = node.cast::<HtmlElement>() {
        let _ = element.style().set_property(name, &units::fixed(value, 4));
    }
}

/// A slider with its label, value, marks and hint.
#[component]
pub fn Slider(props: &Props) -> Html {
    let node = use_node_ref();
    let share = f64::from(props.value.min(props.max)) / f64::from(props.max.max(1));
    let filled = node.clone();
    use_effect_with(share.to_bits(), move |_| put(&filled, "--share", share));
    let oninput = props.oninput.reform(|event: InputEvent| {
        let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
        input.and_then(|i| i.value().parse().ok()).unwrap_or(0)
    });
    let hint_id = format!("{}-hint", props.id);
    html! {
        <div class="slider">
            <div class="slider-head">
                <label for={props.id.clone()}>{ &props.label }</label>
                <output for={props.id.clone()}>{ &props.text }</output>
            </div>
            <input ref={node} id={props.id.clone()} type="range" min="0" max={props.max.to_string()} step="1"
                value={props.value.to_string()} aria-valuetext={props.text.clone()}
                aria-describedby={hint_id.clone()} {oninput} onchange={props.onletgo.reform(|_| ())} />
            <div class="ticks" aria-hidden="true">
                { for props.marks.iter().map(|(at, words)| html! {
                    <Tick key={*at} share={f64::from(*at) / f64::from(props.max.max(1))} words={words.clone()} />
                }) }
            </div>
            <p class="hint" id={hint_id}>{ props.hint.clone() }</p>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct TickProps {
    share: f64,
    words: AttrValue,
}

#[component]
fn Tick(props: &TickProps) -> Html {
    let node = use_node_ref();
    let (placed, share) = (node.clone(), props.share);
    use_effect_with(share.to_bits(), move |_| put(&placed, "--share", share));
    let side = match share {
        s if s < 0.05 => "tick tick-first",
        s if s > 0.95 => "tick tick-last",
        _ => "tick",
    };
    html! { <span ref={node} class={side}>{ &props.words }</span> }
}
