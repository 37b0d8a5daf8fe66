//! The busiest queue.

use super::*;

fn candidate(cpu: usize, tasks: u32, load: u64) -> QueueCandidate {
    let stats = CpuStats {
        load,
        util_avg: load,
        runnable: load,
        nr_running: tasks,
        h_nr_queued: tasks,
        h_nr_runnable: tasks,
        capacity: 1024,
        original_capacity: 1024,
        ..CpuStats::default()
    };
    QueueCandidate { cpu, stats, capacity_reduced: false, priority: 0 }
}

fn chosen(rules: &Rules, kind: MigrationType, amount: i64, candidates: &[QueueCandidate]) -> Option<usize> {
    find_busiest_queue(rules, &domain(), kind, amount, candidates.iter().copied(), &mut ())
}

#[test]
fn the_first_of_equals_wins_and_zero_never() {
    let rules = rules(Release::V6_6);
    let equal = [candidate(4, 2, 500), candidate(5, 2, 500)];
    for kind in [MigrationType::Load, MigrationType::Util, MigrationType::Task] {
        assert_eq!(chosen(&rules, kind, 1000, &equal), Some(4));
    }
    assert_eq!(chosen(&rules, MigrationType::Misfit, 1, &equal), None);
    assert_eq!(chosen(&rules, MigrationType::Load, 1000, &[candidate(4, 2, 0)]), None);
    assert_eq!(chosen(&rules, MigrationType::Task, 1000, &[candidate(4, 0, 9)]), None);
}

#[test]
fn load_is_held_against_capacity() {
    let mut small = candidate(1, 2, 500);
    small.stats.capacity = 512;
    let candidates = [candidate(0, 2, 999), small];
    assert_eq!(chosen(&rules(Release::V6_6), MigrationType::Load, 5000, &candidates), Some(1));
    let candidates = [candidate(0, 2, 1000), small];
    assert_eq!(chosen(&rules(Release::V6_6), MigrationType::Load, 5000, &candidates), Some(0));
}

#[test]
fn a_single_task_heavier_than_the_amount_is_passed_over() {
    let rules = rules(Release::V6_6);
    let one = [candidate(0, 1, 501), candidate(1, 2, 100)];
    assert_eq!(chosen(&rules, MigrationType::Load, 500, &one), Some(1));
    assert_eq!(chosen(&rules, MigrationType::Load, 501, &one), Some(0));
    let short = QueueCandidate { capacity_reduced: true, ..one[0] };
    assert_eq!(chosen(&rules, MigrationType::Load, 500, &[short, one[1]]), Some(0));
}

#[test]
fn utilization_needs_two_tasks_and_may_be_boosted_by_runnable_time() {
    let mut waiting = candidate(1, 3, 100);
    waiting.stats.runnable = 900;
    let candidates = [candidate(0, 2, 500), waiting, candidate(2, 1, 1024)];
    assert_eq!(chosen(&rules(Release::V6_1), MigrationType::Util, 1, &candidates), Some(0));
    assert_eq!(chosen(&rules(Release::V6_6), MigrationType::Util, 1, &candidates), Some(1));
    assert_eq!(
        chosen(&with(Release::V6_1, "queue_util_boost", "on"), MigrationType::Util, 1, &candidates),
        Some(1)
    );
}

#[test]
fn the_boost_is_capped_at_the_original_capacity() {
    let stats = CpuStats {
        util_avg: 100,
        util_est: 300,
        runnable: 5000,
        original_capacity: 1024,
        ..Default::default()
    };
    assert_eq!((stats.util(), stats.util_boosted()), (300, 1024));
}

#[test]
fn a_single_task_does_not_go_to_a_smaller_or_less_preferred_cpu() {
    let rules = rules(Release::V6_6);
    let candidates = [candidate(0, 1, 100), candidate(1, 2, 50)];
    let chosen = |domain: &DomainView| {
        find_busiest_queue(&rules, domain, MigrationType::Load, 1000, candidates.iter().copied(), &mut ())
    };
    // 1078 x 1024 is not above 1024 x 1078.
    assert_eq!(chosen(&DomainView { asym_capacity: true, dst_capacity: 1078, ..domain() }), Some(1));
    assert_eq!(chosen(&DomainView { asym_capacity: true, dst_capacity: 1079, ..domain() }), Some(0));
    assert_eq!(chosen(&DomainView { asym_packing: true, dst_priority: -1, ..domain() }), Some(1));
    assert_eq!(chosen(&DomainView { asym_packing: true, dst_priority: 0, ..domain() }), Some(0));
}
