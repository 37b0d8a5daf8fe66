//! Everything a run depends on, its checks and its URL. This room knows no engine.
//!
//! [`Scenario::parse`] reads whatever a person has (a link, a fragment, JSON) and never fails;
//! [`Scenario::fragment`] writes the one canonical form. What lies between is split by purpose: `link` is text,
//! `keys` the order, `value`, `units`, `knobs` and `machine` single values, `pack` a machine in a link.

mod catalogue;
pub mod costs;
mod json;
mod keys;
mod knobs;
pub mod library;
mod link;
mod machine;
mod pack;
mod range;
mod read;
mod report;
mod script;
#[cfg(test)]
mod tests;
mod types;
mod units;
mod value;
mod with;
mod write;

pub use range::range;
pub use read::FORMAT_VERSION;
pub use script::{Op, Script, ScriptTask};
pub use types::{
    Change, ChangeTo, Freq, Hz, Knobs, MachineSpec, MigrationCost, OverloadMode, Preempt, Scenario, Show,
    Ticks, Warning, WorkloadSpec,
};
