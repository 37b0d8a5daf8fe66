//! `balancescope compare` and `balancescope sweep`, run as a script would.

// A helper of a test may fail as the test does.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_balancescope")).args(args).output().unwrap()
}

fn out(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A file of this test's own that is not there yet.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

const BASE: &str = "machine=laptop-4x2&load=0.9";
const SWEEP: [&str; 8] =
    ["sweep", BASE, "--for", "20ms", "--vary", "release=4.19,6.6", "--vary", "load=0.5..1.5/3"];

fn sweep(more: &[&str]) -> Output {
    run(&[&SWEEP[..], more].concat())
}

#[test]
fn sweep_prints_a_line_a_run_in_a_stable_order() {
    let text = out(&sweep(&["--jobs", "3"]));
    assert_eq!(text, out(&sweep(&["--jobs", "1"])));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seen: Vec<_> = lines.iter().map(|l| (l["index"].as_u64().unwrap(), l["vary"].clone())).collect();
    assert_eq!(seen.len(), 6);
    assert_eq!(seen[0], (0, serde_json::json!({"release": "4.19", "load": "0.5"})));
    assert_eq!(seen[5], (5, serde_json::json!({"release": "6.6", "load": "1.5"})));
    assert!(lines.iter().all(|l| l["simulated_ns"] == 20_000_000 && l["invariants_broken"] == 0));
    // A line is what `run` prints for its scenario, but for the wall time.
    let link = lines[4]["scenario"].as_str().unwrap();
    let alone: Value = serde_json::from_str(&out(&run(&["run", link, "--for", "20ms", "--json"]))).unwrap();
    assert_eq!(alone["state_hash"], lines[4]["state_hash"]);
    assert_eq!(alone["balance"], lines[4]["balance"]);
}

#[test]
fn shards_together_are_the_sweep() {
    let mut lines: Vec<String> = (1..=4)
        .flat_map(|i| {
            let text = out(&sweep(&["--shard", &format!("{i}/4")]));
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    lines.sort();
    assert_eq!(lines.join("\n") + "\n", out(&sweep(&[])));
}

#[test]
fn an_interrupted_sweep_goes_on_where_it_stopped() {
    let path = fresh("interrupted.jsonl");
    let file = path.to_str().unwrap();
    out(&sweep(&["--out", file]));
    let whole = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    // Stopped in the middle of a line; lines out of order; one missing; one broken.
    let cut = &whole[..whole.len() - 40];
    let shuffled = format!("{}\n{}\n{}\n", lines[5], lines[0], lines[2]);
    let broken = format!("{}\n{}\n{}\n", lines[0], &lines[1][..100], lines[2]);
    for left in [cut, &shuffled, &broken, "", &whole] {
        std::fs::write(&path, left).unwrap();
        out(&sweep(&["--out", file, "--jobs", "2"]));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    }
    // Two shards, one after the other, in one file.
    std::fs::remove_file(&path).unwrap();
    out(&sweep(&["--out", file, "--shard", "2/2"]));
    out(&sweep(&["--out", file, "--shard", "1/2"]));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn a_line_that_is_there_is_not_run_again() {
    let path = fresh("kept.jsonl");
    let file = path.to_str().unwrap();
    out(&sweep(&["--out", file]));
    let whole = std::fs::read_to_string(&path).unwrap();
    // A mark that only a kept line can still have.
    let marked = whole.replacen("\"events\":", "\"kept\":1,\"events\":", 1);
    std::fs::write(&path, &marked).unwrap();
    out(&sweep(&["--out", file]));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), marked);
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let path = fresh("other.txt");
    let file = path.to_str().unwrap();
    for text in ["a letter", "a letter\n", "{\"name\":1}\n"] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(sweep(&["--out", file]).status.code(), Some(2), "{text:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    let other = fresh("other.jsonl");
    let other = other.to_str().unwrap();
    out(&run(&["sweep", BASE, "--for", "10ms", "--vary", "seed=1,2", "--out", other]));
    let refused = sweep(&["--out", other]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is a run of another sweep"));
}

#[test]
fn a_run_that_cannot_be_done_has_a_line_that_says_why() {
    let args = ["sweep", "", "--for", "1ms", "--vary", "machine=2x4x2,64x64x1"];
    let output = run(&[&args[..], &["--vary", "requests.workers=4,1000"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> =
        String::from_utf8_lossy(&output.stdout).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[3]["error"].as_str().unwrap().contains("tasks"), "{}", lines[3]);
    assert!(lines[0].get("error").is_none());
}

#[test]
fn compare_gives_mean_and_deviation_of_both_sides_and_of_the_difference() {
    let b = format!("{BASE}&newidle_gate=migration_cost");
    let args = ["compare", BASE, &b, "--seeds", "3", "--for", "50ms", "--json"];
    let text = out(&run(&args));
    assert_eq!(text, out(&run(&[&args[..], &["--jobs", "1"]].concat())));
    let result: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(result["seeds"], serde_json::json!([1, 2, 3]));
    // Seed by seed, from runs of their own.
    let figure = |link: &str, seed: u64| {
        let link = format!("{link}&seed={seed}");
        let report: Value =
            serde_json::from_str(&out(&run(&["run", &link, "--for", "50ms", "--json"]))).unwrap();
        report["events"].as_f64().unwrap()
    };
    let differences: Vec<f64> = (1..=3).map(|seed| figure(&b, seed) - figure(BASE, seed)).collect();
    let mean = differences.iter().sum::<f64>() / 3.0;
    let found = &result["figures"]["events"]["difference"];
    assert!((found["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{found}");
    assert!(found["sd"].as_f64().is_some());
    for name in ["cpu.user", "balance.MC.newidle.calls", "latency_ns.p99", "throughput_per_s"] {
        assert!(result["figures"][name]["b"]["mean"].is_f64(), "{name}");
    }
    let human = out(&run(&args[..args.len() - 1]));
    assert!(human.contains("cpu.user") && human.contains("B - A"), "{human}");
}

#[test]
fn equal_sides_do_not_differ() {
    let result: Value =
        serde_json::from_str(&out(&run(&["compare", BASE, BASE, "--seeds", "2", "--for", "20ms", "--json"])))
            .unwrap();
    for (name, figure) in result["figures"].as_object().unwrap() {
        let difference = &figure["difference"];
        assert!(difference["n"] == 0 || difference["mean"] == 0.0, "{name}: {difference}");
    }
}

#[test]
fn bad_requests_are_one_sentence_and_exit_code_2() {
    let million = ["--vary", "seed=1..1000/1000", "--vary", "load=0..1/1000"];
    let cases: [&[&str]; 13] = [
        &[&["sweep", ""][..], &million].concat(),
        &["sweep", "", "--vary", "seed=1..1000000/1000000"],
        &["sweep", "", "--shard", "3/2"],
        &["sweep", "", "--shard", "0/2"],
        &["sweep", "", "--vary", "colour=red"],
        &["sweep", "", "--vary", "load=1..0.5/3"],
        &["sweep", "", "--vary", "load"],
        &["sweep", "", "--jobs", "0"],
        &["sweep", "", "--for", "soon"],
        &["compare", "", "", "--seeds", "0"],
        &["compare", "", "", "--seeds", "many"],
        &["compare", "-", "-"],
        &["compare", "", "no such file"],
    ];
    for args in cases {
        let output = run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
