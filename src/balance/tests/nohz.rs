//! Kicks, and what the kicked CPU does.

use super::*;
use crate::balance::nohz::*;
use crate::topology::CpuMask;

const QUIET: KickInput = KickInput {
    idle: false,
    any_nohz: true,
    now: 100,
    next_balance: 100,
    has_blocked: false,
    next_blocked: 0,
    needs_update: false,
    nr_running: 1,
    h_nr_running: 1,
    capacity_reduced: false,
    asym_prefers_idle: false,
    asym_capacity: false,
    misfit: false,
    llc_busy: Some(1),
};

const STATS: Kick = Kick { stats: true, ..Kick::NONE };
const NEXT: Kick = Kick { next: true, ..Kick::NONE };
const BALANCE: Kick = Kick { balance: true, stats: true, ..Kick::NONE };

fn kicked(release: Release, input: KickInput) -> Kick {
    kick(&rules(release), &input, &mut ())
}

#[test]
fn one_task_on_one_busy_cpu_kicks_nobody() {
    for release in Release::ALL {
        assert_eq!(kicked(release, QUIET), Kick::NONE);
    }
}

#[test]
fn each_reason_kicks() {
    let reasons = [
        KickInput { nr_running: 2, ..QUIET },
        KickInput { llc_busy: Some(2), ..QUIET },
        KickInput { capacity_reduced: true, ..QUIET },
        KickInput { asym_prefers_idle: true, ..QUIET },
    ];
    for release in Release::ALL {
        for reason in reasons {
            assert_eq!(kicked(release, reason), BALANCE);
            assert_eq!(kicked(release, KickInput { now: 99, ..reason }), Kick::NONE);
            assert_eq!(kicked(release, KickInput { any_nohz: false, ..reason }), Kick::NONE);
            assert_eq!(kicked(release, KickInput { idle: true, ..reason }), Kick::NONE);
        }
    }
    let no_cfs = KickInput { h_nr_running: 0, capacity_reduced: true, ..QUIET };
    assert_eq!(kicked(Release::V6_6, no_cfs), Kick::NONE);
}

#[test]
fn blocked_load_asks_for_a_refresh_strictly_after_it_is_due() {
    let blocked = KickInput { has_blocked: true, next_blocked: 99, ..QUIET };
    assert_eq!(kicked(Release::V6_6, blocked), STATS);
    assert_eq!(kicked(Release::V6_6, KickInput { next_blocked: 100, ..blocked }), Kick::NONE);
    assert_eq!(kicked(Release::V6_6, KickInput { next_balance: 101, nr_running: 9, ..blocked }), STATS);
}

#[test]
fn unequal_capacities_skip_the_cache_rule_from_6_x() {
    let asym = KickInput { asym_capacity: true, llc_busy: Some(2), ..QUIET };
    assert_eq!(kicked(Release::V6_6, asym), Kick::NONE);
    assert_eq!(kicked(Release::V6_6, KickInput { misfit: true, ..asym }), BALANCE);
    assert_eq!(kicked(Release::V4_19, asym), BALANCE);
}

#[test]
fn a_kick_moves_the_next_balance() {
    let after = |release, kick| next_balance_after_kick(&rules(release), kick, 50, 100);
    assert_eq!([Kick::NONE, STATS, BALANCE].map(|k| after(Release::V4_19, k)), [50, 51, 51]);
    assert_eq!([Kick::NONE, STATS, NEXT, BALANCE].map(|k| after(Release::V6_6, k)), [50, 50, 50, 101]);
}

#[test]
fn a_cpu_that_joined_the_mask_is_reason_to_collate() {
    let joined = KickInput { needs_update: true, ..QUIET };
    assert_eq!(kicked(Release::V4_19, joined), Kick::NONE);
    for release in Release::ALL.into_iter().filter(|r| *r != Release::V4_19) {
        assert_eq!(kicked(release, joined), NEXT);
        assert_eq!(kicked(release, KickInput { now: 99, nr_running: 2, ..joined }), NEXT, "not yet due");
        assert_eq!(kicked(release, KickInput { nr_running: 2, ..joined }), BALANCE.and(NEXT));
        assert_eq!(kicked(release, KickInput { any_nohz: false, ..joined }), Kick::NONE);
        assert_eq!(kicked(release, KickInput { idle: true, ..joined }), Kick::NONE);
    }
}

