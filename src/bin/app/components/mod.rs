//! The parts of the page, one small file each.

mod ab;
mod app;
mod charts;
mod decisions;
mod embed;
mod figures;
mod form;
mod glance;
mod glyph;
mod header;
mod icon;
mod import;
mod knobs;
mod lab;
mod lesson;
mod machine;
mod notices;
mod report;
mod scrub;
mod segmented;
mod sheets;
mod slider;
mod stage;
mod strip;
mod table;
mod transport;
mod why;

pub use app::App;
pub use sheets::moment_link;
