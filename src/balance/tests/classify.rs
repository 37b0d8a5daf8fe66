//! Group statistics and types.

use super::*;
use GroupType::*;

fn class(release: Release, domain: &DomainView, group: &GroupStats) -> GroupType {
    classify(&rules(release), domain, Some(&local()), group, &mut ())
}

#[test]
fn overloaded_needs_more_tasks_than_cpus_and_little_capacity() {
    let full = GroupStats { util: 3501, ..busy_group(5) };
    // 409600 < 3501 x 117 = 409617
    let lightly = GroupStats { runnable: 0, ..full.clone() };
    assert_eq!(class(Release::V6_6, &domain(), &lightly), Overloaded);
    assert_eq!(class(Release::V6_6, &domain(), &GroupStats { util: 3500, ..lightly.clone() }), HasSpare);
    assert_eq!(class(Release::V6_6, &domain(), &GroupStats { nr_running: 4, ..lightly }), FullyBusy);
}

#[test]
fn runnable_time_alone_overloads_strictly() {
    // 4096 x 117 = 479232
    let waiting = GroupStats { util: 0, runnable: 4793, ..busy_group(5) };
    assert_eq!(class(Release::V6_6, &domain(), &waiting), Overloaded);
    assert_eq!(class(Release::V6_6, &domain(), &GroupStats { runnable: 4792, ..waiting }), HasSpare);
}

#[test]
fn spare_capacity_needs_a_cpu_without_task_or_little_utilization() {
    let some = GroupStats { runnable: 0, ..busy_group(4) };
    assert_eq!(class(Release::V6_6, &domain(), &GroupStats { util: 3500, ..some.clone() }), HasSpare);
    assert_eq!(class(Release::V6_6, &domain(), &GroupStats { util: 3501, ..some.clone() }), FullyBusy);
    let waiting = GroupStats { util: 0, runnable: 4793, ..some };
    assert_eq!(class(Release::V6_6, &domain(), &waiting), FullyBusy);
    assert_eq!(class(Release::V6_6, &domain(), &GroupStats { nr_running: 3, ..waiting }), HasSpare);
}

#[test]
fn the_first_rule_that_matches_wins() {
    let packing = DomainView { asym_packing: true, dst_priority: 1, ..domain() };
    let all = GroupStats { imbalance_flag: true, misfit_load: 1, smt: true, ..busy_group(5) };
    assert_eq!(class(Release::V6_6, &packing, &all), Overloaded);
    let calm = GroupStats { util: 0, runnable: 0, ..all };
    assert_eq!(class(Release::V6_6, &packing, &calm), Imbalanced);
    let unflagged = GroupStats { imbalance_flag: false, ..calm };
    assert_eq!(class(Release::V6_6, &packing, &unflagged), AsymPacking);
    assert_eq!(class(Release::V6_6, &domain(), &unflagged), SmtBalance);
    assert_eq!(class(Release::V6_1, &domain(), &unflagged), Misfit);
    let busy = DomainView { idle: IdleType::Busy, ..packing };
    assert_eq!(class(Release::V6_6, &busy, &unflagged), Misfit);
    assert_eq!(class(Release::V6_6, &domain(), &GroupStats { h_nr_running: 1, ..unflagged.clone() }), Misfit);
    assert_eq!(class(Release::V6_6, &busy, &GroupStats { misfit_load: 0, ..unflagged }), HasSpare);
}

#[test]
fn the_own_group_is_never_to_be_pulled_from_by_priority() {
    let packing = DomainView { asym_packing: true, dst_priority: 1, ..domain() };
    let own = GroupStats { smt: true, ..busy_group(2) };
    assert_eq!(classify(&rules(Release::V6_6), &packing, None, &own, &mut ()), HasSpare);
}

