//! The reader of files: a dedicated worker that holds the importers, started by the page only once a file is
//! brought. It is given one file's bytes in a `Uint8Array` and answers with the postcard bytes of a
//! `Result<Reading, String>` in a transferred `ArrayBuffer`. Before that, numbers say how much was read, from 0 to 1. A
//! plain text is no answer but says that it broke down.

#[cfg(target_arch = "wasm32")]
mod page {
    use balancescope::import::{self, Reading};
    use js_sys::{Array, Uint8Array};
    use wasm_bindgen::prelude::*;
    use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

    /// Begins to listen.
    pub fn serve() {
        let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
        let to = scope.clone();
        std::panic::set_hook(Box::new(move |info| {
            let _ = to.post_message(&JsValue::from_str(&format!("The reader broke: {info}")));
        }));
        let to = scope.clone();
        let listen = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let bytes = Uint8Array::new(&event.data()).to_vec();
            let mut watch = |share: f64| drop(to.post_message(&JsValue::from_f64(share)));
            let read = import::read_watched(&bytes, None, &mut watch).map(Reading::from);
            let Ok(answer) = postcard::to_allocvec(&read) else { return };
            let buffer = Uint8Array::from(answer.as_slice()).buffer();
            let _ = to.post_message_with_transfer(&buffer, &Array::of1(&buffer));
        });
        scope.set_onmessage(Some(listen.as_ref().unchecked_ref()));
        // The reader listens as long as it lives.
        listen.forget();
    }
}

fn main() {
    #[cfg(target_arch = "wasm32")]
    page::serve();
}
