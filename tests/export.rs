//! A run that is written out and read back by the importers says what the run counted.

// A test may stop where its own text cannot be read.
#![allow(clippy::unwrap_used, clippy::panic)]

use balancescope::engine::World;
use balancescope::export::{self, Names, Schedstat, SchedstatVersion, Series};
use balancescope::import::{self, Import};
use balancescope::observe::tape::{Event, Happening, Tape, Who};
use balancescope::scenario::{Op, Scenario};
use std::collections::BTreeSet;

/// Runs that take every path of the balancer, each with its length.
const RUNS: [(&str, u64); 5] = [
    ("machine=2x4x2&load=0.9", 300_000_000),
    ("release=4.19&machine=1x6x2&workload=sleepers&load=1.1", 300_000_000),
    ("release=6.12&machine=2x2x2&workload=forks&load=0.9", 200_000_000),
    ("release=6.19&machine=2x4x1&workload=pipes&load=1", 100_000_000),
    ("release=6.1&machine=1x4x2&workload=hogs&load=1.4", 500_000_000),
];

fn world(link: &str) -> World {
    let (scenario, warnings) = Scenario::parse(link);
    assert!(warnings.is_empty(), "{warnings:?}");
    World::new(&scenario).unwrap()
}

fn ran(link: &str, until: u64) -> World {
    let mut world = world(link);
    world.listen(true);
    world.run_until(until);
    world
}

fn read(text: &str) -> Import {
    import::read(text, None).unwrap()
}

#[test]
fn listening_changes_nothing() {
    for (link, until) in RUNS {
        let mut alone = world(link);
        alone.run_until(until);
        assert_eq!(ran(link, until).state_hash(), alone.state_hash(), "{link}");
    }
}

/// The counters of a level and idle type, summed over CPUs, by the importer's names.
fn summed(tape: &Tape, world: &World, level: usize, of_type: usize) -> Vec<(&'static str, u64)> {
    let tree = world.tree();
    let all = (0..tree.chains.len()).filter(|c| level < tree.chain(*c).len());
    let types: Vec<_> = all.map(|c| tape.domain(c, level).types[of_type]).collect();
    let sum = |of: fn(&balancescope::observe::tape::TypeCounts) -> u64| types.iter().map(of).sum();
    vec![
        ("count", sum(|t| t.count)),
        ("balanced", sum(|t| t.balanced)),
        ("failed", sum(|t| t.failed)),
        ("gained", sum(|t| t.gained)),
        ("hot_gained", sum(|t| t.hot_gained)),
        ("nobusyq", sum(|t| t.nobusyq)),
        ("nobusyg", sum(|t| t.nobusyg)),
        ("imbalance", sum(|t| t.imbalance.iter().sum())),
    ]
}

#[test]
fn counters_are_read_back_in_every_version() {
    for (link, until) in RUNS {
        let world = ran(link, until);
        let tape = world.tape().unwrap();
        let (machine, tree, hz, now_ns) = (world.machine(), world.tree(), 1_000, world.now());
        for (version, number) in
            [(SchedstatVersion::V15, 15), (SchedstatVersion::V16, 16), (SchedstatVersion::V17, 17)]
        {
            let text = export::schedstat(version, &Schedstat { machine, tree, tape, hz, now_ns });
            let import = read(&text);
            let facts = &import.facts.activity;
            assert_eq!(facts.schedstat_version, Some(number));
            assert_eq!(import.facts.cpus, Some(machine.cpus.len() as u32));
            assert_eq!(facts.timestamp, Some((1 << 32) - 300_000 + until / 1_000_000));
            let cpus = 0..machine.cpus.len();
            assert_eq!(facts.run_ns, Some(cpus.clone().map(|c| tape.cpu(c).run_ns).sum()), "{link}");
            assert_eq!(facts.wait_ns, Some(cpus.map(|c| tape.cpu(c).wait_ns).sum()), "{link}");
            for row in &facts.balance {
                let of_type = ["idle", "busy", "newidle"].iter().position(|t| *t == row.kind).unwrap();
                for (name, value) in summed(tape, &world, row.index as usize, of_type) {
                    let read = if number == 17 && name == "imbalance" {
                        row.counters.iter().filter(|(n, _)| n.starts_with("imbalance_")).map(|(_, v)| v).sum()
                    } else {
                        row.counters[name]
                    };
                    assert_eq!(read, value, "{link} v{number} {} {} {name}", row.index, row.kind);
                }
            }
            let spans = |m: &balancescope::topology::Machine| m.cpus.iter().map(|c| c.id).collect::<Vec<_>>();
            assert_eq!(import.machine.as_ref().map(spans), Some(spans(machine)), "{link}");
        }
    }
}

