//! Tests of the queue: each rule on a few tasks, and both pickers against slow restatements.

use super::*;
use crate::sched::preempt::Preempts;
use crate::sched::rules::samples::{cfs, eevdf, eevdf_delayed, eevdf_late, on};
use crate::sched::rules::{PickRules, Picking};
use crate::sched::weight;
use proptest::prelude::*;

const MS: u64 = 1_000_000;

/// A queue of tasks of nice 0 with these numbers, queued in that order, none running.
fn queue(tasks: &[u32], p: &Picking) -> Runqueue {
    let mut rq = Runqueue::default();
    for &task in tasks {
        rq.enqueue(Entity::new(task, 1024), Arrival::Moved, p);
    }
    rq
}

fn running(rq: &mut Runqueue, p: &Picking) -> u32 {
    match rq.pick(p) {
        Picked::Same(t) | Picked::Other(t) => t,
        other => panic!("{other:?}"),
    }
}

fn old_cfs(cpus: usize) -> Picking {
    on(PickRules { slice_floor: false, ..cfs() }, cpus)
}

#[test]
fn equal_vruntimes_run_in_the_order_they_were_queued() {
    let p = on(cfs(), 1);
    let mut rq = queue(&[1, 2], &p);
    assert_eq!(rq.pick(&p), Picked::Other(1));
    // Equal to the first waiting one, the running task gives way; less, it goes on.
    assert_eq!(rq.pick(&p), Picked::Other(2));
    rq.charge(10, &p);
    assert_eq!(rq.pick(&p), Picked::Other(1));
    rq.charge(9, &p);
    assert_eq!(rq.pick(&p), Picked::Same(1));
}

#[test]
fn the_tick_ends_a_slice() {
    let p = on(cfs(), 1);
    let mut rq = queue(&[1, 2], &p);
    rq.pick(&p);
    let slice = rq.slice(&p);
    assert_eq!(slice, 2_999_998);
    assert!(!rq.tick(slice, &p));
    assert!(rq.tick(slice + 1, &p));
    rq.dequeue(2, &p);
    assert!(!rq.tick(u64::MAX, &p));
}

/// The wakee that preempts is "next" and is taken although another has less vruntime, within a granularity.
#[test]
fn the_next_buddy_goes_first_within_a_granularity() {
    let p = on(cfs(), 1);
    let set_up = |lead: i64| {
        let mut rq = queue(&[1], &p);
        rq.pick(&p);
        rq.charge(10 * MS, &p);
        rq.enqueue(Entity { vruntime: 8_000_000, ..Entity::new(2, 1024) }, Arrival::Moved, &p);
        rq.enqueue(Entity { vruntime: 8_000_000 - lead, ..Entity::new(3, 1024) }, Arrival::Moved, &p);
        assert_eq!(rq.preempts(2, Arrival::Woken, &p), Preempts::Yes);
        rq
    };
    assert_eq!(running(&mut set_up(1_000_000), &p), 2);
    assert_eq!(running(&mut set_up(1_000_001), &p), 3);
}

/// With eight tasks the preempted one is "last": it comes back when the preemptor leaves.
#[test]
fn the_last_buddy_comes_back() {
    let p = on(cfs(), 1);
    for (count, expected) in [(8, 1), (7, 3)] {
        let mut rq = queue(&[1], &p);
        rq.pick(&p);
        rq.charge(3 * MS, &p);
        for t in 3..=count {
            rq.enqueue(Entity { vruntime: 2_500_000, ..Entity::new(t, 1024) }, Arrival::Moved, &p);
        }
        rq.enqueue(Entity { vruntime: 1_900_000, ..Entity::new(2, 1024) }, Arrival::Moved, &p);
        assert_eq!(rq.preempts(2, Arrival::Woken, &p), Preempts::Yes);
        assert_eq!(running(&mut rq, &p), 2);
        rq.block_current(&p);
        assert_eq!(running(&mut rq, &p), expected, "{count} tasks");
    }
}

