//! `balancescope tree`.

mod text;

use crate::machine_of::{MachineOf, machine_of};
use crate::{End, parse_release};
use balancescope::topology::{DomainTree, Recorded, Release};
use std::io::Write;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// A file from a real machine, a recorded machine, a link, a named machine, a grid such as 2x56x2, or -
    /// for standard input.
    #[arg(value_name = "FILE|URL", allow_hyphen_values = true)]
    input: String,
    /// Whose rules build the tree; without it, the release that the input names.
    #[arg(long, value_parser = parse_release)]
    release: Option<Release>,
    /// Print every CPU's domains as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    match printed(&args) {
        Ok(text) => print(&text),
        Err(sentence) => End::Refused(sentence),
    }
}

fn printed(args: &Args) -> Result<String, String> {
    let MachineOf { machine, release, rules } = machine_of(&args.input, args.release)?;
    let tree = DomainTree::build(&machine, &rules)?;
    for note in machine.check().notes {
        eprintln!("{note}");
    }
    if !args.json {
        return Ok(text::tree(&machine, &tree, &rules, release));
    }
    serde_json::to_string(&Recorded::of(&machine, &tree, &rules, release.name()))
        .map_err(|error| format!("The tree cannot be written as JSON: {error}."))
}

fn print(text: &str) -> End {
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => End::Done,
        // Whoever reads has gone away; that is no failure of ours.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => End::Done,
        Err(error) => End::Refused(format!("Standard output cannot be written: {error}.")),
    }
}
