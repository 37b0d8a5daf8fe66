//! What a machine is made of, as far as the scheduler sees it.

use serde::{Deserialize, Serialize};

/// One CPU (a hardware thread). The sharing fields are group numbers, unique in the whole machine: two CPUs
/// share the thing exactly if their numbers are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// The kernel's CPU number; numbers may have gaps.
    pub id: u32,
    /// SMT siblings share this number.
    pub core: u32,
    /// CPUs with a common second-level cache (x86) or firmware cluster (Arm) share this number. `None` where
    /// the machine does not say; the kernel then takes the SMT siblings.
    pub cluster: Option<u32>,
    /// CPUs with a common last-level cache share this number.
    pub llc: u32,
    /// Physical package.
    pub package: u32,
    /// Index into [`Machine::nodes`].
    pub node: u32,
    /// Compute capacity, 1024 for the biggest CPU of the machine.
    pub capacity: u32,
    /// False for a CPU kept out of all domains (`isolcpus`).
    pub active: bool,
}

/// One NUMA node. It may have no CPUs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// The kernel's node number; numbers may have gaps.
    pub id: u32,
}

/// A machine: the input from which a domain tree is built. No field depends on a kernel release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// A short name for people.
    pub name: String,
    /// CPUs in ascending order of `id`. A CPU's place here is its index everywhere else.
    pub cpus: Vec<Cpu>,
    /// Nodes in ascending order of `id`.
    pub nodes: Vec<Node>,
    /// `distances[a][b]`: distance from node index a to node index b, 10 for local. Square; may be asymmetric.
    pub distances: Vec<Vec<u32>>,
    /// An x86 hybrid CPU (level rules differ in 6.1).
    pub hybrid: bool,
    /// True if an x86 machine (package and LLC rules differ from Arm's).
    pub x86: bool,
    /// True if x86 favoured-core scheduling (ITMT) is on: some levels then carry ASYM_PACKING.
    #[serde(default)]
    pub itmt: bool,
    /// True on Granite Rapids and Clearwater Forest, whose distances between packages later releases average
    /// when a package holds several nodes.
    #[serde(default)]
    pub granite_rapids: bool,
    /// NUMA levels with a distance above this lose the fork, exec and wake-affine flags. 30 by default, 10 on
    /// powerpc, 32 on AMD Zen (releases after 4.19).
    pub node_reclaim_distance: u32,
}
