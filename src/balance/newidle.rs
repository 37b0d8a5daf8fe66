//! A new-idle pass: the gates before it and the test at each level.

use super::policy::{Answer, Input, Inputs};
use super::rules::{NewidleGate, NewidleStop};
use super::why::{Op, Test, Why, fact, test};
use super::{Rules, migration_cost_ns};

/// What the gates of a new-idle pass look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateInput {
    /// A remote wake-up is queued for this CPU and not yet there (`ttwu_pending`).
    pub wakeup_pending: bool,
    /// The CPU takes part in scheduling.
    pub active: bool,
    /// ns.
    pub avg_idle: u64,
    /// The root domain's overload flag.
    pub overload: bool,
    /// `sysctl_sched_migration_cost`, ns; -1 is always hot.
    pub migration_cost: i64,
    /// `max_newidle_lb_cost` of the lowest domain, ns; `None` without domains.
    pub lowest_max_cost: Option<u64>,
    /// What else a policy may read; those that this struct holds are filled in.
    pub rest: Inputs,
}

impl GateInput {
    fn inputs(&self) -> Inputs {
        self.rest
            .with(Input::AvgIdle, self.avg_idle)
            .with(Input::Overload, self.overload.into())
            .with(Input::MigrationCost, migration_cost_ns(self.migration_cost))
            .with(Input::MaxCost, self.lowest_max_cost.unwrap_or(0))
    }
}

/// What the gates decided. All but [`GateOutcome::Pass`] end the pass before any level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateOutcome {
    /// The levels are visited.
    Pass,
    /// A wake-up is pending: leaves even before `idle_stamp` is set.
    WakeupPending,
    /// The CPU is not active.
    Inactive,
    /// The CPU has no domain.
    NoDomain,
    /// The root domain is not overloaded.
    OverloadClear,
    /// `avg_idle` is below the migration cost.
    BelowMigrationCost,
    /// `avg_idle` is below the lowest domain's cost.
    BelowDomainCost,
    /// The policy's value is 0.
    PolicyRefused,
    /// The policy divided by 0, which refuses as well.
    PolicyDividedByZero,
}

impl GateOutcome {
    /// Whether `idle_stamp` has been set to the rq clock by then.
    pub fn stamps(self) -> bool {
        self != Self::WakeupPending
    }

    /// Whether `next_balance` is lowered although no level is visited: to a second from now, or to when the lowest
    /// domain is due if there is one.
    pub fn lowers_next_balance(self) -> bool {
        !matches!(self, Self::Pass | Self::WakeupPending | Self::Inactive)
    }
}

/// The gates in the kernel's order (`idle_balance` 4.19, `newidle_balance` 6.6, `sched_balance_newidle`
/// later; spec 1.2). A policy takes the place of all tests of the overload flag and of `avg_idle`.
pub fn gate(rules: &Rules, input: &GateInput, why: &mut impl Why) -> GateOutcome {
    let f = rules.names.newidle;
    if rules.newidle.wakeup_gate && fact(why, Test(f, "ttwu_pending"), input.wakeup_pending) {
        return GateOutcome::WakeupPending;
    }
    if !fact(why, Test(f, "cpu_active"), input.active) {
        return GateOutcome::Inactive;
    }
    if rules.newidle.domain_gate && !fact(why, Test(f, "sd"), input.lowest_max_cost.is_some()) {
        return GateOutcome::NoDomain;
    }
    if let Some(policy) = &rules.newidle.policy {
        return match policy.ask(f, &input.inputs(), why) {
            Answer::Yes => GateOutcome::Pass,
            Answer::No => GateOutcome::PolicyRefused,
            Answer::DividedByZero => GateOutcome::PolicyDividedByZero,
        };
    }
    match rules.newidle.gate {
        NewidleGate::MigrationCost => migration_cost_gate(f, input, why)
            .or_else(|| overload_gate(f, input, why))
            .unwrap_or(GateOutcome::Pass),
        NewidleGate::DomainCost => overload_gate(f, input, why)
            .or_else(|| domain_cost_gate(f, input, why))
            .unwrap_or(GateOutcome::Pass),
        NewidleGate::Both => overload_gate(f, input, why)
            .or_else(|| migration_cost_gate(f, input, why))
            .or_else(|| domain_cost_gate(f, input, why))
            .unwrap_or(GateOutcome::Pass),
    }
}

fn migration_cost_gate(f: &'static str, input: &GateInput, why: &mut impl Why) -> Option<GateOutcome> {
    let cost = migration_cost_ns(input.migration_cost);
    test(why, Test(f, "avg_idle < sysctl_sched_migration_cost"), input.avg_idle, Op::Lt, cost)
        .then_some(GateOutcome::BelowMigrationCost)
}

fn overload_gate(f: &'static str, input: &GateInput, why: &mut impl Why) -> Option<GateOutcome> {
    (!fact(why, Test(f, "rd->overload"), input.overload)).then_some(GateOutcome::OverloadClear)
}

fn domain_cost_gate(f: &'static str, input: &GateInput, why: &mut impl Why) -> Option<GateOutcome> {
    let cost = input.lowest_max_cost?;
    test(why, Test(f, "avg_idle < sd->max_newidle_lb_cost"), input.avg_idle, Op::Lt, cost)
        .then_some(GateOutcome::BelowDomainCost)
}