#[test]
fn a_task_that_yielded_is_passed_over_once() {
    let p = on(cfs(), 1);
    let mut rq = queue(&[1, 2, 3], &p);
    rq.pick(&p);
    rq.charge(1, &p);
    rq.put_current(&p);
    assert_eq!(rq.pick(&p), Picked::Other(2));
    rq.charge(2, &p);
    // 3 is first with 0, then 1 and 2. 3 runs and yields with the least vruntime still.
    assert_eq!(rq.pick(&p), Picked::Other(3));
    rq.yield_current();
    assert_eq!(rq.pick(&p), Picked::Other(1));
}

#[test]
fn sched_idle_always_gives_way() {
    for p in [on(cfs(), 1), on(eevdf(), 1), on(eevdf_late(), 1)] {
        let mut rq = Runqueue::default();
        rq.enqueue(Entity::new(1, weight::IDLE), Arrival::Moved, &p);
        rq.pick(&p);
        assert!(rq.only_idle_policy());
        rq.enqueue(Entity::new(2, 1024), Arrival::Woken, &p);
        assert_eq!(rq.preempts(2, Arrival::Woken, &p), Preempts::Yes);
        let mut rq = queue(&[1], &p);
        rq.pick(&p);
        rq.charge(50 * MS, &p);
        rq.enqueue(Entity::new(2, weight::IDLE), Arrival::Woken, &p);
        assert_eq!(rq.preempts(2, Arrival::Woken, &p), Preempts::No);
    }
}

#[test]
fn a_sleeper_that_moves_keeps_its_place_relative_to_the_queue() {
    let p = on(cfs(), 1);
    let mut from = queue(&[1], &p);
    from.pick(&p);
    from.charge(50 * MS, &p);
    let mut sleeper = Entity { vruntime: 49_000_000, ..Entity::new(2, 1024) };
    from.uproot(&mut sleeper, &p);
    assert_eq!((sleeper.vruntime, sleeper.relative), (-1_000_000, true));
    let mut to = queue(&[3], &p);
    to.pick(&p);
    to.charge(7 * MS, &p);
    to.enqueue(sleeper, Arrival::Woken, &p);
    assert_eq!(to.waiting().next().unwrap().vruntime, 6_000_000);
}

/// Two equal tasks under EEVDF with slices of 0.75 ms: the first runs to its deadline although it is no longer owed
/// service from the first ns on, unless something asks; then the other does.
#[test]
fn a_request_is_served_then_the_other() {
    let p = on(eevdf(), 1);
    let mut rq = queue(&[1, 2], &p);
    assert_eq!(rq.pick(&p), Picked::Other(1));
    assert!(!rq.charge(749_999, &p));
    assert!(rq.charge(1, &p));
    assert_eq!(rq.pick(&p), Picked::Other(2));
    assert!(rq.charge(1_500_000, &p));
    assert_eq!(rq.pick(&p), Picked::Other(1));
}

#[test]
fn a_task_alone_is_never_asked_to_give_way() {
    for p in [on(eevdf(), 1), on(eevdf_delayed(), 1), on(eevdf_late(), 1)] {
        let mut rq = queue(&[1], &p);
        rq.pick(&p);
        assert!(!rq.charge(100 * MS, &p));
        assert_eq!(rq.pick(&p), Picked::Same(1));
    }
}

/// 6.6: while it is owed service and its request lasts, the running task is kept against an earlier deadline.
#[test]
fn run_to_parity_keeps_the_running_task() {
    let wakee = Entity { vlag: 0, ..Entity::new(3, 9_548) };
    for (parity, expected) in [(Protection::Deadline, Preempts::No), (Protection::None, Preempts::Yes)] {
        let p = on(PickRules { protection: parity, ..eevdf() }, 1);
        let mut rq = queue(&[1, 2], &p);
        rq.pick(&p);
        // A lag of its own: task 2 was further ahead, so task 1 stays owed service.
        rq.waiting[0].entity.vruntime += 400_000;
        rq.mean = rq.mean.and(1024, 400_000).without(1024, 0);
        rq.charge(100_000, &p);
        rq.enqueue(wakee, Arrival::Woken, &p);
        assert_eq!(rq.preempts(3, Arrival::Woken, &p), expected);
    }
}

