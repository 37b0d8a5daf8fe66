//! `balancescope published`: published numbers, and ours beside them.

mod rows;
mod runs;

use crate::{End, runner};
use balancescope::experiment::Spread;
use balancescope::experiment::published::{self, Case};
use balancescope::scenario::Scenario;
use rows::{Given, rows};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// One row by its id.
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// On how many seeds each row is measured that needs runs.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
    /// Threads; by default one a CPU of this machine. The result is the same for any number.
    #[arg(long, value_name = "N")]
    jobs: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// One published value and ours.
#[derive(Serialize)]
struct Value {
    id: String,
    /// Which of the row's values, from 0.
    value: usize,
    published: f64,
    /// The mean over the seeds; nothing where no run has the value.
    ours: Option<f64>,
    /// Standard deviation over the seeds; nothing where a rule has no seed.
    spread: Option<f64>,
    holds: Option<bool>,
    kind: String,
    /// A fragment that shows it, where a run does.
    link: Option<String>,
    quantity: String,
    tolerance: String,
    source: String,
    /// What was assumed where the source says nothing; nothing for a rule.
    assumed: Option<&'static str>,
    /// What was fitted to this row, if anything was.
    fitted: Option<&'static str>,
    /// Why the row does not hold, as far as that is known.
    missed: Option<&'static str>,
}

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    let values = match values(&args) {
        Ok(values) => values,
        Err(sentence) => return End::Refused(sentence),
    };
    let text = if args.json {
        match serde_json::to_string_pretty(&values) {
            Ok(text) => text + "\n",
            Err(error) => return End::Refused(format!("The rows cannot be written as JSON: {error}.")),
        }
    } else {
        table(&values)
    };
    let missed = values.iter().any(|v| v.holds == Some(false));
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            End::Refused(format!("Standard output cannot be written: {error}."))
        }
        _ if missed => End::Differs,
        _ => End::Done,
    }
}

fn values(args: &Args) -> Result<Vec<Value>, String> {
    let mut rows = rows()?;
    if let Some(id) = args.only.as_deref() {
        let known: Vec<String> = rows.iter().map(|r| r.id.clone()).collect();
        rows.retain(|r| r.id == id);
        if rows.is_empty() {
            return Err(format!("{id} is no row; the rows are {}.", known.join(", ")));
        }
    }
    let jobs = runner::jobs(args.jobs.as_deref())?;
    let cases: Vec<&Case> = rows.iter().filter_map(|row| published::case(&row.id)).collect();
    let measured = runs::values(&cases, args.seeds.into(), jobs)?;
    let of = |id: &str| {
        let at = cases.iter().position(|case| case.id == id)?;
        Some((cases[at], &measured[at][..]))
    };
    Ok(rows
        .into_iter()
        .flat_map(|row| match of(&row.id) {
            Some((case, ours)) => by_runs(&row, case, ours),
            None => by_rule(&row),
        })
        .collect())
}

/// A row that is an integer rule.
fn by_rule(row: &Given) -> Vec<Value> {
    let exact = if row.kind == "exact" { published::exact(&row.id) } else { None };
    let value = |at: usize| {
        let ours = exact.as_ref().and_then(|values| values.get(at).copied());
        // An exact value is a small integer or a count of 1024ths, so it has no rounding to allow for.
        Value { ours, holds: ours.map(|ours| ours == row.published[at]), ..empty(row, at) }
    };
    (0..row.published.len()).map(value).collect()
}

/// A row that was measured.
fn by_runs(row: &Given, case: &'static Case, ours: &[Spread]) -> Vec<Value> {
    let given = published::Given { published: &row.published, deviations: &row.deviations };
    let holds = (case.holds)(&given, ours);
    let links: Vec<String> = (case.plans)().iter().map(|plan| link(&plan.fragment)).collect();
    let text = |text: &'static str| Some(text).filter(|text| !text.is_empty());
    let value = |at: usize| Value {
        ours: ours.get(at).and_then(|ours| ours.mean).filter(|mean| mean.is_finite()),
        spread: ours.get(at).and_then(|ours| ours.sd).filter(|sd| sd.is_finite()),
        holds: holds.get(at).copied(),
        link: links.get((case.shown_by)(at)).cloned(),
        assumed: text(case.assumed),
        fitted: text(case.fitted),
        missed: if holds.iter().all(|holds| *holds) { None } else { text(case.missed) },
        ..empty(row, at)
    };
    (0..row.published.len()).map(value).collect()
}

fn link(fragment: &str) -> String {
    Scenario::parse(fragment).0.fragment()
}

/// A value without an answer.
fn empty(row: &Given, at: usize) -> Value {
    Value {
        id: row.id.clone(),
        value: at,
        published: row.published[at],
        ours: None,
        spread: None,
        holds: None,
        kind: row.kind.clone(),
        link: None,
        quantity: row.quantity.clone(),
        tolerance: row.tolerance.clone(),
        source: row.source.clone(),
        assumed: None,
        fitted: None,
        missed: None,
    }
}

fn table(values: &[Value]) -> String {
    let mut text = String::new();
    let (mut held, mut missed, mut open) = (0, 0, 0);
    let mut last = "";
    for v in values {
        if v.id != last {
            let _ = writeln!(text, "{} ({}): {}", v.id, v.kind, v.quantity);
            last = &v.id;
        }
        let verdict = match v.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "not measured",
        };
        let ours = v.ours.map_or_else(|| "-".to_owned(), short);
        let spread = v.spread.map_or_else(String::new, |spread| format!("+- {}", short(spread)));
        match v.holds {
            Some(true) => held += 1,
            Some(false) => missed += 1,
            None => open += 1,
        }
        let _ = writeln!(text, "  {:>14} {ours:>14} {spread:<14} {verdict}", v.published);
    }
    let _ = writeln!(text, "{held} hold, {missed} do not, {open} are not measured");
    text
}

/// Four digits are enough to compare; whole numbers are written whole.
fn short(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        return value.to_string();
    }
    let digits = if value.abs() >= 1000.0 {
        0
    } else if value.abs() >= 1.0 {
        2
    } else {
        5
    };
    format!("{value:.digits$}")
}
