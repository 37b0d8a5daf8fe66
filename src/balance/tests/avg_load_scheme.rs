//! 4.19's groups.

use super::{Decision, DomainView, IdleType, MigrationType, domain, rules, with};
use crate::balance::avg_load_scheme::{
    AvgLoadStats, AvgLoadType, LoadHistory, calculate_imbalance, load_index,
};
use crate::topology::Release;

fn stats(tasks: u32, load: u64) -> AvgLoadStats {
    AvgLoadStats {
        load,
        weighted_load: load,
        util: load.min(4096),
        nr_running: tasks,
        idle_cpus: 4_u32.saturating_sub(tasks),
        weight: 4,
        capacity: 4096,
        ..AvgLoadStats::default()
    }
}

fn own(tasks: u32, load: u64) -> AvgLoadStats {
    AvgLoadStats { local: true, ..stats(tasks, load) }
}

fn decide(domain: &DomainView, groups: [AvgLoadStats; 2]) -> Decision {
    let mut groups = groups;
    crate::balance::avg_load_scheme::find_busiest_group(domain, &mut groups, &mut ())
}

fn seen(idle: IdleType, child_prefer_sibling: bool) -> DomainView {
    DomainView { idle, child_prefer_sibling, imbalance_pct: 125, ..domain() }
}

#[test]
fn the_history_is_smoothed_by_halves_and_quarters() {
    let mut history = LoadHistory::default();
    history.tick(1024);
    assert_eq!(history.slots, [1024, 512, 256]);
    history.tick(0);
    assert_eq!(history.slots, [0, 256, 192]);
    // Rising by one rounds up, so that the averages arrive.
    let mut near = LoadHistory { slots: [9, 9, 9] };
    near.tick(10);
    assert_eq!(near.slots, [10, 10, 10]);
}

#[test]
fn the_bias_keeps_tasks_where_they_are() {
    let history = LoadHistory { slots: [100, 200, 300] };
    let (biased, plain) = (rules(Release::V4_19), with(Release::V4_19, "lb_bias", "off"));
    assert_eq!(history.biased(&biased, 2, true, 150), 200);
    assert_eq!(history.biased(&biased, 2, false, 150), 150);
    assert_eq!(history.biased(&biased, 1, false, 150), 100);
    assert_eq!(history.biased(&biased, 0, true, 150), 150);
    assert_eq!(history.biased(&plain, 2, true, 150), 150);
}

#[test]
fn each_level_looks_at_its_own_history() {
    let index = |idle, level: DomainView| load_index(&DomainView { idle, ..level });
    let smt = DomainView { smt: true, share_llc: true, ..domain() };
    let mc = DomainView { share_llc: true, ..domain() };
    let numa = DomainView { numa: true, ..domain() };
    let levels = [smt, mc, domain(), numa];
    assert_eq!(levels.clone().map(|level| index(IdleType::Busy, level)), [0, 2, 2, 3]);
    assert_eq!(levels.clone().map(|level| index(IdleType::Idle, level)), [0, 0, 1, 2]);
    assert_eq!(levels.map(|level| index(IdleType::Newidle, level)), [0, 0, 0, 0]);
}

#[test]
fn even_groups_are_balanced() {
    let decision = decide(&seen(IdleType::Busy, false), [own(4, 4096), stats(4, 4096)]);
    assert!(!decision.go && decision.busiest == Some(1));
}

#[test]
fn an_idle_cpu_with_room_pulls_from_an_overloaded_group() {
    let decision = decide(&seen(IdleType::Newidle, false), [own(0, 0), stats(8, 8192)]);
    // Average 1024 in the domain, 2048 in the busiest: 1024 x 4096 / 1024 either way.
    assert_eq!((decision.migration_type, decision.amount), (Some(MigrationType::Load), 4096));
}

#[test]
fn busy_groups_must_differ_by_the_percentage_strictly() {
    let go = |busiest| decide(&seen(IdleType::Busy, false), [own(8, 8000), stats(9, busiest)]).go;
    assert!(!go(10_000));
    assert!(go(10_004));
}

#[test]
fn an_idle_cpu_looks_at_idle_cpus_instead() {
    let go = |tasks| {
        let busiest = stats(tasks, u64::from(tasks) * 1024);
        decide(&seen(IdleType::Idle, false), [AvgLoadStats { idle_cpus: 3, ..own(1, 100) }, busiest]).go
    };
    assert!(!go(2));
    assert!(go(3));
}

#[test]
fn siblings_spread_at_two_tasks_more() {
    let go = |tasks| decide(&seen(IdleType::Idle, true), [own(1, 1024), stats(tasks, 1024)]).go;
    assert!(!go(2));
    assert!(go(3));
}

#[test]
fn pinned_tasks_always_go() {
    let flagged = AvgLoadStats { imbalance_flag: true, ..stats(2, 10) };
    let decision = decide(&seen(IdleType::Busy, false), [own(4, 4096), flagged]);
    assert!(decision.go);
}

#[test]
fn a_group_without_tasks_or_load_is_not_busiest() {
    assert_eq!(decide(&seen(IdleType::Idle, false), [own(0, 0), stats(0, 500)]).busiest, None);
    assert_eq!(decide(&seen(IdleType::Idle, false), [own(0, 0), stats(2, 0)]).busiest, None);
}

fn averaged(mut stats: AvgLoadStats, group_type: AvgLoadType) -> AvgLoadStats {
    stats.average();
    AvgLoadStats { group_type, ..stats }
}

#[test]
fn overloaded_groups_keep_their_cpus_busy() {
    let full = |stats| averaged(stats, AvgLoadType::Overloaded);
    let (local, busiest) = (full(own(5, 4096)), full(stats(6, 20_480)));
    // Averages 1024 and 5120, domain 3072; two tasks above capacity allow (6144 - 4096) x 1024 / 4096 = 512.
    assert_eq!(calculate_imbalance(&local, &busiest, 3072, &mut ()), 3413);
    let light = full(AvgLoadStats { weighted_load: 600, ..stats(6, 20_480) });
    assert_eq!(calculate_imbalance(&local, &light, 3072, &mut ()), 2048);
}

#[test]
fn less_than_a_task_is_rounded_to_one_if_that_does_not_turn_the_tables() {
    let other = |stats| averaged(stats, AvgLoadType::Other);
    // Averages 256 and 512, domain 384: 512 would move; a task weighs 1024, which is 256 a group. The local
    // group's task is no lighter, so 512 + 256 is held against 256 + 2 x 256.
    let (local, busiest) = (other(own(1, 1024)), other(stats(2, 2048)));
    assert_eq!(calculate_imbalance(&local, &busiest, 384, &mut ()), 1024);
    // Averages 300 and 512: 768 is less than 812, and no work is gained: the small amount stands.
    let local = other(AvgLoadStats { weighted_load: 1200, ..own(1, 1200) });
    assert_eq!(calculate_imbalance(&local, &busiest, 406, &mut ()), 424);
}
