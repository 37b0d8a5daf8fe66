//! `balancescope tree`.

mod text;

use crate::machine_of::{MachineOf, machine_of};
use crate::{End, parse_release};
use balancescope::topology::{DomainTree, Release, TreeJson};
use std::io::{self, BufWriter, Write};

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
    match print(&args) {
        Ok(()) => End::Done,
        Err(sentence) => End::Refused(sentence),
    }
}

fn print(args: &Args) -> Result<(), String> {
    let MachineOf { machine, release, rules } = machine_of(&args.input, args.release)?;
    let tree = DomainTree::build(&machine, &rules)?;
    for note in machine.check().notes {
        eprintln!("{note}");
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = if args.json {
        let json = TreeJson::new(&machine, &tree, &rules, release.name());
        serde_json::to_writer(&mut out, &json).map_err(io::Error::from)
    } else {
        out.write_all(text::tree(&machine, &tree, &rules, release).as_bytes())
    };
    match written.and_then(|()| writeln!(out)).and_then(|()| out.flush()) {
        // Whoever reads may go away; that is no failure of ours.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("Standard output cannot be written: {error}."))
        }
        _ => Ok(()),
    }
}
