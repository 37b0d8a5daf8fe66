//! How often new-idle passes came to their gates, and what refused them there.

use super::World;
use crate::balance::{GateOutcome, LevelOutcome};

/// Counts of a whole run and machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateCounts {
    /// A wake-up was pending; such a pass does not come to the gate.
    pub wakeup_pending: u64,
    /// The CPU was not active or had no domain; nor does such a pass.
    pub elsewhere: u64,
    /// Passes that came to the tests of the overload flag and `avg_idle`, or to the policy in their place.
    pub reached: u64,
    /// Refused: the overload flag was clear.
    pub overload_clear: u64,
    /// Refused: `avg_idle` was below the migration cost.
    pub migration_cost: u64,
    /// Refused: `avg_idle` was below the lowest domain's cost.
    pub domain_cost: u64,
    /// Refused by the policy, divisions by 0 included.
    pub policy: u64,
    /// Passes that a level ended since `avg_idle` was below its cost, or by the policy in that test's place.
    pub level: u64,
    /// Divisions by 0 of either policy.
    pub policy_divided_by_zero: u64,
}

impl GateCounts {
    /// A pass came to its gate.
    pub(super) fn count(&mut self, outcome: GateOutcome) {
        let refused = match outcome {
            GateOutcome::WakeupPending => {
                self.wakeup_pending += 1;
                return;
            }
            GateOutcome::Inactive | GateOutcome::NoDomain => {
                self.elsewhere += 1;
                return;
            }
            GateOutcome::Pass => None,
            GateOutcome::OverloadClear => Some(&mut self.overload_clear),
            GateOutcome::BelowMigrationCost => Some(&mut self.migration_cost),
            GateOutcome::BelowDomainCost => Some(&mut self.domain_cost),
            GateOutcome::PolicyRefused => Some(&mut self.policy),
            GateOutcome::PolicyDividedByZero => {
                self.policy_divided_by_zero += 1;
                Some(&mut self.policy)
            }
        };
        if let Some(count) = refused {
            *count += 1;
        }
        self.reached += 1;
    }

    /// A level ended a pass before anything was looked at there.
    pub(super) fn count_stop(&mut self, outcome: LevelOutcome) {
        self.level += 1;
        self.policy_divided_by_zero += u64::from(outcome == LevelOutcome::PolicyDividedByZero);
    }

    /// What was counted after an earlier state of these counts.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            wakeup_pending: self.wakeup_pending - earlier.wakeup_pending,
            elsewhere: self.elsewhere - earlier.elsewhere,
            reached: self.reached - earlier.reached,
            overload_clear: self.overload_clear - earlier.overload_clear,
            migration_cost: self.migration_cost - earlier.migration_cost,
            domain_cost: self.domain_cost - earlier.domain_cost,
            policy: self.policy - earlier.policy,
            level: self.level - earlier.level,
            policy_divided_by_zero: self.policy_divided_by_zero - earlier.policy_divided_by_zero,
        }
    }

    /// Every count.
    pub(super) fn write(&self, put: &mut impl FnMut(u64)) {
        for count in [self.wakeup_pending, self.elsewhere, self.reached, self.overload_clear] {
            put(count);
        }
        for count in [self.migration_cost, self.domain_cost, self.policy, self.level] {
            put(count);
        }
        put(self.policy_divided_by_zero);
    }
}

impl World {
    /// How often the gates of new-idle passes were reached and what refused there.
    pub fn gates(&self) -> &GateCounts {
        &self.gates
    }
}
