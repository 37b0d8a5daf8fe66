//! Knobs and loads show in what the balancer does.

use super::{MS, calls, migrations, world};
use crate::observe::{Cause, Kind};
use crate::scenario::{ChangeTo, OverloadMode};

#[test]
fn holding_the_overload_flag_decides_newidle_passes() {
    let run = |flag: &str| {
        let mut w = world(&format!("machine=1x4x2&load=0.5&{flag}"));
        w.run_until(50 * MS);
        calls(&w, Kind::Newidle)
    };
    let (clear, auto, set) = (run("overload=clear"), run("overload=auto"), run("overload=set"));
    assert_eq!(clear, 0);
    assert!(auto > 0 && auto < set, "auto {auto}, held set {set}");
}

#[test]
fn turning_the_flag_in_a_running_world_acts_at_once() {
    let mut w = world("machine=1x4x2&load=0.5&overload=set");
    w.run_until(20 * MS);
    let before = calls(&w, Kind::Newidle);
    w.turn(ChangeTo::Overload(OverloadMode::HeldClear)).unwrap();
    w.run_until(21 * MS);
    let settled = calls(&w, Kind::Newidle);
    w.run_until(40 * MS);
    assert!(before > 0);
    assert_eq!(calls(&w, Kind::Newidle), settled);
}

#[test]
fn hot_tasks_stay() {
    let run = |cost: &str| {
        let mut w = world(&format!("machine=1x8x1&load=0.9&overload=set&migration_cost={cost}"));
        w.run_until(100 * MS);
        migrations(&w, Cause::Newidle)
    };
    let (never, always) = (run("0"), run("always"));
    assert!(never > 2 * always, "never hot {never}, always hot {always}");
}

#[test]
fn more_load_means_more_balance_calls() {
    let run = |load: &str| {
        let mut w = world(&format!("machine=1x8x2&load={load}"));
        w.run_until(50 * MS);
        calls(&w, Kind::Newidle)
    };
    let calls = ["0.2", "0.5", "0.8"].map(run);
    assert!(calls[0] < calls[1] && calls[1] < calls[2], "{calls:?}");
}

#[test]
fn free_balancing_takes_no_time() {
    let zero = "cost.newidle_fixed=0&cost.blocked_update=0&cost.softirq_fixed=0&cost.pass_fixed=0&\
                cost.scan_core=0&cost.scan_llc=0&cost.look=0&cost.move=0&cost.tail_permille=0";
    let mut w = world(&format!("machine=1x4x2&load=0.5&overload=set&{zero}"));
    w.run_until(20 * MS);
    assert!(calls(&w, Kind::Newidle) > 0);
    assert_eq!(w.cpu_times()[crate::observe::Activity::Balance as usize], 0);
}

#[test]
fn changes_beyond_their_range_are_refused() {
    let mut w = world("machine=1x2x1");
    let before = w.state_hash();
    assert!(w.turn(ChangeTo::Load(2_001)).is_err());
    assert_eq!(w.state_hash(), before);
}

/// The serialise lock of NUMA levels is held for as long as the pass takes, so on a machine of several nodes some
/// CPUs find it taken.
#[test]
fn the_serialise_lock_has_losers() {
    let mut w = world("machine=4x4x1&load=1.5&workload=hogs&hogs.max=4&cost.scan_remote=50us");
    w.run_until(2_000 * MS);
    let lost: u64 = w.observed().totals.levels.iter().flatten().map(|c| c.lock_failed).sum();
    assert!(lost > 0);
}

#[test]
fn an_isolated_cpu_gets_no_task() {
    let (mut scenario, _) = crate::scenario::Scenario::parse("machine=1x4x1&load=1.2");
    let mut machine = scenario.machine().unwrap();
    machine.cpus[3].active = false;
    scenario.machine = crate::scenario::MachineSpec::Packed(Box::new(machine));
    let mut w = crate::engine::World::new(&scenario).unwrap();
    w.run_until(30 * MS);
    let user = |c: usize| w.times(c)[crate::observe::Activity::User as usize];
    assert!(user(0) > 0 && user(2) > 0);
    assert_eq!(user(3), 0);
    assert_eq!(w.check_invariants(), Vec::<String>::new());
}
