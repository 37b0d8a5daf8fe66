//! A policy in the place of the new-idle gate's own tests.

use super::*;
use crate::balance::policy::{Input, Inputs};
use crate::balance::{GateOutcome, LevelOutcome};
use proptest::prelude::*;

fn ruled(settings: &[(&str, &str)]) -> Rules {
    let mut rules = rules(Release::V6_6);
    for (name, value) in settings {
        rules.set(name, value).unwrap();
    }
    rules
}

fn gate_input(avg_idle: u64, overload: bool, cost: i64, max: u64) -> GateInput {
    GateInput {
        wakeup_pending: false,
        active: true,
        avg_idle,
        overload,
        migration_cost: cost,
        lowest_max_cost: Some(max),
        rest: Inputs::NONE,
    }
}

fn level_input(avg_idle: u64, curr_cost: u64, max_cost: u64) -> LevelInput {
    LevelInput { avg_idle, curr_cost, max_cost, newidle_enabled: true, ratio: 512, rest: Inputs::NONE }
}

proptest! {
    #[test]
    fn the_releases_gates_can_be_written_as_policies(
        avg_idle in 0_u64..40,
        overload: bool,
        cost in -1_i64..40,
        max in 0_u64..40,
    ) {
        for (gate_name, policy) in [
            ("migration_cost", "overload and avg_idle >= migration_cost"),
            ("domain_cost", "overload and avg_idle >= max_newidle_lb_cost"),
            ("both", "overload and avg_idle >= max(migration_cost, max_newidle_lb_cost)"),
        ] {
            let input = gate_input(avg_idle, overload, cost, max);
            let own = gate(&ruled(&[("newidle_gate", gate_name)]), &input, &mut ());
            let written = gate(&ruled(&[("newidle_policy", policy)]), &input, &mut ());
            prop_assert_eq!(own == GateOutcome::Pass, written == GateOutcome::Pass, "{}", policy);
        }
    }

    #[test]
    fn so_can_the_test_at_each_level(avg_idle in 0_u64..40, curr in 0_u64..40, max in 0_u64..40) {
        let input = level_input(avg_idle, curr, max);
        let own = level(&ruled(&[]), &input, || 0, &mut ());
        let policy = ruled(&[("newidle_level_policy", "avg_idle >= curr_cost + max_newidle_lb_cost")]);
        let written = level(&policy, &input, || 0, &mut ());
        prop_assert_eq!(own == LevelOutcome::TooCostly, written == LevelOutcome::PolicyStopped);
    }
}

#[test]
fn a_policy_stands_behind_the_tests_that_are_no_part_of_the_gate() {
    let rules = ruled(&[("newidle_policy", "1")]);
    let input = gate_input(0, false, 0, 9);
    assert_eq!(gate(&rules, &input, &mut ()), GateOutcome::Pass);
    let pending = GateInput { wakeup_pending: true, ..input };
    assert_eq!(gate(&rules, &pending, &mut ()), GateOutcome::WakeupPending);
    let disabled = LevelInput { newidle_enabled: false, ..level_input(0, 0, 9) };
    let rules = ruled(&[("newidle_level_policy", "1")]);
    assert_eq!(level(&rules, &disabled, || 0, &mut ()), LevelOutcome::Disabled);
}

#[test]
fn each_policy_leaves_the_others_test_alone() {
    let gate_alone = ruled(&[("newidle_policy", "1")]);
    assert_eq!(level(&gate_alone, &level_input(1, 1, 1), || 0, &mut ()), LevelOutcome::TooCostly);
    let level_alone = ruled(&[("newidle_level_policy", "1")]);
    let input = gate_input(1, true, 0, 2);
    assert_eq!(gate(&level_alone, &input, &mut ()), GateOutcome::BelowDomainCost);
}

#[test]
fn a_division_by_0_refuses_and_is_told_apart() {
    let rules = ruled(&[("newidle_policy", "avg_idle / cpus"), ("newidle_level_policy", "1 / cpus")]);
    let input = gate_input(9, true, 0, 0);
    let outcome = gate(&rules, &input, &mut ());
    assert_eq!(outcome, GateOutcome::PolicyDividedByZero);
    assert!(outcome.stamps() && outcome.lowers_next_balance());
    let stopped = level(&rules, &level_input(9, 0, 0), || 0, &mut ());
    assert_eq!(stopped, LevelOutcome::PolicyDividedByZero);
}

#[test]
fn reasons_name_the_expression_and_its_numbers() {
    let rules = ruled(&[("newidle_policy", "avg_idle*llc_cpus >= migration_cost*nr_busy")]);
    let rest = Inputs::NONE.with(Input::NrBusy, 3).with(Input::LlcCpus, 4);
    let mut why = Vec::new();
    let outcome = gate(&rules, &GateInput { rest, ..gate_input(600, false, 1_000, 0) }, &mut why);
    assert_eq!(outcome, GateOutcome::PolicyRefused);
    let last = why.last().unwrap();
    let text = "avg_idle*llc_cpus>=migration_cost*nr_busy \
                with avg_idle = 600, migration_cost = 1000, nr_busy = 3, llc_cpus = 4";
    assert_eq!((last.text.as_ref(), last.left, last.holds), (text, 0, false));
}