/// The kernel's counters agree with what the recorder counted on its own.
#[test]
fn the_tape_and_the_recorder_count_the_same() {
    for (link, until) in RUNS {
        let world = ran(link, until);
        let (tape, totals) = (world.tape().unwrap(), &world.observed().totals);
        let mut gained = 0;
        let mut count = 0;
        for c in 0..world.tree().chains.len() {
            for level in 0..world.tree().chain(c).len() {
                let d = tape.domain(c, level);
                gained += d.types.iter().map(|t| t.gained).sum::<u64>();
                count += d.types.iter().map(|t| t.count).sum::<u64>();
                for t in d.types {
                    assert!(t.balanced + t.failed <= t.count, "{link}: {t:?}");
                    assert!(t.nobusyq + t.nobusyg <= t.balanced, "{link}: {t:?}");
                    assert!(t.hot_gained <= t.gained, "{link}: {t:?}");
                }
                assert_eq!(d.alb_count, d.alb_pushed + d.alb_failed);
            }
        }
        // The recorder counts a pass where it ends; one a CPU may be under way.
        let calls: u64 = totals.levels.iter().flatten().map(|c| c.calls).sum();
        let locks: u64 = totals.levels.iter().flatten().map(|c| c.lock_failed).sum();
        let under_way = world.machine().cpus.len() as u64;
        assert!(count >= calls && count <= calls + locks + under_way, "{link}: {count}, {calls}, {locks}");
        let moves: u64 = totals.migrations[2..].iter().sum();
        assert_eq!(gained, moves, "{link}");
        let cpus = (0..world.machine().cpus.len()).map(|c| tape.cpu(c));
        assert!(cpus.clone().all(|c| c.went_idle <= c.schedules && c.local_wakeups <= c.wakeups));
        let total: u64 = cpus.map(|c| c.run_ns).sum();
        assert!(total <= until * under_way && total > 0);
    }
}

fn count(events: &[Event], which: fn(&Happening) -> bool) -> u64 {
    events.iter().filter(|e| which(&e.what)).count() as u64
}

#[test]
fn a_trace_is_read_back_with_its_tasks_switches_and_migrations() {
    for (link, until) in RUNS {
        let mut world = ran(link, until);
        let events = world.tape_mut().unwrap().take_events();
        let nice = world.nice_levels();
        let text = export::ftrace(&events, &Names::new(world.machine(), &nice, &[]));
        let import = read(&text);
        let facts = import.facts.activity.trace.clone().unwrap();
        let of = |name: &str| facts.events.get(name).copied().unwrap_or(0);
        assert_eq!(of("sched_switch"), count(&events, |e| matches!(e, Happening::Switch { .. })), "{link}");
        assert_eq!(of("sched_switch"), world.tape().unwrap().switches(), "{link}");
        assert_eq!(of("sched_wakeup"), count(&events, |e| matches!(e, Happening::Woken { .. })), "{link}");
        assert_eq!(of("sched_wakeup_new"), count(&events, |e| matches!(e, Happening::New { .. })), "{link}");
        let migrations = count(&events, |e| matches!(e, Happening::Migrate { .. }));
        assert_eq!((of("sched_migrate_task"), facts.migrations), (migrations, migrations), "{link}");
        let moved = &world.observed().totals.migrations;
        // A fork's placement is no migration, an exec's is; both are forks to the recorder.
        let but_forks = moved.iter().sum::<u64>() - moved[1];
        assert!(migrations >= but_forks && migrations <= but_forks + moved[1], "{link}");
        let mut tasks = BTreeSet::new();
        for event in &events {
            match event.what {
                Happening::Switch { prev, next, .. } => {
                    for who in [prev, next] {
                        match who {
                            Who::Idle => {}
                            Who::Stopper => drop(tasks.insert((1, event.cpu))),
                            Who::Task(task) => drop(tasks.insert((0, task))),
                        }
                    }
                }
                Happening::Waking { task, .. }
                | Happening::Woken { task, .. }
                | Happening::New { task, .. }
                | Happening::Migrate { task, .. } => drop(tasks.insert((0, task))),
                Happening::Fork { child, .. } => drop(tasks.insert((0, child))),
                Happening::Attempt { .. } => {}
            }
        }
        assert_eq!(facts.tasks, tasks.len() as u64, "{link}");
        assert_eq!(import.facts.cpus, Some(world.machine().cpus.len() as u32));
        // A long trace does not go into a link whole, which is said.
        let long = |text: &str| text.starts_with("The link that") || text.starts_with("The workload holds");
        let odd: Vec<_> = import.warnings.iter().map(|w| &w.text).filter(|text| !long(text)).collect();
        assert!(odd.is_empty(), "{link}: {odd:?}");
    }
}

