//! Where a CPU lies, by its domains. A group is numbered by its lowest CPU.

use super::{NamedSpans, Span};
use crate::topology::LevelName;

/// Where one CPU lies.
pub(super) struct Place {
    pub(super) core: u32,
    pub(super) cluster: Option<u32>,
    pub(super) llc: u32,
    pub(super) package: u32,
    /// Lowest CPU of the node.
    pub(super) node: u32,
}

/// The place of a CPU. Levels that the kernel dropped were like the one below.
pub(super) fn place(cpu: u32, chain: &[(LevelName, Span)]) -> Place {
    use LevelName::{Cls, Die, Mc, Node, Numa, Pkg, Smt};
    let of = |names: &[LevelName]| {
        let found = chain.iter().find(|(name, _)| names.contains(name));
        found.and_then(|(_, span)| span.first().copied())
    };
    let core = of(&[Smt]).unwrap_or(cpu);
    let cluster = of(&[Cls]);
    let llc = of(&[Mc]).or(cluster).unwrap_or(core);
    let numa = chain.iter().filter(|(name, _)| *name == Numa).count();
    let top = chain.last().and_then(|(_, span)| span.first().copied()).unwrap_or(cpu);
    let node = of(&[Node]).or(of(&[Die, Pkg])).unwrap_or(if numa > 0 { llc } else { top });
    // The kernel shows NODE instead of DIE where a package holds several nodes.
    let package = match of(&[Node]) {
        Some(_) if numa >= 2 => of(&[Numa]).unwrap_or(node),
        Some(_) => top,
        None => of(&[Die, Pkg]).unwrap_or(node),
    };
    Place { core, cluster, llc, package, node }
}

/// Each number once, ascending.
pub(super) fn firsts(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = numbers.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Distances that give the same levels: 10 within a node, then one number a level of NUMA.
pub(super) fn distances(nodes: &[u32], chains: &NamedSpans) -> Vec<Vec<u32>> {
    let numa = |node: u32| {
        let chain = chains.get(&node).map(Vec::as_slice).unwrap_or_default();
        chain.iter().filter(|(name, _)| *name == LevelName::Numa).collect::<Vec<_>>()
    };
    let row = |a: &u32| {
        let levels = numa(*a);
        let to = |b: &u32| {
            if a == b {
                return 10;
            }
            let at = levels.iter().position(|(_, span)| span.binary_search(b).is_ok());
            20 + at.unwrap_or(levels.len()).min(10) as u32
        };
        nodes.iter().map(to).collect()
    };
    nodes.iter().map(row).collect()
}
