//! The slow path, worked by hand.

use super::super::slow_path;
use super::*;

const NEW: Task =
    Task { load: 1_024, util: 0, util_est: 0, runnable: 0, recent: None, counted_on: None, running_on: None };

fn fork(mock: &Mock, this: usize) -> usize {
    slow_path(&mock.rules, mock, &NEW, SdFlags::BALANCE_FORK, this, &mut ()).cpu
}

/// Releases that compare group types.
fn later() -> impl Iterator<Item = Release> {
    Release::ALL.into_iter().filter(|r| *r != Release::V4_19)
}

#[test]
fn a_new_task_stays_local_while_its_node_is_as_idle() {
    for release in Release::ALL {
        // 2x4x1: nodes {0-3}, {4-7}. The latest to go idle of the parent's group at each level: its own CPU.
        // 4.19 leaves a CPU for another as idle: 100 x 0 is not less than 112 x 0. It does not leave the node.
        let mock = Mock::new("2x4x1", release);
        assert_eq!(fork(&mock, 6), if release == Release::V4_19 { 7 } else { 6 }, "{release:?}");
    }
}

#[test]
fn a_busy_parent_gives_its_child_to_an_idle_cpu_of_its_own_node() {
    for release in later() {
        let mut mock = Mock::new("2x4x1", release).busy([5], 1_000);
        mock.cpus[7].stamp = 3;
        // NUMA level: idle 3 here, 4 there; 1 + 1 > imb_numa_nr (1), so the difference counts: off to node 0.
        let nr = mock.domain(5, mock.tree.chains[5].len() - 1).imb_numa_nr;
        let to = fork(&mock, 5);
        assert_eq!(to < 4, nr < 2, "{release:?}: CPU {to} with imb_numa_nr {nr}");
        // Within one node: all idle ones are groups of one CPU, and the first of equals stays the idlest.
        let mock = Mock::new("1x4x1", release).busy([1], 1_000);
        assert_eq!(fork(&mock, 1), 2, "{release:?}");
    }
}

#[test]
fn within_the_numa_allowance_a_small_difference_is_left_alone() {
    // 2x32x1: 64 CPUs, one cache a node: imb_numa_nr = max(1, 32/8) = 4.
    for (busy, leaves) in [(1, false), (2, false), (3, true), (4, true)] {
        let mock = Mock::new("2x32x1", Release::V6_6).busy(0..busy, 1_000);
        assert_eq!(mock.domain(0, mock.tree.chains[0].len() - 1).imb_numa_nr, 4);
        // Idle 32 - n here, 32 there: a difference of n; up to n + 1 <= 4 a difference of 2 counts as none.
        assert_eq!(fork(&mock, 0) >= 32, leaves, "{busy} busy");
    }
    // A pinned task counts no more local CPUs than it may use: 2 + 1 > 2.
    let mock = Mock::new("2x32x1", Release::V6_6).busy(0..2, 1_000).only([0, 1].into_iter().chain(32..64));
    assert!(fork(&mock, 0) >= 32);
}

#[test]
fn busy_groups_differ_only_beyond_the_margins() {
    // Both nodes have four CPUs with two tasks each: overloaded. m = 1024 x 17/100 = 174 at NUMA with pct 117.
    let mock = |there: u64| {
        let mut mock = Mock::new("2x4x1", Release::V6_6).busy(0..4, 2_048).busy(4..8, there);
        for cpu in &mut mock.cpus {
            cpu.nr = 2;
            cpu.util = 1_024;
            cpu.runnable = 2_048;
        }
        assert_eq!(mock.domain(0, mock.tree.chains[0].len() - 1).imbalance_pct, 117);
        mock
    };
    // avg_load is 2048 here. NUMA: there + 174 >= 2048 keeps, so 1874 keeps and 1873 does not; but
    // 100 x 2048 <= 117 x there keeps down to 1751.
    for (there, leaves) in [(1_874, false), (1_751, false), (1_750, true), (1_000, true)] {
        assert_eq!(fork(&mock(there), 0) >= 4, leaves, "{there}");
    }
}

#[test]
fn a_lower_group_type_wins_at_once() {
    // Node 0 is overloaded, node 1 fully busy.
    let mut mock = Mock::new("2x4x1", Release::V6_6).busy(0..8, 1_024);
    for cpu in &mut mock.cpus[0..4] {
        (cpu.nr, cpu.runnable) = (2, 2_048);
    }
    assert!(fork(&mock, 0) >= 4);
    assert!(fork(&mock, 4) >= 4);
}

