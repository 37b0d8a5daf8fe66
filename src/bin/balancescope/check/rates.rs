//! `check rates`: the rates of a running kernel under a plain workload, held against a simulation of the same
//! machine and workload.
//!
//! A row's counts are real, its costs are an emulator's. So what belongs to the emulator is set from the row
//! itself, by rules that are the same for every row (`emulator`), and what the scheduler does with it is
//! predicted: idle-type calls, how often the new-idle gate is reached, the share that a clear overload flag
//! refuses there, tasks gained by idle balancing.

mod emulator;
mod row;

use super::Tally;
use super::rows::{Differences, each};
use balancescope::engine::World;
use balancescope::observe::Kind;
use balancescope::scenario::Scenario;
use balancescope::topology::Release;
use row::Row;
use std::collections::BTreeMap;

/// A workload had run for so long when the kernel's counters were first read, ns.
const WARM_UP: u64 = 2_000_000_000;

/// What is held against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rates {
    idle_calls: u64,
    gate_reached: u64,
    overload_clear: u64,
    idle_gained: u64,
    /// Not held against each other, but told: it says how open the gate was.
    newidle_calls: u64,
}

/// Simulates every row and compares.
pub fn check(label: &str, text: &str, release: Release, tally: &mut Tally) -> Result<(), String> {
    let mut rows = Vec::new();
    each(text, |line, row: Row| {
        rows.push((line, row));
        Ok(())
    })?;
    let mut signs = Vec::new();
    let mut learned = BTreeMap::new();
    for (line, row) in &rows {
        let scenario = emulator::scenario(row, release).map_err(|why| format!("line {line} {why}"))?;
        let before = learned.entry(row.machine.clone()).or_default();
        let ours = simulated(&scenario, row.seconds, before).map_err(|why| format!("line {line}: {why}"))?;
        let theirs = recorded(row);
        let found = compared(&theirs, &ours);
        let (machine, spec, gate) = (&row.machine, &row.spec, &row.gate);
        tally.add(found.none(), || {
            format!("{} ({machine} {spec} {gate}; {})", found.line(label, *line), scenario.fragment())
        });
        signs.push((format!("{machine} {spec}"), gate.clone(), theirs.newidle_calls, ours.newidle_calls));
    }
    told(&signs);
    Ok(())
}

fn recorded(row: &Row) -> Rates {
    let sum = |of: fn(&row::Level) -> u64| row.levels.values().map(of).sum();
    Rates {
        idle_calls: sum(|l| l.idle.calls),
        gate_reached: row.system.gate_reached,
        overload_clear: row.system.refused_overload_clear,
        idle_gained: sum(|l| l.idle.gained),
        newidle_calls: sum(|l| l.newidle.calls),
    }
}

/// What happened in a world so far.
fn counted(world: &World) -> Rates {
    let levels = &world.observed().totals.levels;
    // A nohz balancer's passes for other CPUs are of the idle type too.
    let sum = |kinds: &[Kind], of: fn(&balancescope::observe::LevelCounts) -> u64| {
        levels.iter().flat_map(|level| kinds.iter().map(|kind| of(&level[*kind as usize]))).sum()
    };
    Rates {
        idle_calls: sum(&[Kind::Idle, Kind::Nohz], |c| c.calls),
        gate_reached: world.gates().reached,
        overload_clear: world.gates().overload_clear,
        idle_gained: sum(&[Kind::Idle, Kind::Nohz], |c| c.moved_tasks),
        newidle_calls: sum(&[Kind::Newidle], |c| c.calls),
    }
}

/// Simulates a row on a kernel that has learned something, and leaves there what it knows in the end.
fn simulated(scenario: &Scenario, seconds: u64, learned: &mut Vec<u64>) -> Result<Rates, String> {
    let mut world = World::new(scenario)?;
    world.learn(learned);
    world.run_until(WARM_UP);
    let before = counted(&world);
    world.run_until(WARM_UP + seconds * 1_000_000_000);
    let after = counted(&world);
    *learned = world.learned();
    Ok(Rates {
        idle_calls: after.idle_calls - before.idle_calls,
        gate_reached: after.gate_reached - before.gate_reached,
        overload_clear: after.overload_clear - before.overload_clear,
        idle_gained: after.idle_gained - before.idle_gained,
        newidle_calls: after.newidle_calls - before.newidle_calls,
    })
}

