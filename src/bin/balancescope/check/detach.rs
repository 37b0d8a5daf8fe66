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

/// Compares the size test of every row.
pub fn check(label: &str, text: &str, rules: &Rules, tally: &mut Tally) -> Result<(), String> {
    each(text, |line, row: Row| {
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
    })
}