/// Release-6.1 10, case by case.
#[test]
fn packing_in_6_1_looks_at_busy_cpus_of_smt_groups() {
    let asym = |preferred: i64, local_smt, local_busy: u32, smt, busy: u32| {
        let packing = DomainView { asym_packing: true, dst_priority: preferred, ..domain() };
        let local =
            GroupStats { smt: local_smt, nr_running: local_busy, idle_cpus: 4 - local_busy, ..local() };
        let group = GroupStats { smt, ..busy_group(busy) };
        classify(&rules(Release::V6_1), &packing, Some(&local), &group, &mut ()) == AsymPacking
    };
    assert!(asym(1, false, 0, false, 1) && !asym(0, false, 0, false, 1));
    assert!(asym(0, false, 0, true, 2) && !asym(0, false, 0, true, 1) && asym(1, false, 0, true, 1));
    assert!(asym(1, true, 1, true, 2) && !asym(1, true, 0, true, 2) && !asym(0, true, 1, true, 2));
    assert!(asym(1, true, 0, false, 1) && !asym(1, true, 1, false, 1) && !asym(0, true, 0, false, 1));
}

#[test]
fn packing_from_6_6_asks_for_an_idle_core() {
    let packing = DomainView { asym_packing: true, dst_priority: 1, ..domain() };
    let half_idle = DomainView { dst_core_idle: false, ..packing.clone() };
    let siblings = DomainView { smt: true, ..half_idle.clone() };
    let group = busy_group(1);
    assert_eq!(class(Release::V6_6, &packing, &group), AsymPacking);
    assert_eq!(class(Release::V6_6, &half_idle, &group), HasSpare);
    assert_eq!(class(Release::V6_6, &siblings, &group), AsymPacking);
}

#[test]
fn a_cpu_adds_what_the_release_counts() {
    let cpu = CpuStats {
        load: 10,
        util_avg: 900,
        util_est: 1200,
        runnable: 30,
        nr_running: 3,
        h_nr_queued: 3,
        h_nr_runnable: 2,
        idle: false,
        capacity: 1000,
        original_capacity: 1024,
        misfit_load: 7,
    };
    let mut stats = group();
    stats.idle_cpus = 0;
    assert!(stats.add(&rules(Release::V6_6), &domain(), &cpu));
    assert_eq!((stats.load, stats.util, stats.runnable), (10, 1024, 30));
    assert_eq!((stats.nr_running, stats.h_nr_running, stats.idle_cpus, stats.misfit_load), (3, 3, 0, 0));
    let mut later = group();
    later.add(&rules(Release::V6_19), &domain(), &cpu);
    assert_eq!(later.h_nr_running, 2);
}

#[test]
fn idle_cpus_have_neither_task_nor_wakeup() {
    let mut stats = GroupStats { idle_cpus: 0, ..group() };
    let empty = CpuStats { original_capacity: 1024, ..CpuStats::default() };
    stats.add(&rules(Release::V6_6), &domain(), &empty);
    assert_eq!(stats.idle_cpus, 0);
    stats.add(&rules(Release::V6_6), &domain(), &CpuStats { idle: true, ..empty });
    assert_eq!(stats.idle_cpus, 1);
}

#[test]
fn misfits_count_in_other_groups_alone() {
    let cpu = CpuStats {
        load: 500,
        nr_running: 1,
        h_nr_queued: 1,
        capacity: 800,
        original_capacity: 1024,
        misfit_load: 7,
        ..CpuStats::default()
    };
    let asym = DomainView { asym_capacity: true, ..domain() };
    let added = |mut stats: GroupStats, domain: &DomainView, cpu: &CpuStats| {
        let overload = stats.add(&rules(Release::V6_6), domain, cpu);
        (stats.misfit_load, overload)
    };
    assert_eq!(added(group(), &asym, &cpu), (7, true));
    assert_eq!(added(local(), &asym, &cpu), (0, false));
    // Equal capacities: a single task on a CPU short of capacity, for an idle destination.
    assert_eq!(added(group(), &domain(), &cpu), (500, false));
    assert_eq!(added(group(), &DomainView { idle: IdleType::Busy, ..domain() }, &cpu), (0, false));
    // 876 x 117 = 102492 is no longer below 102400.
    assert_eq!(added(group(), &domain(), &CpuStats { capacity: 876, ..cpu }), (0, false));
    assert_eq!(added(group(), &domain(), &CpuStats { capacity: 875, ..cpu }), (500, false));
}
