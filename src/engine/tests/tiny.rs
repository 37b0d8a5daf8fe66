//! Tiny worlds whose every attempt was thought through.

use super::{MS, log, world};
use crate::engine::World;
use crate::engine::task::Place;

/// Two CPUs, one domain, nothing running: tasks are put where a test wants them and end after their work.
fn still(more: &str) -> World {
    world(&format!("machine=1x2x1&workload=hogs&load=0&cost.tail_permille=0{more}"))
}

/// Puts a task that has `ms` of work to do onto a CPU.
fn put(w: &mut World, t: u32, c: usize, ms: u64) {
    assert_eq!(w.tasks[t as usize].place, Place::Asleep);
    w.tasks[t as usize].cpu = c as u32;
    w.tasks[t as usize].left = ms * MS * 1024;
    w.tasks[t as usize].fresh = true;
    w.activate(t, c, false);
}

/// Those that match, without their times.
fn kinds(log: &[String], what: &str) -> Vec<String> {
    log.iter().filter(|l| l.contains(what)).map(|l| l[11..].to_owned()).collect()
}

#[test]
fn a_newly_idle_cpu_pulls_a_waiting_task() {
    let mut w = still("");
    for t in [0, 1] {
        put(&mut w, t, 0, 10);
    }
    put(&mut w, 2, 1, 1);
    assert!(w.overload);
    w.run_until(2 * MS);
    let log = log(&mut w);
    assert_eq!(kinds(&log, "Newidle"), ["task 1 0->1 Newidle", "MC cpu 1 Newidle Moved moved 1"]);
    assert_eq!(w.check_invariants(), Vec::<String>::new());
}

#[test]
fn a_clear_flag_gates_the_pass() {
    let mut w = still("");
    put(&mut w, 0, 0, 10);
    put(&mut w, 2, 1, 1);
    assert!(!w.overload);
    w.run_until(2 * MS);
    let log = log(&mut w);
    assert_eq!(kinds(&log, "Newidle"), ["MC cpu 1 Newidle Gated moved 0"]);
}

#[test]
fn a_costly_level_gates_the_pass() {
    let mut w = still("");
    for t in [0, 1] {
        put(&mut w, t, 0, 10);
    }
    put(&mut w, 2, 1, 1);
    w.cpus[1].idle.avg_idle = 2_000;
    w.sd_mut(1, 0).cost.max = 2_001;
    w.run_until(2 * MS - 500_000);
    assert_eq!(kinds(&log(&mut w), "Newidle"), ["MC cpu 1 Newidle Gated moved 0"]);
    // Equal is enough: the comparison is strict.
    let mut w = still("");
    for t in [0, 1] {
        put(&mut w, t, 0, 10);
    }
    put(&mut w, 2, 1, 1);
    w.cpus[1].idle.avg_idle = 2_000;
    w.sd_mut(1, 0).cost.max = 2_000;
    w.run_until(2 * MS - 500_000);
    assert_eq!(kinds(&log(&mut w), "Newidle").last().unwrap(), "MC cpu 1 Newidle Moved moved 1");
}

/// The flag is set by the second task on a queue and stays set until a statistics pass at the top finds no queue
/// with two.
#[test]
fn the_overload_flag_is_cleared_by_a_pass_at_the_top() {
    let mut w = still("");
    put(&mut w, 0, 0, 1);
    put(&mut w, 1, 0, 1);
    put(&mut w, 2, 1, 20);
    assert!(w.overload);
    w.run_until(60 * MS);
    assert!(!w.overload);
    assert_eq!(w.observed().totals.overload_flips, 2);
}

/// Three tasks against one. At its interval of 2 x 16 - 1 jiffies CPU 1 still counts as having spare capacity, for
/// its task's `util_avg` started at half and is not yet above 1024 / 1.17; a busy CPU with spare capacity takes no
/// whole tasks. So the interval doubles, and 4 x 16 - 1 jiffies later the CPU is fully busy and pulls load. CPU 0's tasks
/// take turns of two ticks (a base slice of 1.5 ms), so task 2 runs since 94 ms and task 0 ran least recently.
#[test]
fn a_busy_cpu_pulls_at_its_interval() {
    let mut w = still("");
    for t in [0, 1, 2] {
        put(&mut w, t, 0, 500);
    }
    put(&mut w, 3, 1, 500);
    w.run_until(130 * MS);
    let log: Vec<String> =
        log(&mut w).into_iter().filter(|l| l.contains("cpu 1") || l.contains("task")).collect();
    assert_eq!(
        log,
        [
            "  31502 us MC cpu 1 Busy Balanced moved 0",
            "  94502 us task 0 0->1 Periodic",
            "  94503 us MC cpu 1 Busy Moved moved 1",
            " 125502 us MC cpu 1 Busy Balanced moved 0",
        ]
    );
}

/// CPU 1 idles without a tick, so only a kick from CPU 0's tick makes it pull. That tick also ends task 0's slice, so
/// task 0 would be hot.
#[test]
fn a_tickless_cpu_pulls_after_a_kick() {
    let mut w = still("&overload=clear&migration_cost=0");
    for t in [0, 1] {
        put(&mut w, t, 0, 50);
    }
    assert!(w.nohz.mask.contains(1));
    w.run_until(3 * MS);
    let log = log(&mut w);
    assert_eq!(kinds(&log, "Nohz"), ["task 0 0->1 Nohz", "MC cpu 1 Nohz Moved moved 1"]);
    let us: u64 = log[0].trim_start().split(' ').next().unwrap().parse().unwrap();
    // CPU 0 kicks at its first tick, at 1 ms, but CPU 1's domain is due 2 ms after boot. At the second tick the kick
    // takes 1 us, then come interrupt, softirq and scan.
    assert!((2_001..2_010).contains(&us), "{log:#?}");
}

/// A task that may not leave sets the parent's flag, or here, at the only level, ends as all pinned.
#[test]
fn pinned_tasks_stay() {
    let mut w = still("");
    for t in [0, 1] {
        w.tasks[t as usize].allowed = Some([0usize].into_iter().collect());
        put(&mut w, t, 0, 10);
    }
    put(&mut w, 2, 1, 1);
    w.run_until(5 * MS);
    assert_eq!(w.observed().totals.migrations.iter().sum::<u64>(), 0);
    assert!(kinds(&log(&mut w), "Newidle").contains(&"MC cpu 1 Newidle Failed moved 0".to_owned()));
    assert_eq!(w.check_invariants(), Vec::<String>::new());
}
