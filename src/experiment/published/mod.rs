//! Published numbers that runs of ours are held against: the rows with their sources and tolerances as they
//! were published, and what we get.
//!
//! A row of kind `exact` is an integer rule, and [`exact`] answers it with the very functions that the engine
//! calls. Every other row is a [`Case`]: plain descriptions of runs, which a host carries out as [`Trial`]s in
//! whatever order it likes, and functions that read the row's values from them.
//!
//! [`Trial`]: super::Trial

mod case;
mod cases;
mod exact;

pub use case::{Case, Given};
pub use cases::{case, cases};
pub use exact::exact;

/// The rows: id, source, quantity, values, tolerance and kind of each.
pub const ROWS: &str = include_str!("rows.toml");

/// The table that the row `contention-busiest` names: relative change and standard deviation in per cent.
pub const CONTENTION: &str = include_str!("seed-contention.csv");