/// With the tolerances of the contract.
fn compared(theirs: &Rates, ours: &Rates) -> Differences {
    let mut found = Differences::default();
    let mut hold = |field: &str, holds: bool, theirs: &dyn std::fmt::Debug, ours: &dyn std::fmt::Debug| {
        if !holds {
            found.add(field, theirs, ours);
        }
    };
    let within = |theirs: u64, ours: u64, percent: u64| {
        u128::from(ours.abs_diff(theirs)) * 100 <= u128::from(theirs) * u128::from(percent)
    };
    let (t, o) = (theirs, ours);
    hold("idle_calls", within(t.idle_calls, o.idle_calls, 20), &t.idle_calls, &o.idle_calls);
    hold("gate_reached", within(t.gate_reached, o.gate_reached, 15), &t.gate_reached, &o.gate_reached);
    let points = |rates: &Rates| rates.overload_clear as f64 * 100.0 / rates.gate_reached.max(1) as f64;
    let (t_points, o_points) = (points(t), points(o));
    let shown = |points: f64| (points * 10.0).round() / 10.0;
    let holds = (t_points - o_points).abs() <= 10.0;
    hold("overload_clear_percent", holds, &shown(t_points), &shown(o_points));
    let holds = within_factor_2(t.idle_gained, o.idle_gained);
    hold("idle_gained", holds, &t.idle_gained, &o.idle_gained);
    found
}

/// So few tasks in some seconds are chance: if both sides gained fewer, they hold.
const FEW: u64 = 10;

fn within_factor_2(a: u64, b: u64) -> bool {
    (a < FEW && b < FEW) || (a <= b.saturating_mul(2) && b <= a.saturating_mul(2))
}

/// Says on standard error, for each workload under several gates, whether new-idle calls change between them in
/// the same direction.
fn told(rows: &[(String, String, u64, u64)]) {
    let (mut same, mut other) = (0, 0);
    for (i, (workload, _, theirs, ours)) in rows.iter().enumerate() {
        for (_, _, their_next, our_next) in rows[i + 1..].iter().filter(|row| row.0 == *workload) {
            // A change of a few or of a tenth is no sign of anything.
            let tenth = theirs.max(their_next) / 10;
            if theirs.abs_diff(*their_next) > tenth.max(FEW) {
                let agrees = theirs.cmp(their_next) == ours.cmp(our_next);
                *(if agrees { &mut same } else { &mut other }) += 1;
            }
        }
    }
    if same + other > 0 {
        eprintln!(
            "Between gates, new-idle calls change in the recorded direction {same} times, and not so {other} times."
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates {
        idle_calls: 1_000,
        gate_reached: 1_000,
        overload_clear: 500,
        idle_gained: 40,
        newidle_calls: 0,
    };

    #[test]
    fn each_figure_has_its_own_tolerance() {
        for (ours, holds) in [
            (RATES, true),
            (Rates { idle_calls: 1_200, ..RATES }, true),
            (Rates { idle_calls: 1_201, ..RATES }, false),
            (Rates { idle_calls: 799, ..RATES }, false),
            (Rates { gate_reached: 1_151, overload_clear: 575, ..RATES }, false),
            (Rates { overload_clear: 600, ..RATES }, true),
            (Rates { overload_clear: 601, ..RATES }, false),
            (Rates { idle_gained: 80, ..RATES }, true),
            (Rates { idle_gained: 81, ..RATES }, false),
            (Rates { idle_gained: 19, ..RATES }, false),
        ] {
            assert_eq!(compared(&RATES, &ours).none(), holds, "{ours:?}");
        }
    }

    #[test]
    fn a_few_tasks_are_chance() {
        assert!(within_factor_2(0, 9) && within_factor_2(9, 1));
        assert!(!within_factor_2(0, 10) && !within_factor_2(4, 10));
    }

    /// The shape of a row, with the values of none that was recorded.
    const ROW: &str = r#"{"machine":"mc2","spec":"x","gate":"6.6","threads":4,"hogs":0,"run_us":[100,300],
        "sleep_us":[2000,6000],"seconds":1,"loops":900,"cpu_ns":250000000,"wake_late_avg_ns":200000,
        "system":{"wait_ns":9000000,"slices":910,"gate_reached":900,"refused_overload_clear":880},
        "levels":{"MC":{"idle":{"calls":400,"gained":0,"time_ns":3000000},
        "newidle":{"calls":20,"gained":5,"time_ns":400000}}}}"#;

    fn checked(row: &str) -> Result<(), String> {
        check("row", &row.replace('\n', " "), Release::parse("6.1").unwrap(), &mut Tally::default())
    }

    #[test]
    fn a_row_becomes_a_scenario_and_can_be_run() {
        checked(ROW).unwrap();
    }

    #[test]
    fn a_row_that_cannot_be_used_is_named_by_its_line() {
        for (from, to) in [
            ("\"mc2\"", "\"vax\""),
            ("\"mc2\"", "\"mc9999\""),
            ("\"gate\":\"6.6\"", "\"gate\":\"none\""),
            ("\"threads\":4", "\"threads\":0"),
            ("\"threads\":4", "\"threads\":99999999"),
            ("\"seconds\":1", "\"seconds\":100000"),
            ("[100,300]", "[100]"),
        ] {
            let error = checked(&ROW.replace(from, to)).unwrap_err();
            assert!(error.starts_with("line 1 "), "{to}: {error}");
        }
    }
}
