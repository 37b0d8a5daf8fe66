//! `balancescope check`: recorded kernel decisions held against our rules.

mod decisions;
mod detach;
mod domains;
mod intervals;
mod newidle;
mod queues;
mod rates;
mod rows;
mod tally;

pub use tally::Tally;

use crate::End;
use balancescope::balance::Rules;
use balancescope::topology::Release;
use std::path::PathBuf;

/// What the recorded rows are.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Machines and the domain trees a kernel built for them.
    Domains,
    /// Busiest groups, imbalances and amounts.
    Decisions,
    /// Busiest queues.
    Queues,
    /// Levels of new-idle passes.
    Newidle,
    /// Sizes of detached and refused tasks.
    Detach,
    /// Intervals and failure counters after a balance.
    Intervals,
    /// Rates under a plain workload, held against a simulation of it.
    Rates,
}

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// What the recorded rows are.
    kind: Kind,
    /// Files with recorded rows; `-` is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The release whose rules are held against them.
    #[arg(long, default_value = "6.1", value_parser = crate::parse_release)]
    release: Release,
}

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    let rules = Rules::of(args.release);
    let mut tally = Tally::default();
    for file in &args.files {
        let text = match crate::read_text(file) {
            Ok(text) => text,
            Err(sentence) => return End::Refused(sentence),
        };
        let label = file.display().to_string();
        let checked = match args.kind {
            Kind::Domains => domains::check(&label, &text, args.release, &mut tally),
            Kind::Decisions => decisions::check(&label, &text, &rules, &mut tally),
            Kind::Queues => queues::check(&label, &text, &rules, &mut tally),
            Kind::Newidle => newidle::check(&label, &text, &rules, &mut tally),
            Kind::Detach => detach::check(&label, &text, &rules, &mut tally),
            Kind::Rates => rates::check(&label, &text, args.release, &mut tally),
            Kind::Intervals => intervals::check(&label, &text, &rules, &mut tally),
        };
        if let Err(sentence) = checked {
            return End::Refused(format!("{label}: {sentence}"));
        }
    }
    tally.finish()
}
