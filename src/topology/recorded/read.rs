//! From a recording to a machine.

use super::{Recorded, RecordedCpu};
use crate::topology::{Cpu, MAX_CPUS, Machine, Node};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};

impl Recorded {
    /// Reads the JSON. The error is one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let recorded: Self = serde_json::from_str(text)
            .map_err(|e| format!("This is not a recorded machine in JSON: {e}."))?;
        match recorded.cpus.is_empty() {
            true => Err("This is not a recorded machine: it lists no CPUs.".to_owned()),
            false => Ok(recorded),
        }
    }

    /// The machine that was recorded. The error is one sentence.
    pub fn machine(&self) -> Result<Machine, String> {
        if self.cpus.len() > MAX_CPUS {
            return Err(format!(
                "This machine has {} CPUs; at most {MAX_CPUS} can be shown.",
                self.cpus.len()
            ));
        }
        let known: BTreeSet<u32> = self.cpus.iter().map(|c| c.cpu).collect();
        if known.len() < self.cpus.len() {
            return Err("The recorded machine lists a CPU twice.".to_owned());
        }
        let mut smt = cores(&self.cpus);
        smt.extend(sharing(&self.cpus, &known, "SMT siblings", |c| c.smt_siblings.as_deref())?);
        let llc = sharing(&self.cpus, &known, "last-level cache", |c| c.llc.as_deref())?;
        let cluster = sharing(&self.cpus, &known, "cluster", |c| c.cluster.as_deref())?;
        let (nodes, distances, node_of) = self.nodes()?;
        let active = self.active();
        let packages = packages(&self.cpus);
        let mut cpus = Vec::with_capacity(self.cpus.len());
        for c in &self.cpus {
            let Some(&node) = node_of.get(&c.cpu) else {
                return Err(format!("CPU {} of the recorded machine lies in no node.", c.cpu));
            };
            cpus.push(Cpu {
                id: c.cpu,
                core: smt[&c.cpu],
                cluster: cluster.get(&c.cpu).copied(),
                llc: llc.get(&c.cpu).copied().unwrap_or(smt[&c.cpu]),
                package: packages[&c.package],
                node,
                capacity: c.capacity.unwrap_or(1024),
                active: active.contains(&c.cpu),
            });
        }
        cpus.sort_by_key(|c| c.id);
        Ok(Machine {
            name: self.name.clone().unwrap_or_else(|| "recorded machine".to_owned()),
            cpus,
            nodes,
            distances,
            hybrid: self.hybrid,
            x86: self.x86.unwrap_or_else(|| self.looks_x86()),
            itmt: self.itmt,
            granite_rapids: self.granite_rapids,
            node_reclaim_distance: self.node_reclaim_distance.unwrap_or(30),
        })
    }

    /// Arm's sysfs knows no dies; its recordings give clusters and capacities instead.
    fn looks_x86(&self) -> bool {
        let arm = |c: &RecordedCpu| c.die.is_none() && (c.cluster.is_some() || c.capacity.is_some());
        !self.cpus.iter().any(arm)
    }

    /// The CPUs that take part in domains.
    fn active(&self) -> BTreeSet<u32> {
        let with_domains: BTreeSet<u32> =
            self.domains.iter().filter(|d| !d.levels.is_empty()).map(|d| d.cpu).collect();
        let takes_part = |c: &u32| match &self.isolated {
            Some(isolated) => !isolated.contains(c),
            None => with_domains.is_empty() || with_domains.contains(c),
        };
        self.cpus.iter().map(|c| c.cpu).filter(takes_part).collect()
    }

    /// Nodes, their distances, and each CPU's node index. A machine without nodes gets one.
    #[allow(clippy::type_complexity)]
    fn nodes(&self) -> Result<(Vec<Node>, Vec<Vec<u32>>, BTreeMap<u32, u32>), String> {
        if self.nodes.is_empty() {
            let all = self.cpus.iter().map(|c| (c.cpu, 0)).collect();
            return Ok((vec![Node { id: 0 }], vec![vec![10]], all));
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&n| self.nodes[n].node);
        let mut node_of = BTreeMap::new();
        let mut distances = Vec::new();
        for (index, &n) in order.iter().enumerate() {
            let node = &self.nodes[n];
            if node.distance.len() != self.nodes.len() {
                return Err(format!(
                    "Node {} gives {} distances for {} nodes.",
                    node.node,
                    node.distance.len(),
                    self.nodes.len()
                ));
            }
            distances.push(order.iter().map(|&to| node.distance[to]).collect());
            node_of.extend(node.cpus.iter().map(|&cpu| (cpu, index as u32)));
        }
        let nodes = order.iter().map(|&n| Node { id: self.nodes[n].node }).collect();
        Ok((nodes, distances, node_of))
    }
}

/// For each CPU, the lowest one with its package and core number, or itself where it gives no core.
fn cores(cpus: &[RecordedCpu]) -> BTreeMap<u32, u32> {
    let mut first: BTreeMap<(Option<i64>, i64), u32> = BTreeMap::new();
    let numbered = |c: &RecordedCpu| c.core.map(|core| (c.package, core));
    for (c, core) in cpus.iter().filter_map(|c| numbered(c).map(|core| (c, core))) {
        first.entry(core).and_modify(|lowest| *lowest = c.cpu.min(*lowest)).or_insert(c.cpu);
    }
    cpus.iter()
        .map(|c| (c.cpu, numbered(c).and_then(|core| first.get(&core)).copied().unwrap_or(c.cpu)))
        .collect()
}

