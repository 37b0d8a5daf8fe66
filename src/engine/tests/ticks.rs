//! The tick of idle CPUs: whether it stops, and what then stands in the nohz mask.

use super::{MS, calls, world};
use crate::engine::World;
use crate::engine::task::NONE;
use crate::observe::{Kind, What};

/// One task on two CPUs that runs and sleeps for ever. `sleep` in µs.
fn sleeper(release: &str, sleep: u64, more: &str) -> World {
    world(&format!(
        "release={release}&machine=1x2x1&workload=spinners&load=1&cost.tail_permille=0\
         &spinners.threads=1&spinners.hogs=0&spinners.run_min=100us&spinners.run_max=100us\
         &spinners.sleep_min={sleep}us&spinners.sleep_max={sleep}us{more}"
    ))
}

/// Runs until the task falls asleep after this time, and says whether its CPU's tick goes on.
fn ticks_while_asleep(w: &mut World, after: u64) -> bool {
    w.run_until(after);
    while w.tasks[0].asleep() {
        w.run_until(w.now() + 1_000);
    }
    while !w.tasks[0].asleep() || !w.cpus[w.tasks[0].cpu as usize].is_idle() {
        w.run_until(w.now() + 1_000);
    }
    assert_eq!(w.check_invariants(), Vec::<String>::new());
    w.cpus[w.tasks[0].cpu as usize].tick_on
}

#[test]
fn a_timer_due_within_a_tick_keeps_the_tick_on_idle_entry() {
    for (sleep, more, kept) in
        [(900, "", true), (1_500, "", false), (900, "&timer_keeps_tick=off", false), (900, "&hz=250", true)]
    {
        let mut w = sleeper("6.6", sleep, more);
        assert_eq!(ticks_while_asleep(&mut w, 10 * MS), kept, "{sleep} {more}");
    }
}

#[test]
fn after_an_idle_tick_the_same_timer_may_keep_it() {
    // Without driver 6.1.192 goes on ticking at idle entry whatever is due. The timer is due 3.9 ms after the entry,
    // so that an idle tick comes before its last millisecond and the tick stops there.
    let mut w = sleeper("6.1", 3_900, "");
    assert!(ticks_while_asleep(&mut w, 10 * MS));
    w.run_until(w.now() + 1_100_000);
    assert!(!w.cpus[w.tasks[0].cpu as usize].tick_on);
    // A sleep of 1.5 ms has an idle tick half a millisecond after entry or later, hence a timer within the next.
    let mut w = sleeper("6.1", 1_000, "");
    let before = w.observed().ticks;
    w.run_until(100 * MS);
    let ticks = w.observed().ticks - before;
    assert!((99..=102).contains(&ticks), "{ticks} ticks of the CPU in 100 ms");
}

#[test]
fn an_idle_cpu_that_ticks_balances_for_itself() {
    // The CPU of a task that sleeps 0.9 ms is never in the mask after its first busy tick, so its passes are its own.
    let passes = |more| {
        let mut w = sleeper("6.6", 900, more);
        w.run_until(200 * MS);
        assert_eq!(w.check_invariants(), Vec::<String>::new());
        calls(&w, Kind::Idle)
    };
    let (kept, stopped) = (passes(""), passes("&timer_keeps_tick=off"));
    assert!(kept > 2 * stopped, "{kept} own passes with the tick, {stopped} without");
}

#[test]
fn a_timer_is_that_of_the_cpu_where_it_was_armed() {
    let mut w = sleeper("6.6", 20_000, "");
    ticks_while_asleep(&mut w, 0);
    let armed = w.tasks[0].timer_cpu as usize;
    assert_eq!(armed, w.tasks[0].cpu as usize);
    let due = w.cpus[armed].timers.next(&w.tasks).unwrap();
    assert!(due > w.now() + 15 * MS);
    // The task's queue is another by the time it is due, as for a sleeper that a balancer moved.
    w.tasks[0].cpu = 1 - armed as u32;
    w.run_until(due);
    let irq = w.setup.costs.irq + w.setup.costs.wakeup;
    assert!(w.cpus[armed].debt >= irq, "the interrupt was taken where the timer was armed");
    assert_eq!(w.cpus[armed].timers.next(&w.tasks).filter(|&at| at <= due), None);
}

#[test]
fn a_cpu_that_joins_the_mask_is_kicked_for_once() {
    // CPU 0 runs one task, reason for no kick. CPU 1 has been idle since boot, so the mask changed before the first
    // tick: one kick, which balances for nobody and finds when CPU 1 is due. With the switch off there is none.
    for (more, kicks, next) in [("", 1, 70), ("&nohz_needs_update=off", 0, 0)] {
        let mut w =
            world(&format!("release=6.6&machine=1x2x1&workload=hogs&load=0&cost.tail_permille=0{more}"));
        w.read_reasons(true);
        w.tasks[0].left = 100 * MS * 1024;
        w.tasks[0].fresh = true;
        w.activate(0, 0, false);
        w.cpus[1].next_balance = 70;
        assert!(w.nohz.needs_update);
        w.run_until(20 * MS);
        let (reasons, _) = w.take_reasons();
        let seen = reasons.iter().filter(|r| matches!(r.what, What::Kick(_))).count();
        assert_eq!(seen, kicks, "{more}");
        assert_eq!(w.nohz.next_balance, next, "{more}");
        assert_eq!(calls(&w, Kind::Nohz), 0);
        assert_eq!(w.check_invariants(), Vec::<String>::new());
    }
}

#[test]
fn another_cpus_task_arrives_with_an_interrupt() {
    // Under 4.19 a waker enqueues within its cache by itself; the idle CPU is told to pick, which takes as long as a
    // queued wake-up does later.
    let mut w = world("release=4.19&machine=1x2x1&workload=hogs&load=0&cost.tail_permille=0&cost.ipi=5us");
    w.tasks[0].cpu = 1;
    w.tasks[0].left = MS * 1024;
    w.tasks[0].fresh = true;
    w.acting = 0;
    w.activate(0, 1, false);
    w.acting = NONE;
    assert!(!w.cpus[1].is_idle() && w.cpus[1].current == NONE && w.cpus[1].resched_sent);
    w.run_until(4_999);
    assert_eq!(w.cpus[1].current, NONE);
    w.run_until(5_000);
    assert_eq!(w.cpus[1].current, 0);
    assert_eq!(w.check_invariants(), Vec::<String>::new());
}

#[test]
fn the_first_tick_that_does_not_find_the_cpu_idle_leaves_the_mask() {
    // The idle task still runs, but a task is queued and the interrupt that tells so is on its way.
    let mut w = world("release=6.6&machine=1x2x1&workload=hogs&load=0&cost.tail_permille=0&cost.ipi=900us");
    w.tasks[0].cpu = 1;
    w.tasks[0].left = MS * 1024;
    w.tasks[0].fresh = true;
    w.run_until(200_000);
    w.acting = 0;
    w.activate(0, 1, false);
    w.acting = NONE;
    assert!(w.cpus[1].idle_task && w.nohz.mask.contains(1));
    w.start_tick(1);
    w.run_until(600_000);
    assert!(!w.nohz.mask.contains(1));
}
