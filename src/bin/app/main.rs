//! The page and its simulation, one program with two doors: it is downloaded and compiled once, and what both need
//! is in it once. In a window it is the page, in a worker the [`simulation`].
//!
//! The page draws frames and sends commands, and holds no scheduler rule. [`state`] is plain data, the actions upon
//! it and what follows; [`player`] drives the worker through [`client`]; frames reach canvases and charts over [`bus`]; `components` show the rest, `hooks` wire it.

mod address;
mod bus;
mod charts;
mod client;
mod clipboard;
mod compare;
mod components;
mod decisions;
#[cfg(test)]
mod fake;
mod follow;
mod hooks;
mod lanes;
mod meter;
mod pace;
mod page;
mod player;
mod probe;
mod reader;
mod scales;
mod scene;
mod scripts;
mod simulation;
mod state;
mod tape;
mod theme;
mod tree;
mod units;

use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

fn main() {
    match js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        Ok(scope) => simulation::serve(scope),
        Err(_) => show(),
    }
}

fn show() {
    let root = gloo::utils::document().get_element_by_id("app");
    match root {
        Some(root) => {
            root.set_inner_html("");
            yew::Renderer::<components::App>::with_root(root).render();
        }
        None => {
            yew::Renderer::<components::App>::new().render();
        }
    };
}
