//! Placement in running worlds: forks, execs, pipes, pins, and what placement leaves behind.

use super::*;
use crate::engine::StepTo;
use crate::engine::task::Place;

/// Runs in small steps; whether something was ever so, and nothing broken at the end.
fn ever(world: &mut World, until: u64, so: impl Fn(&World) -> bool) -> bool {
    let mut seen = so(world);
    while world.now < until {
        world.run_until(world.now + 100_000);
        seen |= so(world);
    }
    assert_eq!(world.check_invariants(), [""; 0]);
    seen
}

#[test]
fn children_come_and_go_and_leave_no_load_behind() {
    for release in ["4.19", "6.1", "6.6", "6.19"] {
        let mut w = world(&format!("release={release}&workload=forks&forks.parents=3&load=0.4"));
        let alive = |w: &World| w.tasks[3..].iter().filter(|t| t.place != Place::Gone).count();
        assert_eq!(alive(&w), 0, "{release}");
        assert!(ever(&mut w, 100_000_000, |w| alive(w) > 4), "{release}");
        assert!(w.seen.totals.done > 50 && w.seen.totals.migrations[Cause::Fork as usize] > 0, "{release}");
        // No parent begins a burst any more; the last child takes its load along.
        w.turn(crate::scenario::ChangeTo::Load(0)).unwrap();
        w.run_until(400_000_000);
        assert_eq!(alive(&w), 0, "{release}");
        let load: u64 = (0..w.cpus.len()).map(|c| w.cpus[c].avg.load_avg).sum();
        assert!(load < 200, "{release}: {load}");
    }
}

#[test]
fn a_pipe_stays_in_one_cache() {
    let mut w = world("workload=pipes&pipes.pairs=1&load=0.2");
    ever(&mut w, 200_000_000, |_| false);
    let same =
        |pair: &[super::super::task::Task]| w.setup.shares_cache(pair[0].cpu as usize, pair[1].cpu as usize);
    let near = w.tasks.chunks(2).filter(|pair| same(pair)).count();
    assert!(w.seen.totals.done > 1_000);
    assert!(near * 10 >= w.tasks.len() / 2 * 9, "{near} of {}", w.tasks.len() / 2);
}

#[test]
fn pinned_hogs_raise_the_imbalance_flag() {
    let named = crate::scenario::library::named("pinned-imbalance").unwrap();
    for release in ["4.19", "6.1", "6.6", "6.19"] {
        let mut w = world(&format!("release={release}&{}", named.fragment));
        let flagged = ever(&mut w, 300_000_000, |w| w.groups.iter().any(|group| group.imbalance));
        let spread =
            |w: &World| w.tasks.iter().map(|t| t.cpu).collect::<std::collections::BTreeSet<_>>().len();
        // Where dice decide whether a level is tried, the flag may come later than this.
        assert!(flagged || w.setup.rules.newidle.ni_random, "{release}");
        assert!(spread(&w) >= 3, "{release}");
        assert!(w.tasks.iter().all(|t| (3..7).contains(&t.cpu)), "{release}");
    }
}

#[test]
fn hogs_that_share_one_cpu_by_affinity_stay_and_are_all_pinned() {
    let fragment = "machine=2x4x1&workload=sleepers&sleepers.threads=0&sleepers.hogs=3&sleepers.hog_from=2&sleepers.hog_cpus=1";
    for release in ["4.19", "6.1", "6.6"] {
        let mut w = world(&format!("release={release}&{fragment}"));
        ever(&mut w, 300_000_000, |_| false);
        assert!(w.tasks.iter().all(|t| t.cpu == 2), "{release}");
        // "All pinned" lets an interval grow beyond twice its minimum, which nothing else does without it.
        let beyond = (0..8).any(|c| {
            (0..w.setup.depth(c))
                .any(|l| w.sd(c, l).pace.balance_interval > w.setup.domain(c, l).max_interval)
        });
        assert!(beyond, "{release}");
    }
}

#[test]
fn scans_cost_something_in_4_19_and_are_bounded_by_the_last_periodic_pass_later() {
    let mut w = world("release=4.19&workload=sleepers&load=0.9");
    assert!(ever(&mut w, 50_000_000, |w| w.cpus.iter().any(|cpu| cpu.avg_scan_cost > 0)));
    let mut w = world("release=6.6&workload=sleepers&load=0.9");
    assert!(w.llcs.iter().all(|llc| llc.nr_idle_scan == 0), "0 until the first pass.");
    assert!(ever(&mut w, 50_000_000, |w| w.llcs.iter().any(|llc| llc.nr_idle_scan > 0)));
    assert!(w.cpus.iter().all(|cpu| cpu.avg_scan_cost == 0));
}

#[test]
fn wake_ups_are_pending_within_a_cache_only_from_6_1_on() {
    for (release, expected) in [("4.19", false), ("6.1", true), ("6.19", true)] {
        let link = format!("release={release}&machine=1x4x1&workload=pipes&pipes.pairs=1&load=0.3");
        let mut w = world(&link);
        let mut seen = false;
        for _ in 0..5_000 {
            w.step(StepTo::Event);
            seen |= w.cpus.iter().any(|cpu| cpu.pending > 0);
        }
        assert_eq!(seen, expected, "{release}");
    }
}

#[test]
fn sched_idle_hogs_give_way_to_threads_that_wake() {
    let mut w = world(
        "machine=1x4x1&workload=sleepers&sleepers.threads=1&sleepers.hogs=4&sleepers.hog_idle=1&load=0.3",
    );
    assert!(ever(&mut w, 100_000_000, |w| w.cpus.iter().any(super::super::state::Cpu::only_sched_idle)));
    assert!(w.tasks[4..].iter().all(|t| t.weight == 3));
    assert!(w.tasks[..4].iter().all(|t| t.weight == 1_024));
}

#[test]
fn a_reader_learns_why_a_task_was_placed_where_it_is() {
    let link = "workload=forks&forks.parents=2&load=0.5";
    let mut read = world(link);
    read.read_reasons(true);
    let mut plain = world(link);
    for w in [&mut read, &mut plain] {
        w.run_until(30_000_000);
    }
    assert_eq!(read.state_hash(), plain.state_hash(), "Reading changes nothing.");
    assert!(plain.reason_of_task(0).is_none());
    let forked = (2..10).find_map(|t| read.reason_of_task(t)).unwrap();
    let says = |what: &str| forked.said.iter().any(|said| said.function == what);
    assert!(says("group_classify") && says(read.setup.rules.names.idlest_group), "{forked:?}");
    let woken = read.reason_of_task(0).unwrap();
    assert_eq!(woken.said[0].function, "wake_wide", "{woken:?}");
}
