//! The waker's CPU or the last one: worked by hand.

use super::super::Flips;
use super::super::affine::{wake_affine, wake_cap, wake_wide};
use super::*;
use crate::balance::Condition;

#[test]
fn waking_many_from_a_task_that_wakes_few_is_not_wide() {
    // (waker, wakee, cache size, wide): the smaller must reach the size, the larger that many times it.
    let rows = [
        (0, 0, 8, false),
        (7, 1_000, 8, false),
        (8, 63, 8, false),
        (8, 64, 8, true),
        (64, 8, 8, true),
        (9, 71, 8, false),
        (1, 1, 1, true),
    ];
    for (waker, wakee, size, wide) in rows {
        assert_eq!(wake_wide(waker, wakee, size, &mut ()), wide, "{waker} {wakee} {size}");
    }
}

#[test]
fn flips_count_changes_of_the_wakee_and_halve_once_a_second() {
    let mut flips = Flips::default();
    for (wakee, jiffies, expected) in
        [(3, 0, 1), (3, 1, 1), (4, 2, 2), (3, 3, 3), (3, 250, 3), (3, 251, 1), (4, 501, 2), (5, 502, 2)]
    {
        flips.record(wakee, jiffies, 250);
        assert_eq!(flips.flips, expected, "task {wakee} at jiffy {jiffies}");
    }
}

/// `wake_affine` from CPU 0 of a task that was on `prev`.
fn affine(mock: &Mock, prev: usize, sync: bool, pct: u32) -> usize {
    let task = Task { load: 512, ..Task::default() };
    wake_affine(&mock.rules, mock, &task, (0, prev), sync, pct, &mut ())
}

#[test]
fn an_interrupt_on_an_idle_cpu_that_shares_the_cache_keeps_an_idle_last_cpu() {
    for release in Release::ALL {
        let mock = Mock::new("2x4x1", release);
        assert_eq!(affine(&mock, 1, false, 117), 1, "{release:?}");
        assert_eq!(affine(&mock.busy([1], 9_000), 1, false, 117), 0, "{release:?}");
    }
}

#[test]
fn only_later_releases_keep_an_idle_last_cpu_in_another_cache() {
    for release in Release::ALL {
        let mock = Mock::new("2x4x1", release).busy([0], 10);
        assert_eq!(affine(&mock, 5, true, 117), 0, "{release:?}: a waker that sleeps at once comes first");
    }
    let mut mock = Mock::new("2x4x1", Release::V4_19).busy([0], 10);
    // 4.19 weighs: (10 + 512) x 100 x 1024 against (2000 - 512) x 112 x 1024.
    mock.cpus[5].load = 2_000;
    assert_eq!(affine(&mock, 5, false, 125), 0);
    mock.rules = Rules::of(Release::V6_6);
    assert_eq!(affine(&mock, 5, false, 125), 5);
}

#[test]
fn the_lighter_cpu_wins_and_a_tie_goes_to_the_last_one() {
    // 100 (x + 512) < 108 (prev - 512), with pct 117: bias 100 + 17/2 = 108.
    let rows =
        [(1_000, 1_913, false, 0), (1_000, 1_912, false, 5), (1_000, 1_000, false, 5), (0, 511, false, 5)];
    for (this, prev, sync, expected) in rows {
        let mock = Mock::new("2x4x1", Release::V6_6).busy([0], this).busy([5], prev);
        // 1512 x 100 = 151 200 and 1400 x 108 = 151 200: not less.
        assert_eq!(affine(&mock, 5, sync, 117), expected, "{this} {prev}");
    }
}

#[test]
fn a_sync_waker_counts_as_gone() {
    let mut mock = Mock::new("2x4x1", Release::V6_6).busy([0, 5], 1_000);
    assert_eq!(affine(&mock, 5, true, 117), 0, "The waker is alone on its CPU.");
    mock.cpus[0].nr = 2;
    // (1000 - 1000 + 512) x 100 = 51 200 and (1000 - 512) x 108 + 1/1024 = 52 704.
    assert_eq!(affine(&mock, 5, true, 117), 0);
    assert_eq!(affine(&mock, 5, false, 117), 5);
    mock.cpus[0].current_load = 1_001;
    mock.cpus[5].load = 0;
    assert_eq!(affine(&mock, 5, true, 117), 0, "More than the queue's load leaves nothing to compare.");
}

