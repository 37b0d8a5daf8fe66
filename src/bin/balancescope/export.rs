//! `balancescope export`: a run as text that the usual tools read.

use crate::run::duration;
use crate::{End, opened};
use balancescope::engine::World;
use balancescope::export::{self, Names, Schedstat, SchedstatVersion, Series};
use balancescope::scenario::Scenario;
use std::io::{ErrorKind, IsTerminal, Write};

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// A whole link, its fragment, a scenario's JSON file, or - for standard input.
    #[arg(value_name = "URL", allow_hyphen_values = true)]
    url: String,
    /// What to write.
    #[arg(long = "as", value_name = "FORMAT")]
    format: Format,
    /// Simulated time to run.
    #[arg(long = "for", value_name = "TIME", default_value = "1s")]
    duration: String,
    /// Length of a row of csv and json; a hundredth of the run if left out.
    #[arg(long, value_name = "TIME")]
    every: Option<String>,
}

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// /proc/schedstat as kernels to 6.8 print it.
    Schedstat15,
    /// The same as from 6.9.
    Schedstat16,
    /// The same as from 6.14.
    Schedstat17,
    /// The kernel's trace file: sched_switch, sched_waking, sched_wakeup, sched_wakeup_new, sched_migrate_task.
    Ftrace,
    /// A trace for Perfetto's page: tasks on CPUs, balance attempts, counters. Binary.
    Perfetto,
    /// Balancing, CPU shares, throughput and latency over time, as a table.
    Csv,
    /// The same as JSON.
    Json,
    /// The tasks as rt-app's JSON, where their times are not drawn at random.
    RtApp,
}

/// A longer trace than this is not kept in memory: 24 million events.
const MOST_EVENTS: usize = 24_000_000;
/// Simulated time between two looks at the length of a trace, ns.
const PIECE: u64 = 10_000_000;
/// Rows of a table, unless their length is given.
const ROWS: u64 = 100;
/// Most rows of a table.
const MOST_ROWS: u64 = 1_000_000;

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    let written = write(&args).and_then(|bytes| {
        match std::io::stdout().lock().write_all(&bytes) {
            // A reader that closed the pipe has what it wanted.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(format!("Standard output cannot be written: {error}."))
            }
            _ => Ok(()),
        }
    });
    match written {
        Ok(()) => End::Done,
        Err(sentence) => End::Refused(sentence),
    }
}

fn write(args: &Args) -> Result<Vec<u8>, String> {
    let duration = duration(&args.duration)?;
    if args.format == Format::Perfetto && std::io::stdout().is_terminal() {
        return Err("A Perfetto trace is no text; write it into a file (… > run.perfetto-trace).".to_owned());
    }
    let scenario = opened::scenario_aloud(&args.url)?;
    let mut world = World::new(&scenario)?;
    match args.format {
        Format::Schedstat15 => counters(&mut world, &scenario, duration, SchedstatVersion::V15),
        Format::Schedstat16 => counters(&mut world, &scenario, duration, SchedstatVersion::V16),
        Format::Schedstat17 => counters(&mut world, &scenario, duration, SchedstatVersion::V17),
        Format::Ftrace => {
            let events = events(&mut world, duration)?;
            let (nice, comms) = (world.nice_levels(), world.task_names());
            Ok(export::ftrace(&events, &Names::new(world.machine(), &nice, &comms)).into_bytes())
        }
        Format::Perfetto => {
            let events = events(&mut world, duration)?;
            let (nice, comms) = (world.nice_levels(), world.task_names());
            Ok(export::perfetto(&events, world.tree(), &Names::new(world.machine(), &nice, &comms)))
        }
        Format::Csv => Ok(series(&mut world, duration, args)?.0.csv().into_bytes()),
        Format::RtApp => {
            let script = world.script()?;
            Ok(export::rt_app(&script, duration.div_ceil(1_000_000_000)).into_bytes())
        }
        Format::Json => json(&mut world, &scenario, duration, args),
    }
}

fn counters(
    world: &mut World,
    scenario: &Scenario,
    duration: u64,
    version: SchedstatVersion,
) -> Result<Vec<u8>, String> {
    world.listen(false);
    world.run_until(duration);
    let tape = world.tape().ok_or("Nothing was counted.")?;
    let (machine, tree, hz, now_ns) = (world.machine(), world.tree(), scenario.knobs.hz.0, world.now());
    Ok(export::schedstat(version, &Schedstat { machine, tree, tape, hz, now_ns }).into_bytes())
}

fn events(world: &mut World, duration: u64) -> Result<Vec<balancescope::observe::tape::Event>, String> {
    world.listen(true);
    while world.now() < duration {
        world.run_until(duration.min(world.now() + PIECE));
        if world.tape().is_some_and(|tape| tape.kept() > MOST_EVENTS) {
            return Err(format!(
                "More than {MOST_EVENTS} events happened before {} ns; choose a shorter time with --for.",
                world.now()
            ));
        }
    }
    Ok(world.tape_mut().map(|tape| tape.take_events()).unwrap_or_default())
}

/// The samples, and the length of each in ns.
fn series(world: &mut World, until: u64, args: &Args) -> Result<(Series, u64), String> {
    let every = match &args.every {
        Some(text) => duration(text).map_err(|why| why.replace("--for", "--every"))?,
        None => until.div_ceil(ROWS),
    };
    if every == 0 || until / every > MOST_ROWS {
        return Err(format!("--every must be a time above 0 that gives at most {MOST_ROWS} rows."));
    }
    let mut series = Series::new(world.tree().levels.iter().map(|level| level.name.as_str().to_owned()));
    series.add(&world.frame(false));
    while world.now() < until {
        world.run_until(until.min(world.now() + every));
        series.add(&world.frame(false));
    }
    Ok((series, every))
}

fn json(world: &mut World, scenario: &Scenario, until: u64, args: &Args) -> Result<Vec<u8>, String> {
    let (series, every) = series(world, until, args)?;
    let levels: Vec<&str> = world.tree().levels.iter().map(|level| level.name.as_str()).collect();
    let value = serde_json::json!({
        "scenario": scenario.fragment(),
        "simulated_ns": world.now(),
        "every_ns": every,
        "cpus": world.machine().cpus.len(),
        "levels": levels,
        "samples": series.samples(),
    });
    Ok(format!("{value:#}\n").into_bytes())
}
