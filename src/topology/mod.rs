//! A machine (CPUs, caches, nodes, distances) becomes the tree of scheduling domains that a kernel of a
//! chosen release would build for it. This room knows no tasks and no time.

mod domain;
mod machine;
mod mask;
mod rules;

pub use domain::{Domain, DomainTree, Group, GroupId, Level, LevelName, SdFlags};
pub use machine::{Cpu, Machine, Node};
pub use mask::CpuMask;
pub use rules::{Release, TopologyRules};
