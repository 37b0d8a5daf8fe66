//! Cores and packages: from the rows, or from counts with the numbering that Linux usually gives.

use super::{Plan, distinct, number};
use crate::import::facts::{core_key, cores_credible};
use crate::import::found::{CpuRow, L2, L3};
use crate::import::notes::{Notes, named};
use std::collections::BTreeMap;

/// Gives every CPU its core.
pub(super) fn cores(plan: &mut Plan<'_>, notes: &mut Notes) {
    let rows: Vec<&CpuRow> = plan.rows.iter().flatten().copied().collect();
    let all_single = !plan.found.models.is_empty() && plan.facts.threads_per_core == Some(1);
    let keys: Vec<_> = plan.rows.iter().map(|row| row.and_then(core_key)).collect();
    if keys.iter().all(Option::is_some) {
        let proven = rows.iter().all(|r| r.core_is_unique || r.caches.iter().any(Option::is_some));
        if cores_credible(&rows) && (proven || !all_single) {
            return plan.core = number(keys);
        }
        notes.assume(
            "siblings assumed: none; core numbers restart from place to place, and no cache says which CPUs share \
             a core",
        );
        return plan.core = number(0..plan.len());
    }
    if let Some(known) = keys.iter().position(Option::is_some) {
        let unknown: Vec<u32> =
            (0..plan.len()).filter(|at| keys[*at].is_none()).map(|at| plan.ids[at]).collect();
        let line = plan.rows[known].map(|r| r.line);
        notes.warn(
            line,
            format!("The core of {} is unknown; each was taken as its own.", named("CPU", &unknown)),
        );
        return plan.core =
            number(keys.iter().enumerate().map(|(at, key)| (*key, key.is_none().then_some(at))));
    }
    plan.core = counted(plan, notes);
}

/// Cores by counts alone.
fn counted(plan: &Plan<'_>, notes: &mut Notes) -> Vec<u32> {
    let n = plan.len();
    let single = || number(0..n);
    let threads = match plan.facts.threads_per_core {
        Some(1) => return single(),
        Some(threads) if threads > 1 => threads as usize,
        _ => {
            notes.assume(
                "siblings assumed: the file does not list them; every CPU is taken as a core of its own",
            );
            return single();
        }
    };
    let cores = plan.facts.cores.map(|c| c as usize);
    if let Some(cores) = cores.filter(|c| threads == 2 && plan.x86 && *c < n && n < 2 * *c) {
        return two_kinds(plan, cores, notes);
    }
    if let Some(cores) = cores.filter(|c| c * threads != n) {
        notes.warn(
            None,
            format!("{cores} cores of {threads} threads do not make {n} CPUs; some may be offline."),
        );
    }
    if !n.is_multiple_of(threads) {
        notes
            .assume("siblings assumed: the file does not list them; every CPU is taken as a core of its own");
        return single();
    }
    let apart: Vec<u32> = (0..n).map(|at| (at % (n / threads)) as u32).collect();
    let adjacent: Vec<u32> = (0..n).map(|at| (at / threads) as u32).collect();
    // x86 firmware lists first threads first; other machines list a core's threads together.
    let order =
        if plan.x86 { [(apart, true), (adjacent, false)] } else { [(adjacent, false), (apart, true)] };
    for (core, is_apart) in order {
        if inside_nodes(plan, &core) {
            let how = if is_apart {
                format!("CPU n and the CPU {} places on", n / threads)
            } else {
                format!("{threads} neighbours at a time")
            };
            notes.assume(format!(
                "siblings assumed: the file does not list them; {how} share a core, as is usual"
            ));
            return core;
        }
    }
    notes.assume(
        "siblings assumed: the file does not list them, and no usual numbering fits its nodes; every CPU is taken as \
         a core of its own",
    );
    single()
}

/// Whether every core lies in one node.
fn inside_nodes(plan: &Plan<'_>, core: &[u32]) -> bool {
    let mut node_of: BTreeMap<u32, u32> = BTreeMap::new();
    core.iter().zip(&plan.node).all(|(core, node)| node_of.entry(*core).or_insert(*node) == node)
}

