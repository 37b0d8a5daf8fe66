//! The busiest group, the imbalance and the amount, 6.x.

use super::*;
use GroupType::*;

fn picks(release: Release, domain: &DomainView, busiest: Option<&GroupStats>, group: &GroupStats) -> bool {
    pick_busiest(&rules(release), domain, &local(), busiest, group, &mut ())
}

fn typed(group_type: GroupType, group: GroupStats) -> GroupStats {
    GroupStats { group_type, ..group }
}

#[test]
fn a_group_without_cfs_tasks_is_never_busiest() {
    let only_realtime = GroupStats { h_nr_running: 0, ..typed(Overloaded, busy_group(5)) };
    assert!(!picks(Release::V6_6, &domain(), None, &only_realtime));
    assert!(picks(Release::V6_6, &domain(), None, &typed(HasSpare, busy_group(1))));
}

#[test]
fn types_rank_from_spare_to_overloaded() {
    let order = [HasSpare, FullyBusy, Misfit, SmtBalance, AsymPacking, Imbalanced, Overloaded];
    for pair in order.windows(2) {
        let (low, high) = (typed(pair[0], busy_group(4)), typed(pair[1], busy_group(4)));
        assert!(picks(Release::V6_6, &domain(), Some(&low), &high), "{pair:?}");
        assert!(!picks(Release::V6_6, &domain(), Some(&high), &low), "{pair:?}");
    }
}

#[test]
fn ties_of_overloaded_groups_need_a_higher_load() {
    let first = GroupStats { avg_load: 100, ..typed(Overloaded, busy_group(5)) };
    assert!(!picks(Release::V6_6, &domain(), Some(&first), &first));
    assert!(picks(Release::V6_6, &domain(), Some(&first), &GroupStats { avg_load: 101, ..first.clone() }));
}

#[test]
fn ties_of_fully_busy_groups_differ_by_release() {
    let first = typed(FullyBusy, busy_group(4));
    let smt = GroupStats { smt: true, ..first.clone() };
    assert!(!picks(Release::V6_1, &domain(), Some(&first), &first));
    assert!(picks(Release::V6_6, &domain(), Some(&first), &first));
    assert!(!picks(Release::V6_6, &domain(), Some(&smt), &first));
}

#[test]
fn ties_of_spare_groups_go_by_idle_cpus_then_by_tasks() {
    let first = typed(HasSpare, busy_group(2));
    let fewer_idle = GroupStats { idle_cpus: 1, ..first.clone() };
    let more_idle = GroupStats { idle_cpus: 3, nr_running: 9, ..first.clone() };
    let more_tasks = GroupStats { nr_running: 3, ..first.clone() };
    for release in [Release::V6_1, Release::V6_6] {
        assert!(picks(release, &domain(), Some(&first), &fewer_idle));
        assert!(!picks(release, &domain(), Some(&first), &more_idle));
        assert!(picks(release, &domain(), Some(&first), &more_tasks));
        assert!(!picks(release, &domain(), Some(&first), &first));
    }
}

#[test]
fn a_core_with_one_task_is_not_emptied_from_6_6() {
    let plain = typed(HasSpare, busy_group(1));
    let smt = GroupStats { smt: true, idle_cpus: 0, ..plain.clone() };
    assert!(picks(Release::V6_1, &domain(), Some(&plain), &smt));
    assert!(!picks(Release::V6_6, &domain(), Some(&plain), &smt));
    assert!(picks(Release::V6_6, &domain(), Some(&plain), &GroupStats { h_nr_running: 2, ..smt.clone() }));
    assert!(picks(Release::V6_6, &domain(), Some(&smt), &plain));
}

#[test]
fn the_other_ties() {
    let flagged = typed(Imbalanced, busy_group(4));
    assert!(!picks(Release::V6_6, &domain(), Some(&flagged), &flagged));
    let packed = typed(AsymPacking, busy_group(4));
    let lower = GroupStats { priority: -1, ..packed.clone() };
    assert!(picks(Release::V6_6, &domain(), Some(&packed), &lower));
    assert!(!picks(Release::V6_6, &domain(), Some(&packed), &packed));
    let misfit = GroupStats { misfit_load: 5, ..typed(Misfit, busy_group(4)) };
    assert!(picks(Release::V6_6, &domain(), Some(&misfit), &misfit));
    assert!(!picks(
        Release::V6_6,
        &domain(),
        Some(&misfit),
        &GroupStats { misfit_load: 4, ..misfit.clone() }
    ));
    let smt = GroupStats { smt: true, ..typed(SmtBalance, busy_group(4)) };
    assert!(!picks(Release::V6_6, &domain(), Some(&smt), &smt));
    let idler = GroupStats { idle_cpus: 1, ..smt.clone() };
    assert!(picks(Release::V6_6, &domain(), Some(&idler), &smt));
}