#[test]
fn a_wakee_with_lag_takes_the_cpu_from_one_that_had_more_than_its_share() {
    let p = on(eevdf(), 1);
    let mut rq = queue(&[1], &p);
    rq.pick(&p);
    rq.charge(100_000, &p);
    rq.enqueue(Entity { vlag: 50_000, ..Entity::new(2, 1024) }, Arrival::Woken, &p);
    // V was 100 us; a lag of 50 us inflates to 100 us. Now V is 50 us, and task 1 at 100 us is ahead of it.
    assert_eq!(rq.waiting().next().unwrap().vruntime, 0);
    assert_eq!(rq.avg_vruntime(), 50_000);
    assert_eq!(rq.preempts(2, Arrival::Woken, &p), Preempts::Yes);
    let mut rq = queue(&[1], &p);
    rq.pick(&p);
    rq.charge(100_000, &p);
    rq.enqueue(Entity { vlag: -50_000, ..Entity::new(2, 1024) }, Arrival::Woken, &p);
    assert_eq!(rq.preempts(2, Arrival::Woken, &p), Preempts::No);
}

/// 6.12: a task that had more than its share stays queued when it sleeps; its turn comes when it is made up for.
#[test]
fn a_sleeper_ahead_of_its_share_stays_queued() {
    let p = on(eevdf_delayed(), 1);
    let mut rq = queue(&[1, 2], &p);
    rq.pick(&p);
    rq.charge(200_000, &p);
    assert_eq!(rq.block_current(&p), Some(Blocked::Delayed));
    assert_eq!((rq.nr_running(), rq.nr_runnable(), rq.weight()), (2, 1, 2048));
    assert_eq!(rq.pick(&p), Picked::Other(2));
    // At 200 us task 2 has as much; one ns more and task 1 is owed service, but task 2 is protected until then too.
    rq.charge(200_001, &p);
    match rq.pick(&p) {
        Picked::Asleep(e) => assert_eq!((e.task, e.vlag, e.delayed), (1, 0, false)),
        other => panic!("{other:?}"),
    }
    assert_eq!((rq.nr_running(), rq.weight()), (1, 1024));
    assert_eq!(rq.pick(&p), Picked::Same(2));
}

#[test]
fn a_sleeper_owed_service_leaves_with_its_lag() {
    for p in [on(eevdf(), 1), on(eevdf_delayed(), 1)] {
        let mut rq = queue(&[1, 2], &p);
        rq.pick(&p);
        rq.charge(200_000, &p);
        rq.put_current(&p);
        // Task 2 runs with 0 against 200 us.
        assert_eq!(rq.pick(&p), Picked::Other(2));
        rq.charge(50_000, &p);
        match rq.block_current(&p) {
            Some(Blocked::Left(e)) => assert_eq!(e.vlag, 75_000),
            other => panic!("{other:?}"),
        }
    }
}

/// Woken before its time it keeps what it owes; woken after, its credit is gone (DELAY_ZERO).
#[test]
fn a_delayed_sleeper_wakes_in_place() {
    for (ran, lag) in [(100_000, -50_000), (600_000, 0)] {
        let p = on(eevdf_delayed(), 1);
        let mut rq = queue(&[1, 2], &p);
        rq.pick(&p);
        rq.charge(200_000, &p);
        rq.block_current(&p);
        rq.pick(&p);
        rq.charge(ran, &p);
        assert!(rq.requeue(1, &p));
        assert_eq!((rq.nr_running(), rq.nr_runnable()), (2, 2));
        let woken = rq.waiting().find(|e| e.task == 1).unwrap();
        assert_eq!(rq.avg_vruntime() - woken.vruntime, lag);
        assert!(!rq.requeue(1, &p));
    }
}

