//! Domain building on random machines: against a slow restatement of the rules, and what must always hold.

// A helper of a test may fail as the test does.
#![allow(clippy::unwrap_used)]

mod machines;
mod slow;

use balancescope::topology::{
    CpuMask, DomainTree, Group, LevelName, Machine, Release, SdFlags, TopologyRules,
};
use machines::machines;
use proptest::prelude::*;
use slow::{Set, SlowDomain, SlowGroup};
use std::collections::BTreeMap;

fn set(mask: &CpuMask) -> Set {
    mask.iter().collect()
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn trees_equal_the_slow_ones(machine in machines(), release in prop::sample::select(Release::ALL.to_vec())) {
        let rules = TopologyRules::of(release);
        let tree = DomainTree::build(&machine, &rules).unwrap();
        let slow = slow::chains(&machine, &rules);
        for (cpu, expected) in slow.iter().enumerate() {
            let ours = tree.chain(cpu);
            let names = |of: Vec<(LevelName, usize)>| of;
            prop_assert_eq!(
                names(ours.iter().map(|sd| (sd.name, sd.level as usize)).collect()),
                names(expected.iter().map(|sd| (sd.name, sd.level)).collect()),
                "cpu {}", cpu
            );
            for (sd, slow) in ours.iter().zip(expected) {
                let groups = sd.groups.iter().zip(&slow.groups).map(|(&id, slow)| {
                    let group = tree.group(id);
                    SlowGroup { span: set(&group.span), mask: set(&group.mask), flags: group.flags, level: slow.level }
                });
                let as_slow = SlowDomain {
                    name: sd.name,
                    level: sd.level as usize,
                    span: set(&sd.span),
                    flags: sd.flags,
                    weight: sd.min_interval as usize,
                    imb: sd.imb_numa_nr,
                    groups: groups.collect(),
                };
                prop_assert_eq!(&as_slow, slow, "cpu {}", cpu);
                prop_assert_eq!(sd.groups.len(), slow.groups.len());
            }
        }
        states_are_shared_as_told(&tree, &slow)?;
    }

    #[test]
    fn what_always_holds(machine in machines(), release in prop::sample::select(Release::ALL.to_vec())) {
        let rules = TopologyRules::of(release);
        let tree = DomainTree::build(&machine, &rules).unwrap();
        for (cpu, chain) in tree.chains.iter().enumerate() {
            prop_assert!(machine.cpus[cpu].active || chain.is_empty());
            for sd in chain {
                prop_assert!(sd.span.contains(cpu));
                prop_assert!(sd.span.iter().all(|c| machine.cpus[c].active));
                prop_assert_eq!(tree.levels[sd.slot].name, sd.name);
                prop_assert!(tree.group(sd.groups[0]).span.contains(cpu));
                groups_cover(&tree, &machine, sd.level, &sd.span, &sd.groups.iter().map(|&g| tree.group(g)).collect::<Vec<_>>(), sd.name)?;
            }
            for pair in chain.windows(2) {
                prop_assert!(pair[0].span.is_subset(&pair[1].span));
                prop_assert!(pair[0].slot < pair[1].slot);
            }
            let in_llc = chain.iter().take_while(|sd| sd.flags.contains(SdFlags::LLC)).count();
            prop_assert!(chain[in_llc..].iter().all(|sd| !sd.flags.contains(SdFlags::LLC)));
            prop_assert_eq!(tree.llc_size(cpu), if in_llc == 0 { 1 } else { chain[in_llc - 1].span.weight() });
        }
        for group in &tree.groups {
            prop_assert_eq!(group.mask.first(), Some(group.balance_cpu));
            prop_assert!(group.mask.is_subset(&group.span));
            let sum: u64 = group.span.iter().map(|c| u64::from(machine.cpus[c].capacity)).sum();
            prop_assert_eq!(group.capacity, sum);
            prop_assert!(group.state < tree.group_states);
        }
    }

    #[test]
    fn building_twice_gives_the_same(machine in machines()) {
        let rules = TopologyRules::of(Release::V6_6);
        prop_assert_eq!(DomainTree::build(&machine, &rules), DomainTree::build(&machine, &rules));
    }

    /// Inconsistent machines are refused in a sentence or built, never anything else.
    #[test]
    fn broken_machines_do_not_panic(
        mut machine in machines(),
        hits in prop::collection::vec((0..12usize, any::<u32>(), any::<u32>()), 1..4),
    ) {
        for (what, place, value) in hits {
            damage(&mut machine, what, place as usize, value);
        }
        for release in Release::ALL {
            if let Err(sentence) = DomainTree::build(&machine, &TopologyRules::of(release)) {
                prop_assert!(sentence.ends_with('.') && !sentence.contains('\n'), "{}", sentence);
            }
        }
    }
}

