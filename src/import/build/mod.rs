//! From what was found to a machine. What the text leaves open is assumed here, and said.

mod caches;
mod cores;
mod nodes;
mod traits;

use super::Facts;
use super::found::{CpuRow, Found};
use super::notes::Notes;
use crate::topology::{Cpu, MAX_CPUS, Machine, Node};
use std::collections::BTreeMap;

/// The machine being built: vectors with one value a CPU, in ascending order of CPU numbers.
struct Plan<'a> {
    found: &'a Found,
    facts: &'a Facts,
    /// Kernel's CPU numbers.
    ids: Vec<u32>,
    /// The row of each CPU, where the text has one.
    rows: Vec<Option<&'a CpuRow>>,
    x86: bool,
    arm: bool,
    /// Node numbers in ascending order, those without CPUs too.
    node_ids: Vec<u32>,
    /// Index into `node_ids`.
    node: Vec<u32>,
    core: Vec<u32>,
    package: Vec<u32>,
    llc: Vec<u32>,
    cluster: Vec<Option<u32>>,
}

impl Plan<'_> {
    fn len(&self) -> usize {
        self.ids.len()
    }

    /// A value of every row, if every CPU has a row with it.
    fn of_rows<T>(&self, value: impl Fn(&CpuRow) -> Option<T>) -> Option<Vec<T>> {
        self.rows.iter().map(|row| value((*row)?)).collect()
    }

    /// Nodes that have CPUs.
    fn nodes_with_cpus(&self) -> usize {
        distinct(&self.node)
    }
}

/// Builds the machine. `None` where the text names no CPU, which is noted; an error where it is larger
/// than can be shown.
pub(super) fn machine(found: &Found, facts: &Facts, notes: &mut Notes) -> Result<Option<Machine>, String> {
    let Some(ids) = cpu_ids(found, facts, notes)? else { return Ok(None) };
    if ids.is_empty() {
        return Err("There is no CPU online in this.".to_owned());
    }
    refuse_large(ids.len())?;
    let row = |id: &u32| found.rows.binary_search_by_key(id, |r| r.cpu).ok().map(|at| &found.rows[at]);
    let rows = ids.iter().map(row).collect();
    let mut plan = Plan {
        found,
        facts,
        rows,
        x86: false,
        arm: false,
        node_ids: Vec::new(),
        node: Vec::new(),
        core: Vec::new(),
        package: Vec::new(),
        llc: Vec::new(),
        cluster: Vec::new(),
        ids,
    };
    traits::architecture(&mut plan, notes);
    nodes::nodes(&mut plan, notes);
    cores::cores(&mut plan, notes);
    cores::packages(&mut plan, notes);
    caches::last_level(&mut plan, notes);
    caches::clusters(&mut plan, notes);
    nest(&mut plan, notes);
    nodes::say_without_cpus(&plan, notes);
    let distances = nodes::distances(&plan, notes);
    let capacity = traits::capacities(&plan, notes);
    let hybrid = traits::hybrid(&plan, notes);
    if hybrid {
        notes.assume("itmt off assumed: no file says whether the kernel ranks the cores by speed");
    }
    let node_reclaim_distance = traits::reclaim_distance(&plan, notes);
    let cpus = (0..plan.len()).map(|at| Cpu {
        id: plan.ids[at],
        core: plan.core[at],
        cluster: plan.cluster[at],
        llc: plan.llc[at],
        package: plan.package[at],
        node: plan.node[at],
        capacity: capacity[at],
        active: true,
    });
    Ok(Some(Machine {
        name: name(found, plan.len()),
        cpus: cpus.collect(),
        nodes: plan.node_ids.iter().map(|id| Node { id: *id }).collect(),
        distances,
        hybrid,
        x86: plan.x86,
        itmt: false,
        granite_rapids: traits::granite_rapids(found),
        node_reclaim_distance,
    }))
}

fn cpu_ids(found: &Found, facts: &Facts, notes: &mut Notes) -> Result<Option<Vec<u32>>, String> {
    if let Some(ids) = &facts.cpu_ids {
        return Ok(Some(ids.clone()));
    }
    let Some(n) = found.cpu_count else { return Ok(None) };
    refuse_large(n as usize)?;
    notes.assume(format!(
        "CPU numbers assumed: the file counts {n} CPUs and does not number them, so they are 0 to {}",
        n.saturating_sub(1)
    ));
    Ok(Some((0..n).collect()))
}

fn refuse_large(cpus: usize) -> Result<(), String> {
    if cpus > MAX_CPUS {
        Err(format!("The machine has {cpus} CPUs; at most {MAX_CPUS} can be shown."))
    } else {
        Ok(())
    }
}

/// A machine's short name: its model, or where it came from.
fn name(found: &Found, cpus: usize) -> String {
    match found.model_names().as_slice() {
        [] => format!("{}, {}", found.kind.title(), super::notes::count(cpus, "CPU")),
        names => names.join(" + ").chars().take(80).collect(),
    }
}

/// Numbers equal keys equally, from 0, in the order of their first CPU.
fn number<K: Ord>(keys: impl IntoIterator<Item = K>) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    let mut out = Vec::new();
    for key in keys {
        let next = numbers.len() as u32;
        out.push(*numbers.entry(key).or_insert(next));
    }
    out
}

/// How many different values there are.
fn distinct(values: &[u32]) -> usize {
    values.iter().collect::<std::collections::BTreeSet<_>>().len()
}

/// Makes the smaller groups lie inside the larger: the scheduler's levels may not partly overlap, and MC is the
/// LLC's CPUs inside one node.
fn nest(plan: &mut Plan<'_>, notes: &mut Notes) {
    let before = distinct(&plan.llc);
    plan.llc = number(plan.llc.iter().zip(&plan.node));
    let after = distinct(&plan.llc);
    if after > before {
        notes.assume(format!(
            "last-level caches taken node by node ({after} instead of {before}): the scheduler's MC level does not \
             cross NUMA nodes"
        ));
    }
    let clusters = number(plan.llc.iter().zip(&plan.cluster));
    plan.cluster = plan.cluster.iter().zip(clusters).map(|(is, number)| is.map(|_| number)).collect();
    let cores = distinct(&plan.core);
    plan.core = number(plan.core.iter().zip(&plan.llc).zip(plan.cluster.iter().zip(&plan.package)));
    if distinct(&plan.core) > cores {
        notes.warn(
            None,
            "Some cores reach over two caches, packages or nodes; each part was taken as a core.",
        );
    }
    plan.package = number(plan.package.iter());
}
