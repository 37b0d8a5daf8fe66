//! The balancer's decisions as pure functions, and the rules of each release as data.
//!
//! This room knows no event queue and no world: it is given the values it reads and returns what it decided.
//! Every decision function takes a [`Why`] sink; with `&mut ()` a run without a reader pays nothing for it.

mod rules;
mod types;
mod why;

pub use rules::Rules;
pub use types::{GroupStats, GroupType, IdleType, MigrationType};
pub use why::{Condition, Op, Why};
