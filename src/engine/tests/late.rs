//! Timers that come late, as an emulator's do.

use super::{MS, world};

const LINK: &str = "release=6.1&machine=1x2x1&workload=spinners&load=1&spinners.threads=8&spinners.hogs=0\
     &spinners.run_min=400us&spinners.run_max=800us&spinners.sleep_min=2ms&spinners.sleep_max=6ms";

/// Rounds done and times the gate of new-idle was reached in half a second.
fn rounds_and_idles(more: &str) -> (u64, u64) {
    // Twice as many, so that there is hardly an idle moment.
    let crowded = LINK.replace("threads=8", "threads=16");
    let mut w = world(&format!("{crowded}{more}"));
    w.run_until(500 * MS);
    assert_eq!(w.check_invariants(), Vec::<String>::new(), "{more}");
    (w.observed().totals.done, w.gates().reached)
}

#[test]
fn timers_are_on_time_by_default() {
    let w = world(LINK);
    assert!(w.late.is_empty());
}

#[test]
fn timers_that_wait_for_a_busy_cpu_make_idle_moments_more_frequent() {
    let (rounds, idles) = rounds_and_idles("");
    let (late_rounds, late_idles) = rounds_and_idles("&cost.timer_late=2ms");
    assert!(late_rounds < rounds, "{late_rounds} rounds, {rounds} without delay");
    assert!(
        late_idles * rounds > 2 * idles * late_rounds,
        "{late_idles} of {late_rounds}, {idles} of {rounds}"
    );
}

#[test]
fn an_idle_cpus_timer_is_late_by_as_much_as_is_said() {
    let one = "release=6.1&machine=1x1x1&workload=spinners&load=1&spinners.threads=1&spinners.hogs=0\
         &spinners.run_min=100us&spinners.run_max=100us&spinners.sleep_min=1ms&spinners.sleep_max=1ms";
    let rounds = |more: &str| {
        let mut w = world(&format!("{one}{more}"));
        w.run_until(1_000 * MS);
        w.observed().totals.done
    };
    let (usual, late) = (rounds(""), rounds("&cost.timer_idle=400us"));
    // A round takes 1.1 ms and what the scheduler costs; with the delay 0.4 ms more.
    assert!((895..=910).contains(&usual) && (660..=668).contains(&late), "{usual} {late}");
}

#[test]
fn no_task_wakes_and_no_tick_comes_in_a_stall() {
    let mut w = world(&format!("{LINK}&cost.timer_stall=5ms&cost.timer_stall_gap=5ms"));
    let mut stalled = 0;
    while w.now() < 500 * MS {
        let (ticks, sleepers) = (w.observed().ticks, w.tasks.iter().filter(|t| t.asleep()).count());
        w.run_budget(500 * MS, 1);
        if w.stalled_until().is_some() {
            stalled += 1;
            assert_eq!(w.observed().ticks, ticks, "a tick at {}", w.now());
            assert!(w.tasks.iter().filter(|t| t.asleep()).count() >= sleepers, "a wake-up at {}", w.now());
        }
    }
    assert!(stalled > 50, "{stalled}");
    assert_eq!(w.check_invariants(), Vec::<String>::new());
}

#[test]
fn late_timers_keep_a_run_the_same_in_pieces() {
    let link = format!(
        "{LINK}&cost.timer_late=1ms&cost.timer_idle=100us&cost.timer_stall=2ms&cost.timer_stall_gap=9ms"
    );
    let (mut whole, mut pieces) = (world(&link), world(&link));
    whole.run_until(200 * MS);
    for at in 1..=400 {
        pieces.run_until(at * MS / 2);
    }
    assert_eq!(whole.state_hash(), pieces.state_hash());
}

#[test]
fn a_timer_whose_task_was_woken_otherwise_is_forgotten() {
    let mut w = world(&format!("{LINK}&cost.timer_late=5ms"));
    let waits = |w: &crate::engine::World| w.late.iter().flat_map(|late| late.waiting().to_vec()).next();
    while waits(&w).is_none() {
        w.run_budget(500 * MS, 1);
    }
    let timer = waits(&w).unwrap();
    let t = timer.id();
    let c = w.tasks[t as usize].timer_cpu as usize;
    w.wake_by_irq(t, c);
    assert!(w.tasks[t as usize].timer != timer);
    // Its next sleep ends when it is meant to, however soon the CPU goes idle.
    let (mut asleep, mut due) = (false, 0);
    for _ in 0..20_000 {
        w.run_budget(2_000 * MS, 1);
        let task = &w.tasks[t as usize];
        if task.asleep() && !asleep {
            due = w.now() + 2 * MS;
        }
        assert!(task.asleep() || !asleep || w.now() >= due, "woken at {}, not before {due}", w.now());
        asleep = task.asleep();
    }
    assert_eq!(w.check_invariants(), Vec::<String>::new());
}
