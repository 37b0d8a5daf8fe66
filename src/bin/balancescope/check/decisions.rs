//! `check decisions`: which group is the busiest, whether that is an imbalance, and how much to move.

use super::Tally;
use super::rows::{Differences, each, given};
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
    asym_capacity: Option<bool>,
    dst_capacity: Option<u64>,
    dst_core_idle: Option<bool>,
    groups: Vec<Group>,
    #[serde(deserialize_with = "given")]
    picked: Option<u32>,
    go: bool,
    #[serde(deserialize_with = "given")]
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
    misfit_load: Option<u64>,
    max_capacity: Option<u64>,
    min_capacity: Option<u64>,
}

/// Machines of equal CPUs are recorded without capacities of CPUs.
const FULL_CAPACITY: u64 = 1024;

impl Row {
    /// What a row must be beyond its fields: one local group, and all or none of what belongs to unequal capacities.
    fn check(&self) -> Result<(), String> {
        let local = self.groups.iter().filter(|group| group.local).count();
        if local != 1 {
            return Err(format!("{local} of its groups are local, not one"));
        }
        let mut of_capacities = vec![
            ("asym_capacity", self.asym_capacity.is_some()),
            ("dst_capacity", self.dst_capacity.is_some()),
            ("dst_core_idle", self.dst_core_idle.is_some()),
        ];
        for group in &self.groups {
            of_capacities.push(("misfit_load", group.misfit_load.is_some()));
            of_capacities.push(("max_capacity", group.max_capacity.is_some()));
            of_capacities.push(("min_capacity", group.min_capacity.is_some()));
        }
        let missing = of_capacities.iter().find(|(_, given)| !given);
        match missing {
            Some((field, _)) if of_capacities.iter().any(|(_, given)| *given) => {
                Err(format!("missing field `{field}`, which goes with the capacities that it gives"))
            }
            _ => Ok(()),
        }
    }
}

/// Compares every row: the types and average loads of all groups, the group picked, and the decision.
pub fn check(label: &str, text: &str, rules: &Rules, tally: &mut Tally) -> Result<(), String> {
    each(text, |line, row: Row| {
        row.check()?;
        let mut groups: Vec<GroupStats> = row.groups.iter().map(|group| stats(group, &row)).collect();
        let decision = find_busiest_group(rules, &domain(&row), &mut groups, &mut ());
        let differences = differences(&row, &groups, &decision);
        tally.add(differences.none(), || differences.line(label, line));
        Ok(())
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
        asym_capacity: row.asym_capacity.unwrap_or(false),
        asym_packing: false,
        dst_capacity: row.dst_capacity.unwrap_or(FULL_CAPACITY),
        dst_core_idle: row.dst_core_idle.unwrap_or(true),
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
        min_capacity: group.min_capacity.unwrap_or(FULL_CAPACITY),
        max_capacity: group.max_capacity.unwrap_or(FULL_CAPACITY),
        imbalance_flag: group.imbalance_flag,
        misfit_load: group.misfit_load.unwrap_or(0),
        prefer_sibling: row.prefer_sibling,
        ..GroupStats::default()
    }
}
