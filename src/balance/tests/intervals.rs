//! Intervals, and what each exit does to them.

use super::*;
use crate::balance::intervals::{balance_interval, busy, due, jiffies_from_ms};

fn interval(release: Release, ms: u32, busy: bool, hz: u32, online_cpus: u32) -> u64 {
    let busy_factor = if release == Release::V4_19 { 32 } else { 16 };
    balance_interval(
        &rules(release),
        &IntervalInput { balance_interval: ms, busy, busy_factor, hz, online_cpus },
    )
}

#[test]
fn the_vectors_of_the_spec() {
    assert_eq!(interval(Release::V6_6, 16, false, 1000, 16), 16);
    assert_eq!(interval(Release::V6_6, 16, true, 1000, 16), 255);
    assert_eq!(interval(Release::V4_19, 16, true, 1000, 16), 512);
    assert_eq!(interval(Release::V6_6, 2, false, 250, 4), 1);
    assert_eq!(interval(Release::V6_6, 2, true, 250, 4), 7);
    assert_eq!(interval(Release::V6_6, 8, true, 250, 4), 31);
    assert_eq!(interval(Release::V6_6, 1000, true, 250, 4), 100);
}

#[test]
fn milliseconds_round_up_and_an_interval_is_at_least_one_jiffy() {
    assert_eq!([0, 1, 3, 4, 5].map(|ms| jiffies_from_ms(ms, 250)), [0, 1, 1, 1, 2]);
    assert_eq!([1, 3, 4].map(|ms| jiffies_from_ms(ms, 300)), [1, 1, 2]);
    assert_eq!(interval(Release::V6_6, 0, true, 250, 4), 1);
    assert_eq!(interval(Release::V6_6, 1, false, 100, 1), 1);
}

#[test]
fn due_is_not_strict() {
    let rules = rules(Release::V6_6);
    assert!(due(&rules, 10, 7, 3, &mut ()));
    assert!(!due(&rules, 9, 7, 3, &mut ()));
}

#[test]
fn only_sched_idle_tasks_make_a_cpu_idle_from_6_6() {
    assert!(busy(&rules(Release::V4_19), IdleType::Busy, true));
    assert!(!busy(&rules(Release::V6_6), IdleType::Busy, true));
    assert!(busy(&rules(Release::V6_6), IdleType::Busy, false));
    assert!(!busy(&rules(Release::V4_19), IdleType::Idle, false));
}

const INPUT: ExitInput =
    ExitInput { idle: IdleType::Busy, misfit: false, min_interval: 8, max_interval: 16, cache_nice_tries: 1 };

fn after(release: Release, exit: Exit, idle: IdleType, interval: u32) -> (u32, u32) {
    let before = Pace { balance_interval: interval, nr_balance_failed: 3 };
    let pace = before.after(&rules(release), exit, &ExitInput { idle, ..INPUT });
    (pace.balance_interval, pace.nr_balance_failed)
}

#[test]
fn moving_something_resets_both() {
    for release in Release::ALL {
        for idle in [IdleType::Idle, IdleType::Busy, IdleType::Newidle] {
            assert_eq!(after(release, Exit::Moved, idle, 16), (8, 0));
        }
    }
}

#[test]
fn a_failure_counts_unless_newly_idle() {
    for release in Release::ALL {
        assert_eq!(after(release, Exit::NothingMoved, IdleType::Busy, 16), (8, 4));
        assert_eq!(after(release, Exit::NothingMoved, IdleType::Newidle, 16), (8, 3));
        assert_eq!(after(release, Exit::ActiveRunning, IdleType::Idle, 16), (8, 4));
    }
}

#[test]
fn a_balanced_exit_doubles_below_max_and_after_a_redo_below_512() {
    let balanced = |redone, idle, interval| after(Release::V6_6, Exit::Balanced { redone }, idle, interval);
    assert_eq!(balanced(false, IdleType::Busy, 8), (16, 0));
    assert_eq!(balanced(false, IdleType::Busy, 15), (30, 0));
    assert_eq!(balanced(false, IdleType::Busy, 16), (16, 0));
    assert_eq!(balanced(true, IdleType::Busy, 16), (32, 0));
    assert_eq!(balanced(true, IdleType::Busy, 511), (1022, 0));
    assert_eq!(balanced(true, IdleType::Busy, 512), (512, 0));
    assert_eq!(balanced(false, IdleType::Newidle, 8), (8, 0));
    assert_eq!(after(Release::V4_19, Exit::Balanced { redone: false }, IdleType::Newidle, 8), (16, 0));
    assert_eq!(after(Release::V6_6, Exit::AllPinned, IdleType::Busy, 256), (512, 0));
    assert_eq!(after(Release::V6_6, Exit::AllPinned, IdleType::Newidle, 256), (256, 0));
}

#[test]
fn only_a_plain_balanced_exit_clears_the_imbalance_flag() {
    assert!(Exit::Balanced { redone: false }.clears_imbalance_flag());
    assert!(!Exit::Balanced { redone: true }.clears_imbalance_flag());
    assert!(!Exit::AllPinned.clears_imbalance_flag() && !Exit::Moved.clears_imbalance_flag());
}

#[test]
fn a_pinned_current_task_backs_off() {
    let pinned = |release, single_task, interval| {
        after(release, Exit::ActivePinned { single_task }, IdleType::Busy, interval)
    };
    assert_eq!(pinned(Release::V6_6, false, 8), (16, 4));
    assert_eq!(pinned(Release::V6_6, false, 16), (16, 4));
    assert_eq!(pinned(Release::V6_6, true, 16), (32, 4));
    assert_eq!(pinned(Release::V4_19, true, 16), (16, 4));
}

#[test]
fn an_active_balance_backs_off_in_4_19_alone() {
    let started = |release, still_needed, interval| {
        after(release, Exit::ActiveStarted { still_needed }, IdleType::Busy, interval)
    };
    assert_eq!(started(Release::V4_19, true, 8), (16, 2));
    assert_eq!(started(Release::V4_19, true, 16), (16, 2));
    assert_eq!(started(Release::V6_6, true, 16), (8, 4));
    assert_eq!(started(Release::V6_6, false, 16), (16, 4));
}

#[test]
fn a_misfit_neither_counts_nor_doubles_in_6_19() {
    let misfit = ExitInput { misfit: true, ..INPUT };
    let before = Pace { balance_interval: 8, nr_balance_failed: 3 };
    let pace = |release, exit| before.after(&rules(release), exit, &misfit);
    assert_eq!(pace(Release::V6_19, Exit::NothingMoved).nr_balance_failed, 3);
    assert_eq!(pace(Release::V6_6, Exit::NothingMoved).nr_balance_failed, 4);
    let pinned = Exit::ActivePinned { single_task: false };
    assert_eq!(pace(Release::V6_19, pinned).balance_interval, 8);
    assert_eq!(pace(Release::V6_6, pinned).balance_interval, 16);
}
