//! The rows of kind `exact`, answered by the balancer's own functions.

use crate::balance::policy::Inputs;
use crate::balance::{
    AvgIdle, CostSum, IdleEnd, LevelInput, LevelOutcome, NewidleCost, NewidleStats, Now, PassReport, Rules,
    book_pass, level, success_weight,
};
use crate::sched::pelt::{Avg, Did};
use crate::topology::Release;

const HZ: u32 = 1000;
/// The default of `sysctl_sched_migration_cost`, ns.
const MIGRATION_COST: i64 = 500_000;

/// Our values for a row of kind `exact`, in the order of the published ones; `None` for any other row.
pub fn exact(id: &str) -> Option<Vec<f64>> {
    match id {
        "pelt" => Some(pelt()),
        "bump-decay" => Some(bump_decay()),
        "avg-idle-cap" => Some(avg_idle_cap()),
        "random-floor" => Some(random_floor()),
        _ => None,
    }
}

/// `util_avg` after so many ms of running from zero, in one update. PELT's ms is its period of 1024 us of
/// 1024 ns each.
fn pelt() -> Vec<f64> {
    [1, 8, 16, 32, 64, 128]
        .map(|ms: u64| {
            let mut avg = Avg::default();
            avg.update(ms << 20, Did { load: 1, runnable: 1, running: true }, 1024);
            avg.util_avg as f64
        })
        .to_vec()
}

/// 6.17: passes that fail bump a cost up to its cap; then it decays once a second.
fn bump_decay() -> Vec<f64> {
    let rules = Rules::of(Release::V6_17);
    let mut cost = NewidleCost { max: MIGRATION_COST as u64, stamp: 0 };
    let failed = PassReport { cost: 1_000, pulled: 0, weight: 1 };
    let now = Now { ns: 0, jiffies: 0, hz: HZ, migration_cost: MIGRATION_COST };
    book_pass(&rules, &mut cost, &mut NewidleStats::at_build(0), &failed, &now);
    let mut values = vec![cost.max as f64];
    for second in 1..=6 {
        cost.periodic(second * u64::from(HZ + 1), HZ);
        values.push(cost.max as f64);
    }
    values
}

/// 6.17: where `avg_idle` ends after one very long idle time, with three domains at the same cost.
fn avg_idle_cap() -> Vec<f64> {
    let rules = Rules::of(Release::V6_17);
    [494_338, 488_544, 477_159, 471_567]
        .map(|cost| {
            let mut sum = CostSum::default();
            for _ in 0..3 {
                sum.visit(&rules, true, cost);
            }
            let max_idle_balance_cost = sum.settle(MIGRATION_COST as u64, MIGRATION_COST);
            let mut idle = AvgIdle { idle_stamp: 1, ..AvgIdle::BOOT };
            idle.sample(&rules, IdleEnd::Activation, u64::MAX / 2, max_idle_balance_cost);
            idle.avg_idle as f64
        })
        .to_vec()
}

/// 6.19: the share of dice values that let a level run at ratio 0 and 512; the credit of a success at ratio
/// 256, 512 and 0.
fn random_floor() -> Vec<f64> {
    let rules = Rules::of(Release::V6_19);
    let runs = |ratio, dice| {
        let input = LevelInput {
            avg_idle: 1_000_000,
            curr_cost: 0,
            max_cost: 0,
            newidle_enabled: true,
            ratio,
            rest: Inputs::NONE,
        };
        matches!(level(&rules, &input, || dice, &mut ()), LevelOutcome::Run { .. })
    };
    let share = |ratio| (0..1024).filter(|dice| runs(ratio, *dice)).count() as f64 / 1024.0;
    let credit = |ratio| f64::from(success_weight(ratio));
    vec![share(0), share(512), credit(256), credit(512), credit(0)]
}
