//! From domains to facts: CPUs whose domains are alike are told together.

use super::{Domains, Flags, Row};
use crate::import::activity::{Activity, DomainFacts};
use crate::import::notes::{Notes, ranges};
use std::collections::{BTreeMap, BTreeSet};

const COST: &str = "max_newidle_lb_cost";

/// The facts.
pub(in crate::import) fn facts(domains: &Domains, notes: &mut Notes) -> Activity {
    type Alike = BTreeMap<(u32, Row), Vec<u32>>;
    let mut alike: Alike = BTreeMap::new();
    for ((cpu, index), row) in &domains.rows {
        let mut row = row.clone();
        row.numbers.remove(COST);
        (row.span, row.groups) = (None, None);
        alike.entry((*index, row)).or_default().push(*cpu);
    }
    if domains.rows.values().any(|row| matches!(row.flags, Some(Flags::Number(_)))) {
        notes.warn(
            domains.line,
            "Flags are numbers here, whose bits differ between kernel releases; they are shown as they are.",
        );
    }
    let fact = |((index, row), cpus): ((u32, Row), Vec<u32>)| level(domains, index, row, &cpus);
    Activity { domains: alike.into_iter().map(fact).collect(), ..Activity::default() }
}

fn level(domains: &Domains, index: u32, row: Row, cpus: &[u32]) -> DomainFacts {
    let rows = || cpus.iter().filter_map(|cpu| domains.rows.get(&(*cpu, index)));
    let spans: BTreeSet<&[u32]> = rows().filter_map(|row| row.span.as_deref()).collect();
    let number = |name: &str| row.numbers.get(name).copied();
    let names = |flags: &Option<Flags>| match flags {
        Some(Flags::Names(names)) => Some(names.clone()),
        _ => None,
    };
    DomainFacts {
        index,
        level: number("level").and_then(|n| u32::try_from(n).ok()),
        cpus: ranges(cpus),
        spans: spans.into_iter().map(ranges).collect(),
        flags: names(&row.flags),
        flags_number: match row.flags {
            Some(Flags::Number(n)) => Some(n),
            _ => None,
        },
        groups_flags: names(&row.groups_flags),
        groups: rows().find_map(|row| row.groups.clone()),
        min_interval: number("min_interval"),
        max_interval: number("max_interval"),
        busy_factor: number("busy_factor"),
        imbalance_pct: number("imbalance_pct"),
        cache_nice_tries: number("cache_nice_tries"),
        max_newidle_lb_cost: rows().filter_map(|row| row.numbers.get(COST).copied()).collect(),
        name: row.name,
        ..DomainFacts::default()
    }
}
