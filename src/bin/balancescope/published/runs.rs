//! The runs of all experiments that are asked for, each once: rows that share a run share its result.

use crate::runner::run_all;
use balancescope::experiment::published::Case;
use balancescope::experiment::{Measured, Plan, Spread, Trial};
use std::sync::Arc;

/// The values of each case on all seeds, in the order of the cases: mean and spread of every value.
pub fn values(cases: &[&Case], seeds: u64, jobs: usize) -> Result<Vec<Vec<Spread>>, String> {
    let plans = distinct(cases);
    let runs: Vec<(usize, u64)> =
        (0..plans.len()).flat_map(|plan| (1..=seeds).map(move |seed| (plan, seed))).collect();
    let mut done: Vec<Option<Arc<Measured>>> = vec![None; runs.len()];
    let work = |at: usize| {
        let (plan, seed) = runs[at];
        Ok(Trial::new(&plans[plan], seed)?.finish())
    };
    run_all(runs.len(), jobs, work, |at, result: Result<Measured, String>| {
        done[at] = Some(Arc::new(result?));
        Ok(())
    })?;
    let of = |plan: &Plan, seed: u64| {
        let at = plans.iter().position(|own| own == plan)?;
        done[at * seeds as usize + seed as usize - 1].as_deref().cloned()
    };
    Ok(cases.iter().map(|case| spreads(case, seeds, &of)).collect())
}

/// Every plan once.
fn distinct(cases: &[&Case]) -> Vec<Plan> {
    let mut plans: Vec<Plan> = Vec::new();
    for plan in cases.iter().flat_map(|case| (case.plans)()) {
        if !plans.contains(&plan) {
            plans.push(plan);
        }
    }
    plans
}

fn spreads(case: &Case, seeds: u64, of: &impl Fn(&Plan, u64) -> Option<Measured>) -> Vec<Spread> {
    let plans = (case.plans)();
    let by_seed: Vec<Vec<f64>> = (1..=seeds)
        .map(|seed| (case.values)(&plans.iter().filter_map(|plan| of(plan, seed)).collect::<Vec<_>>()))
        .collect();
    let count = by_seed.first().map_or(0, Vec::len);
    (0..count).map(|at| Spread::of(&by_seed.iter().map(|values| values[at]).collect::<Vec<_>>())).collect()
}
