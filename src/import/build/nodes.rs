//! NUMA nodes and their distances.

use super::{Plan, distinct};
use crate::import::found::Distances;
use crate::import::notes::{Notes, count, named, ranges};
use std::collections::{BTreeMap, BTreeSet};

/// The kernel's distance from a node to itself, and its default to another.
const LOCAL_DISTANCE: u32 = 10;
const REMOTE_DISTANCE: u32 = 20;
/// The kernel refuses distances outside of a byte (`sched_init_numa`).
const MAX_DISTANCE: u32 = 255;

/// Gives every CPU its node.
pub(super) fn nodes(plan: &mut Plan<'_>, notes: &mut Notes) {
    let mut of_cpu: BTreeMap<u32, u32> = BTreeMap::new();
    for (node, row) in &plan.found.nodes {
        for cpu in row.cpus.iter().flatten() {
            let first = *of_cpu.entry(*cpu).or_insert(*node);
            if first != *node {
                notes.warn(None, format!("CPU {cpu} is in nodes {first} and {node}; the first stands."));
            }
        }
    }
    let node_of = |at: usize| plan.rows[at].and_then(|r| r.node).or(of_cpu.get(&plan.ids[at]).copied());
    let nodes: Vec<Option<u32>> = (0..plan.len()).map(node_of).collect();
    let without: Vec<u32> =
        (0..plan.len()).filter(|at| nodes[*at].is_none()).map(|at| plan.ids[at]).collect();
    if without.len() == plan.len() {
        notes.assume("one NUMA node assumed: the file does not say which CPUs are in which node");
        // Nodes that the file names without their CPUs cannot be given any.
        plan.node_ids = vec![0];
        plan.node = vec![0; plan.len()];
        return;
    }
    // The kernel puts a CPU of no known node into the first node that is online.
    let first = nodes.iter().flatten().min().copied().unwrap_or(0);
    if !without.is_empty() {
        notes.warn(None, format!("No node lists {}; node {first} was taken.", named("CPU", &without)));
    }
    let mut ids: BTreeSet<u32> = plan.found.nodes.keys().copied().collect();
    ids.extend(nodes.iter().flatten());
    plan.node_ids = ids.into_iter().collect();
    let index = |id: u32| plan.node_ids.binary_search(&id).unwrap_or(0) as u32;
    plan.node = nodes.iter().map(|node| index(node.unwrap_or(first))).collect();
}

/// The distance matrix in the order of the machine's nodes: the file's, or the kernel's defaults.
pub(super) fn distances(plan: &Plan<'_>, notes: &mut Notes) -> Vec<Vec<u32>> {
    let n = plan.node_ids.len();
    if let Some(matrix) = &plan.found.distances {
        match usable(matrix, &plan.node_ids) {
            Ok(rows) => {
                if let Some((a, b)) = asymmetric(&rows) {
                    let (a, b) = (plan.node_ids[a], plan.node_ids[b]);
                    let text = format!(
                        "The distances are not symmetric (nodes {a} and {b}, for one); they are used as they are."
                    );
                    notes.warn(matrix.line, text);
                }
                return rows;
            }
            Err(sentence) => notes.warn(matrix.line, format!("{sentence} The distances were not used.")),
        }
    }
    if n > 1 && distinct(&plan.node) > 1 {
        notes.assume(format!(
            "distances assumed: {LOCAL_DISTANCE} local and {REMOTE_DISTANCE} remote, the kernel's defaults; the file \
             gives none that can be used"
        ));
    }
    let row = |a: usize| (0..n).map(|b| if a == b { LOCAL_DISTANCE } else { REMOTE_DISTANCE }).collect();
    (0..n).map(row).collect()
}

/// The rows in the order of `ids`, if the kernel could use them.
fn usable(matrix: &Distances, ids: &[u32]) -> Result<Vec<Vec<u32>>, String> {
    let at: BTreeMap<u32, usize> = matrix.ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    if at.len() != matrix.ids.len() {
        return Err("A node stands twice in the distance matrix.".to_owned());
    }
    let order: Vec<usize> = ids.iter().filter_map(|id| at.get(id).copied()).collect();
    if order.len() != ids.len() {
        let missing: Vec<u32> = ids.iter().copied().filter(|id| !at.contains_key(id)).collect();
        return Err(format!("The distance matrix lacks {}.", named("node", &missing)));
    }
    let mut rows = Vec::with_capacity(ids.len());
    for (a, id) in order.iter().zip(ids) {
        let row: Vec<u32> = order.iter().map(|b| matrix.rows[*a][*b]).collect();
        if let Some(bad) = row.iter().find(|d| !(LOCAL_DISTANCE..=MAX_DISTANCE).contains(*d)) {
            let range = format!("{LOCAL_DISTANCE} to {MAX_DISTANCE}");
            return Err(format!("Node {id} has the distance {bad}; the kernel knows {range}."));
        }
        if matrix.rows[*a][*a] != LOCAL_DISTANCE {
            let own = matrix.rows[*a][*a];
            return Err(format!(
                "Node {id} is at distance {own} from itself; the kernel wants {LOCAL_DISTANCE}."
            ));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The first pair of nodes whose two distances differ.
fn asymmetric(rows: &[Vec<u32>]) -> Option<(usize, usize)> {
    let pairs = (0..rows.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
    pairs.into_iter().find(|(a, b)| rows[*a][*b] != rows[*b][*a])
}

/// Says which nodes have no CPUs: they are in the machine, and the scheduler does not see them.
pub(super) fn say_without_cpus(plan: &Plan<'_>, notes: &mut Notes) {
    let has = |node: &usize| plan.node.contains(&(*node as u32));
    let empty: Vec<u32> =
        (0..plan.node_ids.len()).filter(|node| !has(node)).map(|node| plan.node_ids[node]).collect();
    if !empty.is_empty() {
        let (is, them) = if empty.len() == 1 { ("has", "it") } else { ("have", "them") };
        notes.assume(format!(
            "{} ({}) {is} no CPUs, so the scheduler builds no domain for {them}",
            count(empty.len(), "node"),
            ranges(&empty)
        ));
    }
}
