//! The scenario behind an argument: a link, a fragment, a scenario's JSON file, or `-`.

use crate::read_text;
use balancescope::scenario::{Scenario, Warning};
use std::path::Path;

/// Reads a scenario. The error is one sentence.
pub fn scenario(argument: &str) -> Result<(Scenario, Vec<Warning>), String> {
    Ok(Scenario::parse(&text(argument)?))
}

/// The same, with the warnings on standard error; refused if nothing of it, or not its machine, can be used, since
/// then another scenario than the one that was meant would run.
pub fn scenario_aloud(argument: &str) -> Result<Scenario, String> {
    let (scenario, warnings) = scenario(argument)?;
    let nothing = scenario == Scenario::default();
    let machine = warnings.iter().find(|w| w.key.as_deref() == Some("machine"));
    if let Some(warning) = machine.or(warnings.first().filter(|_| nothing)) {
        return Err(refusal(warning));
    }
    say(&warnings);
    Ok(scenario)
}

/// The same, refused if anything of it cannot be used: for runs that nobody watches.
pub fn scenario_whole(argument: &str) -> Result<Scenario, String> {
    match scenario(argument)? {
        (scenario, warnings) if warnings.is_empty() => Ok(scenario),
        (_, warnings) => Err(refusal(&warnings[0])),
    }
}

fn refusal(warning: &Warning) -> String {
    format!("Nothing was run. {}", warning.text)
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
    if argument != "-" && !path.is_file() && settings {
        return Ok(argument.to_owned());
    }
    let text = read_text(path)?;
    if text.trim().is_empty() {
        return Err(format!("{argument} is empty; it holds no scenario."));
    }
    Ok(text)
}
