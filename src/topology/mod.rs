//! A machine (CPUs, caches, nodes, distances) becomes the tree of scheduling domains that a kernel of a
//! chosen release would build for it. This room knows no tasks and no time.

mod build;
mod check;
mod derived;
pub(crate) mod distinct;
mod domain;
mod flags;
pub mod library;
mod machine;
mod mask;
mod recorded;
mod release;
mod rules;

pub use check::{MAX_CPUS, MAX_NODES, MachineCheck};
pub use domain::{Domain, DomainTree, Group, GroupId, Level, LevelName};
pub use flags::SdFlags;
pub use machine::{Cpu, Machine, Node};
pub use mask::{CpuMask, cpu_list};
pub use recorded::{
    Recorded, RecordedChain, RecordedCpu, RecordedGroup, RecordedLevel, RecordedNode, TreeJson,
};
pub use release::Release;
pub use rules::{AsymPackingPackage, GroupFlags, LlcFlagName, NumaDistances, SncDistances, TopologyRules};
