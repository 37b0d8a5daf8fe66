//! Who balances for a group.

use super::*;
use crate::topology::CpuMask;

/// Whether each of four CPUs (two cores: 0-1, 2-3) would balance; `idle` by CPU.
fn chosen(rules: &Rules, idle: [bool; 4], smt: bool) -> Vec<usize> {
    let view = Cpus((0..4).map(|cpu| (idle[cpu], idle[cpu ^ 1])).collect());
    let mask = CpuMask::from_cpus(0..4);
    let asks = |cpu: usize| {
        let idle = if idle[cpu] { IdleType::Idle } else { IdleType::Busy };
        let input = DesignatedInput {
            cpu,
            idle,
            candidates: &mask,
            mask: &mask,
            smt,
            nr_running: 0,
            wakeup_pending: false,
        };
        should_we_balance(rules, &input, &view, &mut ())
    };
    (0..4).filter(|cpu| asks(*cpu)).collect()
}

#[test]
fn without_an_idle_cpu_the_first_balances() {
    for release in Release::ALL {
        assert_eq!(chosen(&rules(release), [false; 4], false), [0]);
    }
}

#[test]
fn an_idle_core_goes_before_an_idle_cpu_from_6_6() {
    let idle = [false, true, true, true];
    assert_eq!(chosen(&rules(Release::V4_19), idle, false), [1]);
    assert_eq!(chosen(&rules(Release::V6_1), idle, false), [1]);
    assert_eq!(chosen(&rules(Release::V6_6), idle, false), [2]);
    assert_eq!(chosen(&rules(Release::V6_6), idle, true), [1]);
}

#[test]
fn with_half_idle_cores_6_6_0_has_two_candidates() {
    let idle = [false, false, false, true];
    assert_eq!(chosen(&rules(Release::V6_6), idle, false), [3]);
    assert_eq!(chosen(&with(Release::V6_6, "should_we_balance", "idle_core_or_first"), idle, false), [0, 3]);
}

#[test]
fn who_is_no_candidate_does_not_balance() {
    let (candidates, mask) = (CpuMask::from_cpus([1, 2]), CpuMask::from_cpus(0..4));
    let view = Cpus(vec![(true, true); 4]);
    let asks = |cpu| {
        let input = DesignatedInput {
            cpu,
            idle: IdleType::Idle,
            candidates: &candidates,
            mask: &mask,
            smt: false,
            nr_running: 0,
            wakeup_pending: false,
        };
        should_we_balance(&rules(Release::V6_1), &input, &view, &mut ())
    };
    assert_eq!([0, 1, 2].map(asks), [false, true, false]);
}

#[test]
fn a_newidle_pass_is_refused_once_something_came() {
    let mask = CpuMask::from_cpus(0..4);
    let view = Cpus(vec![(false, false); 4]);
    let asks = |release, nr_running, wakeup_pending| {
        let input = DesignatedInput {
            cpu: 3,
            idle: IdleType::Newidle,
            candidates: &mask,
            mask: &mask,
            smt: false,
            nr_running,
            wakeup_pending,
        };
        should_we_balance(&rules(release), &input, &view, &mut ())
    };
    assert!(asks(Release::V6_6, 0, false));
    assert!(!asks(Release::V6_6, 1, false) && !asks(Release::V6_6, 0, true));
    assert!(asks(Release::V4_19, 1, false) && asks(Release::V4_19, 0, true));
}
