//! What the kernel set, beside what our rules would set for the same machine.

use super::{Domains, Flags, Row};
use crate::import::notes::{Notes, named};
use crate::topology::{Domain, DomainTree, Machine, Release, TopologyRules};
use std::collections::BTreeMap;

/// More differences than a person reads at once.
const SHOWN: usize = 12;

/// Says where flags and numbers differ from those of the tree that the release would build.
pub(in crate::import) fn compare(
    machine: &Machine,
    domains: &Domains,
    release: Option<Release>,
    notes: &mut Notes,
) {
    let Some(release) = release else { return };
    let rules = TopologyRules::of(release);
    let Ok(tree) = DomainTree::build(machine, &rules) else { return };
    let mut differ: BTreeMap<(u32, String), Vec<u32>> = BTreeMap::new();
    for (at, cpu) in machine.cpus.iter().enumerate() {
        for (index, ours) in (0_u32..).zip(tree.chain(at)) {
            let Some(row) = domains.rows.get(&(cpu.id, index)) else { continue };
            for text in differences(row, ours, &rules) {
                differ.entry((index, text)).or_default().push(cpu.id);
            }
        }
    }
    let n = differ.len();
    for ((index, text), cpus) in differ.into_iter().take(SHOWN) {
        let text = format!(
            "Domain {index} of {} is not as the rules of {} would set it: {text}.",
            named("CPU", &cpus),
            release.name()
        );
        notes.warn(None, text);
    }
    if n > SHOWN {
        notes.warn(None, format!("The domains differ in {} more values.", n - SHOWN));
    }
}

fn differences(row: &Row, ours: &Domain, rules: &TopologyRules) -> Vec<String> {
    let mut out = Vec::new();
    let numbers = [
        ("min_interval", ours.min_interval),
        ("max_interval", ours.max_interval),
        ("busy_factor", ours.busy_factor),
        ("imbalance_pct", ours.imbalance_pct),
        ("cache_nice_tries", ours.cache_nice_tries),
        ("level", ours.level),
    ];
    for (name, ours) in numbers {
        if let Some(theirs) = row.numbers.get(name).filter(|theirs| **theirs != u64::from(ours)) {
            out.push(format!("{name} is {theirs}, not {ours}"));
        }
    }
    if let Some(Flags::Names(theirs)) = &row.flags {
        let ours = ours.flags.names(rules);
        let only_theirs: Vec<&str> =
            theirs.iter().map(String::as_str).filter(|flag| !ours.contains(flag)).collect();
        let only_ours: Vec<&str> =
            ours.iter().copied().filter(|flag| !theirs.iter().any(|f| f == flag)).collect();
        if !only_theirs.is_empty() {
            out.push(format!("it has {}", only_theirs.join(" ")));
        }
        if !only_ours.is_empty() {
            out.push(format!("it lacks {}", only_ours.join(" ")));
        }
    }
    out
}
