//! What is wrong with a machine, in sentences.

use super::distinct::{distinct, first_of, pair, second_of};
use super::{CpuMask, Machine, cpu_list};

/// More CPUs than this are refused.
pub const MAX_CPUS: usize = 4096;
/// More nodes than this are refused.
pub const MAX_NODES: usize = 1024;
/// CPUs x distances x nodes above this are refused: no real machine comes near.
const MAX_WORK: usize = 1 << 24;

/// What [`Machine::check`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MachineCheck {
    /// Why no tree can be built. The first is the most important.
    pub errors: Vec<String>,
    /// What is odd, and what is made of it.
    pub notes: Vec<String>,
}

impl Machine {
    /// Looks for what would make the machine unusable or is worth telling.
    pub fn check(&self) -> MachineCheck {
        let mut check = MachineCheck::default();
        check.errors.extend(self.size_error());
        if check.errors.is_empty() {
            check.errors.extend(self.number_errors());
        }
        if check.errors.is_empty() {
            check.errors.extend(self.distance_error());
        }
        if check.errors.is_empty() {
            check.errors.extend(self.core_error());
            check.errors.extend(self.work_error());
        }
        if check.errors.is_empty() {
            check.notes = self.notes();
        }
        check
    }

    /// CPU indices as the kernel's numbers, written as a list.
    pub fn list(&self, mask: &CpuMask) -> String {
        cpu_list(mask.iter().filter_map(|c| self.cpus.get(c)).map(|cpu| cpu.id as usize))
    }

    fn size_error(&self) -> Option<String> {
        let (cpus, nodes) = (self.cpus.len(), self.nodes.len());
        if cpus == 0 {
            Some("This machine has no CPUs.".to_owned())
        } else if cpus > MAX_CPUS {
            Some(format!("This machine has {cpus} CPUs; at most {MAX_CPUS} can be shown."))
        } else if nodes == 0 {
            Some("This machine has no NUMA nodes; even a small machine has one.".to_owned())
        } else if nodes > MAX_NODES {
            Some(format!("This machine has {nodes} NUMA nodes; at most {MAX_NODES} can be shown."))
        } else {
            None
        }
    }

    fn number_errors(&self) -> Option<String> {
        if let Some(pair) = self.cpus.windows(2).find(|p| p[0].id >= p[1].id) {
            return Some(format!(
                "CPU {} comes after CPU {}: CPU numbers must ascend.",
                pair[1].id, pair[0].id
            ));
        }
        if let Some(pair) = self.nodes.windows(2).find(|p| p[0].id >= p[1].id) {
            return Some(format!(
                "Node {} comes after node {}: node numbers must ascend.",
                pair[1].id, pair[0].id
            ));
        }
        if let Some(cpu) = self.cpus.iter().find(|c| c.node as usize >= self.nodes.len()) {
            return Some(format!("CPU {} lies in a node that the machine does not have.", cpu.id));
        }
        let cpu = self.cpus.iter().find(|c| c.capacity == 0 || c.capacity > 1024)?;
        Some(format!("CPU {} has capacity {}; it must be 1 to 1024.", cpu.id, cpu.capacity))
    }

    fn distance_error(&self) -> Option<String> {
        let nodes = self.nodes.len();
        if self.distances.len() != nodes {
            return Some(format!(
                "The distance matrix has {} rows for {nodes} nodes; it must be square.",
                self.distances.len()
            ));
        }
        for (node, row) in self.nodes.iter().zip(&self.distances) {
            if row.len() != nodes {
                return Some(format!(
                    "The distance matrix is not square: the row of node {} has {} values for {nodes} nodes.",
                    node.id,
                    row.len()
                ));
            }
            if let Some(d) = row.iter().find(|d| !(1..=255).contains(*d)) {
                return Some(format!("Node {} has a distance of {d}; distances are 1 to 255.", node.id));
            }
        }
        None
    }

    /// SMT siblings in two nodes would leave nothing to build groups from; the kernel ignores such a pairing.
    fn core_error(&self) -> Option<String> {
        let by_core = distinct(self.cpus.iter().zip(0..).map(|(cpu, place)| pair(cpu.core, place)).collect());
        let cpu = |of: &u64| &self.cpus[second_of(*of) as usize];
        // The one that comes first of those that lie elsewhere than the first of their core.
        let strays = by_core.chunk_by(|a, b| first_of(*a) == first_of(*b)).filter_map(|core| {
            let (first, others) = core.split_first()?;
            let stray = others.iter().find(|other| cpu(other).node != cpu(first).node)?;
            Some((second_of(*stray), first))
        });
        let (stray, first) = strays.min_by_key(|(stray, _)| *stray)?;
        let (first, stray) = (cpu(first).id, self.cpus[stray as usize].id);
        Some(format!("CPUs {first} and {stray} share a core but lie in different nodes."))
    }

    fn work_error(&self) -> Option<String> {
        let distances = distinct(self.distances.iter().flatten().map(|d| (*d).into()).collect());
        let work = self.cpus.len() * distances.len() * self.nodes.len();
        (work > MAX_WORK).then(|| {
            format!(
                "This machine has {} different distances between {} nodes, too many for {} CPUs.",
                distances.len(),
                self.nodes.len(),
                self.cpus.len()
            )
        })
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let asymmetric = (0..self.nodes.len())
            .flat_map(|a| (0..a).map(move |b| (b, a)))
            .find(|&(a, b)| self.distances[a][b] != self.distances[b][a]);
        if let Some((a, b)) = asymmetric {
            notes.push(format!(
                "The distance matrix is not symmetric (node {} to {} is {}, back {}); each CPU reads its own node's row.",
                self.nodes[a].id, self.nodes[b].id, self.distances[a][b], self.distances[b][a]
            ));
        }
        let local =
            (0..self.nodes.len()).find(|&n| self.distances[n].iter().any(|&d| d < self.distances[n][n]));
        if let Some(n) = local {
            notes.push(format!("Node {} is nearer to another node than to itself.", self.nodes[n].id));
        }
        if !self.cpus.iter().any(|c| c.active) {
            notes.push("Every CPU is isolated, so there are no domains.".to_owned());
        }
        notes
    }
}
