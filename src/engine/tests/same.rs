//! One scenario, one run: however it is cut, copied or looked at.

use super::{MS, world};
use crate::observe::{Verdict, What};
use crate::topology::Release;
use proptest::prelude::*;

fn hash_at(fragment: &str, ns: u64) -> u64 {
    let mut w = world(fragment);
    w.run_until(ns);
    w.state_hash()
}

#[test]
fn a_seed_decides_the_run() {
    let at = |seed: u32| hash_at(&format!("machine=1x4x2&seed={seed}"), 20 * MS);
    assert_eq!(at(1), at(1));
    assert_ne!(at(1), at(2));
}

#[test]
fn looking_and_copying_change_nothing() {
    let mut plain = world("machine=2x2x2");
    let mut watched = plain.clone();
    plain.run_until(20 * MS);
    for ms in 1..=20 {
        watched.run_until(ms * MS);
        watched.frame(true);
        watched = watched.clone();
    }
    assert_eq!(plain.state_hash(), watched.state_hash());
}

#[test]
fn every_release_runs_without_breaking_an_invariant() {
    for release in Release::ALL {
        for load in ["0.5", "1.1"] {
            let mut w = world(&format!("release={}&machine=2x4x2&load={load}", release.name()));
            w.run_until(60 * MS);
            assert_eq!(w.check_invariants(), Vec::<String>::new(), "{release:?} {load}");
            assert!(w.observed().totals.done > 0);
        }
    }
}

#[test]
fn a_run_ends_where_it_should_without_anything_to_do() {
    let mut w = world("machine=1x1x1&load=0&workload=hogs");
    w.run_until(5 * MS);
    assert_eq!((w.now(), w.cpu_times().iter().sum::<u64>()), (5 * MS, 5 * MS));
}

const MACHINES: [&str; 6] = ["1x1x1", "1x2x1", "1x1x2", "1x2x2", "2x2x2", "biglittle-4p4"];
const WORKLOADS: [&str; 5] = [
    "workload=requests&requests.service=50us",
    "workload=sleepers&sleepers.run=100us&sleepers.hogs=2",
    "workload=periodic&periodic.period=1ms",
    "workload=hogs",
    "cost.scan_llc=0&cost.move=0&cost.switch=0",
];

prop_compose! {
    fn scenario()(
        machine in 0..MACHINES.len(),
        workload in 0..WORKLOADS.len(),
        release in 0..Release::ALL.len(),
        load in 1..20u32,
        hz in prop::sample::select(vec![100, 250, 300, 1000]),
        seed in 0..1000u32,
    ) -> String {
        let release = Release::ALL[release].name();
        format!(
            "release={release}&machine={}&{}&load={}&hz={hz}&seed={seed}",
            MACHINES[machine], WORKLOADS[workload], f64::from(load) / 10.0
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_split_gives_the_same_state(text in scenario(), mut cuts in prop::collection::vec(0..30 * MS, 0..6)) {
        let mut whole = world(&text);
        whole.run_until(30 * MS);
        prop_assert_eq!(whole.check_invariants(), Vec::<String>::new());
        let mut split = world(&text);
        cuts.sort_unstable();
        for cut in cuts {
            split.run_until(cut);
            prop_assert_eq!(split.check_invariants(), Vec::<String>::new());
        }
        while !split.run_budget(30 * MS, 100) {}
        prop_assert_eq!(whole.state_hash(), split.state_hash());
    }
}

/// With the reader on, decision functions are given a sink that reads; the run must not notice.
#[test]
fn reading_reasons_changes_nothing() {
    for release in Release::ALL {
        let name = release.name();
        for machine in ["2x2x2", "biglittle-4p4"] {
            let mut plain = world(&format!("release={name}&machine={machine}&load=0.9"));
            let mut read = plain.clone();
            read.read_reasons(true);
            plain.run_until(40 * MS);
            let mut kept = 0;
            for ms in 1..=40 {
                read.run_until(ms * MS);
                kept += read.take_reasons().0.len();
            }
            assert!(kept > 10, "{name} {machine}: {kept}");
            assert_eq!(plain.state_hash(), read.state_hash(), "{name} {machine}");
        }
    }
}

/// Every attempt that a frame shows has its reason while the ring holds it, and it tells of that very attempt.
#[test]
fn every_attempt_has_its_reason() {
    for release in Release::ALL {
        let mut w = world(&format!("release={}&machine=2x2x2&load=0.9", release.name()));
        w.read_reasons(true);
        let mut seen = 0;
        for ms in 1..=20 {
            w.run_until(ms * MS);
            for attempt in w.frame(false).attempts {
                let reason = w.reason_of_attempt(attempt.id).unwrap();
                assert_eq!(reason.what, What::Attempt(attempt));
                assert!(!reason.said.is_empty(), "{reason:?}");
                let moved = reason
                    .candidates
                    .iter()
                    .filter(|c| matches!(c.verdict, Verdict::Moved | Verdict::MovedHot));
                assert_eq!(moved.count(), attempt.moved as usize);
                seen += 1;
            }
        }
        assert!(seen > 20, "{release:?} {seen}");
    }
}
