//! `check decisions`: which group is the busiest, whether that is an imbalance, and how much to move.

use super::Tally;
use super::rows::{Differences, each};
use balancescope::balance::{
    Decision, DomainView, GroupStats, GroupType, IdleType, MigrationType, Rules, find_busiest_group,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    level: String,
    idle: IdleType,
    imbalance_pct: u32,
    prefer_sibling: bool,
    imb_numa_nr: u32,
    numa: bool,
    share_llc: bool,
    #[serde(default)]
    asym_capacity: bool,
    #[serde(default = "full_capacity")]
    dst_capacity: u64,
    #[serde(default = "yes")]
    dst_core_idle: bool,
    groups: Vec<Group>,
    picked: Option<u32>,
    go: bool,
    migration_type: Option<MigrationType>,
    imbalance: i64,
}

#[derive(Deserialize)]
struct Group {
    first: u32,
    local: bool,
    load: u64,
    capacity: u64,
    util: u64,
    runnable: u64,
    nr_running: u32,
    h_nr_running: u32,
    idle_cpus: u32,
    weight: u32,
    imbalance_flag: bool,
    #[serde(rename = "type")]
    group_type: GroupType,
    avg_load: u64,
    #[serde(default)]
    misfit_load: u64,
    #[serde(default = "full_capacity")]
    max_capacity: u64,
    #[serde(default = "full_capacity")]
    min_capacity: u64,
}

/// Machines of equal CPUs are recorded without capacities of CPUs.
fn full_capacity() -> u64 {
    1024
}

fn yes() -> bool {
    true
}

/// Compares every row: the types and average loads of all groups, the group picked, and the decision.
pub fn check(label: &str, text: &str, rules: &Rules, tally: &mut Tally) -> Result<(), String> {
    each(text, |line, row: Row| {
        let mut groups: Vec<GroupStats> = row.groups.iter().map(|group| stats(group, &row)).collect();
        let decision = find_busiest_group(rules, &domain(&row), &mut groups, &mut ());
        let differences = differences(&row, &groups, &decision);
        tally.add(differences.none(), || differences.line(label, line));
    })
}

fn differences(row: &Row, groups: &[GroupStats], decision: &Decision) -> Differences {
    let mut found = Differences::default();
    for (recorded, ours) in row.groups.iter().zip(groups) {
        let name = format!("group {}", recorded.first);
        found.compare(&format!("{name} type"), &recorded.group_type, &ours.group_type);
        found.compare(&format!("{name} avg_load"), &recorded.avg_load, &ours.avg_load);
    }
    let picked = decision.busiest.map(|index| row.groups[index].first);
    found.compare("picked", &row.picked, &picked);
    found.compare("go", &row.go, &decision.go);
    // A type left unset is what an earlier round of the same call set, or 0, the number of `load`: the row
    // does not determine it.
    if !decision.go || decision.migration_type.is_some() {
        found.compare("migration_type", &row.migration_type, &decision.migration_type);
    }
    found.compare("imbalance", &row.imbalance, &decision.amount);
    found
}

fn domain(row: &Row) -> DomainView {
    DomainView {
        idle: row.idle,
        imbalance_pct: row.imbalance_pct,
        child_prefer_sibling: row.prefer_sibling,
        imb_numa_nr: row.imb_numa_nr,
        numa: row.numa,
        share_llc: row.share_llc,
        smt: row.level == "SMT",
        asym_capacity: row.asym_capacity,
        asym_packing: false,
        dst_capacity: row.dst_capacity,
        dst_core_idle: row.dst_core_idle,
        dst_priority: 0,
        energy_aware: false,
    }
}

/// Whether a group's CPUs are siblings, and how many cores it has, is not recorded: 6.1 does not ask.
fn stats(group: &Group, row: &Row) -> GroupStats {
    GroupStats {
        local: group.local,
        load: group.load,
        util: group.util,
        runnable: group.runnable,
        nr_running: group.nr_running,
        h_nr_running: group.h_nr_running,
        idle_cpus: group.idle_cpus,
        weight: group.weight,
        capacity: group.capacity,
        min_capacity: group.min_capacity,
        max_capacity: group.max_capacity,
        imbalance_flag: group.imbalance_flag,
        misfit_load: group.misfit_load,
        prefer_sibling: row.prefer_sibling,
        ..GroupStats::default()
    }
}
