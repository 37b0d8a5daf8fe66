//! Picking, load tracking and frequency in whole worlds.

use super::{MS, migrations, world};
use crate::engine::World;
use crate::engine::task::Place;
use crate::observe::{Activity, Cause};

fn delayed(w: &World) -> usize {
    w.tasks.iter().filter(|t| t.place == Place::Delayed).count()
}

/// Sleepers that had more than their share stay queued from 6.12, and count in `nr_running` and so in the overload
/// flag.
#[test]
fn sleepers_stay_queued_from_6_12() {
    for (release, some) in [("6.1", false), ("6.6", false), ("6.12", true), ("6.19", true)] {
        let link = format!("release={release}&machine=1x2x1&workload=sleepers&sleepers.hogs=2&load=0.8");
        let mut w = world(&link);
        let mut seen = 0;
        for ms in 1..=300 {
            w.run_until(ms * MS / 2);
            seen += delayed(&w);
            assert_eq!(w.check_invariants(), Vec::<String>::new());
        }
        assert_eq!(seen > 0, some, "{release}: {seen}");
    }
}

/// Four tasks that never sleep end on the four big CPUs, pulled as misfits where a release knows them.
#[test]
fn misfit_tasks_go_to_bigger_cpus() {
    for release in ["6.1", "6.6", "6.19"] {
        let mut w = world(&format!("release={release}&machine=biglittle-4p4&workload=hogs&load=0.5"));
        w.run_until(2_000 * MS);
        let on_small = w
            .cpus
            .iter()
            .enumerate()
            .filter(|(c, cpu)| cpu.rq.nr_running() > 0 && w.setup.capacity(*c) < w.setup.max_capacity);
        assert_eq!(on_small.count(), 0, "{release}");
        assert_eq!(w.check_invariants(), Vec::<String>::new());
    }
}

#[test]
fn a_misfit_is_marked_where_a_release_marks_it() {
    for (more, marked) in [("release=6.6", true), ("release=4.19", false), ("release=6.6&misfit=off", false)]
    {
        let mut w = world(&format!("{more}&machine=biglittle-4p4&workload=hogs&load=1"));
        w.run_until(300 * MS);
        let small = |c: usize| w.setup.capacity(c) < w.setup.max_capacity;
        let some = (0..w.cpus.len()).any(|c| small(c) && w.cpus[c].misfit_load > 0);
        assert_eq!(some, marked, "{more}");
    }
}

/// With a frequency that follows utilization the same light work takes longer, and all of it is still done.
#[test]
fn schedutil_slows_light_work() {
    let run = |freq: &str, release: &str| {
        let mut w = world(&format!("release={release}&machine=1x2x1&workload=periodic&load=0.2&freq={freq}"));
        w.run_until(500 * MS);
        assert_eq!(w.check_invariants(), Vec::<String>::new());
        (w.cpu_times()[Activity::User as usize], w.observed().totals.done)
    };
    for release in ["4.19", "6.1", "6.6", "6.19"] {
        let ((fast, done), (slow, done_slowly)) = (run("fixed", release), run("schedutil", release));
        assert!(slow > fast * 3 / 2, "{release}: {slow} against {fast}");
        assert!(done_slowly + 5 >= done, "{release}: {done_slowly} of {done}");
    }
}

/// A CPU of 446 works at 446/1024 of the pace, and its task's utilization grows in step with the work.
#[test]
fn a_small_cpu_counts_work_not_time() {
    let mut w = world("machine=biglittle-4p4&workload=hogs&load=0");
    let small = (0..8).find(|&c| w.setup.capacity(c) < 1024).unwrap();
    let capacity = w.setup.capacity(small);
    for (t, c) in [(0, small), (1, (0..8).find(|&c| w.setup.capacity(c) == 1024).unwrap())] {
        w.tasks[t as usize].cpu = c as u32;
        w.tasks[t as usize].allowed = Some([c].into_iter().collect());
        w.tasks[t as usize].left = 1_000 * MS * 1024;
        w.tasks[t as usize].fresh = true;
        w.activate(t, c, false);
    }
    w.run_until(20 * MS);
    for c in 0..8 {
        w.update_curr(c);
        w.update_queue(c);
    }
    let done = |t: usize| 1_000 * MS * 1024 - w.tasks[t].left;
    let ratio = done(0) * 1024 / done(1);
    assert!(ratio.abs_diff(capacity) <= 2, "{ratio}");
    w.update_task(0);
    w.update_task(1);
    let (slow, fast) = (w.tasks[0].avg.util_avg, w.tasks[1].avg.util_avg);
    assert!(slow < fast, "{slow} {fast}");
}

/// A task woken on a busy CPU by another: at once, or with lazy preemption at that CPU's next tick.
#[test]
fn lazy_preemption_waits_for_an_interrupt() {
    for (preempt, at_once) in [("full", true), ("lazy", false)] {
        let link =
            format!("release=6.19&machine=1x1x2&workload=hogs&load=0&cost.tail_permille=0&preempt={preempt}");
        let mut w = world(&link);
        for t in [0, 1] {
            w.tasks[t as usize].cpu = t;
            w.tasks[t as usize].left = 50 * MS * 1024;
            w.tasks[t as usize].fresh = true;
            w.activate(t, t as usize, false);
        }
        w.run_until(MS / 2);
        // Owed service, and due before the running task.
        w.tasks[2].allowed = Some([0usize].into_iter().collect());
        w.tasks[2].cpu = 0;
        w.tasks[2].left = MS * 1024;
        w.tasks[2].se.vlag = 2_000_000;
        w.wake(2, 1, false);
        w.run_until(600_000);
        assert_eq!(w.tasks[2].place == Place::Running, at_once, "{preempt}");
        w.run_until(1_100_000);
        assert_eq!(w.tasks[2].place, Place::Running, "{preempt}");
        assert!(migrations(&w, Cause::Wakeup) == 0);
    }
}
