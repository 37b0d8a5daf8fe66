//! Workloads driven by a bare loop that gives every task a CPU of its own.

use super::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

fn spec(kind: &str) -> WorkloadSpec {
    WorkloadSpec { kind: kind.to_owned(), params: Vec::new() }
}

const SIZE: Size = Size { cpus: 8, capacity: 8 * 1_024 };

/// Runs for `until` ns without any contention; returns work done in ns and finished units.
fn drive(workload: &mut Workload, until: u64) -> (u64, u64) {
    let mut events = BinaryHeap::new();
    let mut blocked = vec![true; workload.initial().len()];
    let (mut work, mut units) = (0, 0);
    let mut effects = Effects::default();
    for task in 0..blocked.len() as u32 {
        events.push(Reverse((0, Some(task))));
    }
    if let Some(at) = workload.next_arrival() {
        events.push(Reverse((at, None)));
    }
    while let Some(Reverse((now, who))) = events.pop().filter(|e| e.0.0 < until) {
        effects.clear();
        match who {
            None => {
                workload.arrive(now, &mut effects);
                events.extend(workload.next_arrival().map(|at| Reverse((at, None))));
            }
            Some(task) => match workload.next(task, now, &mut effects) {
                Step::Run(ns) => {
                    work += ns;
                    events.push(Reverse((now + ns, Some(task))));
                }
                Step::SleepUntil(at) => events.push(Reverse((at.max(now), Some(task)))),
                Step::Block => blocked[task as usize] = true,
            },
        }
        units += u64::from(effects.done);
        for wake in &effects.wake {
            if std::mem::take(&mut blocked[wake.task as usize]) {
                events.push(Reverse((now, Some(wake.task))));
            }
        }
    }
    (work, units)
}

#[test]
fn every_kind_offers_the_load_it_is_told() {
    const UNTIL: u64 = 2_000_000_000;
    // What spinners offer is in their own times.
    for kind in KINDS.iter().filter(|kind| kind.name != "spinners") {
        for load in [0, 250, 500, 900] {
            let mut workload = Workload::new(&spec(kind.name), load, SIZE, 1).unwrap();
            let (work, units) = drive(&mut workload, UNTIL);
            let offered = UNTIL * u64::from(SIZE.cpus) * u64::from(load) / 1_000;
            let slack = offered / 20 + UNTIL / 100;
            assert!(work.abs_diff(offered) <= slack, "{} at {load}: {work} for {offered}", kind.name);
            assert_eq!(units > 0, load > 0, "{} at {load}", kind.name);
        }
    }
}

#[test]
fn one_seed_gives_one_run_and_another_seed_another() {
    for kind in KINDS.iter().filter(|k| k.name != "hogs") {
        let words = |seed| {
            let mut workload = Workload::new(&spec(kind.name), 700, SIZE, seed).unwrap();
            drive(&mut workload, 100_000_000);
            let mut words = Vec::new();
            workload.feed(&mut |word| words.push(word));
            words
        };
        assert_eq!(words(7), words(7), "{}", kind.name);
        assert_ne!(words(7), words(8), "{}", kind.name);
    }
}

#[test]
fn raising_the_load_wakes_hogs_and_lowering_it_stops_them() {
    let mut workload = Workload::new(&spec("hogs"), 0, SIZE, 1).unwrap();
    let mut effects = Effects::default();
    assert_eq!(workload.next(3, 0, &mut effects), Step::Block);
    workload.set_load(500, 5, &mut effects);
    assert_eq!(effects.wake.iter().map(|w| w.task).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(matches!(workload.next(3, 5, &mut effects), Step::Run(_)));
    workload.set_load(250, 6, &mut effects);
    assert_eq!(workload.next(3, 7, &mut effects), Step::Block);
}

#[test]
fn bad_specs_are_refused_in_a_sentence() {
    let bad = |kind: &str, params: &[(&str, u64)]| {
        let params = params.iter().map(|p| (p.0.to_owned(), p.1)).collect();
        Workload::new(&WorkloadSpec { kind: kind.to_owned(), params }, 500, SIZE, 1).unwrap_err()
    };
    assert_eq!(bad("specjbb", &[]), "specjbb is not a workload.");
    assert_eq!(bad("hogs", &[("speed", 1)]), "speed is not a parameter of hogs.");
    assert!(bad("requests", &[("service", 0)]).contains("outside"));
    let huge = Size { cpus: 4_096, capacity: 4_096 * 1_024 };
    let spec = WorkloadSpec { kind: "requests".to_owned(), params: vec![("workers".to_owned(), 1_000)] };
    assert!(Workload::new(&spec, 500, huge, 1).unwrap_err().contains("tasks"));
}

#[test]
fn defaults_lie_within_their_ranges() {
    for param in KINDS.iter().flat_map(|k| k.params) {
        assert!((param.min..=param.max).contains(&param.default), "{}", param.name);
    }
}