/// What the test at one level looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelInput {
    /// ns.
    pub avg_idle: u64,
    /// What lower levels of this pass have cost, ns.
    pub curr_cost: u64,
    /// This level's `max_newidle_lb_cost`, ns.
    pub max_cost: u64,
    /// The domain has SD_BALANCE_NEWIDLE.
    pub newidle_enabled: bool,
    /// `newidle_ratio`, of 1024.
    pub ratio: u32,
    /// What else a policy may read; those that this struct holds are filled in.
    pub rest: Inputs,
}

impl LevelInput {
    fn inputs(&self) -> Inputs {
        self.rest
            .with(Input::AvgIdle, self.avg_idle)
            .with(Input::CurrCost, self.curr_cost)
            .with(Input::MaxCost, self.max_cost)
            .with(Input::SuccessRatio, self.ratio.into())
    }
}

/// What a new-idle pass does at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelOutcome {
    /// Too costly for the expected idle time: the pass ends here. The level still counts for `next_balance`.
    TooCostly,
    /// The policy's value is 0: as too costly.
    PolicyStopped,
    /// The policy divided by 0, which stops as well.
    PolicyDividedByZero,
    /// The domain does not balance when newly idle; the pass goes on with the parent.
    Disabled,
    /// The dice said no. One call without success is counted; the pass goes on with the parent, without the
    /// stop test and without moving t0.
    Skipped {
        /// What was thrown, 0 to 1023.
        dice: u32,
    },
    /// `load_balance` runs.
    Run {
        /// What was thrown, if dice were.
        dice: Option<u32>,
        /// The success to credit if a task is pulled.
        weight: u32,
    },
}

/// One level of the loop, bottom up (spec 1.3 and 1.5). `draw` gives a uniform number from 0 to 1023; it is
/// called exactly when the kernel throws its dice.
pub fn level(
    rules: &Rules,
    input: &LevelInput,
    draw: impl FnOnce() -> u32,
    why: &mut impl Why,
) -> LevelOutcome {
    let f = rules.names.newidle;
    if let Some(stopped) = level_stop(rules, input, why) {
        return stopped;
    }
    if !fact(why, Test(f, "SD_BALANCE_NEWIDLE"), input.newidle_enabled) {
        return LevelOutcome::Disabled;
    }
    if !rules.newidle.ni_random {
        return LevelOutcome::Run { dice: None, weight: 1 };
    }
    let rate = rules.newidle.ni_rate;
    if rate && test(why, Test(f, "sd->newidle_ratio >= 1024"), input.ratio, Op::Ge, 1024) {
        return LevelOutcome::Run { dice: None, weight: 1 };
    }
    let (dice, one_in) = (draw(), input.ratio.saturating_add(1));
    if test(why, Test(f, "d1k > 1 + sd->newidle_ratio"), dice, Op::Gt, one_in) {
        return LevelOutcome::Skipped { dice };
    }
    LevelOutcome::Run { dice: Some(dice), weight: success_weight(input.ratio) }
}

/// The test of `avg_idle` at a level, or the policy in its place.
fn level_stop(rules: &Rules, input: &LevelInput, why: &mut impl Why) -> Option<LevelOutcome> {
    let f = rules.names.newidle;
    if let Some(policy) = &rules.newidle.level_policy {
        return match policy.ask(f, &input.inputs(), why) {
            Answer::Yes => None,
            Answer::No => Some(LevelOutcome::PolicyStopped),
            Answer::DividedByZero => Some(LevelOutcome::PolicyDividedByZero),
        };
    }
    let cost = input.curr_cost.saturating_add(input.max_cost);
    let text = "avg_idle < curr_cost + sd->max_newidle_lb_cost";
    test(why, Test(f, text), input.avg_idle, Op::Lt, cost).then_some(LevelOutcome::TooCostly)
}

/// What one success counts, so that the ratio estimates success as if every call had run:
/// `(1024 + w/2) / w` with `w = 1 + ratio`, rounded down.
pub fn success_weight(ratio: u32) -> u32 {
    let w = u64::from(ratio) + 1;
    // At most 1024, for a ratio of 0.
    u32::try_from((1024 + w / 2) / w).unwrap_or(1024)
}

/// What the stop test after a level that ran looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopInput {
    /// Tasks pulled at this level.
    pub pulled: u32,
    /// Tasks of all classes on this runqueue.
    pub nr_running: u32,
    /// A wake-up is pending.
    pub wakeup_pending: bool,
    /// `should_we_balance` was true at this level (`continue_balancing`).
    pub designated: bool,
}

/// Whether the pass ends after a level that ran or is disabled.
pub fn stops(rules: &Rules, input: &StopInput, why: &mut impl Why) -> bool {
    let f = rules.names.newidle;
    if test(why, Test(f, "pulled_task"), input.pulled, Op::Gt, 0) {
        return true;
    }
    let running = |why: &mut _| test(why, Test(f, "nr_running > 0"), input.nr_running, Op::Gt, 0);
    match rules.newidle.stop {
        NewidleStop::NrRunning => running(why),
        NewidleStop::NrRunningOrPending => {
            running(why) || fact(why, Test(f, "ttwu_pending"), input.wakeup_pending)
        }
        NewidleStop::NotDesignated => !fact(why, Test(f, "continue_balancing"), input.designated),
    }
}
