//! Stands where the tree will be drawn: the machine's outline.

use crate::bus::FrameBus;
use crate::scene::{Scene, Selection};
use crate::theme::Theme;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`TreePanel`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is drawn.
    pub scene: Rc<Scene>,
    /// Frames.
    pub bus: FrameBus,
    /// Colours.
    pub theme: Theme,
    /// What is looked at.
    pub selected: Option<Selection>,
    /// Called with what the person looks at.
    pub onselect: Callback<Option<Selection>>,
}

/// The outline.
#[component]
pub fn TreePanel(props: &Props) -> Html {
    html! { <div class="tree">{ for props.scene.machine.cpus.iter().map(|c| html! { <span>{ c.id }{ " " }</span> }) }</div> }
}
