//! `balancescope export`, run as a script would.

// Helpers outside of test functions are held to the rules of production code otherwise.
#![allow(clippy::unwrap_used)]
#![cfg(feature = "cli")]

mod program;

use std::process::Output;

const LINK: &str = "machine=1x4x2&load=0.9";

fn export(args: &[&str]) -> Output {
    program::run(&[&["export"], args].concat(), "")
}

fn out(args: &[&str]) -> Vec<u8> {
    let output = export(args);
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (Some(0), ""),
        "{args:?}"
    );
    output.stdout
}

#[test]
fn every_format_is_written_and_what_is_text_is_read_back() {
    for (format, first, kind) in [
        ("schedstat15", "version 15\n", Some("schedstat")),
        ("schedstat16", "version 16\n", Some("schedstat")),
        ("schedstat17", "version 17\n", Some("schedstat")),
        ("ftrace", "# tracer: nop\n", Some("ftrace")),
        ("csv", "time_s,cpu_user,", None),
        ("json", "{", None),
    ] {
        let text = String::from_utf8(out(&[LINK, "--as", format, "--for", "30ms"])).unwrap();
        assert!(text.starts_with(first), "{format}: {}", &text[..60]);
        if let Some(kind) = kind {
            let read = program::run(&["import", "-", "--json"], &text);
            let json: serde_json::Value = serde_json::from_slice(&read.stdout).unwrap();
            assert_eq!(
                (json["kind"].as_str(), json["facts"]["cpus"].as_u64()),
                (Some(kind), Some(8)),
                "{format}"
            );
        }
    }
    let json = out(&[LINK, "--as", "json", "--for", "30ms", "--every", "10ms"]);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["samples"].as_array().map(Vec::len), Some(3));
    // A trace is a row of packets, the field with number 1.
    assert_eq!(out(&[LINK, "--as", "perfetto", "--for", "30ms"]).first(), Some(&0x0a));
    let tasks = String::from_utf8(out(&["workload=periodic", "--as", "rt-app"])).unwrap();
    let read = program::run(&["import", "-", "--json"], &tasks);
    let json: serde_json::Value = serde_json::from_slice(&read.stdout).unwrap();
    assert_eq!((json["kind"].as_str(), json["facts"]["threads"].as_u64()), (Some("rt-app"), Some(32)));
    assert!(json["scenario"].as_str().is_some_and(|link| link.contains("workload=replay")));
}

#[test]
fn what_cannot_be_written_is_one_sentence_and_exit_code_2() {
    for (args, says) in [
        (vec![LINK, "--as", "rt-app"], "draw their times at random"),
        (vec![LINK, "--as", "csv", "--for", "x"], "is no time that can be run"),
        (vec![LINK, "--as", "csv", "--every", "0s"], "above 0"),
        (vec!["machine=nonsense", "--as", "csv"], "machine"),
        (vec![LINK, "--as", "tarot"], "tarot"),
    ] {
        let output = export(&args);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(says), "{args:?}");
    }
}