#[test]
fn a_table_has_a_row_a_piece_and_sums_to_the_run() {
    let mut world = world("machine=2x4x2&load=0.9");
    let mut series = Series::new(world.tree().levels.iter().map(|l| l.name.as_str().to_owned()));
    series.add(&world.frame(false));
    for piece in 1..=20 {
        world.run_until(piece * 5_000_000);
        series.add(&world.frame(false));
    }
    let totals = &world.observed().totals;
    let moved: u64 = series.samples().iter().flat_map(|s| &s.balance).map(|row| row.moved_tasks).sum();
    assert_eq!(moved, totals.levels.iter().flatten().map(|c| c.moved_tasks).sum::<u64>());
    let csv = series.csv();
    let mut lines = csv.lines();
    let columns = lines.next().unwrap().split(',').count();
    assert_eq!(columns, 16 + 4 * 9 * world.tree().levels.len());
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|row| row.len() == columns));
    let shares: f64 = rows[7][1..6].iter().map(|share| share.parse::<f64>().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-4, "{shares}");
}

#[test]
fn rt_app_files_are_read_back_to_the_same_tasks() {
    for link in [
        "machine=1x4x1&workload=periodic&load=0.8&periodic.period=10ms",
        "machine=1x4x1&workload=hogs&load=1.5",
    ] {
        let world = world(link);
        let script = world.script().unwrap();
        let import = read(&export::rt_app(&script, 3));
        assert_eq!(import.kind, import::Kind::RtApp);
        let facts = import.facts.rt_app.clone().unwrap();
        assert_eq!((facts.tasks, facts.threads), (script.tasks.len() as u64, script.tasks.len() as u64));
        assert_eq!(facts.duration_s, Some(3));
        let round = |ns: u64| (ns + 500) / 1_000 * 1_000;
        let rounded = |op: &Op| match *op {
            Op::Run(ns) => Op::Run(round(ns).max(1_000)),
            Op::Sleep(ns) => Op::Sleep(round(ns)),
            Op::Every(ns) => Op::Every(round(ns)),
            other => other,
        };
        let back = import.script.unwrap();
        for (there, here) in script.tasks.iter().zip(&back.tasks) {
            assert_eq!(here.ops, there.ops.iter().map(rounded).collect::<Vec<_>>(), "{link}");
            assert_eq!((here.delay_ns, here.times), (round(there.delay_ns), 0), "{link}");
        }
    }
    assert!(world("workload=requests").script().unwrap_err().ends_with('.'));
}

/// A run's trace, played again on the same machine, is as much work, in as many pieces.
#[test]
fn a_trace_becomes_the_same_work() {
    for (link, until) in [
        ("machine=1x4x1&workload=sleepers&load=0.6", 200_000_000),
        ("machine=1x4x1&workload=pipes&load=0.7", 50_000_000),
        ("machine=1x4x1&workload=forks&load=0.6", 200_000_000),
    ] {
        let mut first = ran(link, until);
        let events = first.tape_mut().unwrap().take_events();
        let nice = first.nice_levels();
        let import = read(&export::ftrace(&events, &Names::new(first.machine(), &nice, &[])));
        let scenario = import.scenario().unwrap();
        assert_eq!(scenario.machine.name(), "1x4x1");
        let (again, warnings) = Scenario::parse(&scenario.fragment());
        assert!(again == scenario && warnings.is_empty(), "{link}: {warnings:?}");
        let mut second = World::new(&again).unwrap();
        second.listen(true);
        second.run_until(until);
        assert_eq!(second.check_invariants(), Vec::<String>::new(), "{link}");
        let worked = |world: &World| world.cpu_times()[0..3].iter().sum::<u64>() as f64;
        let ratio = worked(&second) / worked(&first);
        assert!((0.85..1.15).contains(&ratio), "{link}: {ratio}");
        let wakeups = |world: &World| {
            let tape = world.tape().unwrap();
            (0..4).map(|c| tape.cpu(c).wakeups).sum::<u64>() as f64
        };
        let ratio = wakeups(&second) / wakeups(&first);
        assert!((0.8..1.2).contains(&ratio), "{link}: {ratio} of the wake-ups");
    }
}

