//! The switches of load tracking and frequency. Which release has which is the table of the balance room.

use super::schedutil::Headroom;
use super::util_est::EstimateForm;

/// How averages are made independent of a CPU's capacity and frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariance {
    /// What is added is scaled: all of it by frequency, utilization also by capacity (4.19).
    Contribution,
    /// Time is scaled, and catches up while the CPU idles (5.1 and later).
    Time,
}

/// Which running tasks count as too big for their CPU, where capacities are unequal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// None: there is no such mark (4.19).
    None,
    /// Those that use more than four fifths of it (`update_misfit_status`, 4.20 and later).
    Unfit,
    /// The same, but not on a CPU of the biggest kind that the task may use (6.10 and later).
    UnfitSmaller,
}

/// The switches of load tracking, one CPU's part of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackingRules {
    /// Capacity and frequency in averages.
    pub invariance: Invariance,
    /// The form of `util_est`.
    pub util_est: EstimateForm,
    /// A new task's share of its queue's utilization is taken by its weight times 1024, so that nearly always the
    /// cap counts (64-bit kernels up to 6.11).
    pub initial_util_scaled: bool,
    /// Misfit tasks.
    pub misfit: Misfit,
    /// schedutil counts at least `runnable_avg` (6.5 and later).
    pub schedutil_boost: bool,
    /// schedutil's margin.
    pub headroom: Headroom,
}

/// Whether a utilization fits a capacity with a fifth to spare (`fits_capacity`).
pub fn fits(util: u64, capacity: u64) -> bool {
    util * 1_280 < capacity * 1_024
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_fifth_must_be_left() {
        assert!(fits(819, 1024) && !fits(820, 1024));
        assert!(fits(356, 446) && !fits(357, 446));
    }
}
