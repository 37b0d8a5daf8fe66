//! Everything a run depends on, its checks and its URL. This room knows no engine.

mod types;

pub use types::{
    Change, ChangeTo, Hz, Knobs, MachineSpec, MigrationCost, OverloadMode, Preempt, Scenario, Warning,
    WorkloadSpec,
};
