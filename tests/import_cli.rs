//! `balancescope import` as a script sees it: JSON alone on standard output, one sentence and exit code 2 for
//! what cannot be used.

// Helpers outside of test functions are held to the rules of production code otherwise.
#![allow(clippy::expect_used, clippy::unwrap_used)]
#![cfg(feature = "cli")]

mod program;

use balancescope::scenario::Scenario;
use std::process::Output;

fn import(args: &[&str], input: &str) -> Output {
    program::run(&[&["import"], args].concat(), input)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn json_has_what_scripts_rely_on() {
    let output = import(&["tests/data/import/p-bad-rows.txt", "--json"], "");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON alone");
    assert_eq!(json["kind"], "lscpu-p");
    assert_eq!(json["facts"]["cpus"], 5);
    assert!(json["assumed"].as_array().is_some_and(|a| !a.is_empty()));
    assert!(json["warnings"].as_array().is_some_and(|w| w.iter().any(|w| w["line"] == 4)));
    let fragment = json["scenario"].as_str().expect("a fragment");
    let (scenario, warnings) = Scenario::parse(fragment);
    assert_eq!((warnings, scenario.fragment().as_str()), (vec![], fragment));
    assert_eq!(scenario.machine().map(|m| m.cpus.len()), Ok(5));
}

#[test]
fn standard_input_and_words_for_people() {
    let output = import(&["-"], "node 0 cpus: 0 1\nnode 0 cpus: 2\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("Read as numactl --hardware.\n"));
    assert_eq!(text(&output.stderr), "standard input:2: Node 0 was listed before; the first list stands.\n");
}

#[test]
fn what_cannot_be_used_is_one_sentence_and_exit_code_2() {
    for (args, input, says) in [
        (vec!["-"], "", "standard input: This is empty."),
        (vec!["tests/data/import/hwloc-cut-off.xml"], "", "hwloc-cut-off.xml: Line 5: The XML is cut off"),
        (vec!["tests/data/import/no-such-file"], "", "no-such-file: cannot be read"),
        (vec!["tests/data/import"], "", "tests/data/import: cannot be read"),
        (vec!["--as", "hwloc", "-"], "CPU(s): 2\n", "This is not hwloc XML"),
        (vec!["--as", "tarot", "-"], "CPU(s): 2\n", "the kinds that can be read are lscpu"),
    ] {
        let output = import(&args, input);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((output.status.code(), out), (Some(2), ""), "{args:?}");
        assert!(err.contains(says), "{args:?}: {err}");
    }
}
