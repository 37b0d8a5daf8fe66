//! The rules of domain building again, from the specification's text alone: slow, plain, nothing shared and
//! nothing remembered.

use balancescope::topology::{
    AsymPackingPackage, GroupFlags, LevelName, Machine, NumaDistances, SdFlags, SncDistances, TopologyRules,
};
use std::collections::{BTreeMap, BTreeSet};

pub type Set = BTreeSet<usize>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowGroup {
    pub span: Set,
    pub mask: Set,
    pub flags: SdFlags,
    /// The level in whose terms the group was made: with the first CPU of the mask, its shared state.
    pub level: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowDomain {
    pub name: LevelName,
    pub level: usize,
    pub span: Set,
    pub flags: SdFlags,
    pub weight: usize,
    pub imb: u32,
    pub groups: Vec<SlowGroup>,
}

struct SlowLevel {
    name: LevelName,
    distance: u32,
    masks: Vec<Set>,
}

type Chains = Vec<Vec<SlowDomain>>;

/// Every CPU's domains after removal.
pub fn chains(machine: &Machine, rules: &TopologyRules) -> Chains {
    let levels = levels(machine, rules);
    let mut chains = full_chains(machine, rules, &levels);
    add_groups(rules, &mut chains);
    if rules.imb_numa_nr {
        chains.iter_mut().for_each(|chain| count_imb(chain));
    }
    remove(machine, rules, &mut chains);
    chains
}

fn alike<K: PartialEq>(machine: &Machine, key: impl Fn(usize) -> K) -> Vec<Set> {
    let all = 0..machine.cpus.len();
    all.clone().map(|c| all.clone().filter(|&o| key(o) == key(c)).collect()).collect()
}

fn package_has_nodes(machine: &Machine, least: usize) -> bool {
    let packages: BTreeSet<u32> = machine.cpus.iter().map(|c| c.package).collect();
    packages.iter().any(|&p| {
        let inside = machine.cpus.iter().filter(|c| c.package == p);
        inside.map(|c| c.node).collect::<BTreeSet<_>>().len() >= least
    })
}

fn levels(machine: &Machine, rules: &TopologyRules) -> Vec<SlowLevel> {
    let cpu = |c: usize| &machine.cpus[c];
    let smt = alike(machine, |c| cpu(c).core);
    let node = alike(machine, |c| cpu(c).node);
    let package = alike(machine, |c| cpu(c).package);
    let llc = alike(machine, |c| (cpu(c).llc, cpu(c).node));
    let cluster = alike(machine, |c| (cpu(c).cluster, cpu(c).node));
    let mut mc = llc.clone();
    let mut cls = cluster.clone();
    for c in 0..machine.cpus.len() {
        if !machine.x86 {
            let smallest = [&node[c], &package[c], &llc[c]]
                .into_iter()
                .reduce(|a, b| if b.is_subset(a) { b } else { a });
            mc[c] = smallest.unwrap().clone();
            if rules.cluster_level && cpu(c).cluster.is_some() && cluster[c].is_superset(&mc[c]) {
                mc[c] = cluster[c].clone();
            }
            if cluster[c].is_superset(&mc[c]) {
                cls[c] = smt[c].clone();
            }
        }
        if cpu(c).cluster.is_none() {
            cls[c] = smt[c].clone();
        }
    }
    let hybrid_without = machine.x86 && machine.hybrid && !rules.hybrid_cluster_level;
    let plain = |name, masks| SlowLevel { name, distance: 0, masks };
    let mut levels = vec![plain(LevelName::Smt, smt)];
    if rules.cluster_level && !hybrid_without {
        levels.push(plain(LevelName::Cls, cls));
    }
    levels.push(plain(LevelName::Mc, mc));
    if !(machine.x86 && package_has_nodes(machine, 2)) {
        levels.push(plain(rules.package_level, node));
    }
    levels.extend(numa(machine, rules));
    levels
}

fn evened(machine: &Machine, rules: &TopologyRules) -> Vec<Vec<u32>> {
    let nodes = machine.nodes.len();
    let package_of = |n: usize| machine.cpus.iter().find(|c| c.node as usize == n).map(|c| c.package);
    let packages: BTreeSet<u32> = machine.cpus.iter().map(|c| c.package).collect();
    let given = machine.distances.clone();
    if !(machine.granite_rapids && machine.x86 && package_has_nodes(machine, 2) && packages.len() > 1) {
        return given;
    }
    let with = |n: usize| package_of(n).is_some();
    let pairs: Vec<(usize, usize)> = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).collect();
    let mean = |of: &[u32]| of.iter().sum::<u32>() / of.len() as u32;
    let mut even = given.clone();
    match rules.snc_distances {
        SncDistances::AsGiven => {}
        SncDistances::AverageRemote => {
            let far = pairs.iter().filter(|&&(a, b)| with(a) && with(b) && given[a][b] >= 20);
            let far: Vec<u32> = far.map(|&(a, b)| given[a][b]).collect();
            let average = if far.is_empty() { 20 } else { mean(&far) };
            for &(a, b) in pairs.iter().filter(|&&(a, b)| given[a][b] >= 20) {
                even[a][b] = average;
            }
        }
        SncDistances::AverageBlocks => {
            let local = pairs.iter().filter(|&&(a, b)| package_of(a) == package_of(b));
            let skewed = local.into_iter().any(|&(a, b)| given[a][b] != given[b][a]);
            if skewed || !package_has_nodes(machine, 3) {
                return given;
            }
            for &(a, b) in
                pairs.iter().filter(|&&(a, b)| with(a) && with(b) && package_of(a) != package_of(b))
            {
                let (p, q) = (package_of(a), package_of(b));
                let block = pairs.iter().filter(|&&(i, j)| {
                    let ends = (package_of(i), package_of(j));
                    ends == (p, q) || ends == (q, p)
                });
                even[a][b] = mean(&block.map(|&(i, j)| given[i][j]).collect::<Vec<_>>());
            }
        }
    }
    even
}