/// Reads `isolated`: an array of numbers, the kernel's list, or null.
pub(super) fn isolated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u32>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Numbers(Vec<u32>),
        List(String),
    }
    match Option::<Written>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Written::Numbers(numbers)) => Ok(Some(numbers)),
        Some(Written::List(text)) => from_list(&text)
            .map(Some)
            .ok_or_else(|| D::Error::custom(format!("{text:?} under isolated is not a list of CPUs"))),
    }
}

/// The numbers of `1,6-7`; none if it is no such list or far longer than any machine.
fn from_list(text: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let (low, high): (u32, u32) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        if high.checked_sub(low)? as usize > 16 * MAX_CPUS || numbers.len() > 16 * MAX_CPUS {
            return None;
        }
        numbers.extend(low..=high);
    }
    Some(numbers)
}

/// Numbers the packages; a CPU that names none shares one with the others that do not.
fn packages(cpus: &[RecordedCpu]) -> BTreeMap<Option<i64>, u32> {
    let distinct: BTreeSet<Option<i64>> = cpus.iter().map(|c| c.package).collect();
    distinct.into_iter().enumerate().map(|(number, package)| (package, number as u32)).collect()
}

/// For each CPU that gives the list, the lowest CPU it shares the thing with. Every member of a list must
/// give the same list.
fn sharing(
    cpus: &[RecordedCpu],
    known: &BTreeSet<u32>,
    what: &str,
    list: impl Fn(&RecordedCpu) -> Option<&[u32]>,
) -> Result<BTreeMap<u32, u32>, String> {
    let mut sets: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for cpu in cpus {
        if let Some(members) = list(cpu).filter(|members| !members.is_empty()) {
            let mut set: BTreeSet<u32> = members.iter().copied().filter(|c| known.contains(c)).collect();
            set.insert(cpu.cpu);
            sets.insert(cpu.cpu, set);
        }
    }
    let mut first = BTreeMap::new();
    for (&cpu, set) in &sets {
        if let Some(other) = set.iter().find(|&other| sets.get(other) != Some(set)) {
            return Err(format!("CPU {cpu} names CPU {other} under {what}, but the two lists differ."));
        }
        first.extend(set.first().map(|&lowest| (cpu, lowest)));
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(text: &str) -> Result<Machine, String> {
        Recorded::parse(text)?.machine()
    }

    fn active(text: &str) -> Vec<u32> {
        machine(text).unwrap().cpus.iter().filter(|c| c.active).map(|c| c.id).collect()
    }

    #[test]
    fn isolated_cpus_are_listed_or_have_no_domains() {
        let cpus = r#""cpus":[{"cpu":0},{"cpu":1},{"cpu":2},{"cpu":3}]"#;
        let chain = |cpu| format!(r#"{{"cpu":{cpu},"levels":[{{"name":"MC","span":[0],"groups":[]}}]}}"#);
        let domains = format!(r#""domains":[{},{}]"#, chain(0), chain(3));
        assert_eq!(active(&format!("{{{cpus},{domains}}}")), [0, 3]);
        assert_eq!(active(&format!(r#"{{{cpus},{domains},"isolated":[1]}}"#)), [0, 2, 3]);
        assert_eq!(active(&format!(r#"{{{cpus},"isolated":"0,2-3"}}"#)), [1]);
        assert_eq!(active(&format!(r#"{{{cpus},"isolated":null}}"#)), [0, 1, 2, 3]);
        assert!(machine(&format!(r#"{{{cpus},"isolated":"0-4294967295"}}"#)).is_err());
        assert!(machine(&format!(r#"{{{cpus},"isolated":"what"}}"#)).is_err());
    }

    #[test]
    fn cores_are_told_by_number_where_siblings_are_not_listed() {
        let text = r#"{"cpus":[{"cpu":0,"core":0,"package":0},{"cpu":1,"core":0,"package":1},{"cpu":2,"core":0,"package":0}]}"#;
        let cores: Vec<u32> = machine(text).unwrap().cpus.iter().map(|c| c.core).collect();
        assert_eq!(cores, [0, 1, 0]);
    }

    #[test]
    fn nodes_come_in_the_order_of_their_numbers() {
        let text = r#"{"cpus":[{"cpu":0},{"cpu":1}],"nodes":[{"node":8,"cpus":[1],"distance":[10,20]},{"node":0,"cpus":[0],"distance":[30,10]}]}"#;
        let machine = machine(text).unwrap();
        assert_eq!(machine.nodes.iter().map(|n| n.id).collect::<Vec<_>>(), [0, 8]);
        assert_eq!(machine.distances, [[10, 30], [20, 10]]);
        assert_eq!(machine.cpus.iter().map(|c| c.node).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_die_of_null_beside_clusters_means_arm() {
        assert!(!machine(r#"{"cpus":[{"cpu":0,"die":null,"cluster":[0]}]}"#).unwrap().x86);
        assert!(machine(r#"{"cpus":[{"cpu":0,"die":0}]}"#).unwrap().x86);
        assert!(!machine(r#"{"x86":false,"cpus":[{"cpu":0,"die":0}]}"#).unwrap().x86);
    }
}
