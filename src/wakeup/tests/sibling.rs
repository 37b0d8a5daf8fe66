//! An idle CPU around the target, worked by hand on 2x4x2: siblings are i and i + 8, caches {0-3, 8-11} and
//! {4-7, 12-15}.

use super::super::Reason;
use super::*;
use crate::balance::rules::{IdleSearch, ScanLimit};

const CACHE: [usize; 8] = [0, 1, 2, 3, 8, 9, 10, 11];

fn mock(release: Release) -> Mock {
    let mock = Mock::new("2x4x2", release);
    assert_eq!(mock.llc[0], CACHE.map(|c| c as u32), "The tests count on this numbering.");
    assert_eq!(mock.siblings[1], [1, 9]);
    mock
}

/// All CPUs of the first cache are busy, but for these.
fn busy_but(release: Release, idle: &[usize]) -> Mock {
    mock(release).busy(CACHE.into_iter().filter(|c| !idle.contains(c)), 1_000)
}

fn found(choice: super::super::Choice) -> (usize, Reason) {
    (choice.cpu, choice.reason)
}

#[test]
fn target_then_prev_then_recent() {
    for release in Release::ALL {
        let task = Task { load: 512, recent: Some(3), ..Task::default() };
        let wake = |mock: &Mock, this, prev| mock.wake_as(&task, &plain(this, prev));
        let choice = wake(&mock(release), 0, 0);
        assert_eq!((found(choice), choice.recent_becomes_prev), ((0, Reason::TargetIdle), false));
        let choice = wake(&busy_but(release, &[2, 3]), 0, 2);
        assert!(matches!(choice.reason, Reason::PrevIdle | Reason::TargetIdle), "{release:?}");
        assert_eq!((choice.cpu, choice.recent_becomes_prev), (2, false));
        let choice = wake(&busy_but(release, &[3, 9]), 0, 0);
        assert_eq!((found(choice), choice.recent_becomes_prev), ((3, Reason::RecentIdle), true));
    }
}

#[test]
fn a_recent_cpu_counts_only_if_idle_allowed_other_and_near() {
    let mut mock = busy_but(Release::V6_6, &[3]);
    mock.nr_idle_scan = 0;
    let reason = |mock: &Mock, recent| {
        let task = Task { recent, ..Task::default() };
        mock.wake_as(&task, &plain(0, 0)).reason
    };
    assert_eq!(reason(&mock, Some(3)), Reason::RecentIdle);
    assert_eq!(reason(&mock, Some(2)), Reason::Target, "busy");
    assert_eq!(reason(&mock, Some(5)), Reason::Target, "in another cache");
    assert_eq!(reason(&mock, None), Reason::Target);
    assert_eq!(reason(&mock.clone().only([0, 1, 2]), Some(3)), Reason::Target, "forbidden");
}

#[test]
fn a_task_with_one_cpu_is_not_placed() {
    let mock = mock(Release::V6_6).busy([0], 9_000).only([0]);
    let choice = mock.wake(5, 0);
    assert_eq!((found(choice), choice.recent_becomes_prev), ((0, Reason::Pinned), false));
}

#[test]
fn sched_idle_counts_as_idle_from_6_1_on() {
    for release in Release::ALL {
        let mut mock = busy_but(release, &[]);
        mock.cpus[0].sched_idle = true;
        let choice = mock.wake(0, 0);
        let expected = if release == Release::V4_19 { Reason::Target } else { Reason::TargetIdle };
        assert_eq!(found(choice), (0, expected), "{release:?}");
    }
}

#[test]
fn siblings_of_the_last_cpu_come_first_unless_a_core_is_promised() {
    let mock = busy_but(Release::V6_6, &[1, 8]);
    assert_eq!(found(mock.wake(0, 0)), (8, Reason::SiblingIdle));
    // With the promise: no core is idle as a whole; CPU 1 comes first in the scan from 1 on.
    let choice = mock.promising().wake(0, 0);
    assert_eq!((found(choice), choice.cleared_idle_cores), ((1, Reason::Scan), true));
}

#[test]
fn in_4_19_siblings_of_the_target_come_last() {
    let mut mock = busy_but(Release::V4_19, &[1, 8]);
    // The scan from 0 on reaches 1 second.
    assert_eq!(found(mock.wake(0, 0)), (1, Reason::Scan));
    // 8 x (512/512) > 4 x (1 + 1) is false: 4 - 1 = 3 probes, of 0, 1 and 2.
    mock.cpus[0].avg_idle = 512;
    mock.cpus[0].scan_cost = 1;
    let busy = mock.clone().busy([1], 1_000);
    assert_eq!(found(busy.wake(0, 0)), (8, Reason::SiblingIdle));
    assert_eq!(busy.wake(0, 0).avg_scan_cost, None, "The budget ran out.");
    assert_eq!(found(busy.busy([8], 1_000).wake(0, 0)), (0, Reason::Target));
}

#[test]
fn sis_prop_probes_one_cpu_less_than_idle_time_pays_for() {
    // a = 512 000/512 = 1000, w = 8, c = 1600: 8000 > 6400, nr = 8000/1600 = 5, so four probes: 0, 1, 2, 3.
    for (idle, expected) in [(3, (3, Reason::Scan)), (9, (0, Reason::Target))] {
        let mut mock = busy_but(Release::V4_19, &[idle]);
        mock.cpus[0].avg_idle = 512_000;
        mock.cpus[0].scan_cost = 1_599;
        let choice = mock.wake(0, 0);
        assert_eq!(found(choice), expected);
        // Four looks of 30 ns: 1599 + (120 - 1599)/8 = 1599 - 184.
        let cost = (idle == 3).then_some(1_415);
        assert_eq!((choice.avg_scan_cost, choice.looked_ns), (cost, 120));
    }
}

