//! `check intervals`: interval and failure counter after one `load_balance`.

use super::Tally;
use super::rows::each;
use balancescope::balance::{Exit, ExitInput, IdleType, Pace, Rules};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    idle: IdleType,
    span_weight: u32,
    max_interval: u32,
    balance_interval: u32,
    balance_interval_after: u32,
    nr_balance_failed: u32,
    nr_balance_failed_after: u32,
    moved: u32,
    continue_balancing: bool,
}

/// Exits that a pass can only take once `should_we_balance` agreed.
const BEYOND_DESIGNATION: [Exit; 7] = [
    Exit::NothingMoved,
    Exit::AllPinned,
    Exit::ActivePinned { single_task: false },
    Exit::ActivePinned { single_task: true },
    Exit::ActiveRunning,
    Exit::ActiveStarted { still_needed: true },
    Exit::ActiveStarted { still_needed: false },
];

/// The values after must be those of one exit that the row allows; which exit it was is not recorded.
pub fn check(label: &str, text: &str, rules: &Rules, tally: &mut Tally) -> Result<(), String> {
    each(text, |line, row: Row| {
        let recorded = Pace {
            balance_interval: row.balance_interval_after,
            nr_balance_failed: row.nr_balance_failed_after,
        };
        let possible = possible(rules, &row);
        tally.add(possible.contains(&recorded), || {
            let (interval, failed) = (recorded.balance_interval, recorded.nr_balance_failed);
            let ours: Vec<String> = possible.iter().map(pair).collect();
            format!("{label}:{line}: recorded ({interval}, {failed}), ours one of {}", ours.join(" "))
        });
        Ok(())
    })
}

fn pair(pace: &Pace) -> String {
    format!("({}, {})", pace.balance_interval, pace.nr_balance_failed)
}

fn possible(rules: &Rules, row: &Row) -> Vec<Pace> {
    let input = ExitInput {
        idle: row.idle,
        misfit: false,
        min_interval: row.span_weight,
        max_interval: row.max_interval,
        cache_nice_tries: 1,
    };
    let before = Pace { balance_interval: row.balance_interval, nr_balance_failed: row.nr_balance_failed };
    let after = |exit: Exit| zeroed_by_stopper(exit, before.after(rules, exit, &input));
    if row.moved > 0 {
        return vec![after(Exit::Moved)];
    }
    let balanced = [Exit::Balanced { redone: false }, Exit::Balanced { redone: true }];
    let beyond = BEYOND_DESIGNATION.iter().filter(|_| row.continue_balancing);
    balanced.iter().chain(beyond).map(|exit| after(*exit)).collect()
}

/// The need for an active balance ends before the pass does only if the stopper has already moved the task,
/// and so has zeroed the counter.
fn zeroed_by_stopper(exit: Exit, pace: Pace) -> Pace {
    match exit {
        Exit::ActiveStarted { still_needed: false } => Pace { nr_balance_failed: 0, ..pace },
        _ => pace,
    }
}
