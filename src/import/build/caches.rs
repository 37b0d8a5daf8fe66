//! Last-level caches and clusters.

use super::cores::parts;
use super::traits::is_zen;
use super::{Plan, distinct, number};
use crate::import::found::{CpuRow, L2, L3};
use crate::import::notes::Notes;

/// Gives every CPU its last-level cache.
pub(super) fn last_level(plan: &mut Plan<'_>, notes: &mut Notes) {
    let known: Vec<_> = plan.rows.iter().map(|r| r.and_then(CpuRow::llc)).collect();
    if known.iter().all(Option::is_some) {
        return plan.llc = number(known);
    }
    if known.iter().any(Option::is_some) {
        notes.warn(
            None,
            "The last-level cache of some CPUs is unknown; each of them was taken to have its own.",
        );
        return plan.llc =
            number(known.iter().enumerate().map(|(at, llc)| (*llc, llc.is_none().then_some(at))));
    }
    plan.llc = match plan.facts.llcs.map(|n| n as usize) {
        Some(n) => shared_by_count(plan, n, notes),
        None => {
            let zen = if is_zen(plan) { " (an AMD Zen has several; lscpu -p would tell)" } else { "" };
            notes.assume(format!(
                "last-level caches assumed: one a package; the file does not count them{zen}"
            ));
            plan.package.clone()
        }
    };
}

/// Last-level caches by their number alone.
fn shared_by_count(plan: &Plan<'_>, n: usize, notes: &mut Notes) -> Vec<u32> {
    let packages = distinct(&plan.package);
    let nodes = plan.nodes_with_cpus();
    if n == 1 {
        return vec![0; plan.len()];
    }
    if n == packages {
        notes.assume("last-level caches assumed: one a package; their numbers agree");
        return plan.package.clone();
    }
    if n == nodes {
        notes.assume("last-level caches assumed: one a node; their numbers agree");
        return number(plan.node.iter());
    }
    let region = number(plan.package.iter().zip(&plan.node));
    let regions = distinct(&region);
    let shares = n.is_multiple_of(regions).then(|| parts(&plan.core, &region, n / regions)).flatten();
    if let Some(shares) = shares {
        notes.assume(format!(
            "last-level caches assumed: equal shares of the cores in their order; the file counts {n} and does not say \
             which CPUs share them"
        ));
        return shares;
    }
    notes.assume(format!(
        "last-level caches assumed: one a package; the file counts {n}, which does not fit its packages and cores"
    ));
    plan.package.clone()
}

/// Gives every CPU its cluster: on x86 the CPUs with a common second-level cache, elsewhere what the firmware
/// says, which only hwloc passes on.
pub(super) fn clusters(plan: &mut Plan<'_>, notes: &mut Notes) {
    plan.cluster = vec![None; plan.len()];
    if !plan.x86 {
        plan.cluster = plan.rows.iter().map(|r| r.and_then(|r| r.cluster)).collect();
        if plan.cluster.iter().all(Option::is_none) {
            notes.assume("clusters assumed: none; the file does not carry those of the firmware");
        }
        return;
    }
    if let Some(l2) = plan.of_rows(|r| r.caches[L2]) {
        return plan.cluster = number(l2).into_iter().map(Some).collect();
    }
    let counted = plan.found.cache_counts[L2].flatten().map(|n| n as usize);
    if let (Some(n), true) = (counted, plan.found.cache_counts[L3].is_some()) {
        plan.cluster = shared_l2(plan, n, notes);
    }
}

/// Second-level caches by their number alone. As many as cores is one a core, which the kernel takes without
/// being told.
fn shared_l2(plan: &Plan<'_>, n: usize, notes: &mut Notes) -> Vec<Option<u32>> {
    let cores = distinct(&plan.core);
    let llcs = distinct(&plan.llc);
    let said = "second-level caches assumed: the file counts them and does not say which CPUs share them";
    if n >= cores || n == 0 {
        return vec![None; plan.len()];
    }
    if let Some(groups) = hybrid_groups(plan, n) {
        notes.assume(format!("{said}; one for each core of two threads, equal shares of the other cores"));
        return groups;
    }
    match n.is_multiple_of(llcs).then(|| parts(&plan.core, &plan.llc, n / llcs)).flatten() {
        Some(shares) => {
            notes.assume(format!("{said}; equal shares of the cores in their order"));
            shares.into_iter().map(Some).collect()
        }
        None => {
            notes.assume(format!("{said}; one a core was taken, as their number does not fit the cores"));
            vec![None; plan.len()]
        }
    }
}

/// On a hybrid each two-threaded core has its own second-level cache and the others share the rest evenly.
fn hybrid_groups(plan: &Plan<'_>, n: usize) -> Option<Vec<Option<u32>>> {
    let threads = |core: u32| plan.core.iter().filter(|c| **c == core).count();
    let single: Vec<bool> = plan.core.iter().map(|core| threads(*core) == 1).collect();
    let small = single.iter().filter(|s| **s).count();
    let big = distinct(&plan.core) - small;
    let groups =
        n.checked_sub(big).filter(|groups| *groups > 0 && big > 0 && small.is_multiple_of(*groups))?;
    let each = small / groups;
    let mut seen = 0;
    let key = |(at, is_single): (usize, &bool)| {
        if *is_single {
            seen += 1;
            (None, Some((seen - 1) / each))
        } else {
            (Some(plan.core[at]), None)
        }
    };
    let keys: Vec<_> = single.iter().enumerate().map(key).collect();
    Some(number(keys).into_iter().map(Some).collect())
}
