//! What the command line refuses, rather than run or check something else than was meant.

// A test may stop where the program does not start.
#![allow(clippy::unwrap_used)]

mod program;

use program::run as balancescope;

/// Exit code 2, one line on standard error that holds these words, nothing on standard output.
fn refused(args: &[&str], input: &str, words: &str) {
    let output = balancescope(args, input);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(said.contains(words), "{args:?}: {said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{args:?}: {said}");
}

#[test]
fn another_machine_than_the_one_that_was_meant_is_not_run() {
    refused(&["run", "machine=nonsense", "--for", "1ms"], "", "nonsense");
    refused(&["run", "machine=nonsense&load=0.9", "--for", "1ms"], "", "nonsense");
}

#[test]
fn a_file_without_a_scenario_is_not_the_default_scenario() {
    refused(&["run", "-", "--for", "1ms"], "", "is empty");
    refused(&["run", "-", "--for", "1ms"], "Hello, this is no scenario.\n", "Nothing was run.");
    refused(&["run", "-", "--for", "1ms"], "{\"load\": ", "Nothing was run.");
}

#[test]
fn a_slip_beside_what_can_be_used_is_said_and_the_rest_runs() {
    let output = balancescope(&["run", "load=0.5&laod=0.9", "--for", "1ms"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("load=0.5\n"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("laod"));
}

#[test]
fn runs_that_nobody_watches_take_no_slip() {
    refused(&["compare", "load=0.9", "load=0.9&laod=0.9", "--seeds", "1", "--for", "1ms"], "", "laod");
    refused(&["sweep", "machine=nonsense", "--vary", "load=0.1,0.2", "--for", "1ms"], "", "nonsense");
}

#[test]
fn a_recording_without_rows_proves_nothing() {
    for kind in ["decisions", "queues", "newidle", "detach", "intervals"] {
        refused(&["check", kind, "-"], "", "no recorded row");
    }
}
