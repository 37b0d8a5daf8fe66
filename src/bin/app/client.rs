//! The simulation worker as the page sees it: commands go in, replies come out, and a breakdown is told.

use crate::probe::Timer;
use balancescope::host::{Command, Reply};
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// What comes from the worker.
#[derive(Debug)]
pub enum Heard {
    /// An answer.
    Reply(Reply),
    /// It broke down, or never came up: what is known of it.
    Broken(String),
}

/// A running worker; dropping it ends it.
pub struct Client {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl Client {
    /// Starts a worker. The error is a sentence for a person.
    pub fn start(mut heard: impl FnMut(Heard) + Clone + 'static) -> Result<Self, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&address_of("worker"), &options)
            .map_err(|_| "This browser does not start the simulation worker.".to_owned())?;
        let mut also = heard.clone();
        let on_message = Closure::new(move |event: MessageEvent| {
            let timer = Timer::start();
            heard(read(&event.data()));
            timer.stop();
        });
        let on_error = Closure::new(move |event: ErrorEvent| {
            event.prevent_default();
            also(Heard::Broken(event.message()));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        // The worker runs this very program, as compiled here.
        let _ = worker.post_message(&wasm_bindgen::module());
        Ok(Self { worker, _on_message: on_message, _on_error: on_error })
    }

    /// Sends a command.
    pub fn send(&self, command: &Command) {
        if let Ok(bytes) = postcard::to_allocvec(command) {
            let array = Uint8Array::from(bytes.as_slice());
            // Posting plain bytes fails only if the worker is gone, which is told by its own error.
            let _ = self.worker.post_message(&array);
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// Where a worker's script lies, as index.html says: the content of the `meta` of that name.
pub fn address_of(name: &str) -> String {
    let document = gloo::utils::document();
    let meta = document.query_selector(&format!("meta[name={name}]")).ok().flatten();
    meta.and_then(|m| m.get_attribute("content")).unwrap_or_else(|| format!("./{name}-start.js"))
}

/// The bytes that a worker posted.
pub fn bytes_of(data: &JsValue) -> Vec<u8> {
    match data.dyn_ref::<ArrayBuffer>() {
        Some(buffer) => Uint8Array::new(buffer).to_vec(),
        None => Uint8Array::new(data).to_vec(),
    }
}

fn read(data: &JsValue) -> Heard {
    if let Some(text) = data.as_string() {
        return Heard::Broken(text);
    }
    match postcard::from_bytes(&bytes_of(data)) {
        Ok(reply) => Heard::Reply(reply),
        Err(_) => Heard::Broken("The page and its simulator are of different versions.".to_owned()),
    }
}
