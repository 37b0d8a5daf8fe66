//! `balancescope tree` and `balancescope check domains`, run as a script would.

// A helper of a test may fail as the test does.
#![allow(clippy::unwrap_used)]

mod program;

use program::run;
use std::path::PathBuf;
use std::process::Output;

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn recorded(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/domains").join(name)
}

#[test]
fn check_domains_counts_fields_and_accepts_several_files() {
    let (ring, smt) = (recorded("ring4.json"), recorded("smt-4x2.json"));
    let files = [ring.to_str().unwrap(), smt.to_str().unwrap()];
    let output = run(&["check", "domains", files[0], files[1], "--release", "6.1"], "");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    let last = text.lines().last().unwrap();
    assert!(last.ends_with(" match, 0 differ"), "{last}");
    assert!(!last.starts_with("0 "), "{last}");
}

#[test]
fn check_domains_prints_what_differs_and_exits_with_1() {
    let text = std::fs::read_to_string(recorded("ring4.json")).unwrap();
    let text = text.replacen("\"imbalance_pct\":117", "\"imbalance_pct\":118", 1);
    let output = run(&["check", "domains", "-", "--release", "6.1.192"], &text);
    assert_eq!(output.status.code(), Some(1));
    let printed = out(&output);
    assert_eq!(printed.lines().count(), 2, "{printed}");
    assert!(printed.contains("cpu 0 domain 0 MC: imbalance_pct: recorded 118, ours 117"), "{printed}");
    assert!(printed.trim_end().ends_with(", 1 differ"), "{printed}");
}

#[test]
fn check_domains_prints_20_rows_at_most() {
    let text = std::fs::read_to_string(recorded("ring4.json")).unwrap();
    let text = text.replace("\"imbalance_pct\":117", "\"imbalance_pct\":118");
    let output = run(&["check", "domains", "-", "--release", "6.1"], &text);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(out(&output).lines().count(), 21);
}

#[test]
fn tree_json_has_the_shape_of_the_recordings() {
    let ring = recorded("ring4.json");
    let output = run(&["tree", ring.to_str().unwrap(), "--json", "--release", "6.1"], "");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let ours: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    let theirs: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(ring).unwrap()).unwrap();
    for (chain, recorded) in
        ours["domains"].as_array().unwrap().iter().zip(theirs["domains"].as_array().unwrap())
    {
        for (level, recorded) in
            chain["levels"].as_array().unwrap().iter().zip(recorded["levels"].as_array().unwrap())
        {
            for (field, value) in recorded.as_object().unwrap() {
                assert_eq!(&level[field], value, "{field}");
            }
            assert!(level["imb_numa_nr"].is_u64());
        }
    }
    // What `tree` prints, `check` and `tree` read.
    let again = run(&["check", "domains", "-", "--release", "6.1"], &out(&output));
    assert_eq!(again.status.code(), Some(0), "{}", out(&again));
}

#[test]
fn tree_takes_names_grids_links_and_standard_input() {
    for (argument, input) in [
        ("epyc-1x64x2-nps4", ""),
        ("2x8x2-nodes2-llc2", ""),
        ("#machine=2x4x2&release=6.1", ""),
        ("https://example.org/lab/#machine=2x4x2", ""),
        ("-", "2x4x2\n"),
        ("-", "#machine=2x4x2&release=4.19"),
        ("-", "{\"machine\":\"2x4x2\",\"release\":\"6.12\"}"),
    ] {
        let output = run(&["tree", argument], input);
        assert_eq!(output.status.code(), Some(0), "{argument}: {}", err(&output));
        assert!(out(&output).contains("SMT"), "{argument}");
    }
    let release = |args: &[&str]| out(&run(args, "")).lines().next().unwrap().to_owned();
    assert!(release(&["tree", "#machine=2x4x2&release=4.19"]).ends_with("rules of 4.19"));
    assert!(
        release(&["tree", "#machine=2x4x2&release=4.19", "--release", "6.12"]).ends_with("rules of 6.12")
    );
}

#[test]
fn what_cannot_be_used_is_refused_in_one_sentence() {
    let lists_no_cpus = "{\"domains\":[]}";
    let crossed = r#"{"cpus":[{"cpu":0,"smt_siblings":[0,1]},{"cpu":1,"smt_siblings":[1]}],"domains":[]}"#;
    let twice = r#"{"cpus":[{"cpu":0,"smt_siblings":[0]},{"cpu":0,"smt_siblings":[0]}]}"#;
    let narrow =
        r#"{"cpus":[{"cpu":0,"smt_siblings":[0]}],"nodes":[{"node":0,"cpus":[0],"distance":[10,20]}]}"#;
    let far =
        r#"{"cpus":[{"cpu":0,"smt_siblings":[0]}],"nodes":[{"node":0,"cpus":[0],"distance":[4000000000]}]}"#;
    for (argument, input) in [
        ("no-such-machine", ""),
        ("100000x1x1", ""),
        ("99999999999999999999x1x1", ""),
        ("0x1x1", ""),
        ("2x7x2-nodes2", ""),
        ("2x8x2-llc3", ""),
        ("2x8x2-llc0", ""),
        ("2x8x2-what", ""),
        ("/no/such/file.txt", ""),
        ("#machine=100000x1x1", ""),
        ("#machine=nothing", ""),
        ("-", ""),
        ("-", lists_no_cpus),
        ("-", crossed),
        ("-", twice),
        ("-", narrow),
        ("-", far),
        ("-", "{\"cpus\":3,\"domains\":4}"),
        ("-", "once upon a time"),
    ] {
        let output = run(&["tree", argument, "--json"], input);
        assert_eq!(output.status.code(), Some(2), "{argument} {input}: {}", out(&output));
        assert!(out(&output).is_empty(), "{argument} {input}");
        let sentence = err(&output);
        assert_eq!(sentence.trim_end().lines().count(), 1, "{argument} {input}: {sentence}");
        assert!(!sentence.contains("panicked"), "{sentence}");
    }
}