#[test]
fn equal_loads_of_a_sync_wake_up_go_to_the_waker() {
    let mut mock = Mock::new("2x4x1", Release::V6_6).busy([0, 5], 600);
    mock.cpus[0].nr = 2;
    mock.cpus[0].current_load = 88;
    mock.cpus[5].load = 1_536;
    // pct 100 takes the bias away: (600 - 88 + 512) = 1024 = 1536 - 512; sync adds 1 on the right.
    assert_eq!(affine(&mock, 5, true, 100), 0);
    mock.cpus[0].load = 512;
    assert_eq!(affine(&mock, 5, false, 100), 5);
}

#[test]
fn unequal_cpus_weigh_by_the_other_ones_capacity() {
    let mock = Mock::new("biglittle-4p4", Release::V6_6);
    let (small, big) = {
        let by = |c: &usize| mock.capacity(*c);
        ((0..8).min_by_key(by).unwrap(), (0..8).max_by_key(by).unwrap())
    };
    let mock = mock.busy([small, big], 1_000);
    let task = Task { load: 200, ..Task::default() };
    let go = |this, prev| wake_affine(&mock.rules, &mock, &task, (this, prev), false, 117, &mut ());
    let expected = |this, prev| {
        let here = 1_200 * 100 * mock.capacity(prev);
        let there = 800 * 108 * mock.capacity(this);
        if here < there { this } else { prev }
    };
    assert_eq!(go(big, small), expected(big, small));
    assert_eq!(go(small, big), big);
}

#[test]
fn a_task_too_big_for_one_of_two_unequal_cpus_is_not_pulled_in_4_19() {
    let mock = Mock::new("biglittle-4p4", Release::V4_19);
    let by = |c: &usize| mock.capacity(*c);
    let (small, big) = ((0..8).min_by_key(by).unwrap(), (0..8).max_by_key(by).unwrap());
    let fits = mock.capacity(small) * 1_024 / 1_280 - 1;
    let cap = |util, this, prev| wake_cap(&mock, &Task { util, ..Task::default() }, this, prev, &mut ());
    assert!(!cap(fits, small, big));
    assert!(cap(fits + 2, small, big) && cap(fits + 2, big, small));
    assert!(!cap(1_024, big, big), "Both are the biggest.");
    let even = Mock::new("2x4x1", Release::V4_19);
    assert!(!wake_cap(&even, &Task { util: 1_024, ..Task::default() }, 0, 5, &mut ()));
}

#[test]
fn the_walk_finds_the_lowest_domain_with_both_cpus() {
    let mock = Mock::new("2x4x2", Release::V6_6).busy(0..16, 1_000);
    let mut why: Vec<Condition> = Vec::new();
    let task = Task { load: 512, ..Task::default() };
    super::super::select(&mock.rules, &mock, &task, &plain(0, 5), &mut why);
    let weighed = why.iter().find(|c| c.function == "wake_affine_weight").unwrap();
    let pct = i64::from(mock.domain(0, mock.tree.chains[0].len() - 1).imbalance_pct);
    assert_eq!(weighed.left, 1_512 * 100 * 1_024);
    assert_eq!(weighed.right, (1_000 - 512) * (100 + (pct - 100) / 2) * 1_024);
}

#[test]
fn wide_wakers_and_forbidden_cpus_leave_the_task_on_its_last_cpu() {
    let mock = Mock::new("2x4x1", Release::V6_6).busy([5], 9_000);
    assert_eq!(mock.wake(0, 5).target, 0);
    let wide = Waking { waker_flips: 4, wakee_flips: 16, ..plain(0, 5) };
    assert_eq!(mock.wake_as(&Task::default(), &wide).target, 5);
    assert_eq!(mock.clone().only([1, 5, 6]).wake(0, 5).target, 5);
}
