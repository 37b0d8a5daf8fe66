//! A machine and its domain tree as JSON: what a recording of a running kernel holds, and what
//! `balancescope tree --json` prints.

mod read;
mod write;

use serde::{Deserialize, Serialize};
pub use write::TreeJson;

/// A machine, and the domains of each of its CPUs as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recorded {
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The kernel release that built the domains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// Distance above which NUMA levels lose flags; 30 where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_reclaim_distance: Option<u32>,
    /// Whether this is an x86 machine; where it is left out, a `die` of null says that it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x86: Option<bool>,
    /// See [`super::Machine::hybrid`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hybrid: bool,
    /// See [`super::Machine::itmt`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub itmt: bool,
    /// See [`super::Machine::granite_rapids`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub granite_rapids: bool,
    /// CPUs kept out of all domains, as numbers or as the kernel's list `1,6-7`. Where this is left out, a CPU
    /// without an entry in `domains` is taken as isolated if other CPUs have one.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "read::isolated")]
    pub isolated: Option<Vec<u32>>,
    /// All CPUs.
    pub cpus: Vec<RecordedCpu>,
    /// All nodes.
    pub nodes: Vec<RecordedNode>,
    /// The domains of each CPU that has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<RecordedChain>,
}

/// One CPU; the lists hold CPU numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordedCpu {
    /// The kernel's number.
    pub cpu: u32,
    /// Core number, perhaps unique only in its package.
    pub core: Option<i64>,
    /// Physical package.
    pub package: Option<i64>,
    /// Null on Arm.
    pub die: Option<i64>,
    /// SMT siblings, itself included.
    pub smt_siblings: Option<Vec<u32>>,
    /// CPUs with the same last-level cache, as sysfs shows them.
    pub llc: Option<Vec<u32>>,
    /// CPUs with the same second-level cache (x86) or firmware cluster (Arm).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Vec<u32>>,
    /// 1024 where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
}

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordedNode {
    /// The kernel's number.
    pub node: u32,
    /// Its CPUs, perhaps none.
    pub cpus: Vec<u32>,
    /// Its row of the distance matrix.
    pub distance: Vec<u32>,
}

/// The domains of one CPU, bottom up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedChain {
    /// Whose.
    pub cpu: u32,
    /// Bottom up.
    pub levels: Vec<RecordedLevel>,
}

/// One domain. What a recording leaves out is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct RecordedLevel {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_interval: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_interval: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_factor: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imbalance_pct: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_nice_tries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imb_numa_nr: Option<u32>,
    /// In bit order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<Vec<String>>,
    pub span: Vec<u32>,
    /// In the CPU's own order.
    pub groups: Vec<RecordedGroup>,
}

/// One group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedGroup {
    /// The balance CPU: first of the mask.
    pub first: u32,
    /// Its CPUs.
    pub span: Vec<u32>,
    /// CPUs that may balance for it, where they are not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<Vec<u32>>,
    /// Capacity, where it is not 1024.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u64>,
}

impl RecordedGroup {
    /// CPUs that may balance for the group.
    pub fn balance_mask(&self) -> &[u32] {
        self.mask.as_deref().unwrap_or(&self.span)
    }

    /// Sum of capacities.
    pub fn full_capacity(&self) -> u64 {
        self.capacity.unwrap_or(1024)
    }
}