#[test]
fn the_tick_stops_at_idle_entry_or_after_an_idle_tick() {
    let stops = |release, got_tick, due| tick_stops(&rules(release), got_tick, due, 1_000_000);
    for release in Release::ALL {
        let early = release != Release::V6_1;
        assert_eq!([false, true].map(|got| stops(release, got, None)), [early, true]);
        assert_eq!([false, true].map(|got| stops(release, got, Some(1_000_001))), [early, true]);
        assert_eq!([false, true].map(|got| stops(release, got, Some(1_000_000))), [false, false]);
    }
}

#[test]
fn the_target_is_the_first_or_the_first_idle() {
    let mask = CpuMask::from_cpus([0, 1, 2, 3]);
    let view = Cpus(vec![(false, true), (true, true), (true, true), (true, true)]);
    let target = |release, kicker| ilb_target(&rules(release), kicker, &mask, |cpu| cpu != 1, &view);
    assert_eq!(target(Release::V4_19, 3), None);
    assert_eq!(target(Release::V6_6, 3), Some(2));
    assert_eq!(target(Release::V6_6, 2), Some(3));
}

#[test]
fn the_mask_is_served_in_each_releases_order() {
    let mask = CpuMask::from_cpus([0, 2, 5, 7]);
    let order = |release, this| {
        let served = |cpu: &usize| ilb_serves(&rules(release), this, *cpu, mask.contains(*cpu));
        (0..8).map(|place| ilb_at(&rules(release), this, 8, place)).filter(served).collect::<Vec<_>>()
    };
    assert_eq!(order(Release::V4_19, 2), [0, 5, 7, 2]);
    assert_eq!(order(Release::V6_6, 2), [5, 7, 0, 2]);
    assert_eq!(order(Release::V6_6, 7), [0, 2, 5, 7]);
    // 4.19 serves itself even when it has left the mask.
    assert_eq!(order(Release::V4_19, 3), [0, 2, 5, 7, 3]);
    assert_eq!(order(Release::V6_6, 3), [5, 7, 0, 2]);
    assert!(
        ilb_serves(&rules(Release::V4_19), 2, 2, false) && !ilb_serves(&rules(Release::V6_6), 2, 2, false)
    );
    assert!(
        ilb_serves(&rules(Release::V6_6), 2, 5, true) && !ilb_serves(&rules(Release::V4_19), 2, 5, false)
    );
}

#[test]
fn a_pending_reschedule_ends_the_work_or_only_on_a_cpu_no_longer_idle() {
    let starts = |release, idle, resched| ilb_starts(&rules(release), idle, resched);
    let aborts = |release, idle, resched| ilb_aborts(&rules(release), idle, resched);
    for release in [Release::V4_19, Release::V6_6, Release::V6_12] {
        assert!(
            starts(release, true, false) && !starts(release, true, true) && !starts(release, false, false)
        );
        assert!(aborts(release, true, true) && !aborts(release, true, false));
    }
    for release in [Release::V6_1, Release::V6_19] {
        assert!(starts(release, true, true) && !starts(release, false, true));
        assert!(
            !aborts(release, true, true) && aborts(release, false, true) && !aborts(release, false, false)
        );
    }
}

#[test]
fn the_next_balance_is_the_least_of_those_served() {
    let after = |release, aborted, visited: &[u64]| {
        next_balance_after_ilb(&rules(release), aborted, 7, visited.iter().copied(), 100, 1000)
    };
    assert_eq!(after(Release::V6_6, false, &[300, 200]), 200);
    assert_eq!(after(Release::V6_6, false, &[]), 60_100);
    assert_eq!(after(Release::V6_6, true, &[200]), 7);
    assert_eq!(after(Release::V4_19, true, &[200]), 200);
}