/// Groups lie side by side and cover the span, except at NUMA levels: there they may overlap, and CPUs of
/// domains that end below may be left out.
fn groups_cover(
    tree: &DomainTree,
    machine: &Machine,
    level: u32,
    span: &CpuMask,
    groups: &[&Group],
    name: LevelName,
) -> Result<(), TestCaseError> {
    let mut covered = CpuMask::empty(machine.cpus.len());
    groups.iter().for_each(|group| covered.union_with(&group.span));
    if name != LevelName::Numa {
        prop_assert_eq!(&covered, span);
        prop_assert_eq!(groups.iter().map(|group| group.span.weight()).sum::<usize>(), span.weight());
    }
    for cpu in span.iter().filter(|&cpu| !covered.contains(cpu)) {
        let reaches = tree.chain(cpu).last().is_some_and(|sd| sd.level >= level);
        prop_assert!(!reaches, "cpu {} is in no group", cpu);
    }
    Ok(())
}

/// Equal (level, balance CPU): equal state, whatever the list; else different.
fn states_are_shared_as_told(tree: &DomainTree, slow: &[Vec<SlowDomain>]) -> Result<(), TestCaseError> {
    let mut state_of: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (chain, slow) in tree.chains.iter().zip(slow) {
        for (sd, slow) in chain.iter().zip(slow) {
            for (&id, slow) in sd.groups.iter().zip(&slow.groups) {
                let key = (slow.level, *slow.mask.first().unwrap());
                let state = tree.group(id).state;
                prop_assert_eq!(*state_of.entry(key).or_insert(state), state);
            }
        }
    }
    let distinct: std::collections::BTreeSet<usize> = state_of.values().copied().collect();
    prop_assert_eq!(distinct.len(), state_of.len());
    prop_assert_eq!(distinct.len(), tree.group_states);
    Ok(())
}

fn damage(machine: &mut Machine, what: usize, place: usize, value: u32) {
    let (cpus, nodes) = (machine.cpus.len().max(1), machine.nodes.len().max(1));
    let small = value % 7;
    if let Some(cpu) = machine.cpus.get_mut(place % cpus) {
        match what {
            0 => cpu.core = small,
            1 => cpu.llc = small,
            2 => cpu.cluster = (small != 0).then_some(small),
            3 => cpu.package = small,
            4 => cpu.node = small,
            5 => cpu.capacity = value,
            6 => cpu.id = small,
            _ => {}
        }
    }
    match what {
        7 => machine.distances.truncate(place % nodes),
        8 => machine.cpus.truncate(place % cpus),
        9 => machine.nodes.truncate(place % nodes),
        10 => {
            let row = machine.distances.get_mut(place % nodes);
            if let Some(distance) = row.and_then(|row| row.last_mut()) {
                *distance = value % 300;
            }
        }
        11 => {
            if let Some(row) = machine.distances.get_mut(place % nodes) {
                row.fill(10);
            }
        }
        _ => {}
    }
}
