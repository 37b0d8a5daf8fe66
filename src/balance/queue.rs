//! From which CPU of the busiest group to pull: `find_busiest_queue`.

use super::busiest::capacity_greater;
use super::gather::cfs_tasks;
use super::rules::GroupScheme;
use super::why::{Op, Subject, Test, Why, fact, test};
use super::{CpuStats, DomainView, MigrationType, Rules};

/// One CPU of the busiest group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueCandidate {
    /// Its index in the machine.
    pub cpu: usize,
    /// Its values now.
    pub stats: CpuStats,
    /// Its capacity is noticeably reduced ([`CpuStats::capacity_reduced`]).
    pub capacity_reduced: bool,
    /// Its priority under asymmetric packing: higher is preferred.
    pub priority: i64,
}

/// The CPU to pull from (spec 4.5). `candidates` are the CPUs of the busiest group that are still candidates
/// of the pass, ascending. All maxima are strict: the first wins a tie, and zero never wins.
pub fn find_busiest_queue(
    rules: &Rules,
    domain: &DomainView,
    migration_type: MigrationType,
    amount: i64,
    candidates: impl Iterator<Item = QueueCandidate>,
    why: &mut impl Why,
) -> Option<usize> {
    let mut best = Best { cpu: None, value: 0, capacity: 1 };
    for candidate in candidates {
        why.about(Subject::Cpu(candidate.cpu as u32));
        if !passed_over(rules, domain, &candidate, why) {
            best.offer(rules, migration_type, amount, &candidate, why);
        }
    }
    why.about(Subject::Pass);
    best.cpu
}

/// CPUs without CFS tasks, and those whose only task would end in an active balance to a lesser CPU.
fn passed_over(rules: &Rules, domain: &DomainView, candidate: &QueueCandidate, why: &mut impl Why) -> bool {
    let f = rules.names.busiest_queue;
    let stats = &candidate.stats;
    let tasks = cfs_tasks(rules, stats);
    if test(why, Test(f, "cfs.h_nr_running == 0"), tasks, Op::Eq, 0) {
        return true;
    }
    if rules.groups.scheme == GroupScheme::AvgLoad || tasks != 1 {
        return false;
    }
    let downhill = domain.asym_capacity && !capacity_greater(domain.dst_capacity, stats.capacity);
    if fact(why, Test(f, "one task, dst not bigger"), downhill) {
        return true;
    }
    let preferred = domain.asym_packing && candidate.priority > domain.dst_priority;
    fact(why, Test(f, "one task, source preferred to dst"), preferred)
}

/// The best so far: the largest `value / capacity`; capacity is 1 throughout unless load is compared.
struct Best {
    cpu: Option<usize>,
    value: u64,
    capacity: u64,
}

impl Best {
    fn offer(
        &mut self,
        rules: &Rules,
        migration_type: MigrationType,
        amount: i64,
        candidate: &QueueCandidate,
        why: &mut impl Why,
    ) {
        let f = rules.names.busiest_queue;
        let stats = &candidate.stats;
        let tasks = cfs_tasks(rules, stats);
        let (value, capacity, text) = match migration_type {
            MigrationType::Load => {
                if too_heavy(rules, candidate, amount, why) {
                    return;
                }
                (stats.load, stats.capacity, "load x busiest capacity > busiest load x capacity")
            }
            MigrationType::Util => {
                if test(why, Test(f, "cfs.h_nr_running <= 1"), tasks, Op::Le, 1) {
                    return;
                }
                let boost = rules.detach.queue_util_boost;
                let util = if boost { stats.util_boosted() } else { stats.util() };
                (util, 1, "util > busiest util")
            }
            MigrationType::Task => (u64::from(tasks), 1, "cfs.h_nr_running > busiest nr"),
            MigrationType::Misfit => (stats.misfit_load, 1, "misfit_task_load > busiest load"),
        };
        let (new, old) = (value.wrapping_mul(self.capacity), self.value.wrapping_mul(capacity));
        if test(why, Test(f, text), new, Op::Gt, old) {
            *self = Self { cpu: Some(candidate.cpu), value, capacity };
        }
    }
}

/// One task that weighs more than is to move would only change places, unless its CPU is short of capacity.
fn too_heavy(rules: &Rules, candidate: &QueueCandidate, amount: i64, why: &mut impl Why) -> bool {
    let f = rules.names.busiest_queue;
    let stats = &candidate.stats;
    // 4.19 counts tasks of all classes here.
    let tasks = match rules.groups.scheme {
        GroupScheme::AvgLoad => stats.nr_running,
        GroupScheme::GroupType => cfs_tasks(rules, stats),
    };
    test(why, Test(f, "nr_running == 1"), tasks, Op::Eq, 1)
        && test(why, Test(f, "load > env->imbalance"), stats.load, Op::Gt, amount.cast_unsigned())
        && !fact(why, Test(f, "capacity is reduced"), candidate.capacity_reduced)
}
