//! Published numbers that runs of ours are held against: the rows with their sources and tolerances as they
//! were published, and what we get.
//!
//! A row of kind `exact` is an integer rule, and [`exact`] answers it with the very functions that the engine
//! calls. The other rows need runs.

mod exact;

pub use exact::exact;

/// The rows: id, source, quantity, values, tolerance and kind of each.
pub const ROWS: &str = include_str!("rows.toml");

/// The table that the row `contention-busiest` names: relative change and standard deviation in per cent.
pub const CONTENTION: &str = include_str!("seed-contention.csv");