fn numa(machine: &Machine, rules: &TopologyRules) -> Vec<SlowLevel> {
    let distances = evened(machine, rules);
    let with: BTreeSet<usize> = machine.cpus.iter().map(|c| c.node as usize).collect();
    let rows: Vec<usize> = match rules.numa_distances {
        NumaDistances::Node0Row => vec![0],
        NumaDistances::AllPairs => with.iter().copied().collect(),
    };
    let unique: BTreeSet<u32> =
        rows.iter().flat_map(|&a| with.iter().map(move |&b| (a, b))).map(|(a, b)| distances[a][b]).collect();
    let level = |(k, &distance): (usize, &u32)| SlowLevel {
        name: if k == 0 { LevelName::Node } else { LevelName::Numa },
        distance,
        masks: (0..machine.cpus.len())
            .map(|c| {
                let row = &distances[machine.cpus[c].node as usize];
                (0..machine.cpus.len()).filter(|&o| row[machine.cpus[o].node as usize] <= distance).collect()
            })
            .collect(),
    };
    unique.iter().enumerate().map(level).collect()
}

fn asymmetry(machine: &Machine, rules: &TopologyRules, mask: &Set) -> SdFlags {
    let capacities = |inside: &dyn Fn(usize) -> bool| -> BTreeSet<u32> {
        let cpus = machine.cpus.iter().enumerate();
        cpus.filter(|(c, cpu)| cpu.active && inside(*c)).map(|(_, cpu)| cpu.capacity).collect()
    };
    let here = capacities(&|c| mask.contains(&c));
    if !rules.asym_capacity || here.len() < 2 {
        return SdFlags::empty();
    }
    let full = here == capacities(&|_| true);
    if full { SdFlags::ASYM_CPUCAPACITY | SdFlags::ASYM_CPUCAPACITY_FULL } else { SdFlags::ASYM_CPUCAPACITY }
}

