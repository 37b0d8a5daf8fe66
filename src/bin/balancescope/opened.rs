//! The scenario behind an argument: a link, a fragment, a scenario's JSON file, or `-`.

use crate::read_text;
use balancescope::scenario::{Scenario, Warning};
use std::path::Path;

/// Reads a scenario. The error is one sentence.
pub fn scenario(argument: &str) -> Result<(Scenario, Vec<Warning>), String> {
    Ok(Scenario::parse(&text(argument)?))
}

/// The same, with the warnings on standard error.
#[allow(dead_code)] // Used by each subcommand that needs no more than the scenario.
pub fn scenario_aloud(argument: &str) -> Result<Scenario, String> {
    let (scenario, warnings) = scenario(argument)?;
    say(&warnings);
    Ok(scenario)
}

/// Prints warnings on standard error, a line each.
pub fn say(warnings: &[Warning]) {
    for warning in warnings {
        eprintln!("{}", warning.text);
    }
}

fn text(argument: &str) -> Result<String, String> {
    let path = Path::new(argument);
    let settings = argument.is_empty() || argument.contains(['=', '#', '{', '&']) || argument.contains("://");
    if argument == "-" || path.is_file() || !settings { read_text(path) } else { Ok(argument.to_owned()) }
}
