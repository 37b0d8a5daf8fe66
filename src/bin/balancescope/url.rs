//! `balancescope url`.

use crate::{End, opened};
use balancescope::scenario::{Scenario, Warning};
use serde::Serialize;
use std::io::Write;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// A whole link, its fragment, a scenario's JSON file, or - for standard input.
    #[arg(value_name = "FRAGMENT", allow_hyphen_values = true)]
    fragment: String,
    /// Print the scenario and what could not be used as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Printed<'a> {
    fragment: &'a str,
    scenario: &'a Scenario,
    warnings: &'a [Warning],
}

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    let (scenario, warnings) = match opened::scenario(&args.fragment) {
        Ok(opened) => opened,
        Err(sentence) => return End::Refused(sentence),
    };
    let fragment = scenario.fragment();
    let text = if args.json {
        let printed = Printed { fragment: &fragment, scenario: &scenario, warnings: &warnings };
        match serde_json::to_string_pretty(&printed) {
            Ok(text) => text,
            Err(error) => return End::Refused(format!("The scenario cannot be written as JSON: {error}.")),
        }
    } else {
        opened::say(&warnings);
        fragment
    };
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => End::Done,
        // Whoever reads has gone away; that is no failure of ours.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => End::Done,
        Err(error) => End::Refused(format!("Standard output cannot be written: {error}.")),
    }
}
