//! What differs from release to release in how the domain tree is built.

use super::{LevelName, Release};
use serde::{Deserialize, Serialize};

/// From which pairs of nodes the NUMA levels' distances are collected (`sched_init_numa`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumaDistances {
    /// Node 0's row alone (4.19).
    Node0Row,
    /// All ordered pairs of nodes with CPUs.
    AllPairs,
}

/// What becomes of the distances between packages on Granite Rapids and Clearwater Forest with several nodes
/// a package (`arch_sched_node_distance`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SncDistances {
    /// Used as the firmware gives them.
    AsGiven,
    /// Every distance of 20 or more becomes the average of all such distances (6.19).
    AverageRemote,
    /// With three or more nodes a package, each pair of packages gets the average of its own distances, if
    /// the distances within packages are symmetric (after 6.19).
    AverageBlocks,
}

/// When the package level carries ASYM_PACKING on a machine with favoured cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum AsymPackingPackage {
    Never,
    Hybrid,
    Always,
}

/// What the flags of a group do when a level is dropped (`cpu_attach_domain`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupFlags {
    /// Groups have no flags (4.19).
    None,
    /// They stay as built (6.1).
    AsBuilt,
    /// The first group of the level above takes the flags of the level that survives.
    Refreshed,
}

/// The name under which the flag of levels inside one last-level cache is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlcFlagName {
    /// `SD_SHARE_PKG_RESOURCES`, through 6.8.
    SharePkgResources,
    /// `SD_SHARE_LLC`.
    ShareLlc,
}

/// Switches and constants of domain building (`kernel/sched/topology.c` and the architectures' level tables).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopologyRules {
    /// There is a CLS level.
    pub cluster_level: bool,
    /// There is a CLS level on x86 hybrids too.
    pub hybrid_cluster_level: bool,
    /// CLS carries the CLUSTER flag.
    pub cluster_flag: bool,
    /// DIE or PKG.
    pub package_level: LevelName,
    /// Printed name of the LLC flag.
    pub llc_flag: LlcFlagName,
    /// Where NUMA distances come from.
    pub numa_distances: NumaDistances,
    /// Distances between packages of Granite Rapids.
    pub snc_distances: SncDistances,
    /// NUMA distances above the machine's reclaim distance, but at most above this, lose the fork, exec and
    /// wake-affine flags. 4.19 knows no run-time setting and uses 30.
    pub reclaim_distance_cap: Option<u32>,
    /// Factor on the balance interval of a busy CPU.
    pub busy_factor: u32,
    /// Percent, levels of SMT siblings.
    pub imbalance_pct_smt: u32,
    /// Percent, other levels inside one last-level cache.
    pub imbalance_pct_llc: u32,
    /// Percent, all other levels.
    pub imbalance_pct_other: u32,
    /// Domains carry LOAD_BALANCE.
    pub load_balance_flag: bool,
    /// NUMA levels carry OVERLAP.
    pub overlap_flag: bool,
    /// Unequal capacities in a span set the ASYM_CPUCAPACITY flags.
    pub asym_capacity: bool,
    /// SMT carries ASYM_PACKING on a machine with favoured cores.
    pub asym_packing_smt: bool,
    /// DIE or PKG carries ASYM_PACKING on a machine with favoured cores.
    pub asym_packing_package: AsymPackingPackage,
    /// A NUMA group that would leave the domain is built from a lower level (`find_descended_sibling`).
    pub group_descent: bool,
    /// Flags of groups.
    pub group_flags: GroupFlags,
    /// A level of one group is kept for its NUMA, OVERLAP, ASYM_PACKING, BALANCE_WAKE or SERIALIZE flag.
    pub one_group_keeps_numa: bool,
    /// Levels above the node are built. Without them no domain holds CPUs of two nodes, as once after a CPU was
    /// taken off line and back (the "missing scheduling domains" of 2016).
    pub numa_levels: bool,
    /// Domains have an `imb_numa_nr`.
    pub imb_numa_nr: bool,
    /// Boot option `relax_domain_level`: levels above it lose BALANCE_NEWIDLE.
    pub relax_domain_level: Option<u32>,
    /// The level equal to `relax_domain_level` loses it too.
    pub relax_inclusive: bool,
}

impl TopologyRules {
    /// The rules of a release.
    pub fn of(release: Release) -> Self {
        match release {
            Release::V4_19 => Self::v4_19(),
            Release::V6_1 => Self::v6_1(),
            Release::V6_6 => Self::v6_6(),
            Release::V6_12 => Self::v6_12(),
            Release::V6_17 => Self::v6_17(),
            Release::V6_19 => Self::v6_19(),
            Release::V7_1 => Self::v7_1(),
        }
    }

    fn v4_19() -> Self {
        Self {
            cluster_level: false,
            hybrid_cluster_level: false,
            numa_distances: NumaDistances::Node0Row,
            reclaim_distance_cap: Some(30),
            busy_factor: 32,
            imbalance_pct_other: 125,
            load_balance_flag: true,
            asym_capacity: false,
            asym_packing_smt: true,
            asym_packing_package: AsymPackingPackage::Never,
            group_descent: false,
            group_flags: GroupFlags::None,
            one_group_keeps_numa: true,
            imb_numa_nr: false,
            ..Self::v6_6()
        }
    }

    fn v6_1() -> Self {
        Self {
            hybrid_cluster_level: false,
            asym_packing_smt: true,
            asym_packing_package: AsymPackingPackage::Never,
            group_flags: GroupFlags::AsBuilt,
            relax_inclusive: true,
            ..Self::v6_6()
        }
    }

    fn v6_6() -> Self {
        Self {
            cluster_level: true,
            hybrid_cluster_level: true,
            cluster_flag: false,
            package_level: LevelName::Die,
            llc_flag: LlcFlagName::SharePkgResources,
            numa_distances: NumaDistances::AllPairs,
            snc_distances: SncDistances::AsGiven,
            reclaim_distance_cap: None,
            busy_factor: 16,
            imbalance_pct_smt: 110,
            imbalance_pct_llc: 117,
            imbalance_pct_other: 117,
            load_balance_flag: false,
            overlap_flag: true,
            asym_capacity: true,
            asym_packing_smt: false,
            asym_packing_package: AsymPackingPackage::Hybrid,
            group_descent: true,
            group_flags: GroupFlags::Refreshed,
            one_group_keeps_numa: false,
            numa_levels: true,
            imb_numa_nr: true,
            relax_domain_level: None,
            relax_inclusive: false,
        }
    }

    fn v6_12() -> Self {
        Self {
            cluster_flag: true,
            package_level: LevelName::Pkg,
            llc_flag: LlcFlagName::ShareLlc,
            relax_inclusive: true,
            ..Self::v6_6()
        }
    }

    fn v6_17() -> Self {
        Self { overlap_flag: false, asym_packing_package: AsymPackingPackage::Always, ..Self::v6_12() }
    }

    fn v6_19() -> Self {
        Self { snc_distances: SncDistances::AverageRemote, ..Self::v6_17() }
    }

    fn v7_1() -> Self {
        Self { snc_distances: SncDistances::AverageBlocks, ..Self::v6_19() }
    }
}
