//! The tree: for every CPU its chain of domains, bottom up.

use super::{CpuMask, Machine, SdFlags, TopologyRules};
use serde::{Deserialize, Serialize};

/// The kernel's name of a topology level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum LevelName {
    Smt,
    Cls,
    Mc,
    Die,
    Pkg,
    Node,
    Numa,
}

impl LevelName {
    /// As the kernel prints it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Smt => "SMT",
            Self::Cls => "CLS",
            Self::Mc => "MC",
            Self::Die => "DIE",
            Self::Pkg => "PKG",
            Self::Node => "NODE",
            Self::Numa => "NUMA",
        }
    }
}

/// Index into [`DomainTree::groups`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// One scheduling group as it stands in the lists of one or more CPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// CPUs of the group.
    pub span: CpuMask,
    /// CPUs that may balance for the group; equals `span` except in overlapping NUMA groups.
    pub mask: CpuMask,
    /// First CPU of `mask`: the number the kernel prints before the group.
    pub balance_cpu: usize,
    /// Sum of capacities.
    pub capacity: u64,
    /// Flags copied from the child domain at build (release rules for dropped levels applied).
    pub flags: SdFlags,
    /// Index of the state shared by all groups with the same (level, balance CPU): imbalance flag, next
    /// update. Below [`DomainTree::group_states`].
    pub state: usize,
}

/// One domain object of one CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Index into [`DomainTree::levels`].
    pub slot: usize,
    /// Level number before degenerate levels were removed.
    pub level: u32,
    /// Name of the level.
    pub name: LevelName,
    /// CPUs of the domain.
    pub span: CpuMask,
    /// Flags after removal of degenerate levels.
    pub flags: SdFlags,
    /// Milliseconds; also the weight of the level before isolated CPUs were taken out, with which an LLC's
    /// `nr_busy_cpus` starts.
    pub min_interval: u32,
    /// Milliseconds.
    pub max_interval: u32,
    /// Factor on the interval of a busy CPU.
    pub busy_factor: u32,
    /// Percent.
    pub imbalance_pct: u32,
    /// Failed attempts before hot tasks move.
    pub cache_nice_tries: u32,
    /// Imbalance of tasks allowed between NUMA nodes; 0 in 4.19, which has none.
    pub imb_numa_nr: u32,
    /// Groups in the CPU's own order: its own first, then wrapping upward.
    pub groups: Vec<GroupId>,
}

/// A level that survives on at least one CPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// Level number before removal.
    pub level: u32,
    /// Name of the level.
    pub name: LevelName,
}

/// The domains of every CPU of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainTree {
    /// Surviving levels of the whole machine, bottom up.
    pub levels: Vec<Level>,
    /// `chains[cpu]`: that CPU's domains, bottom up. Empty for an isolated CPU or a machine of one.
    pub chains: Vec<Vec<Domain>>,
    /// All group objects.
    pub groups: Vec<Group>,
    /// How many shared group states there are.
    pub group_states: usize,
}

impl DomainTree {
    /// Builds the tree as that release would. Errors are one sentence for a person.
    pub fn build(machine: &Machine, rules: &TopologyRules) -> Result<Self, String> {
        super::build::build(machine, rules)
    }

    /// A CPU's domains, bottom up.
    pub fn chain(&self, cpu: usize) -> &[Domain] {
        &self.chains[cpu]
    }

    /// A group object.
    pub fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.0 as usize]
    }
}