#[test]
fn on_unequal_capacities_a_misfit_needs_a_bigger_destination() {
    let asym = DomainView { asym_capacity: true, ..domain() };
    // 1024 x 1024 > 972 x 1078 = 1047816, but not 973 x 1078 = 1048894.
    let misfit = |max_capacity| GroupStats { max_capacity, ..typed(Misfit, busy_group(1)) };
    assert!(picks(Release::V6_6, &asym, None, &misfit(972)));
    assert!(!picks(Release::V6_6, &asym, None, &misfit(973)));
    assert!(picks(Release::V6_6, &domain(), None, &misfit(1024)));
    let half_idle = DomainView { dst_core_idle: false, ..asym };
    assert!(picks(Release::V6_6, &half_idle, None, &misfit(400)));
    assert!(!picks(Release::V6_1, &half_idle, None, &misfit(400)));
    let busy_local = typed(FullyBusy, local());
    let rules = rules(Release::V6_6);
    assert!(!pick_busiest(&rules, &half_idle, &busy_local, None, &misfit(400), &mut ()));
}

#[test]
fn bigger_groups_are_passed_over_before_or_after_types_are_compared() {
    let asym = DomainView { asym_capacity: true, dst_capacity: 400, ..domain() };
    let big = typed(FullyBusy, busy_group(4));
    assert!(picks(Release::V6_6, &asym, None, &big));
    assert!(!picks(Release::V6_1, &asym, None, &big));
    assert!(!picks(Release::V6_6, &asym, Some(&big), &big));
    assert!(picks(Release::V6_1, &asym, None, &typed(Overloaded, busy_group(5))));
}

fn imbalanced(release: Release, domain: &DomainView, local: &GroupStats, busiest: &GroupStats) -> bool {
    is_imbalanced(&rules(release), domain, local, busiest, 1000, &mut ())
}

#[test]
fn some_types_always_go_and_a_busier_local_group_never() {
    let full = typed(Overloaded, local());
    for group_type in [Misfit, AsymPacking, Imbalanced] {
        assert!(imbalanced(Release::V6_6, &domain(), &full, &typed(group_type, busy_group(4))));
    }
    assert!(!imbalanced(Release::V6_6, &domain(), &full, &typed(FullyBusy, busy_group(4))));
    let energy = DomainView { energy_aware: true, ..domain() };
    assert!(!imbalanced(Release::V6_6, &energy, &local(), &typed(Imbalanced, busy_group(4))));
    assert!(imbalanced(Release::V6_6, &energy, &local(), &typed(Misfit, busy_group(4))));
}

#[test]
fn overloaded_groups_must_differ_by_the_percentage() {
    let loads = |local_avg, busiest_avg| {
        let own = GroupStats { avg_load: local_avg, ..typed(Overloaded, local()) };
        let busiest = GroupStats { avg_load: busiest_avg, ..typed(Overloaded, busy_group(5)) };
        imbalanced(Release::V6_6, &domain(), &own, &busiest)
    };
    assert!(!loads(900, 900));
    assert!(!loads(1000, 5000));
    assert!(loads(999, 5000));
    assert!(!loads(900, 1053));
    assert!(loads(900, 1054));
}

#[test]
fn siblings_spread_at_a_difference_of_two() {
    let spread = |release, tasks| {
        let siblings = DomainView { child_prefer_sibling: true, idle: IdleType::Busy, ..domain() };
        let busiest = GroupStats { prefer_sibling: true, ..typed(FullyBusy, busy_group(tasks)) };
        imbalanced(release, &siblings, &local(), &busiest)
    };
    assert!(spread(Release::V6_1, 2) && !spread(Release::V6_1, 1));
    // From 6.6 a busy CPU does not spread.
    assert!(!spread(Release::V6_6, 2));
}

#[test]
fn prefer_sibling_comes_from_the_child_or_from_the_busiest_group() {
    let child = DomainView { child_prefer_sibling: true, ..domain() };
    let plain = busy_group(4);
    let flagged = GroupStats { prefer_sibling: true, ..busy_group(4) };
    assert!(prefers_siblings(&rules(Release::V6_1), &child, &plain));
    assert!(!prefers_siblings(&rules(Release::V6_1), &domain(), &flagged));
    assert!(prefers_siblings(&rules(Release::V6_6), &domain(), &flagged));
    assert!(!prefers_siblings(&rules(Release::V6_6), &child, &plain));
}