fn base_flags(machine: &Machine, rules: &TopologyRules, level: &SlowLevel) -> SdFlags {
    let reclaim = machine.node_reclaim_distance.min(rules.reclaim_distance_cap.unwrap_or(u32::MAX));
    let mut flags = SdFlags::BALANCE_NEWIDLE;
    let numa = level.name == LevelName::Numa;
    if !(numa && level.distance > reclaim) {
        flags |= SdFlags::BALANCE_EXEC | SdFlags::BALANCE_FORK | SdFlags::WAKE_AFFINE;
    }
    let packing = match level.name {
        LevelName::Smt => rules.asym_packing_smt,
        LevelName::Cls | LevelName::Mc => true,
        LevelName::Die | LevelName::Pkg => match rules.asym_packing_package {
            AsymPackingPackage::Never => false,
            AsymPackingPackage::Hybrid => machine.hybrid,
            AsymPackingPackage::Always => true,
        },
        LevelName::Node | LevelName::Numa => false,
    };
    flags.set(SdFlags::LOAD_BALANCE, rules.load_balance_flag);
    flags.set(SdFlags::PREFER_SIBLING, !numa);
    flags.set(SdFlags::NUMA | SdFlags::SERIALIZE, numa);
    flags.set(SdFlags::OVERLAP, numa && rules.overlap_flag);
    flags.set(SdFlags::SHARE_CPUCAPACITY, level.name == LevelName::Smt);
    flags.set(SdFlags::LLC, matches!(level.name, LevelName::Smt | LevelName::Cls | LevelName::Mc));
    flags.set(SdFlags::CLUSTER, level.name == LevelName::Cls && rules.cluster_flag);
    flags.set(SdFlags::ASYM_PACKING, packing && machine.itmt && machine.x86);
    flags
}

fn full_chains(machine: &Machine, rules: &TopologyRules, levels: &[SlowLevel]) -> Chains {
    let cpu_map: Set = (0..machine.cpus.len()).filter(|&c| machine.cpus[c].active).collect();
    let mut chains: Chains = vec![Vec::new(); machine.cpus.len()];
    for &cpu in &cpu_map {
        for (number, level) in levels.iter().enumerate() {
            let asym = asymmetry(machine, rules, &level.masks[cpu]);
            let mut span: Set = level.masks[cpu].intersection(&cpu_map).copied().collect();
            if let Some(child) = chains[cpu].last_mut() {
                if !asym.is_empty() {
                    child.flags -= SdFlags::PREFER_SIBLING;
                }
                span.extend(&child.span);
            }
            let done = span == cpu_map;
            chains[cpu].push(SlowDomain {
                name: level.name,
                level: number,
                span,
                flags: base_flags(machine, rules, level) | asym,
                weight: level.masks[cpu].len(),
                imb: 0,
                groups: Vec::new(),
            });
            if done {
                break;
            }
        }
    }
    chains
}

/// The CPUs of a span from `start` upward, wrapping.
fn wrapped(span: &Set, start: usize) -> Vec<usize> {
    span.range(start..).chain(span.range(..start)).copied().collect()
}

fn add_groups(rules: &TopologyRules, chains: &mut Chains) {
    let full = chains.clone();
    for (cpu, chain) in chains.iter_mut().enumerate() {
        for (level, sd) in chain.iter_mut().enumerate() {
            sd.groups = groups(rules, &full, cpu, level);
        }
    }
}