/// More cores than pairs of threads and fewer than CPUs: a hybrid, whose two-threaded cores come first.
fn two_kinds(plan: &Plan<'_>, cores: usize, notes: &mut Notes) -> Vec<u32> {
    let n = plan.len();
    let pairs = n - cores;
    notes.assume(format!(
        "siblings assumed: the file does not list them; {n} CPUs in {cores} cores make {pairs} cores of two threads, \
         taken to come first, two neighbours each, and {} of one",
        cores - pairs
    ));
    (0..n).map(|at| if at < 2 * pairs { at / 2 } else { at - pairs } as u32).collect()
}

/// Gives every CPU its package.
pub(super) fn packages(plan: &mut Plan<'_>, notes: &mut Notes) {
    let known: Vec<Option<u32>> = plan.rows.iter().map(|r| r.and_then(|r| r.package)).collect();
    if known.iter().all(Option::is_some) {
        return plan.package = number(known);
    }
    if known.iter().any(Option::is_some) {
        let unknown: Vec<u32> =
            (0..plan.len()).filter(|at| known[*at].is_none()).map(|at| plan.ids[at]).collect();
        let text = format!(
            "The package of {} is unknown; that of others in the node was taken.",
            named("CPU", &unknown)
        );
        notes.warn(None, text);
        let of_node =
            |at: usize| (0..plan.len()).filter(|b| plan.node[*b] == plan.node[at]).find_map(|b| known[b]);
        return plan.package = number((0..plan.len()).map(|at| known[at].or_else(|| of_node(at))));
    }
    let nodes = plan.nodes_with_cpus();
    let sockets = plan.facts.packages.map(|n| n as usize);
    plan.package = match sockets {
        Some(1) => vec![0; plan.len()],
        Some(sockets) => split_packages(plan, sockets, nodes, notes),
        None if nodes > 1 => {
            notes.assume("packages assumed: one a node; the file does not name them");
            number(plan.node.iter())
        }
        None => {
            notes.assume("packages assumed: one; the file does not name them");
            vec![0; plan.len()]
        }
    };
}

/// Packages by their number alone.
fn split_packages(plan: &Plan<'_>, sockets: usize, nodes: usize, notes: &mut Notes) -> Vec<u32> {
    let node = number(plan.node.iter());
    let caches = plan.of_rows(|r| r.caches[L3].or(r.caches[L2]));
    if sockets == nodes {
        notes.assume(
            "packages assumed: one a node; the file counts them and does not say which CPU is in which",
        );
        return node;
    }
    if let Some(caches) = caches.map(number).filter(|c| distinct(c) == sockets) {
        notes.assume("packages assumed: one a last-level cache; their numbers agree");
        return caches;
    }
    if nodes > 1 && nodes.is_multiple_of(sockets) {
        let each = (nodes / sockets) as u32;
        notes.assume(format!("packages assumed: {each} nodes each, in their order"));
        return node.iter().map(|n| n / each).collect();
    }
    let each = sockets / nodes;
    match parts(&plan.core, &node, each) {
        Some(package) if sockets.is_multiple_of(nodes) => {
            notes.assume(
                "packages assumed: equal shares of the cores in their order; the file only counts them",
            );
            package
        }
        _ => {
            notes.assume("packages assumed: one a node; their number does not fit the nodes and cores");
            node
        }
    }
}

/// Cuts each region into `each` equal shares of its cores, in order. `None` if the cores do not divide.
pub(super) fn parts(core: &[u32], region: &[u32], each: usize) -> Option<Vec<u32>> {
    let mut cores_of: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (core, region) in core.iter().zip(region) {
        let cores = cores_of.entry(*region).or_default();
        if !cores.contains(core) {
            cores.push(*core);
        }
    }
    if each == 0 || cores_of.values().any(|cores| cores.len() % each != 0) {
        return None;
    }
    let part_of = |core: u32, region: u32| {
        let cores = cores_of.get(&region)?;
        let at = cores.iter().position(|c| *c == core)?;
        Some((region, at / (cores.len() / each)))
    };
    let keys: Option<Vec<_>> = core.iter().zip(region).map(|(c, r)| part_of(*c, *r)).collect();
    keys.map(number)
}