/// Fields of a protocol buffer message: number and value, or the bytes of a text or message.
fn fields(bytes: &[u8]) -> Vec<(u64, Result<u64, &[u8]>)> {
    let mut rest = bytes;
    let varint = |rest: &mut &[u8]| {
        let mut value = 0;
        for at in 0.. {
            let byte = rest[0];
            *rest = &rest[1..];
            value |= u64::from(byte & 0x7f) << (7 * at);
            if byte < 0x80 {
                break;
            }
        }
        value
    };
    let mut out = Vec::new();
    while !rest.is_empty() {
        let key = varint(&mut rest);
        let value = match key & 7 {
            0 => Ok(varint(&mut rest)),
            2 => {
                let length = varint(&mut rest) as usize;
                let (inside, after) = rest.split_at(length);
                rest = after;
                Err(inside)
            }
            wire => panic!("wire type {wire}"),
        };
        out.push((key >> 3, value));
    }
    out
}

fn number(message: &[u8], field: u64) -> u64 {
    fields(message).into_iter().find_map(|(f, v)| (f == field).then(|| v.unwrap())).unwrap_or(0)
}

fn messages(message: &[u8], field: u64) -> Vec<&[u8]> {
    fields(message).into_iter().filter(|(f, _)| *f == field).map(|(_, v)| v.unwrap_err()).collect()
}

/// Read with the field numbers of Perfetto's own schema (ftrace.proto, track_event.proto), a Perfetto trace has the
/// switches of the run, on each CPU one after the other, and an event for each balance attempt.
#[test]
fn a_perfetto_trace_has_the_switches_and_attempts_of_the_run() {
    let mut world = ran("machine=1x4x2&load=0.9", 50_000_000);
    let events = world.tape_mut().unwrap().take_events();
    let nice = world.nice_levels();
    let trace = export::perfetto(&events, world.tree(), &Names::new(world.machine(), &nice, &[]));
    let packets = messages(&trace, 1);
    let mut switches: Vec<Vec<(u64, u64, u64)>> = vec![Vec::new(); world.machine().cpus.len()];
    for bundle in packets.iter().flat_map(|packet| messages(packet, 1)) {
        let cpu = number(bundle, 1) as usize;
        for event in messages(bundle, 2) {
            for switch in messages(event, 4) {
                switches[cpu].push((number(event, 1), number(switch, 2), number(switch, 6)));
            }
        }
    }
    let names = Names::new(world.machine(), &nice, &[]);
    let mut expected = vec![Vec::new(); switches.len()];
    for event in &events {
        if let Happening::Switch { prev, next, .. } = event.what {
            let pid = |who| u64::from(names.who(who, event.cpu).pid);
            expected[event.cpu as usize].push((event.at_ns, pid(prev), pid(next)));
        }
    }
    assert_eq!(switches, expected);
    for cpu in &switches {
        assert!(cpu.windows(2).all(|pair| pair[0].2 == pair[1].1 && pair[0].0 <= pair[1].0));
    }
    let attempts = events.iter().filter(|e| matches!(e.what, Happening::Attempt { .. })).count();
    let of_type = |kind: u64| {
        let ours = packets.iter().flat_map(|packet| messages(packet, 11));
        ours.filter(|event| number(event, 9) == kind).count()
    };
    assert_eq!(of_type(1) + of_type(3), attempts);
    assert_eq!(of_type(1), of_type(2));
    let tracks = packets.iter().flat_map(|packet| messages(packet, 60)).count();
    assert_eq!(tracks, 3 + switches.len());
}
