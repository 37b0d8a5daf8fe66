//! A published row as an experiment: what to run, what to read from the runs, and when that holds.

use crate::experiment::{Measured, Plan, Spread};

/// The experiment of one row.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The row's id.
    pub id: &'static str,
    /// What was assumed where the source does not say: machine, workload, times.
    pub assumed: &'static str,
    /// Which cost or parameter was fitted to this row; empty where none was.
    pub fitted: &'static str,
    /// What to run on each seed.
    pub plans: fn() -> Vec<Plan>,
    /// The row's values from the runs of one seed, which stand in the order of the plans.
    pub values: fn(&[Measured]) -> Vec<f64>,
    /// The number of the plan that shows a value best.
    pub shown_by: fn(usize) -> usize,
    /// Which of the values hold.
    pub holds: fn(&Given, &[Spread]) -> Vec<bool>,
    /// Why what does not hold does not, as far as that is known; empty where all holds.
    pub missed: &'static str,
}

/// What was published.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The row's values.
    pub published: &'a [f64],
    /// Their standard deviations, where the source has them; else empty.
    pub deviations: &'a [f64],
}

impl Given<'_> {
    /// Whether each of our means passes a test against its published value.
    pub(super) fn each(&self, ours: &[Spread], test: impl Fn(f64, f64) -> bool) -> Vec<bool> {
        self.published.iter().zip(ours).map(|(&published, ours)| test(published, mean(ours))).collect()
    }
}

/// A mean; not a number where no run has the value, and then nothing holds.
pub(super) fn mean(spread: &Spread) -> f64 {
    spread.mean.unwrap_or(f64::NAN)
}

/// Whether two values of one sign differ by at most that factor.
pub(super) fn within_factor(published: f64, ours: f64, factor: f64) -> bool {
    let quotient = ours / published;
    quotient >= 1.0 / factor && quotient <= factor
}

/// Whether values fall strictly.
pub(super) fn falls(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] > pair[1])
}

/// A plan with times in ms, on a kernel that has learned what new-idle passes cost, and whose CPUs tick together, as
/// they do without `skew_tick`.
pub(super) fn plan(fragment: impl Into<String>, warm_ms: u64, for_ms: u64) -> Plan {
    Plan {
        fragment: format!("{}&ticks=together", fragment.into()),
        warm_ns: warm_ms * 1_000_000,
        for_ns: for_ms * 1_000_000,
        learned: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_holds_both_ways_and_never_across_zero() {
        assert!(
            within_factor(2.0, 4.0, 2.0) && within_factor(2.0, 1.0, 2.0) && within_factor(-1.0, -2.0, 2.0)
        );
        assert!(!within_factor(2.0, 4.1, 2.0) && !within_factor(2.0, -2.0, 2.0));
        assert!(!within_factor(2.0, f64::NAN, 2.0) && !within_factor(2.0, 0.0, 2.0));
    }

    #[test]
    fn what_falls_falls_strictly() {
        assert!(falls(&[3.0, 2.0, 1.0]) && !falls(&[3.0, 3.0]) && !falls(&[f64::NAN, 1.0]));
    }
}
