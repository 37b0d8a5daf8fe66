//! Scripts that are loaded when they are first needed: lessons, and what is taken out of the page as a file.
//! www/start.js loads them; see www/lessons.js and www/share.js.

use js_sys::{Function, Object};
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// Shows a lesson, or with no name their list, in a place of the page. `hand` does what the lesson asks for.
    #[wasm_bindgen(js_namespace = bsScripts, js_name = lesson)]
    pub fn show_lesson(host: &Element, name: &str, hand: &Function);

    /// Nothing of the lesson goes on.
    #[wasm_bindgen(js_namespace = bsScripts, js_name = leave)]
    pub fn leave_lesson(host: &Element);

    /// Saves the tree that is shown as a picture, with words below it.
    #[wasm_bindgen(js_namespace = bsScripts, js_name = picture)]
    pub fn save_picture(words: &str, link: &str);

    /// Saves what the charts hold as CSV.
    #[wasm_bindgen(js_namespace = bsScripts, js_name = series)]
    pub fn save_series(link: &str);
}

/// Figures as a plain object.
pub fn object_of(figures: &[(String, f64)]) -> Object {
    let object = Object::new();
    for (name, value) in figures {
        let _ = js_sys::Reflect::set(&object, &name.into(), &JsValue::from_f64(*value));
    }
    object
}
