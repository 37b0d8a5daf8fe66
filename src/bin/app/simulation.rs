//! The simulation: what this program does in a dedicated worker, where it owns one [`Host`]. Commands come as
//! postcard bytes in a `Uint8Array`; each answer goes back as the bytes of one reply in a transferred `ArrayBuffer`.
//!
//! www/worker-start.js keeps what is posted before it listens and hands that over. A plain text is no answer but
//! says that the worker broke down and why, since a page must never wait for a dead one.

use balancescope::host::{Command, Host, Reply};
use js_sys::{Array, Uint8Array};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Begins to listen.
pub fn serve(scope: DedicatedWorkerGlobalScope) {
    let for_panics = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        let _ = for_panics.post_message(&JsValue::from_str(&format!("The simulation broke: {info}")));
    }));
    let host = Rc::new(RefCell::new(Host::that_remembers()));
    let to = scope.clone();
    let listen = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let bytes = Uint8Array::new(&event.data()).to_vec();
        match postcard::from_bytes::<Command>(&bytes) {
            Ok(command) => host.borrow_mut().handle(command, &mut |r| answer(&to, &r), || clock_us(&to)),
            Err(_) => answer(&to, &Reply::Refused("The worker got a command it does not know.".to_owned())),
        }
    });
    scope.set_onmessage(Some(listen.as_ref().unchecked_ref()));
    // The worker listens as long as it lives.
    listen.forget();
}

fn answer(scope: &DedicatedWorkerGlobalScope, reply: &Reply) {
    let Ok(bytes) = postcard::to_allocvec(reply) else { return };
    let buffer = Uint8Array::from(bytes.as_slice()).buffer();
    let _ = scope.post_message_with_transfer(&buffer, &Array::of1(&buffer));
}

fn clock_us(scope: &DedicatedWorkerGlobalScope) -> u64 {
    scope.performance().map_or(0, |p| (p.now() * 1000.0) as u64)
}
