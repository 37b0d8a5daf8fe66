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
                Step::Run(ns) | Step::Exec(ns) => {
                    work += ns;
                    events.push(Reverse((now + ns, Some(task))));
                }
                Step::SleepUntil(at) => events.push(Reverse((at.max(now), Some(task)))),
                Step::Block => blocked[task as usize] = true,
                Step::Exit => {}
            },
        }
        for fork in &effects.forks {
            work += fork.work;
            events.push(Reverse((now + fork.work, Some(fork.task))));
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

/// Kinds whose load says how many of their tasks take part; what these offer is in their own times.
const BY_SHARE: [&str; 6] = ["spinners", "schbench", "hackbench", "netperf", "tbench", "oltp"];

#[test]
fn every_kind_offers_the_load_it_is_told() {
    const UNTIL: u64 = 2_000_000_000;
    for kind in KINDS.iter().filter(|kind| !BY_SHARE.contains(&kind.name)) {
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
fn a_closed_loop_lets_as_many_take_part_as_its_load_says() {
    for name in BY_SHARE {
        // Its messages are many.
        let until = if name == "hackbench" { 2_000_000 } else { 200_000_000 };
        let units = |load| {
            let mut workload = Workload::new(&spec(name), load, SIZE, 1).unwrap();
            drive(&mut workload, until).1
        };
        let (half, all) = (units(500), units(1_000));
        assert_eq!(units(0), 0, "{name}");
        assert!(half.abs_diff(all / 2) <= all / 10, "{name}: {half} and {all}");
        assert_eq!(units(2_000), all, "{name}");

        let mut workload = Workload::new(&spec(name), 0, SIZE, 1).unwrap();
        let mut effects = Effects::default();
        let tasks = workload.initial().len() as u32;
        let asked: Vec<Step> = (0..tasks).map(|task| workload.next(task, 0, &mut effects)).collect();
        assert!(asked.iter().all(|step| *step == Step::Block), "{name}: {asked:?}");
        workload.set_load(1_000, 5, &mut effects);
        assert!(!effects.wake.is_empty(), "{name}: raising the load wakes those that are to take part.");
    }
}

#[test]
fn requests_come_at_a_given_rate_and_pass_through_several_workers() {
    let params = [("rate", 20_000), ("hops", 2), ("service", 90_000)];
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let spec = WorkloadSpec { kind: "requests".to_owned(), params };
    let mut requests = Workload::new(&spec, 500, SIZE, 1).unwrap();
    let (work, units) = drive(&mut requests, 1_000_000_000);
    assert!(requests.arrived().unwrap().abs_diff(10_000) < 300, "{:?}", requests.arrived());
    assert!(units.abs_diff(10_000) < 300 && work.abs_diff(900_000_000) < 50_000_000, "{units} {work}");
}

#[test]
fn a_parent_creates_spinners_one_after_another() {
    let params = [("threads", 2), ("hogs", 1), ("create", 7_000)];
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let spec = WorkloadSpec { kind: "spinners".to_owned(), params };
    let mut spinners = Workload::new(&spec, 1_000, SIZE, 1).unwrap();
    let mut effects = Effects::default();
    let first: Vec<Step> = (0..4).map(|task| spinners.next(task, 0, &mut effects)).collect();
    assert_eq!(first, [Step::Exit, Step::Exit, Step::Exit, Step::Run(7_000)]);
    let created: Vec<Step> = (1..=3).map(|i| spinners.next(3, 7_000 * i, &mut effects)).collect();
    assert_eq!(created, [Step::Run(7_000), Step::Run(7_000), Step::Block]);
    assert_eq!(effects.forks.iter().map(|fork| fork.task).collect::<Vec<_>>(), [2, 0, 1]);
    assert!(matches!(spinners.next(0, 900_000, &mut effects), Step::SleepUntil(_)));
    assert_eq!(spinners.next(3, 1_000_000, &mut effects), Step::Block, "It waits for them.");
}

#[test]
fn a_full_pipe_lets_its_senders_wait_until_there_is_space() {
    let params = vec![("groups".to_owned(), 1), ("fan".to_owned(), 1)];
    let spec = WorkloadSpec { kind: "hackbench".to_owned(), params };
    let mut hackbench = Workload::new(&spec, 1_000, SIZE, 1).unwrap();
    let mut effects = Effects::default();
    assert_eq!(hackbench.next(1, 0, &mut effects), Step::Block, "The pipe is empty.");
    let mut written = 0;
    while hackbench.next(0, 1, &mut effects) != Step::Block {
        written += 1;
    }
    assert_eq!((written, effects.wake.len()), (640, 1), "16 pages are full, and the reader was woken once.");
    effects.clear();
    let read = (0..).take_while(|_| {
        let _ = hackbench.next(1, 2, &mut effects);
        effects.wake.is_empty()
    });
    assert_eq!(read.count(), 40, "A page has been read.");
    assert!(matches!(hackbench.next(0, 3, &mut effects), Step::Run(_)));
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
fn a_reader_answers_each_message_and_the_waker_says_that_it_sleeps() {
    for (sync, pairs) in [(0, 1), (1, 3)] {
        let params = vec![("pairs".to_owned(), pairs), ("sync".to_owned(), sync)];
        let spec = WorkloadSpec { kind: "pipes".to_owned(), params };
        let mut pipes = Workload::new(&spec, 500, Size { cpus: 1, capacity: 1_024 }, 1).unwrap();
        let mut effects = Effects::default();
        assert_eq!(pipes.next(1, 0, &mut effects), Step::Block, "The reader waits for its first message.");
        let Step::SleepUntil(at) = pipes.next(0, 0, &mut effects) else { panic!("The writer has a plan.") };
        assert!(matches!(pipes.next(0, at, &mut effects), Step::Run(10_000..=30_000)));
        assert_eq!(pipes.next(0, at + 1, &mut effects), Step::Block);
        let waker = Waker::Task { sync: sync == 1 };
        assert_eq!(effects.wake, [Wake { task: 1, waker }]);
        assert!(matches!(pipes.next(1, at + 1, &mut effects), Step::Run(_)));
        effects.clear();
        assert_eq!(pipes.next(1, at + 2, &mut effects), Step::Block);
        assert_eq!((effects.wake, effects.done), (vec![Wake { task: 0, waker }], 1));
    }
}

#[test]
fn a_parent_waits_for_all_children_of_a_burst() {
    let params = vec![("parents".to_owned(), 1), ("burst".to_owned(), 2)];
    let spec = WorkloadSpec { kind: "forks".to_owned(), params };
    let mut forks = Workload::new(&spec, 500, SIZE, 1).unwrap();
    assert_eq!(forks.initial().len(), 3);
    let mut effects = Effects::default();
    let Step::SleepUntil(at) = forks.next(0, 0, &mut effects) else { panic!("The parent has a plan.") };
    assert_eq!(forks.next(1, 0, &mut effects), Step::Exit, "Nobody has forked it.");
    assert!(matches!(forks.next(0, at, &mut effects), Step::Run(_)));
    assert!(matches!(forks.next(0, at, &mut effects), Step::Run(_)));
    assert_eq!(forks.next(0, at, &mut effects), Step::Block);
    assert_eq!(effects.forks.iter().map(|f| f.task).collect::<Vec<_>>(), [1, 2]);
    assert!(matches!(forks.next(1, at, &mut effects), Step::Exec(_)));
    assert!(matches!(forks.next(2, at, &mut effects), Step::Exec(_)));
    assert_eq!(forks.next(2, at, &mut effects), Step::Exit);
    assert_eq!(effects.wake, []);
    assert_eq!(forks.next(1, at, &mut effects), Step::Exit);
    assert_eq!(effects.wake, [Wake { task: 0, waker: Waker::Task { sync: false } }]);
    assert_eq!(effects.done, 2);
}

#[test]
fn threads_and_hogs_have_their_own_nice_levels_and_cpus() {
    let params = [("hogs", 2), ("threads", 1), ("nice", 25), ("from", 2), ("cpus", 3), ("hog_nice", 0)];
    let more = [("hog_idle", 1), ("hog_from", 7), ("hog_cpus", 9), ("start", 1)];
    let params = params.iter().chain(&more).map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let workload =
        Workload::new(&WorkloadSpec { kind: "sleepers".to_owned(), params }, 500, SIZE, 1).unwrap();
    let thread = TaskSpec { nice: 5, sched_idle: false, allowed: vec![2, 3, 4], home: Some(2) };
    let hog = TaskSpec { nice: -20, sched_idle: true, allowed: vec![7], home: Some(7) };
    assert_eq!((&workload.initial()[7], &workload.initial()[8..]), (&thread, &[hog.clone(), hog][..]));
    let plain = Workload::new(&spec("sleepers"), 500, SIZE, 1).unwrap();
    assert!(plain.initial().iter().all(|task| *task == TaskSpec::PLAIN));
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
