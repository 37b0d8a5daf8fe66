//! The part of a domain tree that nests: per node a box of boxes, one layer a level below NUMA. Overlapping
//! NUMA spans do not nest; `lanes` draws those.

use balancescope::topology::{DomainTree, LevelName, Machine};

/// What a box holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Inside {
    /// CPUs, by index.
    Cpus(Vec<usize>),
    /// Smaller boxes.
    Boxes(Vec<Nest>),
}

/// A domain, or a mere grouping that keeps cells of unequal depth in line.
#[derive(Clone, Debug, PartialEq)]
pub struct Nest {
    /// Place of its layer: 0 for the lowest level of the machine, upward.
    pub layer: usize,
    /// The level whose domain it is; `None` for a mere grouping.
    pub slot: Option<usize>,
    /// What it holds.
    pub inside: Inside,
}

impl Nest {
    /// Its CPUs, in the order in which they are drawn.
    pub fn cpus(&self) -> Vec<usize> {
        match &self.inside {
            Inside::Cpus(cpus) => cpus.clone(),
            Inside::Boxes(boxes) => boxes.iter().flat_map(Nest::cpus).collect(),
        }
    }

    /// How many CPUs it holds.
    pub fn weight(&self) -> usize {
        match &self.inside {
            Inside::Cpus(cpus) => cpus.len(),
            Inside::Boxes(boxes) => boxes.iter().map(Nest::weight).sum(),
        }
    }

    /// How many things it holds directly.
    pub fn children(&self) -> usize {
        match &self.inside {
            Inside::Cpus(cpus) => cpus.len(),
            Inside::Boxes(boxes) => boxes.len(),
        }
    }
}

/// One NUMA node with CPUs.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeNest {
    /// Index into `Machine::nodes`.
    pub node: usize,
    /// Package of its first CPU.
    pub package: u32,
    /// Its boxes.
    pub root: Nest,
}

/// All nodes with CPUs, ordered by package and then by node, and the levels below NUMA that layers stand for.
#[derive(Clone, Debug, PartialEq)]
pub struct Nests {
    /// The nodes.
    pub nodes: Vec<NodeNest>,
    /// `layers[i]` is the slot that layer i stands for.
    pub layers: Vec<usize>,
}

/// Sorts the CPUs of a machine into boxes.
pub fn nests(machine: &Machine, tree: &DomainTree) -> Nests {
    let layers: Vec<usize> =
        (0..tree.levels.len()).filter(|&s| tree.levels[s].name != LevelName::Numa).collect();
    let mut by_node: Vec<(usize, Vec<usize>)> = Vec::new();
    for (cpu, info) in machine.cpus.iter().enumerate() {
        let node = info.node as usize;
        match by_node.iter_mut().find(|(n, _)| *n == node) {
            Some((_, cpus)) => cpus.push(cpu),
            None => by_node.push((node, vec![cpu])),
        }
    }
    let mut nodes: Vec<NodeNest> = Vec::with_capacity(by_node.len());
    for (node, cpus) in by_node {
        let package = machine.cpus[cpus[0]].package;
        let place = nodes.partition_point(|n| (n.package, n.node) < (package, node));
        nodes.insert(place, NodeNest { node, package, root: root(tree, &layers, cpus) });
    }
    Nests { nodes, layers }
}

fn root(tree: &DomainTree, layers: &[usize], cpus: Vec<usize>) -> Nest {
    let used: Vec<usize> =
        (0..layers.len()).filter(|&l| cpus.iter().any(|&c| has(tree, c, layers[l]))).collect();
    let mut boxes = split(tree, layers, &used, &cpus);
    match boxes.pop() {
        Some(only) if boxes.is_empty() => only,
        Some(last) => {
            boxes.push(last);
            Nest { layer: layers.len(), slot: None, inside: Inside::Boxes(boxes) }
        }
        None => Nest { layer: layers.len(), slot: None, inside: Inside::Cpus(cpus) },
    }
}

fn has(tree: &DomainTree, cpu: usize, slot: usize) -> bool {
    tree.chains.get(cpu).is_some_and(|chain| chain.iter().any(|d| d.slot == slot))
}

/// Splits CPUs into the boxes of the highest of the given layers, and each of these further down.
fn split(tree: &DomainTree, layers: &[usize], used: &[usize], cpus: &[usize]) -> Vec<Nest> {
    let Some((&layer, lower)) = used.split_last() else { return Vec::new() };
    let slot = layers[layer];
    let mut groups: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for &cpu in cpus {
        if groups.iter().any(|(_, g)| g.contains(&cpu)) {
            continue;
        }
        let own = tree.chains.get(cpu).and_then(|chain| chain.iter().rev().find(|d| d.slot <= slot));
        let group = match own {
            Some(d) => cpus
                .iter()
                .copied()
                .filter(|&c| c == cpu || d.span.contains(c) && !groups.iter().any(|(_, g)| g.contains(&c)))
                .collect(),
            None => vec![cpu],
        };
        groups.push((own.filter(|d| d.slot == slot).map(|d| d.slot), group));
    }
    groups
        .into_iter()
        .map(|(slot, cpus)| {
            let boxes = split(tree, layers, lower, &cpus);
            let inside = if boxes.is_empty() { Inside::Cpus(cpus) } else { Inside::Boxes(boxes) };
            Nest { layer, slot, inside }
        })
        .collect()
}
