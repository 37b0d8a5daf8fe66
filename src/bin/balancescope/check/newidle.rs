//! `check newidle`: one level of a new-idle pass.

use super::Tally;
use super::rows::{Differences, each};
use balancescope::balance::policy::Inputs;
use balancescope::balance::{
    LevelInput, LevelOutcome, NewidleCost, NewidleStats, Now, PassReport, Rules, book_pass, level,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    avg_idle: u64,
    curr_cost: u64,
    max_newidle_lb_cost: u64,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    TooCostly,
    Dice(Thrown),
    Ran {
        #[serde(flatten)]
        thrown: Thrown,
        weight: u32,
        cost: u64,
        pulled: u32,
        cost_after: u64,
    },
}

#[derive(Deserialize)]
struct Thrown {
    dice: u32,
    call: u32,
    success: u32,
    ratio: u32,
    call_after: u32,
    success_after: u32,
    ratio_after: u32,
}

impl Row {
    fn check(&self) -> Result<(), String> {
        match &self.outcome {
            Outcome::TooCostly => Ok(()),
            Outcome::Dice(thrown) | Outcome::Ran { thrown, .. } => thrown.check(),
        }
    }
}

impl Thrown {
    /// What no kernel can have had before the dice.
    fn check(&self) -> Result<(), String> {
        for (field, value, most) in [("dice", self.dice, 1023), ("ratio", self.ratio, 1024)] {
            if value > most {
                return Err(format!("its {field} is {value}, above {most}"));
            }
        }
        Ok(())
    }

    fn before(&self) -> NewidleStats {
        NewidleStats { call: self.call, success: self.success, ratio: self.ratio, stamp_ns: 0 }
    }

    fn compare(&self, ours: &NewidleStats, found: &mut Differences) {
        found.compare("call", &self.call_after, &ours.call);
        found.compare("success", &self.success_after, &ours.success);
        found.compare("ratio", &self.ratio_after, &ours.ratio);
    }
}

/// Compares outcome, weight and the values after, of every row.
pub fn check(label: &str, text: &str, rules: &Rules, tally: &mut Tally) -> Result<(), String> {
    each(text, |line, row: Row| {
        row.check()?;
        let found = differences(rules, &row);
        tally.add(found.none(), || found.line(label, line));
        Ok(())
    })
}

fn differences(rules: &Rules, row: &Row) -> Differences {
    let mut found = Differences::default();
    match &row.outcome {
        Outcome::TooCostly => {
            let ours = outcome(rules, row, None);
            found.compare("outcome", &"too_costly", &name(ours));
        }
        Outcome::Dice(thrown) => {
            let ours = outcome(rules, row, Some(thrown));
            found.compare("outcome", &"dice", &name(ours));
            let mut stats = thrown.before();
            stats.count(rules, 0, 0);
            thrown.compare(&stats, &mut found);
        }
        Outcome::Ran { thrown, weight, cost, pulled, cost_after } => {
            let ours = outcome(rules, row, Some(thrown));
            found.compare("outcome", &"ran", &name(ours));
            if let LevelOutcome::Run { weight: ours, .. } = ours {
                found.compare("weight", weight, &ours);
            }
            let report = PassReport { cost: *cost, pulled: *pulled, weight: *weight };
            ran(rules, row.max_newidle_lb_cost, thrown, &report, *cost_after, &mut found);
        }
    }
    found
}

fn outcome(rules: &Rules, row: &Row, thrown: Option<&Thrown>) -> LevelOutcome {
    let input = LevelInput {
        avg_idle: row.avg_idle,
        curr_cost: row.curr_cost,
        max_cost: row.max_newidle_lb_cost,
        newidle_enabled: true,
        ratio: thrown.map_or(0, |thrown| thrown.ratio),
        rest: Inputs::NONE,
    };
    level(rules, &input, || thrown.map_or(0, |thrown| thrown.dice), &mut ())
}

fn name(outcome: LevelOutcome) -> &'static str {
    match outcome {
        LevelOutcome::TooCostly | LevelOutcome::PolicyStopped | LevelOutcome::PolicyDividedByZero => {
            "too_costly"
        }
        LevelOutcome::Disabled => "disabled",
        LevelOutcome::Skipped { .. } => "dice",
        LevelOutcome::Run { .. } => "ran",
    }
}

/// Whether a decay was due is not recorded, so either answer may be the recorded one.
fn ran(
    rules: &Rules,
    max: u64,
    thrown: &Thrown,
    report: &PassReport,
    cost_after: u64,
    found: &mut Differences,
) {
    let hz = 1000;
    let booked = |jiffies| {
        let mut cost = NewidleCost { max, stamp: 0 };
        let mut stats = thrown.before();
        let now = Now { ns: 0, jiffies, hz, migration_cost: 500_000 };
        book_pass(rules, &mut cost, &mut stats, report, &now);
        (cost.max, stats)
    };
    let ((fresh, stats), (decayed, _)) = (booked(1), booked(u64::from(hz) + 1));
    thrown.compare(&stats, found);
    if cost_after != decayed {
        found.compare("max_newidle_lb_cost", &cost_after, &fresh);
    }
}
