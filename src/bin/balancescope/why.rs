//! `balancescope why`: what the balancer decided in a span of simulated time, and why, as a log.

use crate::run::duration;
use crate::{End, opened};
use balancescope::engine::World;
use balancescope::observe::{Reason, What, lines};
use std::io::{BufWriter, Write};

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// A whole link, its fragment, a scenario's JSON file, or - for standard input.
    #[arg(value_name = "URL", allow_hyphen_values = true)]
    url: String,
    /// Simulated time at which the log begins.
    #[arg(long, value_name = "TIME", default_value = "0s")]
    from: String,
    /// Simulated time that it spans.
    #[arg(long = "for", value_name = "TIME", default_value = "10ms")]
    duration: String,
    /// Only what concerns this CPU, by the kernel's number.
    #[arg(long, value_name = "N")]
    cpu: Option<u32>,
    /// Print JSON, a line for each thing that happened.
    #[arg(long)]
    json: bool,
}

/// Events handled between two looks at what happened: fewer than the ring holds reasons.
const PIECE_EVENTS: u64 = 256;

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    match log(&args) {
        Ok(()) => End::Done,
        Err(sentence) => End::Refused(sentence),
    }
}

fn log(args: &Args) -> Result<(), String> {
    let from = duration(&args.from).map_err(|why| why.replace("--for", "--from"))?;
    let until = from + duration(&args.duration)?;
    let scenario = opened::scenario_aloud(&args.url)?;
    let mut world = World::new(&scenario)?;
    let cpu = args.cpu.map(|id| index_of(&world, id)).transpose()?;
    world.run_until(from);
    world.read_reasons(true);
    let mut out = BufWriter::new(std::io::stdout().lock());
    loop {
        let done = world.run_budget(until, PIECE_EVENTS);
        let (reasons, lost) = world.take_reasons();
        if lost > 0 {
            eprintln!("{lost} reasons at {} ns were too long to be kept.", world.now());
        }
        let concerned = reasons.iter().filter(|r| cpu.is_none_or(|cpu| concerns(r, cpu)));
        for reason in concerned {
            match print(&mut out, &world, reason, args.json) {
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
                result => result.map_err(|error| format!("Standard output cannot be written: {error}."))?,
            }
        }
        if done {
            return out.flush().map_err(|error| format!("Standard output cannot be written: {error}."));
        }
    }
}

fn index_of(world: &World, id: u32) -> Result<u32, String> {
    let place = world.machine().cpus.iter().position(|cpu| cpu.id == id);
    place.map(|index| index as u32).ok_or_else(|| format!("The machine has no CPU {id}."))
}

fn concerns(reason: &Reason, cpu: u32) -> bool {
    let other = match reason.what {
        What::Attempt(attempt) => attempt.cpu == cpu,
        What::Kick(to) => to == Some(cpu),
        What::ActiveStarted(from, to) => from == cpu || to == cpu,
        What::Pushed(to, _) | What::Placed(_, to) => to == cpu,
        What::Overload(_) => false,
    };
    other || reason.cpu == cpu || reason.source == Some(cpu)
}

fn print(out: &mut impl Write, world: &World, reason: &Reason, json: bool) -> std::io::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, reason)?;
        return writeln!(out);
    }
    for line in lines(reason, world.machine(), world.tree()) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
