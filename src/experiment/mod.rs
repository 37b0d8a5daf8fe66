//! Experiments as plain descriptions: what to run ([`Sweep`], [`Comparison`]), the figures of a run, and the
//! arithmetic over them. This room runs nothing by itself: a host runs each scenario or [`Trial`], in whatever order
//! and on however many threads it likes, and hands the results back.

mod compare;
mod figures;
mod policies;
pub mod published;
mod statistics;
mod sweep;
mod trial;
mod vary;

pub use compare::{Comparison, Figure, Table};
pub use figures::figures;
pub use policies::{GatePolicy, POLICIES, policy};
pub use statistics::Spread;
pub use sweep::{Point, Shard, Sweep};
pub use trial::{Measured, Plan, Trial};
pub use vary::Axis;
