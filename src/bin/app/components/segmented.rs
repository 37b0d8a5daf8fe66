//! One of a few: radio buttons in a row.

use yew::prelude::*;

/// Properties of [`Segmented`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Name of the group; also the id of the chosen button, so that a key can focus it.
    pub name: AttrValue,
    /// What is chosen here, for screen readers.
    pub label: AttrValue,
    /// The choices in words.
    pub choices: Vec<AttrValue>,
    /// Which is chosen.
    pub chosen: usize,
    /// Called with the index of a new choice.
    pub onchoose: Callback<usize>,
}

/// A row of radio buttons that looks like one control.
#[component]
pub fn Segmented(props: &Props) -> Html {
    html! {
        <fieldset class="segmented">
            <legend class="unseen">{ &props.label }</legend>
            { for props.choices.iter().enumerate().map(|(i, words)| {
                let chosen = i == props.chosen;
                let id = chosen.then(|| props.name.clone());
                html! {
                    <label key={i} class="segment">
                        <input type="radio" {id} name={props.name.clone()} checked={chosen}
                            onchange={props.onchoose.reform(move |_| i)} />
                        <span>{ words }</span>
                    </label>
                }
            }) }
        </fieldset>
    }
}
