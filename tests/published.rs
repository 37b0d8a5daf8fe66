//! `balancescope published`, as a script calls it.

// A test may stop where the program does not start.
#![allow(clippy::unwrap_used)]

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
    let exact: Vec<Value> = rows(&[]).into_iter().filter(|r| r["kind"] == "exact").collect();
    assert_eq!(exact.len(), 7 + 4 + 5 + 6);
    for row in exact {
        assert_eq!(row["holds"], true, "{row}");
        assert_eq!(row["ours"], row["published"]);
    }
}

#[test]
fn a_row_that_was_not_measured_does_not_say_that_it_holds() {
    for row in rows(&[]) {
        assert_eq!(row["ours"].is_null(), row["holds"].is_null(), "{row}");
    }
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
