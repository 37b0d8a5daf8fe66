//! The levels of a machine, bottom up, and which CPUs each CPU sees at each of them.

use super::distance::{level_distances, nodes_with_cpus, numa_in_package, scheduler_distances};
use super::spans::{SpanId, Spans};
use crate::topology::distinct::{distinct, pair};
use crate::topology::{Cpu, CpuMask, LevelName, Machine, TopologyRules};

/// One level before any domain is built (`sched_domain_topology_level`).
pub struct TopologyLevel {
    /// Its name.
    pub name: LevelName,
    /// The distance up to which nodes belong to it, for NODE and NUMA.
    pub distance: Option<u32>,
    /// For every CPU, active or not, the CPUs it sees.
    pub masks: Vec<SpanId>,
}

/// All levels in the order in which they are tried.
pub fn levels(machine: &Machine, rules: &TopologyRules, spans: &mut Spans) -> Vec<TopologyLevel> {
    let mut levels = vec![plain(LevelName::Smt, by(machine, spans, &|c| one(c.core)))];
    let mc = mc_masks(machine, rules, spans);
    if rules.cluster_level && !(machine.x86 && machine.hybrid && !rules.hybrid_cluster_level) {
        levels.push(plain(LevelName::Cls, cls_masks(machine, &levels[0].masks, &mc, spans)));
    }
    levels.push(plain(LevelName::Mc, mc));
    if !numa_in_package(machine) {
        levels.push(plain(rules.package_level, by(machine, spans, &|c| one(c.node))));
    }
    let numa = numa_levels(machine, rules, spans);
    levels.extend(numa.into_iter().filter(|level| rules.numa_levels || level.name != LevelName::Numa));
    levels
}

fn plain(name: LevelName, masks: Vec<SpanId>) -> TopologyLevel {
    TopologyLevel { name, distance: None, masks }
}

/// For each CPU, the CPUs with the same key; for one without a key, none.
fn by(machine: &Machine, spans: &mut Spans, key: &dyn Fn(&Cpu) -> Option<u64>) -> Vec<SpanId> {
    let keys: Vec<Option<u64>> = machine.cpus.iter().map(key).collect();
    let known = distinct(keys.iter().flatten().copied().collect());
    let mut sets = vec![CpuMask::empty(machine.cpus.len()); known.len()];
    let places: Vec<Option<usize>> = keys.iter().map(|k| known.binary_search(&(*k)?).ok()).collect();
    for (cpu, place) in places.iter().enumerate() {
        if let Some(set) = place.and_then(|p| sets.get_mut(p)) {
            set.insert(cpu);
        }
    }
    let ids: Vec<SpanId> = sets.into_iter().map(|mask| spans.id(mask)).collect();
    let none = spans.id(CpuMask::empty(machine.cpus.len()));
    places.into_iter().map(|place| place.map_or(none, |p| ids[p])).collect()
}

/// The key of a number that is unique in the machine.
fn one(number: u32) -> Option<u64> {
    Some(number.into())
}

/// CPUs of one last-level cache inside one node.
fn mc_masks(machine: &Machine, rules: &TopologyRules, spans: &mut Spans) -> Vec<SpanId> {
    let llc = by(machine, spans, &|c| Some(pair(c.llc, c.node)));
    if machine.x86 {
        return llc;
    }
    let node = by(machine, spans, &|c| one(c.node));
    let package = by(machine, spans, &|c| one(c.package));
    let cluster = clusters(machine, spans);
    let smallest = |c: usize| {
        let mut mask = node[c];
        for smaller in [package[c], llc[c]] {
            if spans.is_subset(smaller, mask) {
                mask = smaller;
            }
        }
        let widens =
            rules.cluster_level && machine.cpus[c].cluster.is_some() && spans.is_subset(mask, cluster[c]);
        if widens { cluster[c] } else { mask }
    };
    (0..machine.cpus.len()).map(smallest).collect()
}

/// CPUs of one cluster inside one node; none where the cluster is unknown.
fn clusters(machine: &Machine, spans: &mut Spans) -> Vec<SpanId> {
    by(machine, spans, &|c| Some(pair(c.cluster?, c.node)))
}

/// CPUs of one second-level cache or firmware cluster, or the SMT siblings where that is unknown or (on Arm)
/// no smaller than MC.
fn cls_masks(machine: &Machine, smt: &[SpanId], mc: &[SpanId], spans: &mut Spans) -> Vec<SpanId> {
    let cluster = clusters(machine, spans);
    let of = |c: usize| {
        let covers_mc = !machine.x86 && spans.is_subset(mc[c], cluster[c]);
        if machine.cpus[c].cluster.is_none() || covers_mc { smt[c] } else { cluster[c] }
    };
    (0..machine.cpus.len()).map(of).collect()
}

/// NODE and the NUMA levels.
fn numa_levels(machine: &Machine, rules: &TopologyRules, spans: &mut Spans) -> Vec<TopologyLevel> {
    let distances = scheduler_distances(machine, rules);
    let with = nodes_with_cpus(machine);
    let steps = level_distances(machine, &distances, rules);
    let level = |(k, &reach): (usize, &u32)| {
        let of_node: Vec<SpanId> = (0..machine.nodes.len())
            .map(|n| spans.id(reached(machine, &with, &distances[n], reach)))
            .collect();
        TopologyLevel {
            name: if k == 0 { LevelName::Node } else { LevelName::Numa },
            distance: Some(reach),
            masks: machine.cpus.iter().map(|c| of_node[c.node as usize]).collect(),
        }
    };
    steps.iter().enumerate().map(level).collect()
}

/// The CPUs of all nodes within reach of the node whose row this is.
fn reached(machine: &Machine, with: &[bool], row: &[u32], reach: u32) -> CpuMask {
    let near: Vec<bool> = row.iter().zip(with).map(|(&d, &w)| w && d <= reach).collect();
    let cpus = machine.cpus.iter().enumerate();
    cpus.filter(|(_, c)| near[c.node as usize]).map(|(i, _)| i).collect()
}
