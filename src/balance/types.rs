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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum GroupType {
    #[default]
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

/// A group's statistics as one pass sees them (6.x `sg_lb_stats`). What passes read and change of many groups comes
/// first and fills one cache line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct GroupStats {
    /// Sum of `cfs load_avg`.
    pub load: u64,
    /// Sum of utilization.
    pub util: u64,
    /// Sum of `runnable_avg`.
    pub runnable: u64,
    /// `load x 1024 / capacity`, only for overloaded groups, else 0.
    pub avg_load: u64,
    /// Capacity of the group.
    pub capacity: u64,
    /// Tasks of all classes.
    pub nr_running: u32,
    /// CFS tasks.
    pub h_nr_running: u32,
    /// CPUs with nothing to run.
    pub idle_cpus: u32,
    /// CPUs in the whole group.
    pub weight: u32,
    /// Set by classification.
    pub group_type: GroupType,
    /// Whether this is the group of the CPU that balances.
    pub local: bool,
    /// The group's imbalance flag (pinned tasks).
    pub imbalance_flag: bool,
    /// The group's domain flags hold SHARE_CPUCAPACITY.
    pub smt: bool,
    /// The group's domain flags hold PREFER_SIBLING.
    pub prefer_sibling: bool,
    /// Largest misfit load.
    pub misfit_load: u64,
    /// Smallest capacity of a CPU in it.
    pub min_capacity: u64,
    /// Largest capacity of a CPU in it.
    pub max_capacity: u64,
    /// Priority of the group's preferred CPU under asymmetric packing: higher is preferred.
    pub priority: i64,
    /// Fully or partly idle cores are counted in cores from 6.6.
    pub cores: u32,
}

/// What a pass knows about the domain it balances and the CPU it pulls to (6.x `lb_env`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainView {
    /// For what kind of CPU.
    pub idle: IdleType,
    /// Percent.
    pub imbalance_pct: u32,
    /// The CPU's own child domain has SD_PREFER_SIBLING (false without child).
    pub child_prefer_sibling: bool,
    /// Tasks by which NUMA nodes may differ.
    pub imb_numa_nr: u32,
    /// SD_NUMA.
    pub numa: bool,
    /// SD_SHARE_PKG_RESOURCES, later SD_SHARE_LLC.
    pub share_llc: bool,
    /// SD_SHARE_CPUCAPACITY: siblings of a core.
    pub smt: bool,
    /// SD_ASYM_CPUCAPACITY.
    pub asym_capacity: bool,
    /// SD_ASYM_PACKING.
    pub asym_packing: bool,
    /// Capacity of the destination CPU.
    pub dst_capacity: u64,
    /// All siblings of the destination are idle (true without siblings).
    pub dst_core_idle: bool,
    /// Priority of the destination under asymmetric packing: higher is preferred.
    pub dst_priority: i64,
    /// Energy-aware placement is active and the domain is not overutilised.
    pub energy_aware: bool,
}

/// One CPU as group statistics, queue choice and nohz see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuStats {
    /// `cfs load_avg`.
    pub load: u64,
    /// `util_avg`.
    pub util_avg: u64,
    /// `util_est` of the queue; 0 where the release has none.
    pub util_est: u64,
    /// `runnable_avg`.
    pub runnable: u64,
    /// Tasks of all classes.
    pub nr_running: u32,
    /// CFS tasks, those included whose dequeue is delayed.
    pub h_nr_queued: u32,
    /// CFS tasks without those.
    pub h_nr_runnable: u32,
    /// `idle_cpu()`: the idle task is current, nothing is queued and no wake-up is pending.
    pub idle: bool,
    /// Capacity left for CFS.
    pub capacity: u64,
    /// Capacity without pressure from other classes.
    pub original_capacity: u64,
    /// Load of a task too big for this CPU, else 0.
    pub misfit_load: u64,
}

impl CpuStats {
    /// `cpu_util_cfs`: utilization, estimated at least, and at most the original capacity.
    pub fn util(&self) -> u64 {
        self.util_avg.max(self.util_est).min(self.original_capacity)
    }

    /// `cpu_util_cfs_boost` (6.5): the same, but at least what wants to run.
    pub fn util_boosted(&self) -> u64 {
        self.util_avg.max(self.runnable).max(self.util_est).min(self.original_capacity)
    }

    /// `check_cpu_capacity`: capacity is noticeably reduced by other classes, by this domain's percentage.
    pub fn capacity_reduced(&self, imbalance_pct: u32) -> bool {
        self.capacity.saturating_mul(u64::from(imbalance_pct)) < self.original_capacity.saturating_mul(100)
    }
}

/// A read-only view of the machine's CPUs. Indices are those of [`crate::topology::CpuMask`].
pub trait CpuView {
    /// One CPU's values now.
    fn stats(&self, cpu: usize) -> CpuStats;
    /// Whether the CPU is idle (`idle_cpu`).
    fn idle(&self, cpu: usize) -> bool;
    /// Whether all other threads of its core are idle; true without siblings (`is_core_idle`).
    fn siblings_idle(&self, cpu: usize) -> bool;
}
