//! `balancescope compare`: two scenarios on the same seeds.

use crate::{End, opened, run::duration, runner};
use balancescope::experiment::{Comparison, Figure, Spread, figures};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::fmt::Write as _;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// The one: a whole link, its fragment, a scenario's JSON file, or - for standard input.
    #[arg(allow_hyphen_values = true)]
    a: String,
    /// The other, in the same forms.
    #[arg(allow_hyphen_values = true)]
    b: String,
    /// On how many seeds, counted up from A's.
    #[arg(long, value_name = "N", default_value = "5")]
    seeds: String,
    /// Simulated time of each run.
    #[arg(long = "for", value_name = "TIME", default_value = "10s")]
    duration: String,
    /// Threads; by default one a CPU of this machine. The result is the same for any number.
    #[arg(long, value_name = "N")]
    jobs: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What is printed.
#[derive(Serialize)]
struct Compared {
    a: String,
    b: String,
    seeds: Vec<u64>,
    simulated_ns: u64,
    #[serde(serialize_with = "by_name")]
    figures: Vec<Figure>,
    #[serde(skip)]
    broken: usize,
}

fn by_name<S: Serializer>(figures: &[Figure], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(figures.len()))?;
    for figure in figures {
        map.serialize_entry(&figure.name, figure)?;
    }
    map.end()
}

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    let printed = compared(&args).and_then(|result| {
        let text = if args.json {
            serde_json::to_string_pretty(&result).map_err(|e| format!("The figures are no JSON: {e}."))?
        } else {
            table(&result)
        };
        crate::input::print(&text)?;
        Ok(result.broken)
    });
    match printed {
        Ok(0) => End::Done,
        Ok(_) => End::Differs,
        Err(sentence) => End::Refused(sentence),
    }
}

fn compared(args: &Args) -> Result<Compared, String> {
    let simulated_ns = duration(&args.duration)?;
    let jobs = runner::jobs(args.jobs.as_deref())?;
    let seeds = args.seeds.parse().map_err(|_| format!("--seeds {:?} is no number of seeds.", args.seeds))?;
    if args.a == "-" && args.b == "-" {
        return Err("Standard input can be one of the two scenarios, not both.".to_owned());
    }
    let (a, b) = (opened::scenario_whole(&args.a)?, opened::scenario_whole(&args.b)?);
    let (a_link, b_link) = (a.fragment(), b.fragment());
    let comparison = Comparison::new(a, b, seeds)?;
    let scenarios = comparison.scenarios();
    let mut runs = vec![Vec::new(); scenarios.len()];
    let mut broken = 0;
    runner::run_all(
        scenarios.len(),
        jobs,
        |i| runner::simulate(&scenarios[i], simulated_ns),
        |i, report| {
            let report = report?;
            broken += report.invariants_broken;
            report.broken.iter().for_each(|sentence| eprintln!("{sentence}"));
            let report = serde_json::to_value(&report).map_err(|e| format!("A report is no JSON: {e}."))?;
            runs[i] = figures(&report);
            Ok(())
        },
    )?;
    let figures = Comparison::table(&runs);
    Ok(Compared { a: a_link, b: b_link, seeds: comparison.seeds(), simulated_ns, figures, broken })
}

/// The figures that are not 0 throughout, for a person.
fn table(result: &Compared) -> String {
    let named =
        |link: &str| if link.is_empty() { "(the default scenario)".to_owned() } else { link.to_owned() };
    let mut out = format!("A  {}\nB  {}\n", named(&result.a), named(&result.b));
    let seeds = result.seeds.len();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{seeds} seed{} from {}, {} s each: mean ± standard deviation\n",
        if seeds == 1 { "" } else { "s" },
        result.seeds.first().copied().unwrap_or_default(),
        result.simulated_ns as f64 / 1e9,
    );
    let width = result.figures.iter().map(|figure| figure.name.len()).max().unwrap_or(0);
    let _ = writeln!(out, "{:<width$} {:>26} {:>26} {:>26} {:>9}", "figure", "A", "B", "B - A", "change");
    let mut nothing = 0;
    for f in &result.figures {
        if [f.a, f.b].iter().all(|side| side.mean.unwrap_or(0.0) == 0.0) {
            nothing += 1;
            continue;
        }
        let cells = [f.a, f.b, f.difference].map(cell);
        let _ = writeln!(
            out,
            "{:<width$} {:>26} {:>26} {:>26} {:>9}",
            f.name,
            cells[0],
            cells[1],
            cells[2],
            change(f)
        );
    }
    let _ = write!(out, "\n{nothing} more figures are 0 on both sides.");
    out
}

fn cell(spread: Spread) -> String {
    match (spread.mean, spread.sd) {
        (Some(mean), Some(sd)) => format!("{} ± {}", number(mean), number(sd)),
        (Some(mean), None) => number(mean),
        _ => "-".to_owned(),
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 1_000.0 => format!("{value:.0}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.5}"),
    }
}

fn change(figure: &Figure) -> String {
    match (figure.difference.mean, figure.a.mean) {
        (Some(difference), Some(a)) if a != 0.0 => format!("{:+.1} %", difference / a * 100.0),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_short_and_say_what_is_missing() {
        let spread = |mean, sd| Spread { n: 2, mean, sd };
        assert_eq!(cell(spread(Some(1234.5), Some(0.25))), "1234 ± 0.25000");
        assert_eq!(cell(spread(Some(0.0), None)), "0");
        assert_eq!(cell(spread(None, None)), "-");
    }
}