/// 6.12 asks the running task to give way as soon as it has neither protection nor a claim; 6.6 at its deadline.
#[test]
fn without_protection_a_claim_is_needed() {
    for (rules, gives_way) in [(eevdf(), false), (eevdf_delayed(), true)] {
        let p = on(rules, 1);
        let mut rq = queue(&[1, 2], &p);
        rq.pick(&p);
        eevdf::unprotect(&p, rq.current.as_mut().unwrap());
        assert_eq!(rq.charge(10, &p), gives_way);
    }
}

#[test]
fn a_shorter_slice_breaks_protection() {
    for (rules, expected) in
        [(eevdf(), Preempts::No), (eevdf_delayed(), Preempts::Yes), (eevdf_late(), Preempts::Yes)]
    {
        let p = on(rules, 1);
        let mut rq = queue(&[1, 2], &p);
        rq.pick(&p);
        let waiting = rq.remove(0, &p);
        let short = Entity { slice: 100_000, deadline: waiting.vruntime + 100_000, ..waiting };
        rq.insert(short, &p);
        assert_eq!(rq.preempts(2, Arrival::Woken, &p), expected);
    }
}

#[test]
fn from_6_19_a_new_task_waits_for_its_turn() {
    for (rules, expected) in [(eevdf_delayed(), Preempts::Yes), (eevdf_late(), Preempts::No)] {
        let p = on(rules, 1);
        let mut rq = queue(&[1, 2], &p);
        rq.pick(&p);
        rq.charge(300_000, &p);
        rq.enqueue(rq.fork(3, 1024, &p), Arrival::New, &p);
        assert_eq!(rq.preempts(3, Arrival::New, &p), expected);
    }
}

#[derive(Clone, Debug)]
enum Act {
    Run(u64),
    Wake(usize),
    Sleep,
    Move(usize),
    Pick,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (1u64..3_000_000).prop_map(Act::Run),
        3 => (0usize..8).prop_map(Act::Wake),
        2 => Just(Act::Sleep),
        1 => (0usize..8).prop_map(Act::Move),
        3 => Just(Act::Pick),
    ];
    prop::collection::vec(act, 1..120)
}

/// What EEVDF picks, restated slowly: exact sums over all queued tasks, everyone looked at.
fn restated(rq: &Runqueue, p: &Picking) -> Option<u32> {
    let mut all: Vec<(Entity, u64)> = rq.waiting.iter().map(|w| (w.entity, w.order)).collect();
    all.extend(rq.current.map(|c| (c, u64::MAX)));
    let total: i128 = all.iter().map(|(e, _)| i128::from(e.weight)).sum();
    let sum: i128 = all.iter().map(|(e, _)| i128::from(e.weight) * i128::from(e.vruntime)).sum();
    let owed = |e: &Entity| i128::from(e.vruntime) * total <= sum;
    if let Some(c) = rq.current.filter(|c| owed(c) && all.len() > 1 && eevdf::protected(p, c)) {
        return Some(c.task);
    }
    all.iter().filter(|(e, _)| owed(e)).min_by_key(|(e, order)| (e.deadline, *order)).map(|(e, _)| e.task)
}

/// Carries out an act on a queue whose tasks are numbered by place in `off`.
fn act(rq: &mut Runqueue, off: &mut [Option<Entity>], act: &Act, p: &Picking) {
    match *act {
        Act::Run(ns) => {
            rq.charge(ns, p);
        }
        Act::Wake(t) => {
            if let Some(entity) = off[t].take() {
                rq.enqueue(entity, Arrival::Woken, p);
                if let Preempts::Asleep(e) = rq.preempts(t as u32, Arrival::Woken, p) {
                    off[e.task as usize] = Some(e);
                }
            } else {
                rq.requeue(t as u32, p);
            }
        }
        Act::Sleep => {
            if let Some(Blocked::Left(entity)) = rq.block_current(p) {
                off[entity.task as usize] = Some(entity);
            }
        }
        Act::Move(t) => {
            if let Some(entity) = rq.dequeue(t as u32, p) {
                rq.enqueue(entity, Arrival::Moved, p);
            }
        }
        Act::Pick => {
            if let Picked::Asleep(entity) = rq.pick(p) {
                off[entity.task as usize] = Some(entity);
            }
        }
    }
}

