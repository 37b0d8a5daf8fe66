//! Reusable pieces of behaviour.

mod address;
mod input;
mod keys;
mod media;
mod meter;
mod world;

pub use address::use_address;
pub use input::{read_file, use_drop_and_paste};
pub use keys::{KEYS, fork, seek, step, use_keys};
pub use media::{use_media, use_theme};
pub use meter::{use_meter, use_now, use_window, words};
pub use world::use_world;
