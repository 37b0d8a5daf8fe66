//! `check domains`: the domain trees that a kernel built.

use super::Tally;
use super::rows::once;
use balancescope::topology::{
    DomainTree, Recorded, RecordedChain, RecordedGroup, RecordedLevel, Release, TopologyRules,
};
use std::collections::BTreeSet;

/// Compares every recorded field of one file. The error is one sentence.
pub fn check(label: &str, text: &str, release: Release, tally: &mut Tally) -> Result<(), String> {
    once(text).map_err(|e| format!("This is not a recorded machine in JSON: {e}."))?;
    let recorded = Recorded::parse(text)?;
    owners(&recorded)?;
    let machine = recorded.machine()?;
    let rules = TopologyRules::of(release);
    let tree = DomainTree::build(&machine, &rules)?;
    let ours = Recorded::of(&machine, &tree, &rules, release.name());
    for cpu in machine.cpus.iter().map(|c| c.id) {
        let place = format!("{label}: cpu {cpu}");
        let (theirs, ours) = (levels(&recorded.domains, cpu), levels(&ours.domains, cpu));
        compare_chains(&place, theirs, ours, tally);
    }
    Ok(())
}

/// Every list of domains must be that of a CPU, and the only one of it.
fn owners(recorded: &Recorded) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for chain in &recorded.domains {
        if !recorded.cpus.iter().any(|c| c.cpu == chain.cpu) {
            return Err(format!("Domains of CPU {} are recorded, but not the CPU.", chain.cpu));
        }
        if !seen.insert(chain.cpu) {
            return Err(format!("The domains of CPU {} are recorded twice.", chain.cpu));
        }
    }
    Ok(())
}

fn levels(chains: &[RecordedChain], cpu: u32) -> &[RecordedLevel] {
    chains.iter().find(|chain| chain.cpu == cpu).map_or(&[], |chain| &chain.levels)
}

fn compare_chains(place: &str, recorded: &[RecordedLevel], ours: &[RecordedLevel], tally: &mut Tally) {
    let names =
        |levels: &[RecordedLevel]| levels.iter().map(|l| l.name.clone()).collect::<Vec<_>>().join(" ");
    tally.compare(|| format!("{place}: levels"), &names(recorded), &names(ours));
    for (number, level) in recorded.iter().enumerate() {
        let place = format!("{place} domain {number} {}", level.name);
        match ours.get(number) {
            Some(own) => compare_levels(&place, level, own, tally),
            None => tally.add(false, || format!("{place}: recorded, but ours ends below")),
        }
    }
}

fn compare_levels(place: &str, recorded: &RecordedLevel, ours: &RecordedLevel, tally: &mut Tally) {
    let at = |field: &str| format!("{place}: {field}");
    tally.compare(|| at("name"), &recorded.name, &ours.name);
    tally.compare(|| at("span"), &recorded.span, &ours.span);
    compare_given(|| at("flags"), &recorded.flags, &ours.flags, tally);
    let numbers = [
        ("min_interval", recorded.min_interval, ours.min_interval),
        ("max_interval", recorded.max_interval, ours.max_interval),
        ("busy_factor", recorded.busy_factor, ours.busy_factor),
        ("imbalance_pct", recorded.imbalance_pct, ours.imbalance_pct),
        ("cache_nice_tries", recorded.cache_nice_tries, ours.cache_nice_tries),
    ];
    for (field, recorded, ours) in numbers {
        compare_given(|| at(field), &recorded, &ours, tally);
    }
    // The kernel shows this one in no file, so that recordings may lack it.
    if recorded.imb_numa_nr.is_some() {
        compare_given(|| at("imb_numa_nr"), &recorded.imb_numa_nr, &ours.imb_numa_nr, tally);
    }
    compare_groups(place, &recorded.groups, &ours.groups, tally);
}

/// A field that one side leaves out differs if the other has it.
fn compare_given<T: PartialEq + std::fmt::Debug>(
    place: impl FnOnce() -> String,
    recorded: &Option<T>,
    ours: &Option<T>,
    tally: &mut Tally,
) {
    let shown = |value: &Option<T>| value.as_ref().map_or("nothing".to_owned(), |value| format!("{value:?}"));
    match (recorded, ours) {
        (Some(recorded), Some(ours)) => tally.compare(place, recorded, ours),
        (None, None) => {}
        _ => tally.add(false, || format!("{}: recorded {}, ours {}", place(), shown(recorded), shown(ours))),
    }
}

fn compare_groups(place: &str, recorded: &[RecordedGroup], ours: &[RecordedGroup], tally: &mut Tally) {
    tally.compare(|| format!("{place}: number of groups"), &recorded.len(), &ours.len());
    for (number, (theirs, own)) in recorded.iter().zip(ours).enumerate() {
        let at = |field: &str| format!("{place} group {number}: {field}");
        tally.compare(|| at("first"), &theirs.first, &own.first);
        tally.compare(|| at("span"), &theirs.span, &own.span);
        tally.compare(|| at("mask"), &theirs.balance_mask(), &own.balance_mask());
        tally.compare(|| at("capacity"), &theirs.full_capacity(), &own.full_capacity());
    }
}