fn sleepers(nices: &[i8]) -> Vec<Option<Entity>> {
    let entity = |(t, &nice): (usize, &i8)| Some(Entity::new(t as u32, weight::of_nice(nice)));
    nices.iter().enumerate().map(entity).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn the_pick_and_the_sums_equal_a_slow_restatement(
        nices in prop::collection::vec(-20i8..20, 8), acts in acts(), which in 0usize..3,
    ) {
        let p = on([eevdf(), eevdf_delayed(), eevdf_late()][which].clone(), 2);
        let (mut rq, mut off) = (Runqueue::default(), sleepers(&nices));
        for a in &acts {
            act(&mut rq, &mut off, a, &p);
            let queued: Vec<Entity> = rq.waiting().chain(rq.current()).copied().collect();
            prop_assert_eq!(queued.len() + off.iter().flatten().count(), 8);
            prop_assert_eq!(rq.weight(), queued.iter().map(|e| u64::from(e.weight)).sum::<u64>());
            prop_assert_eq!(rq.nr_runnable() as usize, queued.iter().filter(|e| !e.delayed).count());
            let sum: i128 = queued.iter().map(|e| i128::from(e.weight) * i128::from(e.vruntime)).sum();
            if rq.weight() > 0 {
                prop_assert_eq!(i128::from(rq.avg_vruntime()), sum.div_euclid(i128::from(rq.weight())));
            }
            let choice = rq.choose(&p, true).and_then(|c| rq.entity(c)).map(|e| e.task);
            prop_assert_eq!(choice, restated(&rq, &p));
        }
    }

    #[test]
    fn cfs_never_turns_min_vruntime_back(nices in prop::collection::vec(-20i8..20, 8), acts in acts()) {
        let p = old_cfs(2);
        let (mut rq, mut off) = (Runqueue::default(), sleepers(&nices));
        let mut min = 0;
        for a in &acts {
            act(&mut rq, &mut off, a, &p);
            prop_assert!(rq.min_vruntime >= min);
            min = rq.min_vruntime;
            let keys: Vec<i64> = rq.waiting().map(|e| e.vruntime).collect();
            prop_assert!(keys.is_sorted());
        }
    }

    /// Tasks that never sleep get their share, to within a few slices and a tick each.
    #[test]
    fn service_is_by_weight(nices in prop::collection::vec(-10i8..11, 2..6), which in 0usize..4) {
        let rules = [cfs(), eevdf(), eevdf_delayed(), eevdf_late()][which].clone();
        let p = on(rules, 1);
        let mut rq = Runqueue::default();
        for (t, &nice) in nices.iter().enumerate() {
            rq.enqueue(Entity::new(t as u32, weight::of_nice(nice)), Arrival::Moved, &p);
        }
        let mut got = vec![0u64; nices.len()];
        let (mut current, mut ran) = (running(&mut rq, &p), 0);
        let ticks = 20_000u64;
        for _ in 0..ticks {
            got[current as usize] += MS;
            ran += MS;
            if rq.charge(MS, &p) | rq.tick(ran, &p) {
                let next = running(&mut rq, &p);
                ran = if next == current { ran } else { 0 };
                current = next;
            }
        }
        let total: u64 = nices.iter().map(|&n| u64::from(weight::of_nice(n))).sum();
        for (&nice, &ns) in nices.iter().zip(&got) {
            let fair = ticks * MS * u64::from(weight::of_nice(nice)) / total;
            // CFS gives whole slices of a stretched period, at least 0.75 ms, in ticks of 1 ms.
            prop_assert!(ns.abs_diff(fair) < 40 * MS, "nice {}: {} of {}", nice, ns, fair);
        }
    }
}
