//! The trunk: one lane a NUMA span as one CPU sees them. Lanes that stay within a half of the page lie
//! beside that half, those that both halves share lie between.

use super::nest::Nests;
use balancescope::topology::{CpuMask, Domain, DomainTree, LevelName};

/// Above or below the trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Half {
    Above,
    Below,
}

/// One NUMA span.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Its level.
    pub slot: usize,
    /// The half it belongs to; `None` if it is shared.
    pub half: Option<Half>,
    /// CPUs of the span.
    pub span: CpuMask,
    /// The CPU as whose domain it is drawn.
    pub seen_by: usize,
}

/// Which nodes (by their place in [`Nests::nodes`]) lie above the trunk: the first half of them, or none if
/// there is only one.
pub fn above(nodes: usize) -> usize {
    if nodes < 2 { 0 } else { nodes.div_ceil(2) }
}

/// The domain of a CPU at a level.
pub fn domain(tree: &DomainTree, cpu: usize, slot: usize) -> Option<&Domain> {
    tree.chains.get(cpu)?.iter().find(|d| d.slot == slot)
}

/// The lanes from top to bottom, as `viewer` sees them.
pub fn lanes(tree: &DomainTree, nests: &Nests, viewer: usize) -> Vec<Lane> {
    let split = above(nests.nodes.len());
    if nests.nodes.len() < 2 {
        return Vec::new();
    }
    let cpus_of = |range: std::ops::Range<usize>| -> CpuMask {
        nests.nodes[range].iter().flat_map(|n| n.root.cpus()).collect()
    };
    let halves = [(Half::Above, cpus_of(0..split)), (Half::Below, cpus_of(split..nests.nodes.len()))];
    let (mut upper, mut shared, mut lower) = (Vec::new(), Vec::new(), Vec::new());
    for slot in (0..tree.levels.len()).filter(|&s| tree.levels[s].name == LevelName::Numa) {
        let seen: Vec<Option<(usize, &Domain)>> =
            halves.iter().map(|(_, cpus)| seen(tree, cpus, slot, viewer)).collect();
        let own =
            seen.iter().zip(&halves).all(|(s, (_, cpus))| s.is_none_or(|(_, d)| d.span.is_subset(cpus)));
        if own {
            for (s, (half, _)) in seen.iter().zip(&halves) {
                let Some((cpu, d)) = *s else { continue };
                let lane = Lane { slot, half: Some(*half), span: d.span.clone(), seen_by: cpu };
                if *half == Half::Above { upper.push(lane) } else { lower.push(lane) }
            }
        } else {
            let own = domain(tree, viewer, slot).map(|d| (viewer, d));
            if let Some((cpu, d)) = own.or(seen[0]).or(seen[1]) {
                shared.push(Lane { slot, half: None, span: d.span.clone(), seen_by: cpu });
            }
        }
    }
    lower.reverse();
    upper.into_iter().chain(shared).chain(lower).collect()
}

/// The domain at a level as the viewer sees it if it belongs to these CPUs, else as the first of them that
/// has one.
fn seen<'a>(tree: &'a DomainTree, cpus: &CpuMask, slot: usize, viewer: usize) -> Option<(usize, &'a Domain)> {
    let own = cpus.contains(viewer).then_some(viewer);
    own.into_iter().chain(cpus.iter()).find_map(|c| domain(tree, c, slot).map(|d| (c, d)))
}