#[test]
fn forbidden_cpus_cost_a_probe_in_4_19_and_none_later() {
    let mut mock = busy_but(Release::V4_19, &[3]).only([0, 3, 9]);
    mock.cpus[0].avg_idle = 0;
    // Three probes: 0, 1 and 2.
    assert_eq!(mock.wake(0, 0).reason, Reason::Target);
    mock.rules = Rules::of(Release::V6_6);
    mock.nr_idle_scan = 1;
    assert_eq!(found(mock.wake(0, 0)), (3, Reason::Scan));
}

#[test]
fn sis_util_bounds_the_scan_and_zero_forbids_even_whole_cores() {
    // From 1 on: 1, 2, 3, 8, ... The idle one is the third.
    for (limit, expected) in [(0, Reason::Target), (2, Reason::Target), (3, Reason::Scan)] {
        let mut mock = busy_but(Release::V6_6, &[3]);
        mock.nr_idle_scan = limit;
        assert_eq!(mock.wake(0, 0).reason, expected, "{limit}");
    }
    let mut mock = busy_but(Release::V6_6, &[3, 11]).promising();
    mock.nr_idle_scan = 0;
    let choice = mock.wake(0, 0);
    assert_eq!((choice.reason, choice.cleared_idle_cores), (Reason::Target, false));
    mock.nr_idle_scan = 1;
    assert_eq!(found(mock.wake(0, 0)), (3, Reason::IdleCore), "The search for a core has no bound.");
}

#[test]
fn the_scan_wraps_and_takes_the_cpu_of_the_core_that_it_reaches_first() {
    // From 10 on: 10, 11, 0, ... so core {2, 10} is reached at 10.
    let mock = busy_but(Release::V6_6, &[2, 10, 3, 11]).promising();
    assert_eq!(found(mock.busy([9], 1_000).wake(9, 9)), (10, Reason::IdleCore));
    let mock = busy_but(Release::V4_19, &[2, 10, 3, 11]).promising();
    assert_eq!(found(mock.wake(9, 9)), (10, Reason::IdleCore));
}

#[test]
fn a_core_counts_as_idle_with_siblings_that_the_task_may_not_use() {
    for release in Release::ALL {
        let mock = busy_but(release, &[2, 10]).promising().only([0, 1, 10]);
        assert_eq!(found(mock.wake(0, 0)), (10, Reason::IdleCore), "{release:?}");
    }
}

#[test]
fn noted_idle_cpus_must_be_allowed() {
    // CPU 9 is idle, but forbidden; 1 is allowed and busy; 11 is idle and allowed.
    let mock = busy_but(Release::V6_12, &[9, 11]).promising().only([0, 1, 2, 3, 11]);
    let choice = mock.wake(0, 0);
    assert_eq!((found(choice), choice.cleared_idle_cores), ((11, Reason::Scan), true));
}

#[test]
fn without_smt_no_core_is_promised() {
    let mut mock = Mock::new("2x4x1", Release::V6_6).busy(0..4, 1_000).promising();
    mock.cpus[2] = IDLE;
    let choice = mock.wake(0, 0);
    assert_eq!((found(choice), choice.cleared_idle_cores), ((2, Reason::Scan), false));
}

#[test]
fn each_search_takes_each_limit() {
    for search in [IdleSearch::OneScan, IdleSearch::ThreeSearches] {
        for (limit, expected) in [(ScanLimit::None, 11), (ScanLimit::Util, 0), (ScanLimit::Prop, 0)] {
            let mut mock = busy_but(Release::V6_6, &[11]);
            mock.rules.wakeup.search = search;
            mock.rules.wakeup.scan_limit = limit;
            mock.nr_idle_scan = 3;
            mock.cpus[0].avg_idle = 0;
            assert_eq!(mock.wake(0, 0).cpu, expected, "{search:?} {limit:?}");
        }
    }
}

#[test]
fn on_unequal_cpus_the_task_must_fit_and_else_takes_the_biggest_idle_one() {
    let mut mock = Mock::new("biglittle-4p4", Release::V6_6);
    let small: Vec<usize> = (0..8).filter(|&c| mock.capacity(c) < 1_024).collect();
    let big: Vec<usize> = (0..8).filter(|&c| mock.capacity(c) == 1_024).collect();
    let task = Task { util: 700, ..Task::default() };
    let wake = |mock: &Mock, this| found(mock.wake_as(&task, &plain(this, this)));
    assert_eq!(wake(&mock, small[0]), (big[0], Reason::Capacity));
    mock = mock.busy(big.clone(), 1_000);
    assert_eq!(
        wake(&mock, small[1]),
        (small[1], Reason::Capacity),
        "The first of equals from the target on."
    );
    assert_eq!(wake(&mock.busy(small.clone(), 1_000), small[0]), (small[0], Reason::Target));
    let old = Mock::new("biglittle-4p4", Release::V4_19);
    assert_eq!(wake(&old, small[0]), (small[0], Reason::TargetIdle));
}
