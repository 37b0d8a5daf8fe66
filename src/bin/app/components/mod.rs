//! The parts of the page, one small file each.

mod app;
mod charts;
mod decisions;
mod figures;
mod form;
mod glance;
mod glyph;
mod header;
mod icon;
mod import;
mod knobs;
mod lab;
mod machine;
mod notices;
mod report;
mod segmented;
mod sheets;
mod slider;
mod stage;
mod strip;
mod table;
mod transport;
mod why;

pub use app::App;
