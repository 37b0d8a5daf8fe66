//! `check queues`: from which CPU of the busiest group to pull.

use super::Tally;
use super::rows::{Differences, each, given};
use balancescope::balance::{
    CpuStats, DomainView, IdleType, MigrationType, QueueCandidate, Rules, find_busiest_queue,
};
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct Row {
    idle: IdleType,
    migration_type: MigrationType,
    imbalance: i64,
    candidates: Vec<Candidate>,
    #[serde(deserialize_with = "given")]
    chosen: Option<u32>,
}

#[derive(Deserialize)]
struct Candidate {
    cpu: u32,
    h_nr_running: u32,
    nr_running: u32,
    capacity: u64,
    load: u64,
    util: u64,
    runnable: u64,
    misfit_load: u64,
    reduced_capacity: bool,
}

impl Row {
    fn check(&self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        match self.candidates.iter().find(|candidate| !seen.insert(candidate.cpu)) {
            Some(twice) => Err(format!("CPU {} is twice among its candidates", twice.cpu)),
            None => Ok(()),
        }
    }
}

/// Compares the chosen CPU of every row.
pub fn check(label: &str, text: &str, rules: &Rules, tally: &mut Tally) -> Result<(), String> {
    each(text, |line, row: Row| {
        row.check()?;
        let mut found = Differences::default();
        found.compare("chosen", &row.chosen, &chosen(rules, &row));
        tally.add(found.none(), || found.line(label, line));
        Ok(())
    })
}

fn chosen(rules: &Rules, row: &Row) -> Option<u32> {
    let candidates = row.candidates.iter().enumerate().map(|(index, candidate)| QueueCandidate {
        cpu: index,
        stats: stats(candidate),
        capacity_reduced: candidate.reduced_capacity,
        priority: 0,
    });
    let domain = domain(row.idle);
    find_busiest_queue(rules, &domain, row.migration_type, row.imbalance, candidates, &mut ())
        .map(|index| row.candidates[index].cpu)
}

/// The candidates have passed the domain's own filters, so that nothing else of it matters.
fn domain(idle: IdleType) -> DomainView {
    DomainView {
        idle,
        imbalance_pct: 117,
        child_prefer_sibling: false,
        imb_numa_nr: 0,
        numa: false,
        share_llc: false,
        smt: false,
        asym_capacity: false,
        asym_packing: false,
        dst_capacity: 1024,
        dst_core_idle: true,
        dst_priority: 0,
        energy_aware: false,
    }
}

/// `util` is recorded with the estimate and the cap taken in. The original capacity, which caps a boosted
/// utilization as well, is not recorded: it is the capacity left, as no recorded CPU is short of it.
fn stats(candidate: &Candidate) -> CpuStats {
    CpuStats {
        load: candidate.load,
        util_avg: candidate.util,
        util_est: 0,
        runnable: candidate.runnable,
        nr_running: candidate.nr_running,
        h_nr_queued: candidate.h_nr_running,
        h_nr_runnable: candidate.h_nr_running,
        idle: false,
        capacity: candidate.capacity,
        original_capacity: candidate.capacity.max(candidate.util),
        misfit_load: candidate.misfit_load,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use balancescope::topology::Release;

    const RECORDED: &str = include_str!("../../../../tests/data/kernel-6.1/queues.jsonl");

    /// Rows that the runnable boost of 6.5 decides otherwise: line, choice without, choice with.
    fn changed_by_boost() -> Vec<String> {
        let plain = Rules::of(Release::V6_1);
        let mut boosted = plain.clone();
        boosted.set("queue_util_boost", "on").unwrap();
        let mut changed = Vec::new();
        each(RECORDED, |line, row: Row| {
            let (without, with) = (chosen(&plain, &row), chosen(&boosted, &row));
            if without != with {
                let cpus = [without, with].map(|cpu| cpu.map_or("none".to_owned(), |cpu| cpu.to_string()));
                let kind = format!("{:?}", row.migration_type).to_lowercase();
                changed.push(format!("line {line}, {kind}: cpu {} becomes {}", cpus[0], cpus[1]));
            }
            Ok(())
        })
        .unwrap();
        changed
    }

    #[test]
    fn the_runnable_boost_changes_these_recorded_choices() {
        let changed = changed_by_boost();
        insta::assert_snapshot!(format!("{} rows change\n{}", changed.len(), changed.join("\n")));
    }
}