fn groups(rules: &TopologyRules, full: &Chains, cpu: usize, level: usize) -> Vec<SlowGroup> {
    let sd = &full[cpu][level];
    let mut covered = Set::new();
    let mut groups = Vec::new();
    for i in wrapped(&sd.span, cpu) {
        let numa = sd.name == LevelName::Numa;
        if covered.contains(&i) || (numa && full[i].len() <= level) {
            continue;
        }
        let mut at = level;
        if numa && rules.group_descent {
            while at > 0 && !full[i][at - 1].span.is_subset(&sd.span) {
                at -= 1;
            }
        }
        let child = at.checked_sub(1).map(|below| &full[i][below]);
        let span = child.map_or(Set::from([i]), |child| child.span.clone());
        let mask = match numa {
            true => {
                span.iter().copied().filter(|&k| full[k].len() > at && full[k][at - 1].span == span).collect()
            }
            false => span.clone(),
        };
        covered.extend(&span);
        let flags = if rules.group_flags == GroupFlags::None { None } else { child.map(|child| child.flags) };
        groups.push(SlowGroup { span, mask, flags: flags.unwrap_or(SdFlags::empty()), level: at });
    }
    groups
}

fn count_imb(chain: &mut [SlowDomain]) {
    let (mut imb, mut span) = (0, 1);
    for level in 0..chain.len() {
        let here = chain[level].span.len() as u32;
        let first_outside = level > 0
            && !chain[level].flags.contains(SdFlags::LLC)
            && chain[level - 1].flags.contains(SdFlags::LLC);
        if first_outside {
            let n = here / chain[level - 1].span.len() as u32;
            imb = std::cmp::max(1, if n == 1 { here >> 3 } else { n });
            let numa = chain[level + 1..].iter().find(|sd| sd.name == LevelName::Numa);
            span = numa.map_or(here, |sd| sd.span.len() as u32);
            chain[level].imb = imb;
        } else {
            chain[level].imb = imb * std::cmp::max(1, here / span);
        }
    }
}

fn degenerate(sd: &SlowDomain) -> bool {
    let without_affine = sd.flags - SdFlags::WAKE_AFFINE;
    sd.span.len() == 1
        || ((sd.groups.len() == 1 || without_affine.is_empty()) && !sd.flags.contains(SdFlags::WAKE_AFFINE))
}

fn superfluous(machine: &Machine, rules: &TopologyRules, parent: &SlowDomain, child: &SlowDomain) -> bool {
    let mut flags = parent.flags;
    if parent.groups.len() == 1 {
        let mut kept = SdFlags::WAKE_AFFINE;
        if rules.one_group_keeps_numa {
            kept |= SdFlags::NUMA | SdFlags::OVERLAP | SdFlags::ASYM_PACKING | SdFlags::BALANCE_WAKE;
            kept.set(SdFlags::SERIALIZE, machine.nodes.len() > 1);
        }
        flags &= kept;
    }
    degenerate(parent) || (parent.span == child.span && (flags - child.flags).is_empty())
}

fn remove(machine: &Machine, rules: &TopologyRules, chains: &mut Chains) {
    // Lists of levels below NUMA refer to common group objects: a change of flags shows in all of them.
    let mut common: BTreeMap<(usize, Set), SdFlags> = BTreeMap::new();
    for chain in chains.iter_mut() {
        let mut change = |sd: &mut SlowDomain, flags: SdFlags| {
            sd.groups[0].flags = flags;
            if sd.name != LevelName::Numa {
                common.insert((sd.level, sd.groups[0].span.clone()), flags);
            }
        };
        let mut at = 0;
        while at + 1 < chain.len() {
            if superfluous(machine, rules, &chain[at + 1], &chain[at]) {
                let parent = chain.remove(at + 1);
                let flags = chain[at].flags;
                if rules.group_flags == GroupFlags::Refreshed && at + 1 < chain.len() {
                    change(&mut chain[at + 1], flags);
                }
                chain[at].flags |= parent.flags & SdFlags::PREFER_SIBLING;
            } else {
                at += 1;
            }
        }
        if !chain.is_empty() && degenerate(&chain[0]) {
            chain.remove(0);
            if !chain.is_empty() {
                change(&mut chain[0], SdFlags::empty());
            }
        }
    }
    for sd in chains.iter_mut().flatten().filter(|sd| sd.name != LevelName::Numa) {
        for group in &mut sd.groups {
            if let Some(flags) = common.get(&(sd.level, group.span.clone())) {
                group.flags = *flags;
            }
        }
    }
}
