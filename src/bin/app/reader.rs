//! Brings a file's bytes to the reader, a worker of its own with the importers in it: few visits bring a
//! file, so it is loaded when one does. One file, one reader, which ends with its answer.

use crate::client::{address_of, bytes_of};
use crate::state::Action;
use balancescope::import::Reading;
use js_sys::Uint8Array;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

/// A reader at work; dropping it ends it.
struct Reader {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

thread_local! {
    /// Another file ends the reading of the one before.
    static READER: RefCell<Option<Reader>> = const { RefCell::new(None) };
}

/// Reads a file: says that it does, and later what the file means or why it could not be read.
pub fn read(bytes: &[u8], say: Callback<Action>) {
    say.emit(Action::Reading);
    match start(say.clone()) {
        Ok(reader) => {
            // Posting plain bytes fails only if the worker is gone, which is told by its own error.
            let _ = reader.worker.post_message(&Uint8Array::from(bytes));
            READER.with(|slot| slot.replace(Some(reader)));
        }
        Err(why) => say.emit(Action::Imported(Err(why))),
    }
}

fn start(say: Callback<Action>) -> Result<Reader, String> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(&address_of("reader"), &options)
        .map_err(|_| "This browser does not start the reader of files.".to_owned())?;
    let answer = say.clone();
    let on_message = Closure::new(move |event: MessageEvent| {
        if let Some(read) = answered(&event.data()) {
            done(&answer, read);
        }
    });
    let on_error = Closure::new(move |event: ErrorEvent| {
        event.prevent_default();
        done(&say, Err(format!("The reader of files could not do its work: {}", event.message())));
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    Ok(Reader { worker, _on_message: on_message, _on_error: on_error })
}

fn done(say: &Callback<Action>, read: Result<Reading, String>) {
    say.emit(Action::Imported(read.map(Rc::new)));
    // Its own closure is running, so it goes once that has returned.
    let reader = READER.with(RefCell::take);
    gloo::timers::callback::Timeout::new(0, move || drop(reader)).forget();
}

/// What the reader said; nothing while it only says that it listens, or how far it is.
fn answered(data: &JsValue) -> Option<Result<Reading, String>> {
    if data.as_f64().is_some() {
        return None;
    }
    if let Some(text) = data.as_string() {
        return (text != crate::client::READY).then_some(Err(text));
    }
    let read = postcard::from_bytes::<Result<Reading, String>>(&bytes_of(data));
    Some(read.unwrap_or_else(|_| Err("The page and its reader are of different versions.".to_owned())))
}
