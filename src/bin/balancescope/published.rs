//! `balancescope published`: published numbers, and ours beside them.

mod rows;

use crate::End;
use balancescope::experiment::published;
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
    /// On how many seeds a row is measured that needs runs. No such row is measured yet.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
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
    /// Nothing where no run measures the row yet.
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
}

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    let values = match values(args.only.as_deref()) {
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

fn values(only: Option<&str>) -> Result<Vec<Value>, String> {
    let mut rows = rows()?;
    if let Some(id) = only {
        let known: Vec<String> = rows.iter().map(|r| r.id.clone()).collect();
        rows.retain(|r| r.id == id);
        if rows.is_empty() {
            return Err(format!("{id} is no row; the rows are {}.", known.join(", ")));
        }
    }
    Ok(rows.into_iter().flat_map(of_row).collect())
}

fn of_row(row: Given) -> Vec<Value> {
    let exact = if row.kind == "exact" { published::exact(&row.id) } else { None };
    let value = |(at, published): (usize, f64)| {
        let ours = exact.as_ref().and_then(|values| values.get(at).copied());
        Value {
            id: row.id.clone(),
            value: at,
            published,
            ours,
            spread: None,
            // An exact value is a small integer or a count of 1024ths, so it has no rounding to allow for.
            holds: ours.map(|ours| ours == published),
            kind: row.kind.clone(),
            link: None,
            quantity: row.quantity.clone(),
            tolerance: row.tolerance.clone(),
            source: row.source.clone(),
        }
    };
    row.published.iter().copied().enumerate().map(value).collect()
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
        let (ours, verdict) = match (v.ours, v.holds) {
            (Some(ours), Some(true)) => (ours.to_string(), "holds"),
            (Some(ours), _) => (ours.to_string(), "does not hold"),
            (None, _) => ("-".to_owned(), "not measured yet"),
        };
        match v.holds {
            Some(true) => held += 1,
            Some(false) => missed += 1,
            None => open += 1,
        }
        let _ = writeln!(text, "  {:>14} {ours:>14}  {verdict}", v.published);
    }
    let _ = writeln!(text, "{held} hold, {missed} do not, {open} are not measured yet");
    text
}
