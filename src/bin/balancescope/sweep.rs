//! `balancescope sweep`: a scenario at every combination of some settings' values.

mod line;
mod store;
mod stream;

use crate::{End, opened, run::duration, runner};
use balancescope::experiment::{Axis, Shard, Sweep};
use std::path::{Path, PathBuf};
use store::Store;
use stream::Stream;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// A whole link, its fragment, a scenario's JSON file, or - for standard input.
    #[arg(value_name = "URL", allow_hyphen_values = true)]
    url: String,
    /// A setting and its values: K=a,b,c or K=lo..hi/n (n values, both ends included). May be given again.
    #[arg(long, value_name = "K=VALUES")]
    vary: Vec<String>,
    /// Threads; by default one a CPU of this machine. The lines are the same for any number.
    #[arg(long, value_name = "N")]
    jobs: Option<String>,
    /// Only this share of the runs, from 1/n to n/n.
    #[arg(long, value_name = "i/n")]
    shard: Option<String>,
    /// Where the lines go. If the file is there, the runs whose lines it holds are not done again.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Simulated time of each run.
    #[arg(long = "for", value_name = "TIME", default_value = "10s")]
    duration: String,
    /// Lines are JSON in any case.
    #[arg(long, hide = true)]
    json: bool,
}

/// What is to be run, and for how long.
pub struct Plan {
    pub sweep: Sweep,
    pub shard: Shard,
    /// ns.
    pub simulated_ns: u64,
}

/// Where lines go.
enum Sink {
    Stream(Stream),
    Store(Store),
}

impl Sink {
    fn open(out: Option<&Path>, plan: &Plan) -> Result<Self, String> {
        match out {
            None => Ok(Self::Stream(Stream::stdout())),
            Some(path) if path.as_os_str() == "-" => Ok(Self::Stream(Stream::stdout())),
            // A device or a pipe cannot be read back.
            Some(path) if path.exists() && !path.is_file() => Stream::to(path).map(Self::Stream),
            Some(path) => Store::open(path, plan).map(Self::Store),
        }
    }

    fn has(&self, index: u64) -> bool {
        matches!(self, Self::Store(store) if store.has(index))
    }

    fn put(&mut self, place: usize, index: u64, line: String) -> Result<(), String> {
        match self {
            Self::Stream(stream) => stream.put(place, &line),
            Self::Store(store) => store.put(index, &line),
        }
    }

    fn closed(&self) -> bool {
        matches!(self, Self::Stream(stream) if stream.closed())
    }

    fn finish(self) -> Result<(), String> {
        match self {
            Self::Stream(_) => Ok(()),
            Self::Store(store) => store.finish(),
        }
    }
}

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    match swept(&args) {
        Ok(0) => End::Done,
        Ok(1) => refused_some("One run"),
        Ok(n) => refused_some(&format!("{n} runs")),
        Err(sentence) => End::Refused(sentence),
    }
}

fn refused_some(runs: &str) -> End {
    eprintln!("{runs} could not be done or broke an invariant; the lines say which.");
    End::Differs
}

/// Runs what is left. Says how many runs did not go well.
fn swept(args: &Args) -> Result<usize, String> {
    let simulated_ns = duration(&args.duration)?;
    let jobs = runner::jobs(args.jobs.as_deref())?;
    let shard = args.shard.as_deref().map_or(Ok(Shard::ALL), Shard::parse)?;
    let axes = args.vary.iter().map(|text| Axis::parse(text)).collect::<Result<_, _>>()?;
    let sweep = Sweep::new(opened::scenario_whole(&args.url)?, axes)?;
    let plan = Plan { sweep, shard, simulated_ns };
    let mut sink = Sink::open(args.out.as_deref(), &plan)?;
    let mine = || (0..plan.sweep.len()).filter(|&index| plan.shard.has(index));
    let left: Vec<u64> = mine().filter(|&index| !sink.has(index)).collect();
    let there = mine().count() - left.len();
    if there > 0 {
        eprintln!("{there} of {} runs are already there.", there + left.len());
    }
    let mut bad = 0;
    let done = runner::run_all(
        left.len(),
        jobs,
        |place| line::of(&plan, left[place]),
        |place, line| {
            let line = line?;
            bad += usize::from(!line.good);
            sink.put(place, left[place], line.text)
        },
    );
    if !sink.closed() {
        done.and(sink.finish())?;
    }
    Ok(bad)
}
