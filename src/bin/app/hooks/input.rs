//! Files dropped and text pasted anywhere on the page.

use crate::reader::read;
use crate::state::{Action, Navigation};
use balancescope::import;
use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ClipboardEvent, DragEvent, Element, File};
use yew::prelude::*;

/// Reads a file and says what it means; too large a one is not read at all.
pub fn read_file(file: File, say: Callback<Action>) {
    if file.size() > import::MAX_BYTES as f64 {
        let why = format!("{} is larger than 64 MiB, the most that is read.", file.name());
        say.emit(Action::Imported(Err(why)));
        return;
    }
    spawn_local(async move {
        match JsFuture::from(file.array_buffer()).await {
            Ok(buffer) => read(&js_sys::Uint8Array::new(&buffer).to_vec(), say),
            Err(_) => say.emit(Action::Imported(Err(format!("{} could not be read.", file.name())))),
        }
    });
}

/// A pasted link opens; anything else is read as a file.
fn pasted(text: &str, say: &Callback<Action>) {
    let line = text.trim();
    let link = !line.contains(char::is_whitespace) && (line.starts_with("http") && line.contains('#'));
    if link || line.starts_with("#") && line.contains('=') && !line.contains('\n') {
        say.emit(Action::Open(line.to_owned(), Navigation::Push));
    } else {
        read(text.as_bytes(), say.clone());
    }
}

fn takes_text(event: &ClipboardEvent) -> bool {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    target.is_some_and(|t| matches!(t.tag_name().as_str(), "TEXTAREA" | "INPUT" | "SELECT"))
}

/// Listens for drops and pastes while the page stands; true while something hovers above it.
#[hook]
pub fn use_drop_and_paste(say: Callback<Action>) -> bool {
    let hovers = use_state_eq(|| false);
    let setter = hovers.setter();
    use_effect_with((), move |()| {
        let document = gloo::utils::document();
        let listen = |name: &'static str, mut act: Box<dyn FnMut(&Event)>| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&document, name, options, move |event| act(event))
        };
        let (over, out, end) = (setter.clone(), setter.clone(), setter);
        let (by_drop, by_paste) = (say.clone(), say);
        let listeners = [
            listen(
                "dragover",
                Box::new(move |event| {
                    event.prevent_default();
                    over.set(true);
                }),
            ),
            listen(
                "dragleave",
                Box::new(move |event| {
                    let drag = event.dyn_ref::<DragEvent>();
                    if drag.is_some_and(|d| d.related_target().is_none()) {
                        out.set(false);
                    }
                }),
            ),
            listen(
                "drop",
                Box::new(move |event| {
                    event.prevent_default();
                    end.set(false);
                    dropped(event, &by_drop);
                }),
            ),
            listen(
                "paste",
                Box::new(move |event| {
                    let Some(paste) = event.dyn_ref::<ClipboardEvent>() else { return };
                    let text = paste.clipboard_data().and_then(|d| d.get_data("text").ok());
                    if let Some(text) = text.filter(|t| !takes_text(paste) && !t.trim().is_empty()) {
                        event.prevent_default();
                        pasted(&text, &by_paste);
                    }
                }),
            ),
        ];
        move || drop(listeners)
    });
    *hovers
}

fn dropped(event: &Event, say: &Callback<Action>) {
    let Some(data) = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer) else { return };
    match data.files().and_then(|files| files.get(0)) {
        Some(file) => read_file(file, say.clone()),
        None => {
            if let Ok(text) = data.get_data("text")
                && !text.trim().is_empty()
            {
                pasted(&text, say);
            }
        }
    }
}
