//! `check detach`: whether a task of that size is detached.

use super::Tally;
use super::rows::{Differences, each};
use balancescope::balance::{MigrationType, Rules, SizeInput, size_test};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    migration_type: MigrationType,
    value: u64,
    nr_balance_failed: u32,
    imbalance: i64,
    detach: bool,
}

impl Row {
    /// Rows are of tasks held against an amount: by load or by utilization, while something is left to move.
    fn check(&self) -> Result<(), String> {
        if !matches!(self.migration_type, MigrationType::Load | MigrationType::Util) {
            return Err("its migration_type is neither load nor util".to_owned());
        }
        if self.imbalance <= 0 {
            return Err(format!(
                "its imbalance is {}, and a walk looks at tasks only while that is above 0",
                self.imbalance
            ));
        }
        Ok(())
    }
}

/// Compares the size test of every row.
pub fn check(label: &str, text: &str, rules: &Rules, tally: &mut Tally) -> Result<(), String> {
    each(text, |line, row: Row| {
        row.check()?;
        let input = SizeInput {
            migration_type: row.migration_type,
            value: row.value,
            fits: false,
            nr_balance_failed: row.nr_balance_failed,
            amount: row.imbalance,
        };
        let mut found = Differences::default();
        found.compare("detach", &row.detach, &size_test(rules, &input, &mut ()).is_some());
        tally.add(found.none(), || found.line(label, line));
        Ok(())
    })
}
