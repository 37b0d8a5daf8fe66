//! The page: draws frames and sends commands. It holds no scheduler rule.
//!
//! [`state`] is plain data, the actions upon it and what follows; [`player`] drives the worker through
//! [`client`]; frames reach canvases and charts over [`bus`]; `components` show the rest, `hooks` wire it.

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
mod state;
mod tape;
mod theme;
mod tree;
mod units;

fn main() {
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
