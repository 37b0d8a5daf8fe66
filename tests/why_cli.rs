//! `balancescope why`, run as a script would.

// A helper of a test may fail as the test does.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::process::{Command, Output};

const LINK: &str = "machine=1x4x2&load=0.9";

fn run(args: &[&str]) -> Output {
    let more = ["why", LINK, "--from", "2ms", "--for", "3ms"];
    Command::new(env!("CARGO_BIN_EXE_balancescope")).args(more).args(args).output().unwrap()
}

fn out(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_log_and_its_json_tell_the_same_in_order() {
    let text = out(&[]);
    let heads: Vec<&str> = text.lines().filter(|line| line.contains(" ms ")).collect();
    let json = out(&["--json"]);
    let reasons: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(heads.len() > 10, "{text}");
    assert_eq!(heads.len(), reasons.len());
    let times: Vec<u64> = reasons.iter().map(|r| r["at_ns"].as_u64().unwrap()).collect();
    assert!(times.is_sorted() && times[0] >= 2_000_000, "{times:?}");
    assert!(text.contains("avg_idle < sd->max_newidle_lb_cost"));
}

#[test]
fn one_cpu_can_be_followed() {
    let (all, one) = (out(&[]), out(&["--cpu", "4"]));
    assert!(one.contains("cpu 4") && one.len() < all.len());
    let refused = run(&["--cpu", "99"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("The machine has no CPU 99."));
}
