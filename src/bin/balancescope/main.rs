//! The command line.

mod activity;
mod check;
mod compare;
mod export;
mod import;
mod input;
mod machine_of;
mod opened;
mod published;
mod run;
mod runner;
mod sweep;
mod tree;
mod url;
mod why;

use clap::{Parser, Subcommand};
pub use input::{parse_release, read_bytes, read_text};
use std::process::ExitCode;

/// A laboratory for the Linux scheduler's load balancer.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario and print what happened.
    Run(run::Args),
    /// Run two scenarios on the same seeds and print how far they differ.
    Compare(compare::Args),
    /// Run a scenario at every combination of some settings' values, a line of JSON a run.
    Sweep(sweep::Args),
    /// Print the domain tree of a machine or file.
    Tree(tree::Args),
    /// Hold recorded kernel decisions against our rules.
    Check(check::Args),
    /// Read a file from a real machine.
    Import(import::Args),
    /// Run a scenario and write it as the kernel's tools write a real machine.
    Export(export::Args),
    /// Hold published numbers against ours.
    Published(published::Args),
    /// Print the canonical form of a link.
    Url(url::Args),
    /// Print what the balancer decided in a span of time, and why.
    Why(why::Args),
}

/// What a subcommand ends with: done, ran but does not hold, or one sentence why it cannot run.
pub enum End {
    /// Exit code 0.
    Done,
    /// Exit code 1.
    Differs,
    /// Exit code 2, after this sentence on standard error.
    Refused(String),
}

fn main() -> ExitCode {
    let end = match Cli::parse().command {
        Command::Run(args) => run::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Sweep(args) => sweep::run(args),
        Command::Tree(args) => tree::run(args),
        Command::Check(args) => check::run(args),
        Command::Import(args) => import::run(args),
        Command::Export(args) => export::run(args),
        Command::Published(args) => published::run(args),
        Command::Url(args) => url::run(args),
        Command::Why(args) => why::run(args),
    };
    match end {
        End::Done => ExitCode::SUCCESS,
        End::Differs => ExitCode::from(1),
        End::Refused(sentence) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}
