//! `balancescope run`: a scenario from its start to a simulated time, and what happened.

mod summary;

use crate::{End, opened};
use balancescope::engine::World;
use balancescope::host::Report;
use balancescope::observe::Conservation;
use balancescope::scenario::Scenario;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::time::Instant;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// A whole link, its fragment, a scenario's JSON file, or - for standard input.
    #[arg(value_name = "URL", allow_hyphen_values = true)]
    url: String,
    /// Simulated time to run.
    #[arg(long = "for", value_name = "TIME", default_value = "10s")]
    duration: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Look for broken invariants at every simulated millisecond, not only at the end; slow.
    #[arg(long)]
    check: bool,
}

/// Pieces into which a run is cut, so that progress can be shown.
const PIECES: u64 = 200;
/// How often `--check` looks, simulated ns.
const CHECK_EVERY: u64 = 1_000_000;
/// Longest run, ns of simulated time: a day.
const LONGEST: u64 = 86_400 * 1_000_000_000;

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    match report(&args) {
        Ok(report) => print(&report, args.json),
        Err(sentence) => End::Refused(sentence),
    }
}

fn report(args: &Args) -> Result<Report, String> {
    let duration = duration(&args.duration)?;
    let scenario = opened::scenario_aloud(&args.url)?;
    let mut world = World::new(&scenario)?;
    let start = Instant::now();
    let check_every = if args.check { CHECK_EVERY } else { u64::MAX };
    let (conservation, broken) = advance(&mut world, duration, check_every);
    let wall_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut report = Report::of(scenario.fragment(), &world, Some(wall_ns));
    report.work_conservation = Some(conservation.report(world.now()));
    report.invariants_broken += broken.len();
    report.broken.splice(0..0, broken);
    Ok(report)
}

/// Reads the `--for` of each subcommand that runs a scenario: `10s`, as a scenario's `at` is read. The error is
/// one sentence.
pub fn duration(text: &str) -> Result<u64, String> {
    let plain = text.chars().all(|c| c.is_ascii_digit() || c.is_alphabetic() || c == '.');
    let (scenario, warnings) = Scenario::parse(&format!("at={text}"));
    match scenario.at_ns {
        Some(ns) if plain && warnings.is_empty() && ns <= LONGEST => Ok(ns),
        _ => Err(format!("--for {text:?} is no time that can be run; write 500ms or 10s, a day at most.")),
    }
}

/// Time between two looks at idle CPUs and waiting tasks, ns: a tenth of a tick of 1000 HZ.
const LOOK: u64 = 100_000;

/// Runs, looks at idle CPUs beside waiting tasks, and looks for broken invariants once in so many ns. Where some are
/// broken, later ones are not looked for.
fn advance(world: &mut World, duration: u64, check_every: u64) -> (Conservation, Vec<String>) {
    let mut conservation = world.conservation();
    let mut broken = Vec::new();
    let mut check_at = check_every;
    // The bar stays hidden where standard error is no terminal.
    let style = ProgressStyle::with_template("{bar:40} {percent} % {eta}");
    let bar = ProgressBar::new(PIECES).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    for piece in 1..=PIECES {
        let until = (u128::from(duration) * u128::from(piece) / u128::from(PIECES)) as u64;
        while world.now() < until {
            world.show_to(&mut conservation);
            world.run_until(until.min(world.now() + LOOK).min(check_at));
            if world.now() == check_at {
                let found = if broken.is_empty() { world.check_invariants() } else { Vec::new() };
                broken.extend(found.into_iter().map(|sentence| format!("At {check_at} ns: {sentence}")));
                check_at = check_at.saturating_add(check_every);
            }
        }
        bar.set_position(piece);
    }
    bar.finish_and_clear();
    (conservation, broken)
}

fn print(report: &Report, json: bool) -> End {
    let text = if json {
        match serde_json::to_string_pretty(report) {
            Ok(text) => text,
            Err(error) => return End::Refused(format!("The report cannot be written as JSON: {error}.")),
        }
    } else {
        summary::text(report)
    };
    for sentence in &report.broken {
        eprintln!("{sentence}");
    }
    let divided = report.newidle_gate.policy_divided_by_zero;
    if divided > 0 {
        eprintln!("The newidle policy divided by 0 in {divided} passes, and those were refused.");
    }
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            End::Refused(format!("Standard output cannot be written: {error}."))
        }
        _ if report.broken.is_empty() => End::Done,
        _ => End::Differs,
    }
}