#[test]
fn the_idlest_cpu_runs_sched_idle_or_went_idle_last_or_has_the_least_load() {
    // One level of one group... from the parent's node to the other, as a group of four CPUs.
    let mut mock = Mock::new("2x4x1", Release::V6_6).busy(0..4, 5_000);
    for (cpu, stamp) in [(4, 10), (5, 30), (6, 20), (7, 30)] {
        mock.cpus[cpu].stamp = stamp;
    }
    // Then the MC level of CPU 5: its own group of one is as idle as the others, so it stays.
    assert_eq!(fork(&mock, 0), 5, "The first of those that went idle last.");
    mock.cpus[6] = Cpu { idle: false, sched_idle: true, nr: 1, load: 3, ..IDLE };
    let mc = |mock: &Mock| {
        super::super::slow::slow_path(&mock.rules, mock, &NEW, SdFlags::BALANCE_FORK, 0, &mut ())
    };
    // The node has CPU 6 with SCHED_IDLE alone; at MC its group is busy, and an idle CPU is preferred.
    assert!([4, 5, 7].contains(&mc(&mock).cpu));
    // With affinity to that one alone in the node, it is taken.
    assert_eq!(fork(&mock.clone().only([0, 6]), 0), 6);
}

#[test]
fn without_a_stamp_an_idle_cpu_is_not_seen() {
    let mut mock = Mock::new("2x4x1", Release::V6_6).busy(0..4, 5_000);
    mock.cpus[4..8].iter_mut().for_each(|cpu| cpu.stamp = 0);
    assert_eq!(fork(&mock, 1), 1, "All stamps are 0: the search ends where it began.");
}

#[test]
fn exec_leaves_the_task_itself_out() {
    for release in later() {
        let mut mock = Mock::new("2x4x1", release).busy([2], 1_000);
        mock.running_on = Some(2);
        let task = Task { util: 1_000, load: 1_000, counted_on: Some(2), running_on: Some(2), ..NEW };
        let to = slow_path(&mock.rules, &mock, &task, SdFlags::BALANCE_EXEC, 2, &mut ()).cpu;
        assert_eq!(to, 2, "{release:?}: without it its CPU is as idle as any");
    }
}

#[test]
fn affinity_bounds_the_slow_path() {
    for release in Release::ALL {
        let mock = Mock::new("2x4x1", release);
        assert_eq!(fork(&mock.clone().only([6]), 0), 6, "{release:?}");
        assert!([5, 6].contains(&fork(&mock.clone().only([5, 6]), 0)), "{release:?}");
        assert!([0, 1].contains(&fork(&mock.only([0, 1]), 0)), "{release:?}");
    }
}

#[test]
fn in_4_19_a_new_task_goes_where_runnable_load_is_smaller_by_the_margin() {
    // Two nodes of four. m = 1024 x 25/100 = 256 per capacity; NUMA keeps while there + m >= here.
    for (here, there, leaves) in
        [(0, 0, false), (1_024, 768, false), (1_024, 767, true), (256, 0, false), (257, 0, true)]
    {
        let mock = Mock::new("2x4x1", Release::V4_19).busy(0..4, here).busy(4..8, there);
        assert_eq!(fork(&mock, 0) >= 4, leaves, "{here} {there}");
    }
}

#[test]
fn in_4_19_exec_prefers_room_for_half_the_task() {
    // MC of one node: the parent's CPU has 1024 - 900 = 124 without the task, another has 1024.
    let mut mock = Mock::new("1x4x1", Release::V4_19).busy(0..4, 900);
    mock.cpus[2] = IDLE;
    let exec = |util: u64, load: u64| {
        let task = Task { util, load, counted_on: Some(0), running_on: Some(0), ..NEW };
        slow_path(&mock.rules, &mock, &task, SdFlags::BALANCE_EXEC, 0, &mut ()).cpu
    };
    assert_eq!(exec(200, 200), 2, "324 > 100, but 108 x 324 <= 100 x 1024; 1024 > 100.");
    assert_eq!(exec(900, 900), 0, "Without it its own CPU has all the room: 108 x 1024 > 100 x 1024.");
}

#[test]
fn on_unequal_cpus_a_task_that_fits_no_small_cpu_goes_to_the_big_ones() {
    let mut mock = Mock::new("biglittle-4p4", Release::V6_6);
    let small = (0..8).find(|&c| mock.capacity(c) < 1_024).unwrap();
    mock.running_on = Some(small);
    let task = Task { util: 900, load: 1_024, counted_on: Some(small), running_on: Some(small), ..NEW };
    // All groups have spare capacity, so the margin is idle CPUs alone; a misfit type comes only when none is left.
    let small_ones: Vec<usize> = (0..8).filter(|&c| mock.capacity(c) < 1_024).collect();
    let to = slow_path(&mock.rules, &mock, &task, SdFlags::BALANCE_EXEC, small, &mut ()).cpu;
    assert!(!small_ones.contains(&to), "CPU {to}");
}