#[test]
fn an_idle_cpu_takes_from_a_group_with_two_idle_cpus_less() {
    let busiest = typed(HasSpare, busy_group(2));
    let own = |idle_cpus| GroupStats { idle_cpus, ..local() };
    assert!(!imbalanced(Release::V6_6, &domain(), &own(3), &busiest));
    assert!(imbalanced(Release::V6_6, &domain(), &own(4), &busiest));
    let busy = DomainView { idle: IdleType::Busy, ..domain() };
    assert!(!imbalanced(Release::V6_6, &busy, &own(4), &busiest));
    let single = GroupStats { weight: 1, ..busiest.clone() };
    assert!(imbalanced(Release::V6_6, &domain(), &own(3), &single));
    assert!(!imbalanced(Release::V6_6, &domain(), &own(3), &GroupStats { h_nr_running: 1, ..single }));
}

#[test]
fn an_smt_core_gives_to_a_core_without() {
    let busiest = GroupStats { smt: true, ..typed(SmtBalance, busy_group(4)) };
    let own = GroupStats { idle_cpus: 0, ..local() };
    assert!(imbalanced(Release::V6_6, &domain(), &own, &busiest));
    assert!(!imbalanced(Release::V6_6, &domain(), &GroupStats { smt: true, ..own }, &busiest));
}

#[test]
fn sibling_imbalance_weighs_by_cores_from_6_6() {
    let tasks = |release, cores_l, nr_l, cores_b, nr_b| {
        let own = GroupStats { cores: cores_l, nr_running: nr_l, ..local() };
        let busiest = GroupStats { cores: cores_b, nr_running: nr_b, ..group() };
        sibling_imbalance(&rules(release), &domain(), &own, &busiest)
    };
    assert_eq!(tasks(Release::V6_6, 4, 1, 4, 4), 3);
    assert_eq!(tasks(Release::V6_6, 4, 4, 4, 1), 0);
    // 2 x (1 x 6 - 2 x 0) + 3 over 3 = 5
    assert_eq!(tasks(Release::V6_6, 1, 0, 2, 6), 5);
    assert_eq!(tasks(Release::V6_1, 1, 0, 2, 6), 6);
    // 2 x (1 x 2 - 8 x 0) + 9 over 9 = 1, raised for an empty local group.
    assert_eq!(tasks(Release::V6_6, 1, 0, 8, 2), 2);
    assert_eq!(tasks(Release::V6_6, 1, 0, 8, 1), 1);
    assert_eq!(tasks(Release::V6_6, 1, 1, 8, 2), 1);
    assert_eq!(tasks(Release::V6_6, 4, 0, 4, 0), 0);
}

fn amount(release: Release, domain: &DomainView, local: &GroupStats, busiest: &GroupStats) -> Amount {
    let groups = [local.clone(), busiest.clone()];
    calculate_imbalance(&rules(release), domain, local, busiest, groups.iter().collect(), &mut ())
}

fn of(migration_type: MigrationType, amount: i64) -> Amount {
    Amount { migration_type: Some(migration_type), amount }
}

#[test]
fn each_type_has_its_unit() {
    let misfit = GroupStats { misfit_load: 77, ..typed(Misfit, busy_group(1)) };
    let asym = DomainView { asym_capacity: true, ..domain() };
    assert_eq!(amount(Release::V6_6, &asym, &local(), &misfit), of(MigrationType::Misfit, 1));
    assert_eq!(amount(Release::V6_6, &domain(), &local(), &misfit), of(MigrationType::Load, 77));
    let packed = typed(AsymPacking, busy_group(3));
    assert_eq!(amount(Release::V6_6, &domain(), &local(), &packed), of(MigrationType::Task, 3));
    for group_type in [SmtBalance, Imbalanced] {
        let one = amount(Release::V6_6, &domain(), &local(), &typed(group_type, busy_group(3)));
        assert_eq!(one, of(MigrationType::Task, 1));
    }
}

#[test]
fn spare_capacity_is_filled_by_utilization_beyond_the_cache() {
    let busiest = typed(Overloaded, busy_group(6));
    let own = |util| GroupStats { util, ..local() };
    assert_eq!(amount(Release::V6_6, &domain(), &own(1000), &busiest), of(MigrationType::Util, 3096));
    assert_eq!(amount(Release::V6_6, &domain(), &own(5000), &busiest), of(MigrationType::Task, 1));
    let busy = DomainView { idle: IdleType::Busy, ..domain() };
    assert_eq!(amount(Release::V6_6, &busy, &own(5000), &busiest), of(MigrationType::Util, 0));
    let cache = DomainView { share_llc: true, ..domain() };
    assert_eq!(amount(Release::V6_6, &cache, &own(0), &busiest), of(MigrationType::Task, 2));
}

