//! Regular machines, from a few numbers.

use crate::topology::{Cpu, Machine, Node};

/// How the kernel's CPU numbers run over the threads of cores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// First threads of all cores, then second threads: most x86 servers.
    FirstThreadsFirst,
    /// The threads of a core one after another: POWER, and x86 laptops.
    Consecutive,
}

/// A machine of equal packages, nodes, last-level caches, cores.
#[derive(Clone, Copy)]
pub struct Shape {
    pub packages: u32,
    pub nodes_per_package: u32,
    pub llcs_per_node: u32,
    pub cores_per_llc: u32,
    pub threads: u32,
    pub numbering: Numbering,
    /// Distance between nodes of one package.
    pub near: u32,
    /// Distance between nodes of different packages.
    pub far: u32,
}

impl Shape {
    /// One node and one cache a package, distance 21, two-thread numbering as on x86 servers.
    pub const GRID: Self = Self {
        packages: 1,
        nodes_per_package: 1,
        llcs_per_node: 1,
        cores_per_llc: 1,
        threads: 1,
        numbering: Numbering::FirstThreadsFirst,
        near: 12,
        far: 21,
    };

    /// An x86 machine of this shape, without a name.
    pub fn machine(self) -> Machine {
        let cores_per_node = self.llcs_per_node * self.cores_per_llc;
        let nodes = self.packages * self.nodes_per_package;
        let cores = nodes * cores_per_node;
        let cpu = |id: u32| {
            let core = match self.numbering {
                Numbering::FirstThreadsFirst => id % cores,
                Numbering::Consecutive => id / self.threads,
            };
            let node = core / cores_per_node;
            Cpu {
                id,
                core,
                cluster: None,
                llc: core / self.cores_per_llc,
                package: node / self.nodes_per_package,
                node,
                capacity: 1024,
                active: true,
            }
        };
        Machine {
            name: String::new(),
            cpus: (0..cores * self.threads).map(cpu).collect(),
            nodes: (0..nodes).map(|id| Node { id }).collect(),
            distances: (0..nodes).map(|a| (0..nodes).map(|b| self.distance(a, b)).collect()).collect(),
            hybrid: false,
            x86: true,
            itmt: false,
            granite_rapids: false,
            node_reclaim_distance: 30,
        }
    }

    fn distance(self, a: u32, b: u32) -> u32 {
        if a == b {
            10
        } else if a / self.nodes_per_package == b / self.nodes_per_package {
            self.near
        } else {
            self.far
        }
    }
}
