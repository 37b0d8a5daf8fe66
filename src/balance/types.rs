//! The vocabulary of a balance pass.

use serde::{Deserialize, Serialize};

/// For what kind of CPU a pass runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdleType {
    /// `CPU_IDLE`: a periodic pass on an idle CPU, or a nohz pass on its behalf.
    Idle,
    /// `CPU_NOT_IDLE`: a periodic pass on a busy CPU.
    Busy,
    /// `CPU_NEWLY_IDLE`: the CPU is about to go idle.
    Newidle,
}

/// What a group's load is like, in ascending priority to be pulled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum GroupType {
    HasSpare,
    FullyBusy,
    Misfit,
    SmtBalance,
    AsymPacking,
    Imbalanced,
    Overloaded,
}

/// In what unit an imbalance is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum MigrationType {
    Load,
    Util,
    Task,
    Misfit,
}

/// A group's statistics as one pass sees them (6.x).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupStats {
    /// Whether this is the group of the CPU that balances.
    pub local: bool,
    /// Sum of `cfs load_avg`.
    pub load: u64,
    /// Sum of utilization.
    pub util: u64,
    /// Sum of `runnable_avg`.
    pub runnable: u64,
    /// Tasks of all classes.
    pub nr_running: u32,
    /// CFS tasks.
    pub h_nr_running: u32,
    /// CPUs with nothing to run.
    pub idle_cpus: u32,
    /// CPUs in the whole group.
    pub weight: u32,
    /// Capacity of the group.
    pub capacity: u64,
    /// Smallest capacity of a CPU in it.
    pub min_capacity: u64,
    /// Largest capacity of a CPU in it.
    pub max_capacity: u64,
    /// The group's imbalance flag (pinned tasks).
    pub imbalance_flag: bool,
    /// Largest misfit load.
    pub misfit_load: u64,
    /// The group's domain flags hold SHARE_CPUCAPACITY.
    pub smt: bool,
    /// Fully or partly idle cores are counted in cores from 6.6.
    pub cores: u32,
    /// Set by classification.
    pub group_type: GroupType,
    /// `load x 1024 / capacity`, only for overloaded groups, else 0.
    pub avg_load: u64,
}