#[test]
fn a_negative_idle_difference_is_huge_until_it_was_clamped() {
    let cache = DomainView { share_llc: true, ..domain() };
    let own = GroupStats { idle_cpus: 0, ..local() };
    let busiest = GroupStats { idle_cpus: 1, ..typed(Overloaded, busy_group(6)) };
    for release in [Release::V6_1, Release::V6_6] {
        assert_eq!(amount(release, &cache, &own, &busiest), of(MigrationType::Task, 2_147_483_647));
    }
    assert_eq!(amount(Release::V6_12, &cache, &own, &busiest), of(MigrationType::Task, 0));
}

#[test]
fn numa_nodes_may_differ_by_two_while_nearly_empty() {
    let numa = DomainView { numa: true, imb_numa_nr: 2, ..domain() };
    let moves = |nr_local, nr_busiest| {
        let own = GroupStats { nr_running: nr_local, ..local() };
        let busiest = GroupStats { prefer_sibling: true, ..typed(FullyBusy, busy_group(nr_busiest)) };
        amount(Release::V6_6, &numa, &own, &busiest).amount
    };
    assert_eq!(moves(1, 3), 0);
    assert_eq!(moves(1, 4), 1);
    assert_eq!(moves(2, 4), 1);
    assert_eq!(adjust_numa_imbalance(2, 2, 2, &mut ()), 0);
    assert_eq!(adjust_numa_imbalance(3, 2, 2, &mut ()), 3);
    assert_eq!(adjust_numa_imbalance(2, 3, 2, &mut ()), 2);
}

#[test]
fn overloaded_groups_meet_at_the_domains_average() {
    let own = GroupStats { avg_load: 500, load: 2000, ..typed(Overloaded, local()) };
    let busiest = GroupStats { avg_load: 1500, load: 6000, ..typed(Overloaded, busy_group(6)) };
    // Domain average 1000: both differ by 500 x 4096 / 1024.
    assert_eq!(amount(Release::V6_6, &domain(), &own, &busiest), of(MigrationType::Load, 2000));
    let small = GroupStats { capacity: 1024, ..own };
    // Average 8000 x 1024 / 5120 = 1600: the busiest is below it, its side wraps, the local side is taken.
    assert_eq!(amount(Release::V6_6, &domain(), &small, &busiest), of(MigrationType::Load, 1100));
}

#[test]
fn a_local_group_about_to_be_overloaded_takes_nothing_beyond_the_averages() {
    let own = |load| GroupStats { load, ..typed(FullyBusy, local()) };
    let busiest = GroupStats { load: 8000, avg_load: 2000, ..typed(Overloaded, busy_group(8)) };
    let unset = Amount { migration_type: None, amount: 0 };
    assert_eq!(amount(Release::V6_6, &domain(), &own(8000), &busiest), unset);
    // Own average 1000, domain average 1500.
    assert_eq!(amount(Release::V6_6, &domain(), &own(4000), &busiest), of(MigrationType::Load, 2000));
    let idle = typed(FullyBusy, busy_group(4));
    assert_eq!(amount(Release::V6_6, &domain(), &own(0), &idle), unset);
}

#[test]
fn without_groups_or_without_a_local_one_there_is_nothing_to_do() {
    let rules = rules(Release::V6_6);
    let none = Decision { busiest: None, go: false, migration_type: None, amount: 0 };
    assert_eq!(find_busiest_group(&rules, &domain(), &mut [], &mut ()), none);
    assert_eq!(find_busiest_group(&rules, &domain(), &mut [busy_group(6)], &mut ()), none);
    assert_eq!(find_busiest_group(&rules, &domain(), &mut [local()], &mut ()), none);
}

#[test]
fn a_reader_gets_the_conditions_in_order_and_the_same_decision() {
    let rules = rules(Release::V6_12);
    let mut groups = [local(), busy_group(6)];
    let mut why = Vec::new();
    let read = find_busiest_group(&rules, &domain(), &mut groups, &mut why);
    assert_eq!(read, find_busiest_group(&rules, &domain(), &mut groups, &mut ()));
    assert!(read.pulls());
    let functions: Vec<_> = why.iter().map(|condition| condition.function).collect();
    let first = |name| functions.iter().position(|function| *function == name).unwrap();
    assert!(first("group_classify") < first("update_sd_pick_busiest"));
    assert!(first("update_sd_pick_busiest") < first("sched_balance_find_src_group"));
    assert!(first("sched_balance_find_src_group") < first("calculate_imbalance"));
}
