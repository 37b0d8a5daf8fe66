//! `balancescope url`.

use crate::End;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {}

/// Runs the subcommand.
pub fn run(_: Args) -> End {
    End::Refused("Not here yet.".to_owned())
}
