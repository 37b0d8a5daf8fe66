//! The tree as text for people: CPUs with alike chains together, as the first of them sees its domains.

use balancescope::topology::{Domain, DomainTree, Group, Machine, Release, TopologyRules};
use std::collections::BTreeMap;

/// Groups that are written out before the rest is only counted.
const GROUPS_SHOWN: usize = 8;

/// The whole text, without a line end.
pub fn tree(machine: &Machine, tree: &DomainTree, rules: &TopologyRules, release: Release) -> String {
    let mut lines = vec![heading(machine, release)];
    for cpus in alike(tree) {
        lines.push(String::new());
        lines.extend(class(machine, tree, rules, &cpus));
    }
    lines.join("\n")
}

fn heading(machine: &Machine, release: Release) -> String {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    format!(
        "{}: {}, {}, rules of {}",
        machine.name,
        counted(machine.cpus.len(), "CPU"),
        counted(machine.nodes.len(), "node"),
        release.name()
    )
}

/// What makes two levels alike: number, weight, flags, and how many groups there are of which weight.
type Likeness = (u32, usize, u32, BTreeMap<usize, usize>);

fn likeness(tree: &DomainTree, weights: &[usize], cpu: usize) -> Vec<Likeness> {
    let level = |sd: &Domain| {
        let mut groups = BTreeMap::new();
        for id in &sd.groups {
            *groups.entry(weights[id.0 as usize]).or_default() += 1;
        }
        (sd.level, sd.span.weight(), sd.flags.bits(), groups)
    };
    tree.chain(cpu).iter().map(level).collect()
}

fn alike(tree: &DomainTree) -> Vec<Vec<usize>> {
    let weights: Vec<usize> = tree.groups.iter().map(|group| group.span.weight()).collect();
    let mut classes = Vec::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for cpu in 0..tree.chains.len() {
        let key = likeness(tree, &weights, cpu);
        match classes.iter().position(|known| *known == key) {
            Some(class) => members[class].push(cpu),
            None => {
                classes.push(key);
                members.push(vec![cpu]);
            }
        }
    }
    members
}

fn class(machine: &Machine, tree: &DomainTree, rules: &TopologyRules, cpus: &[usize]) -> Vec<String> {
    let list = machine.list(&cpus.iter().copied().collect());
    let several = if cpus.len() == 1 { "" } else { "s" };
    let Some((&first, chain)) = cpus.first().map(|cpu| (cpu, tree.chain(*cpu))) else { return Vec::new() };
    if chain.is_empty() {
        return vec![format!("CPU{several} {list}: no domains")];
    }
    let seen = if cpus.len() == 1 { "" } else { ", as the first of them sees it" };
    let mut lines = vec![format!("CPU{several} {list}{seen}")];
    for sd in tree.chain(first).iter().rev() {
        lines.extend(domain(machine, tree, rules, sd));
    }
    lines
}

fn domain(machine: &Machine, tree: &DomainTree, rules: &TopologyRules, sd: &Domain) -> Vec<String> {
    let imb = if rules.imb_numa_nr { format!(", imb_numa_nr {}", sd.imb_numa_nr) } else { String::new() };
    let flags: Vec<&str> =
        sd.flags.names(rules).into_iter().map(|name| name.strip_prefix("SD_").unwrap_or(name)).collect();
    vec![
        format!("  {:<4} span {} ({} CPUs)", sd.name.as_str(), machine.list(&sd.span), sd.span.weight()),
        format!("       groups {}", groups(machine, tree, sd)),
        format!(
            "       interval {}-{} ms, busy_factor {}, imbalance_pct {}, cache_nice_tries {}{imb}",
            sd.min_interval, sd.max_interval, sd.busy_factor, sd.imbalance_pct, sd.cache_nice_tries
        ),
        format!("       flags {}", flags.join(" ")),
    ]
}

fn groups(machine: &Machine, tree: &DomainTree, sd: &Domain) -> String {
    let shown = sd.groups.iter().take(GROUPS_SHOWN).map(|&id| group(machine, tree.group(id)));
    let rest = sd.groups.len().saturating_sub(GROUPS_SHOWN);
    let more = (rest > 0).then(|| format!("and {rest} more"));
    shown.chain(more).collect::<Vec<_>>().join(" ")
}

fn group(machine: &Machine, group: &Group) -> String {
    let mask = match group.mask == group.span {
        true => String::new(),
        false => format!(" mask {}", machine.list(&group.mask)),
    };
    let even = group.capacity == 1024 * group.span.weight() as u64;
    let capacity = if even { String::new() } else { format!(" cap {}", group.capacity) };
    format!("{{{}{mask}{capacity}}}", machine.list(&group.span))
}
