//! `balancescope published`, as a script calls it.

// A test may stop where the program does not start.
#![allow(clippy::unwrap_used)]

use balancescope::scenario::Scenario;
use serde_json::Value;
use std::process::{Command, Output};

fn published(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_balancescope")).arg("published").args(args).output().unwrap()
}

fn rows(args: &[&str]) -> Vec<Value> {
    let args = [args, &["--json"]].concat();
    serde_json::from_slice(&published(&args).stdout).unwrap()
}

#[test]
fn every_exact_row_holds_to_the_last_digit() {
    for (id, count) in [("bump-decay", 7), ("avg-idle-cap", 4), ("random-floor", 5), ("pelt", 6)] {
        let rows = rows(&["--only", id]);
        assert_eq!(rows.len(), count);
        for row in rows {
            assert_eq!((&row["kind"], &row["holds"]), (&"exact".into(), &true.into()), "{row}");
            assert_eq!(row["ours"], row["published"]);
        }
    }
}

#[test]
fn a_row_that_needs_runs_is_measured_on_every_seed_and_shown_by_a_link() {
    let measured = |jobs| rows(&["--only", "newidle-share-48", "--seeds", "2", "--jobs", jobs]);
    let rows = measured("2");
    assert_eq!(rows.len(), 4);
    for row in &rows {
        assert!(row["ours"].is_number() && row["spread"].is_number() && row["holds"].is_boolean(), "{row}");
        let (_, warnings) = Scenario::parse(row["link"].as_str().unwrap());
        assert_eq!(warnings, [], "{row}");
    }
    assert_eq!(rows, measured("1"), "The number of threads changes nothing.");
}

#[test]
fn one_row_can_be_asked_for() {
    let rows = rows(&["--only", "bump-decay"]);
    assert_eq!(rows.len(), 7);
    assert!(rows.iter().all(|r| r["id"] == "bump-decay"));
}

#[test]
fn an_unknown_row_is_refused_in_a_sentence() {
    let output = published(&["--only", "nonsense"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("nonsense is no row; the rows are "));
}

#[test]
fn a_number_of_seeds_may_be_asked_for() {
    assert_eq!(published(&["--only", "pelt", "--seeds", "3"]).status.code(), Some(0));
    assert_eq!(published(&["--only", "pelt", "--seeds", "0"]).status.code(), Some(2));
}
