//! Every recorded decision of a 6.1.192 kernel comes out of our rules as the kernel took it.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn check(kind: &str, file: &Path, release: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_balancescope"))
        .args(["check", kind, "--release", release])
        .arg(file)
        .output()
        .unwrap()
}

fn recorded(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kernel-6.1").join(name)
}

fn all_match(kind: &str, name: &str, rows: usize) {
    let output = check(kind, &recorded(name), "6.1");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, format!("{rows} match, 0 differ\n"));
    assert!(output.status.success());
}

#[test]
fn decisions() {
    all_match("decisions", "decisions.jsonl", 3831);
}

#[test]
fn decisions_on_unequal_capacities() {
    all_match("decisions", "decisions-asym.jsonl", 2415);
}

#[test]
fn queues() {
    all_match("queues", "queues.jsonl", 1162);
}

#[test]
fn newidle() {
    all_match("newidle", "newidle.jsonl", 942);
}

#[test]
fn detach() {
    all_match("detach", "detach.jsonl", 434);
}

#[test]
fn intervals() {
    all_match("intervals", "intervals.jsonl", 389);
}

#[test]
fn another_release_decides_otherwise_and_says_so() {
    let output = check("detach", &recorded("detach.jsonl"), "4.19");
    let printed = String::from_utf8(output.stdout).unwrap();
    let last = printed.lines().last().unwrap();
    assert!(last.ends_with(" differ") && !last.ends_with(" 0 differ"), "{last}");
    assert_eq!(output.status.code(), Some(1));
    assert!(printed.lines().count() <= 21);
}

#[test]
fn what_is_no_row_is_refused_with_its_line() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("broken.jsonl");
    std::fs::write(&file, "\n{\"migration_type\":\"load\"}\n").unwrap();
    let output = check("detach", &file, "6.1");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("line 2 is not such a row"), "{said}");
    assert!(output.stdout.is_empty());
}
