//! The clipboard.

use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::Callback;

/// Copies text, and says whether the browser let it.
pub fn copy(text: String, done: Callback<bool>) {
    let clipboard = gloo::utils::window().navigator().clipboard();
    if clipboard.is_undefined() {
        // Outside https and localhost there is none.
        done.emit(false);
        return;
    }
    spawn_local(async move {
        let copied = JsFuture::from(clipboard.write_text(&text)).await;
        done.emit(copied.is_ok());
    });
}
