//! One run's line: what varies in it, then what `run` reports.

use super::Plan;
use crate::runner;
use balancescope::experiment::Point;
use balancescope::host::Report;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

/// A line without its line break.
pub struct Line {
    pub text: String,
    /// The run was done and broke no invariant.
    pub good: bool,
}

#[derive(Serialize)]
struct Written<'a> {
    index: u64,
    #[serde(serialize_with = "pairs")]
    vary: &'a [(String, String)],
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Done(Box<Report>),
    Refused { scenario: String, error: String },
}

fn pairs<S: Serializer>(settings: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(settings.len()))?;
    for (key, value) in settings {
        map.serialize_entry(key, value)?;
    }
    map.end()
}

/// Runs one point and words its line. A run that cannot be done has a line that says why.
pub fn of(plan: &Plan, index: u64) -> Result<Line, String> {
    let Point { settings, scenario, .. } = plan.sweep.point(index);
    let (outcome, good) = match runner::simulate(&scenario, plan.simulated_ns) {
        Ok(report) => {
            let good = report.invariants_broken == 0;
            (Outcome::Done(Box::new(report)), good)
        }
        Err(error) => (Outcome::Refused { scenario: scenario.fragment(), error }, false),
    };
    let written = Written { index, vary: &settings, outcome };
    let text = serde_json::to_string(&written).map_err(|e| format!("A run is no JSON: {e}."))?;
    Ok(Line { text, good })
}

/// What tells whether a line that is already there is one of this sweep's.
#[derive(Deserialize)]
pub struct Kept {
    pub index: u64,
    pub scenario: String,
    /// Missing where the run could not be done.
    pub simulated_ns: Option<u64>,
}
