//! From a machine and its tree to the recorded form.

use super::{Recorded, RecordedChain, RecordedCpu, RecordedGroup, RecordedLevel, RecordedNode};
use crate::topology::{Cpu, CpuMask, Domain, DomainTree, Group, Machine, TopologyRules};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

impl Recorded {
    /// The machine and its tree; `release` is only written down.
    pub fn of(machine: &Machine, tree: &DomainTree, rules: &TopologyRules, release: &str) -> Self {
        let lazy = Chains { machine, tree, rules };
        Self { domains: lazy.each().collect(), ..Self::machine_alone(machine, release) }
    }

    fn machine_alone(machine: &Machine, release: &str) -> Self {
        Self {
            name: Some(machine.name.clone()),
            release: Some(release.to_owned()),
            node_reclaim_distance: Some(machine.node_reclaim_distance),
            x86: Some(machine.x86),
            hybrid: machine.hybrid,
            itmt: machine.itmt,
            granite_rapids: machine.granite_rapids,
            isolated: Some(machine.cpus.iter().filter(|c| !c.active).map(|c| c.id).collect()),
            cpus: recorded_cpus(machine),
            nodes: recorded_nodes(machine),
            domains: Vec::new(),
        }
    }
}

/// A machine and its tree for writing as JSON, as [`Recorded`] would be, but made one CPU at a time: on a
/// machine of thousands of CPUs the whole of it is larger than the tree by far.
#[derive(Serialize)]
pub struct TreeJson<'a> {
    #[serde(flatten)]
    machine: Recorded,
    domains: Chains<'a>,
}

impl<'a> TreeJson<'a> {
    /// The machine and its tree; `release` is only written down.
    pub fn new(machine: &'a Machine, tree: &'a DomainTree, rules: &'a TopologyRules, release: &str) -> Self {
        let domains = Chains { machine, tree, rules };
        Self { machine: Recorded::machine_alone(machine, release), domains }
    }
}

#[derive(Clone, Copy)]
struct Chains<'a> {
    machine: &'a Machine,
    tree: &'a DomainTree,
    rules: &'a TopologyRules,
}

impl<'a> Chains<'a> {
    /// The chains of the CPUs that have domains.
    fn each(self) -> impl Iterator<Item = RecordedChain> + 'a {
        let Self { machine, tree, rules } = self;
        let with_domains = machine.cpus.iter().enumerate().filter(|(c, _)| !tree.chain(*c).is_empty());
        with_domains.map(move |(index, cpu)| RecordedChain {
            cpu: cpu.id,
            levels: tree.chain(index).iter().map(|sd| recorded_level(machine, tree, rules, sd)).collect(),
        })
    }
}

impl Serialize for Chains<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.each())
    }
}

fn ids(machine: &Machine, mask: &CpuMask) -> Vec<u32> {
    mask.iter().map(|c| machine.cpus[c].id).collect()
}

/// One domain in the recorded form, all fields given.
fn recorded_level(machine: &Machine, tree: &DomainTree, rules: &TopologyRules, sd: &Domain) -> RecordedLevel {
    RecordedLevel {
        name: sd.name.as_str().to_owned(),
        min_interval: Some(sd.min_interval),
        max_interval: Some(sd.max_interval),
        busy_factor: Some(sd.busy_factor),
        imbalance_pct: Some(sd.imbalance_pct),
        cache_nice_tries: Some(sd.cache_nice_tries),
        imb_numa_nr: Some(sd.imb_numa_nr),
        flags: Some(sd.flags.names(rules).into_iter().map(str::to_owned).collect()),
        span: ids(machine, &sd.span),
        groups: sd.groups.iter().map(|&id| recorded_group(machine, tree.group(id))).collect(),
    }
}

fn recorded_group(machine: &Machine, group: &Group) -> RecordedGroup {
    RecordedGroup {
        first: machine.cpus[group.balance_cpu].id,
        span: ids(machine, &group.span),
        mask: (group.mask != group.span).then(|| ids(machine, &group.mask)),
        capacity: (group.capacity != 1024).then_some(group.capacity),
    }
}

fn recorded_nodes(machine: &Machine) -> Vec<RecordedNode> {
    let rows = machine.nodes.iter().zip(&machine.distances).enumerate();
    let node = |(index, (node, row)): (usize, (&crate::topology::Node, &Vec<u32>))| RecordedNode {
        node: node.id,
        cpus: machine.cpus.iter().filter(|c| c.node as usize == index).map(|c| c.id).collect(),
        distance: row.clone(),
    };
    rows.map(node).collect()
}

fn recorded_cpus(machine: &Machine) -> Vec<RecordedCpu> {
    let members = |key: &dyn Fn(&Cpu) -> Option<u32>| {
        let mut sets: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for cpu in &machine.cpus {
            if let Some(k) = key(cpu) {
                sets.entry(k).or_default().push(cpu.id);
            }
        }
        sets
    };
    let smt = members(&|c| Some(c.core));
    let llc = members(&|c| Some(c.llc));
    let cluster = members(&|c| c.cluster);
    let cpu = |c: &Cpu| RecordedCpu {
        cpu: c.id,
        core: Some(i64::from(c.core)),
        package: Some(i64::from(c.package)),
        die: machine.x86.then_some(0),
        smt_siblings: smt.get(&c.core).cloned(),
        llc: llc.get(&c.llc).cloned(),
        cluster: c.cluster.and_then(|k| cluster.get(&k).cloned()),
        capacity: (!machine.x86 || c.capacity != 1024).then_some(c.capacity),
    };
    machine.cpus.iter().map(cpu).collect()
}
