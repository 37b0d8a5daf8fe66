//! Trees that the specification works out, for every release.

// A helper of a test may fail as the test does.
#![allow(clippy::unwrap_used)]

use balancescope::topology::{
    Domain, DomainTree, LevelName, Machine, Release, SdFlags, TopologyRules, library,
};

fn machine(name: &str) -> Machine {
    library::machine(name).unwrap()
}

fn tree(machine: &Machine, release: Release) -> DomainTree {
    DomainTree::build(machine, &TopologyRules::of(release)).unwrap()
}

/// `SMT 2/2 MC 8/4`: span weight and number of groups, bottom up.
fn shape(tree: &DomainTree, cpu: usize) -> String {
    let level = |sd: &Domain| format!("{} {}/{}", sd.name.as_str(), sd.span.weight(), sd.groups.len());
    tree.chain(cpu).iter().map(level).collect::<Vec<_>>().join(" ")
}

fn imb(tree: &DomainTree, cpu: usize) -> Vec<u32> {
    tree.chain(cpu).iter().map(|sd| sd.imb_numa_nr).collect()
}

/// `{0-23} {24-47 mask 24-30}`.
fn groups(machine: &Machine, tree: &DomainTree, cpu: usize, domain: usize) -> String {
    let text = |&id| {
        let group = tree.group(id);
        let span = machine.list(&group.span);
        if group.mask == group.span {
            format!("{{{span}}}")
        } else {
            format!("{{{span} mask {}}}", machine.list(&group.mask))
        }
    };
    tree.chain(cpu)[domain].groups.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// The package level's name differs by release; the rest of the shape does not.
fn same_everywhere(name: &str, expected: &str) {
    let machine = machine(name);
    for release in Release::ALL {
        let package = TopologyRules::of(release).package_level.as_str();
        let tree = tree(&machine, release);
        for cpu in 0..machine.cpus.len() {
            assert_eq!(shape(&tree, cpu), expected.replace("PKG", package), "{name} cpu {cpu} {release:?}");
        }
    }
}

const MODERN: [Release; 6] =
    [Release::V6_1, Release::V6_6, Release::V6_12, Release::V6_17, Release::V6_19, Release::V7_1];

#[test]
fn regular_servers() {
    same_everywhere("spr-2x56x2", "SMT 2/2 MC 112/56 NUMA 224/2");
    same_everywhere("spr-2x56x2-snc4", "SMT 2/2 MC 28/14 NUMA 112/4 NUMA 224/2");
    same_everywhere("epyc-2x64x2", "SMT 2/2 MC 16/8 PKG 128/8 NUMA 256/2");
    same_everywhere("epyc-2x64x2-nps4", "SMT 2/2 MC 16/8 NODE 32/2 NUMA 128/4 NUMA 256/2");
    same_everywhere("epyc-1x64x2", "SMT 2/2 MC 16/8 PKG 128/8");
    same_everywhere("laptop-4x2", "SMT 2/2 MC 8/4");
    same_everywhere("2x24x2", "SMT 2/2 MC 48/24 NUMA 96/2");
    same_everywhere("power-4x10x8", "SMT 8/8 PKG 80/10 NUMA 320/4");
    same_everywhere("dynamiq-4p3p1", "MC 8/8");
    same_everywhere("biglittle-4p4", "MC 4/4 PKG 8/2");
}

#[test]
fn imb_numa_nr_counts_caches() {
    for release in MODERN {
        let of = |name: &str| imb(&tree(&machine(name), release), 0);
        assert_eq!(of("spr-2x56x2"), [0, 0, 14], "{release:?}");
        assert_eq!(of("spr-2x56x2-snc4"), [0, 0, 3, 6], "{release:?}");
        assert_eq!(of("epyc-2x64x2"), [0, 0, 8, 8], "{release:?}");
        assert_eq!(of("epyc-2x64x2-nps4"), [0, 0, 2, 2, 4], "{release:?}");
    }
    let old = tree(&machine("epyc-2x64x2"), Release::V4_19);
    assert_eq!(imb(&old, 0), [0, 0, 0, 0]);
}

#[test]
fn level_numbers_keep_their_gaps() {
    let spr = machine("spr-2x56x2");
    let levels = |release| tree(&spr, release).chain(0).iter().map(|sd| sd.level).collect::<Vec<_>>();
    for release in MODERN {
        assert_eq!(levels(release), [0, 2, 5], "{release:?}");
    }
    assert_eq!(levels(Release::V4_19), [0, 1, 4]);
}

#[test]
fn far_levels_lose_flags_beyond_the_reclaim_distance() {
    let lost = SdFlags::BALANCE_EXEC | SdFlags::BALANCE_FORK | SdFlags::WAKE_AFFINE;
    for name in ["epyc-2x64x2", "epyc-2x64x2-nps4"] {
        let machine = machine(name);
        for release in MODERN {
            let tree = tree(&machine, release);
            assert!(tree.chain(0).iter().all(|sd| sd.flags.contains(lost)), "{name} {release:?}");
        }
        let old = tree(&machine, Release::V4_19);
        let (top, below) = old.chain(0).split_last().unwrap();
        assert!(!top.flags.intersects(lost));
        assert!(below.iter().all(|sd| sd.flags.contains(lost)));
    }
    let spr = tree(&machine("spr-2x56x2"), Release::V4_19);
    assert!(spr.chain(0)[2].flags.contains(lost));
}

#[test]
fn releases_differ_in_values_and_flags() {
    let epyc = machine("epyc-2x64x2");
    let old = tree(&epyc, Release::V4_19);
    let pct: Vec<u32> = old.chain(5).iter().map(|sd| sd.imbalance_pct).collect();
    assert_eq!(pct, [110, 117, 125, 125]);
    assert!(old.chain(0).iter().all(|sd| sd.busy_factor == 32));
    assert!(old.chain(0).iter().all(|sd| sd.flags.contains(SdFlags::LOAD_BALANCE)));
    for release in MODERN {
        let tree = tree(&epyc, release);
        let chain = tree.chain(5);
        assert_eq!(chain.iter().map(|sd| sd.imbalance_pct).collect::<Vec<_>>(), [110, 117, 117, 117]);
        assert_eq!(chain.iter().map(|sd| sd.cache_nice_tries).collect::<Vec<_>>(), [0, 1, 1, 2]);
        assert!(chain.iter().all(|sd| sd.busy_factor == 16 && sd.max_interval == 2 * sd.min_interval));
        assert!(!chain[0].flags.contains(SdFlags::LOAD_BALANCE));
        assert_eq!(chain[3].flags.contains(SdFlags::OVERLAP), release <= Release::V6_12, "{release:?}");
        assert!(!chain[3].flags.contains(SdFlags::PREFER_SIBLING));
    }
}

#[test]
fn kunpeng_groups_overlap() {
    let kunpeng = machine("kunpeng-920");
    for release in MODERN {
        let tree = tree(&kunpeng, release);
        assert_eq!(shape(&tree, 0), "CLS 4/4 MC 24/6 NUMA 48/2 NUMA 72/2 NUMA 96/2", "{release:?}");
        assert_eq!(imb(&tree, 0), [0, 0, 3, 3, 6]);
        assert_eq!(groups(&kunpeng, &tree, 0, 2), "{0-23} {24-47}");
        assert_eq!(groups(&kunpeng, &tree, 0, 3), "{0-47} {48-71}");
        assert_eq!(groups(&kunpeng, &tree, 0, 4), "{0-71 mask 0-23} {48-95 mask 72-95}");
        let cluster = tree.chain(0)[0].flags.contains(SdFlags::CLUSTER);
        assert_eq!(cluster, release >= Release::V6_12, "{release:?}");
        assert_eq!(tree.share_id(6), if cluster { 4 } else { 0 });
    }
}

#[test]
fn kunpeng_in_4_19_leaves_its_domains_and_cannot_see_all_of_the_machine() {
    let kunpeng = machine("kunpeng-920");
    let old = tree(&kunpeng, Release::V4_19);
    let level = old.chain(0).iter().position(|sd| sd.span.weight() == 72).unwrap();
    assert_eq!(groups(&kunpeng, &old, 0, level), "{0-47} {48-95}");
    for cpu in 0..96 {
        let reaches_all = old.chain(cpu).last().unwrap().span.weight() == 96;
        assert_eq!(reaches_all, matches!(cpu / 24, 0 | 2), "cpu {cpu}");
    }
}

#[test]
fn ring_groups_overlap() {
    let ring = machine("ring-4x2");
    let tree = tree(&ring, Release::V6_1);
    assert_eq!(groups(&ring, &tree, 0, 1), "{0-1} {2-3} {6-7}");
    assert_eq!(groups(&ring, &tree, 0, 2), "{0-3,6-7 mask 0-1} {2-7 mask 4-5}");
}

#[test]
fn unequal_capacities() {
    for release in MODERN {
        let big_little = tree(&machine("biglittle-4p4"), release);
        let full = SdFlags::ASYM_CPUCAPACITY | SdFlags::ASYM_CPUCAPACITY_FULL;
        let chain = big_little.chain(0);
        assert!(chain[1].flags.contains(full | SdFlags::PREFER_SIBLING));
        assert!(!chain[0].flags.intersects(full | SdFlags::PREFER_SIBLING));
        let dynamiq = tree(&machine("dynamiq-4p3p1"), release);
        assert!(dynamiq.chain(0)[0].flags.contains(full | SdFlags::PREFER_SIBLING));
        assert!(dynamiq.asym_capacity_domain(3).is_some());
    }
    let old = tree(&machine("biglittle-4p4"), Release::V4_19);
    assert!(old.chain(0)[0].flags.contains(SdFlags::PREFER_SIBLING));
    assert!(!old.chain(0)[1].flags.contains(SdFlags::ASYM_CPUCAPACITY));
}

#[test]
fn hybrid_clusters() {
    let hybrid = machine("hybrid-8p8e");
    for release in MODERN.into_iter().filter(|&r| r != Release::V6_1) {
        let tree = tree(&hybrid, release);
        for cpu in 0..24 {
            let expected = if cpu < 16 { "SMT 2/2 MC 24/10" } else { "CLS 4/4 MC 24/10" };
            assert_eq!(shape(&tree, cpu), expected, "cpu {cpu} {release:?}");
        }
    }
    for release in [Release::V4_19, Release::V6_1] {
        let tree = tree(&hybrid, release);
        assert_eq!(shape(&tree, 0), "SMT 2/2 MC 24/16");
        assert_eq!(shape(&tree, 20), "MC 24/16");
    }
}

#[test]
fn favoured_cores_mark_levels() {
    let marked = |release, hybrid| {
        let mut epyc = machine("epyc-1x64x2");
        (epyc.itmt, epyc.hybrid) = (true, hybrid);
        let tree = tree(&epyc, release);
        let has = |sd: &Domain| sd.flags.contains(SdFlags::ASYM_PACKING);
        tree.chain(0).iter().map(has).collect::<Vec<bool>>()
    };
    assert_eq!(marked(Release::V4_19, false), [true, true, false]);
    assert_eq!(marked(Release::V6_1, true), [true, true, false]);
    assert_eq!(marked(Release::V6_6, false), [false, true, false]);
    assert_eq!(marked(Release::V6_6, true), [false, true, true]);
    assert_eq!(marked(Release::V6_19, false), [false, true, true]);
}

#[test]
fn granite_rapids_lopsided_and_evened_out() {
    let gnr = machine("gnr-2x96x2-snc3");
    assert_eq!(gnr.cpus.len(), 384);
    let node = |n: usize| n * 32;
    for release in [Release::V6_1, Release::V6_6, Release::V6_12, Release::V6_17] {
        let tree = tree(&gnr, release);
        let spans = |cpu: usize| tree.chain(cpu).iter().map(|sd| sd.span.weight() / 64).collect::<Vec<_>>();
        assert_eq!(spans(node(0)), [0, 1, 2, 3, 4, 5, 6], "{release:?}");
        assert_eq!(spans(node(4)), [0, 1, 3, 5, 6], "{release:?}");
        let top_groups = |n: usize| tree.chain(node(n)).last().unwrap().groups.len();
        assert_eq!([0, 1, 2, 3, 4, 5].map(top_groups), [1, 2, 2, 1, 2, 2], "{release:?}");
    }
    for release in [Release::V6_19, Release::V7_1] {
        let tree = tree(&gnr, release);
        let nodes_of = |cpu: usize, domain: usize| {
            let list = |&id| {
                let span = &tree.group(id).span;
                (0..6)
                    .filter(|&n| span.contains(node(n)))
                    .map(|n| n.to_string())
                    .collect::<Vec<_>>()
                    .join(",")
            };
            tree.chain(cpu)[domain].groups.iter().map(list).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shape(&tree, 0), "SMT 2/2 MC 64/32 NUMA 128/2 NUMA 192/2 NUMA 384/2", "{release:?}");
        assert_eq!(nodes_of(node(0), 2), "0 1");
        assert_eq!(nodes_of(node(0), 3), "0,1 1,2");
        assert_eq!(nodes_of(node(0), 4), "0,1,2 3,4,5");
        assert_eq!(shape(&tree, node(4)), "SMT 2/2 MC 64/32 NUMA 192/3 NUMA 384/2");
        assert_eq!(nodes_of(node(4), 2), "4 5 3");
        assert_eq!(nodes_of(node(4), 3), "3,4,5 0,1,2");
    }
}

#[test]
fn a_far_granite_rapids_ends_at_five_nodes_for_two_of_its_nodes() {
    let mut gnr = machine("gnr-2x96x2-snc3");
    for (a, row) in gnr.distances.iter_mut().enumerate() {
        for (_, distance) in row.iter_mut().enumerate().filter(|(b, _)| a / 3 != b / 3) {
            *distance += 10;
        }
    }
    let tree = tree(&gnr, Release::V6_1);
    let top = |n: usize| tree.chain(n * 32).last().unwrap().span.weight() / 64;
    assert_eq!([0, 1, 2, 3, 4, 5].map(top), [5, 6, 6, 5, 6, 6]);
}

#[test]
fn two_packages_of_four_dies() {
    let dies = machine("2x8x1-nodes2-llc2");
    let tree = tree(&dies, Release::V6_1);
    assert_eq!(shape(&tree, 0), "MC 2/2 NODE 4/2 NUMA 8/2 NUMA 16/2");
    assert_eq!(imb(&tree, 0), [0, 2, 2, 4]);
}

#[test]
fn isolated_cpus() {
    let mut laptop = machine("4x1x2");
    // Siblings 0-1, 2-3, 4-5, 6-7 in one package.
    for cpu in &mut laptop.cpus {
        (cpu.core, cpu.llc, cpu.package, cpu.node) = (cpu.id / 2, 0, 0, 0);
        cpu.active = cpu.id != 1 && cpu.id != 6;
    }
    laptop.nodes.truncate(1);
    laptop.distances = vec![vec![10]];
    let tree = tree(&laptop, Release::V6_1);
    for cpu in [0, 7] {
        assert_eq!(shape(&tree, cpu), "MC 6/4");
    }
    for cpu in [2, 3, 4, 5] {
        assert_eq!(shape(&tree, cpu), "SMT 2/2 MC 6/4");
    }
    assert!(tree.chain(1).is_empty() && tree.chain(6).is_empty());
    assert_eq!(groups(&laptop, &tree, 0, 0), "{0} {2-3} {4-5} {7}");
    let mc = &tree.chain(0)[0];
    assert_eq!((mc.min_interval, mc.max_interval), (8, 16));
    assert_eq!(tree.llc_id(7), 0);
    assert_eq!(tree.llc_id(1), 1);
    assert_eq!(tree.llc_size(1), 1);
}

#[test]
fn a_lone_node_keeps_a_level_of_one_group_in_4_19_alone() {
    let mut machine = machine("3x2x1");
    machine.distances = vec![vec![10, 12, 20], vec![12, 10, 20], vec![20, 20, 10]];
    let old = tree(&machine, Release::V4_19);
    assert_eq!(shape(&old, 4), "MC 2/2 NUMA 2/1 NUMA 6/2");
    for release in MODERN {
        assert_eq!(shape(&tree(&machine, release), 4), "MC 2/2 NUMA 6/2", "{release:?}");
    }
}

#[test]
fn one_cpu_a_node() {
    let tree = tree(&machine("2x1x1"), Release::V6_1);
    assert_eq!(shape(&tree, 0), "NUMA 2/2");
    assert!(tree.llc_domain(0).is_none());
    assert_eq!((tree.llc_id(1), tree.llc_size(1)), (1, 1));
}

#[test]
fn relax_domain_level_takes_newidle() {
    let spr = machine("spr-2x56x2");
    let newidle = |release, level| {
        let rules = TopologyRules { relax_domain_level: Some(level), ..TopologyRules::of(release) };
        let tree = DomainTree::build(&spr, &rules).unwrap();
        tree.chain(0).iter().map(|sd| sd.flags.contains(SdFlags::BALANCE_NEWIDLE)).collect::<Vec<_>>()
    };
    assert_eq!(newidle(Release::V6_1, 2), [true, false, false]);
    assert_eq!(newidle(Release::V6_6, 2), [true, true, false]);
}

#[test]
fn slots_and_levels_agree() {
    for name in library::names() {
        for release in Release::ALL {
            let tree = tree(&machine(name), release);
            for sd in tree.chains.iter().flatten() {
                assert_eq!((tree.levels[sd.slot].level, tree.levels[sd.slot].name), (sd.level, sd.name));
            }
        }
    }
    let epyc = tree(&machine("epyc-2x64x2"), Release::V6_6);
    assert_eq!(epyc.slot_named(LevelName::Die), Some(2));
    assert!(epyc.at_slot(0, 2).is_some());
}
