//! What the person's system asks for.

use crate::address;
use crate::state::ThemeChoice;
use crate::theme::Theme;
use gloo::events::EventListener;
use yew::prelude::*;

/// Whether a media query holds, now and whenever that changes.
#[hook]
pub fn use_media(query: &'static str) -> bool {
    let list = use_memo((), |()| gloo::utils::window().match_media(query).ok().flatten());
    let first = list.as_ref().as_ref().is_some_and(|l| l.matches());
    let holds = use_state_eq(|| first);
    let setter = holds.setter();
    use_effect_with((), move |()| {
        let listener = list.as_ref().clone().map(|list| {
            let also = list.clone();
            EventListener::new(&list, "change", move |_| setter.set(also.matches()))
        });
        move || drop(listener)
    });
    *holds
}

/// The theme that holds, kept for the next visit and shown to the style sheet.
#[hook]
pub fn use_theme(choice: ThemeChoice, reduced_motion: bool) -> Theme {
    let system_dark = use_media("(prefers-color-scheme: dark)");
    use_effect_with(choice, |choice| {
        address::keep_theme(*choice);
        let Some(root) = gloo::utils::document().document_element() else { return };
        let _ = match choice {
            ThemeChoice::Auto => root.remove_attribute("data-theme"),
            ThemeChoice::Light => root.set_attribute("data-theme", "light"),
            ThemeChoice::Dark => root.set_attribute("data-theme", "dark"),
        };
    });
    let dark = match choice {
        ThemeChoice::Auto => system_dark,
        ThemeChoice::Light => false,
        ThemeChoice::Dark => true,
    };
    Theme::of(dark, reduced_motion)
}
