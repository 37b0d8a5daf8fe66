//! From what was found to the facts: counting, and nothing else.

use super::Facts;
use super::found::{CACHES, CpuRow, Found, L2, L3, L4};
use std::collections::{BTreeMap, BTreeSet};

/// The key by which two rows are threads of one core. Core and package numbers may restart per CPU model, so
/// the first-level (else second-level) cache, the model and the frequency must agree too.
pub(super) type CoreKey<'a> =
    (Option<u32>, Option<u32>, Option<u32>, Option<u32>, Option<&'a str>, Option<u64>);

/// The core of a row; `None` where the text does not tell.
pub(super) fn core_key(row: &CpuRow) -> Option<CoreKey<'_>> {
    if row.core_is_unique {
        return Some((None, None, row.core, Some(0), None, None));
    }
    let cache = row.caches[super::found::L1D].or(row.caches[L2]);
    if row.core.is_none() && row.caches[super::found::L1D].is_none() {
        return None;
    }
    // A core number alone proves nothing where neither a package nor a cache stands beside it.
    if cache.is_none() && row.package.is_none() {
        return None;
    }
    Some((row.package, row.node, row.core, cache, row.model.as_deref(), row.max_khz))
}

/// Whether the cores that rows name are what a machine has: without a cache to prove it, a group of three, or
/// of more than eight, is numbers that restart.
pub(super) fn cores_credible(rows: &[&CpuRow]) -> bool {
    let mut threads: BTreeMap<CoreKey<'_>, usize> = BTreeMap::new();
    for key in rows.iter().filter_map(|row| core_key(row)) {
        *threads.entry(key).or_default() += 1;
    }
    threads.iter().all(|(key, n)| key.3.is_some() || matches!(n, 1 | 2 | 4 | 8))
}

/// Counts what was found.
pub(super) fn count(found: &Found) -> Facts {
    let ids = found.cpu_ids();
    let online: Vec<&CpuRow> = match &ids {
        Some(ids) => found.rows.iter().filter(|r| ids.binary_search(&r.cpu).is_ok()).collect(),
        None => Vec::new(),
    };
    let nodes = nodes(found, &online);
    let models = &found.models;
    let sockets = models.iter().map(|m| m.sockets).sum::<Option<u32>>().filter(|n| *n > 0);
    let of_counts = models.iter().map(super::found::Model::cores).sum::<Option<u32>>().filter(|n| *n > 0);
    let threads: BTreeSet<_> = models.iter().filter_map(|m| m.threads_per_core).collect();
    let of_rows = cores(&online);
    let names = found.model_names();
    Facts {
        cpus: ids.as_ref().map(|ids| ids.len() as u32).or(found.cpu_count),
        offline_cpu_ids: offline(found),
        nodes: nodes.as_ref().map(|n| n.len() as u32).or(found.node_count),
        node_ids: nodes.as_ref().map(|n| n.keys().copied().collect()),
        node_cpus: nodes.and_then(|n| n.into_iter().map(|(id, cpus)| Some((id, cpus?))).collect()),
        packages: distinct(online.iter().map(|r| r.package)).or(if models.len() == 1 {
            sockets
        } else {
            None
        }),
        cores: of_rows.as_ref().map(|c| c.len() as u32).or(of_counts),
        threads_per_core: if threads.len() == 1 { threads.first().copied() } else { None },
        siblings: of_rows.map(|c| c.into_iter().filter(|cpus| cpus.len() > 1).collect()),
        llcs: distinct(online.iter().map(|r| r.llc())).or(llcs_counted(found)),
        caches: caches(found, &online),
        distances: distances(found),
        architecture: found.architecture.clone(),
        vendor: found.vendor.clone(),
        family: found.family,
        model_name: (!names.is_empty()).then(|| names.join(" + ")),
        hwloc_version: found.hwloc_version.clone(),
        cpu_ids: ids,
        rt_app: None,
        activity: Default::default(),
    }
}

/// How many different values there are; `None` if there is none.
fn distinct<T: Ord>(values: impl Iterator<Item = Option<T>>) -> Option<u32> {
    let set: BTreeSet<T> = values.flatten().collect();
    (!set.is_empty()).then_some(set.len() as u32)
}

/// CPUs of each core, in the order of their first CPU.
fn cores(rows: &[&CpuRow]) -> Option<Vec<Vec<u32>>> {
    let mut cores: BTreeMap<CoreKey<'_>, Vec<u32>> = BTreeMap::new();
    for row in rows {
        cores.entry(core_key(row)?).or_default().push(row.cpu);
    }
    let mut cores: Vec<Vec<u32>> = cores.into_values().collect();
    cores.sort();
    (!cores.is_empty() && cores_credible(rows)).then_some(cores)
}

/// The nodes, and the CPUs of each where they are listed.
pub(super) fn nodes(found: &Found, online: &[&CpuRow]) -> Option<BTreeMap<u32, Option<Vec<u32>>>> {
    let mut nodes: BTreeMap<u32, Option<Vec<u32>>> =
        found.nodes.iter().map(|(id, row)| (*id, row.cpus.clone())).collect();
    let listed = nodes.values().any(Option::is_some);
    for row in online {
        if let Some(node) = row.node {
            let cpus = nodes.entry(node).or_default();
            if !listed {
                cpus.get_or_insert_default().push(row.cpu);
            }
        }
    }
    (!nodes.is_empty()).then_some(nodes)
}

fn offline(found: &Found) -> Option<Vec<u32>> {
    let mut ids: BTreeSet<u32> = found.offline.iter().flatten().copied().collect();
    ids.extend(found.rows.iter().filter(|r| r.online == Some(false)).map(|r| r.cpu));
    (!ids.is_empty()).then(|| ids.into_iter().collect())
}

fn caches(found: &Found, rows: &[&CpuRow]) -> BTreeMap<String, u32> {
    let of_level = |level: usize| {
        let counted = distinct(rows.iter().map(|r| r.caches[level]));
        let n = counted.or(found.cache_counts[level].flatten());
        n.map(|n| (CACHES[level].to_owned(), n))
    };
    (0..CACHES.len()).filter_map(of_level).collect()
}

/// How many last-level caches a summary counts.
fn llcs_counted(found: &Found) -> Option<u32> {
    let level = [L3, L2, L4].into_iter().find(|level| found.cache_counts[*level].is_some())?;
    found.cache_counts[level].flatten()
}

/// The matrix in ascending order of node numbers.
fn distances(found: &Found) -> Option<Vec<Vec<u32>>> {
    let matrix = found.distances.as_ref()?;
    let mut order: Vec<usize> = (0..matrix.ids.len()).collect();
    order.sort_by_key(|at| matrix.ids[*at]);
    Some(order.iter().map(|a| order.iter().map(|b| matrix.rows[*a][*b]).collect()).collect())
}
