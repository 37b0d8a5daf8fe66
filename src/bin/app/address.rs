//! The address bar and what the browser remembers.

use crate::state::{Navigation, ThemeChoice};
use gloo::utils::window;
use wasm_bindgen::JsValue;

const THEME: &str = "balancescope-theme";

/// The fragment in the address bar, without `#`.
pub fn fragment() -> String {
    let href = window().location().href().unwrap_or_default();
    href.split_once('#').map(|(_, fragment)| fragment.to_owned()).unwrap_or_default()
}

/// The whole address with another fragment.
pub fn link(fragment: &str) -> String {
    let href = window().location().href().unwrap_or_default();
    let page = href.split('#').next().unwrap_or_default();
    if fragment.is_empty() { page.to_owned() } else { format!("{page}#{fragment}") }
}

/// Writes the fragment. False if the browser refuses, as it does with very long ones.
pub fn write(text: &str, navigation: Navigation) -> bool {
    if navigation == Navigation::Stay || fragment() == text {
        return true;
    }
    let Ok(history) = window().history() else { return false };
    let link = link(text);
    let written = if navigation == Navigation::Push {
        history.push_state_with_url(&JsValue::NULL, "", Some(&link))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&link))
    };
    written.is_ok()
}

/// The theme chosen at an earlier visit. A browser that forbids storage has none.
pub fn theme() -> ThemeChoice {
    let kept = window().local_storage().ok().flatten().and_then(|s| s.get_item(THEME).ok().flatten());
    match kept.as_deref() {
        Some("light") => ThemeChoice::Light,
        Some("dark") => ThemeChoice::Dark,
        _ => ThemeChoice::Auto,
    }
}

/// Keeps the chosen theme for the next visit, where the browser allows it.
pub fn keep_theme(choice: ThemeChoice) {
    let Some(storage) = window().local_storage().ok().flatten() else { return };
    let _ = match choice {
        ThemeChoice::Auto => storage.remove_item(THEME),
        ThemeChoice::Light => storage.set_item(THEME, "light"),
        ThemeChoice::Dark => storage.set_item(THEME, "dark"),
    };
}
