//! `docs/releases.md` lists every switch as the code has it, and `docs/workloads.md` every workload.

#![allow(clippy::unwrap_used)]

use balancescope::balance::Rules;
use balancescope::balance::policy::Input;
use balancescope::balance::rules::table;
use balancescope::experiment::POLICIES;
use balancescope::topology::Release;
use balancescope::workload::{KINDS, Param, Unit};
use std::path::PathBuf;

const BEGIN: &str = "<!-- table: written by tests/balance_releases.rs -->\n";
const END: &str = "<!-- end of table -->\n";

fn written() -> String {
    let rules: Vec<Rules> = Release::ALL.into_iter().map(Rules::of).collect();
    let names: Vec<&str> = Release::ALL.iter().map(|release| release.name()).collect();
    let mut text = format!("| switch | what it decides | {} |\n", names.join(" | "));
    text.push_str(&format!("|---|---|{}\n", "---|".repeat(names.len())));
    for switch in table() {
        let values: Vec<String> = rules.iter().map(|rules| switch.show(rules)).collect();
        text.push_str(&format!("| `{}` | {} | {} |\n", switch.name, switch.what, values.join(" | ")));
    }
    text
}

/// As written in a link.
fn shown(param: &Param, value: u64) -> String {
    match param.unit {
        Unit::Count => value.to_string(),
        Unit::Nice => (value as i64 - 20).to_string(),
        Unit::Time if value.is_multiple_of(1_000_000_000) => format!("{}s", value / 1_000_000_000),
        Unit::Time if value.is_multiple_of(1_000_000) => format!("{}ms", value / 1_000_000),
        Unit::Time if value.is_multiple_of(1_000) => format!("{}us", value / 1_000),
        Unit::Time => format!("{value}ns"),
    }
}

fn workloads() -> String {
    let mut text = String::new();
    for kind in KINDS {
        text.push_str(&format!("## {}\n\n{} Counts {}.\n\n", kind.name, kind.help, kind.unit_of_work));
        text.push_str("| parameter | what it is | default | range |\n|---|---|---|---|\n");
        for p in kind.params {
            let (low, high) = (shown(p, p.min), shown(p, p.max));
            let name = format!("{}.{}", kind.name, p.name);
            text.push_str(&format!(
                "| `{name}` | {} | {} | {low} to {high} |\n",
                p.help,
                shown(p, p.default)
            ));
        }
        text.push('\n');
    }
    text
}

/// Holds the part of a document between two marks against what the code says, or writes it.
fn hold(file: &str, begin: &str, written: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
    let doc = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = doc.split_once(begin).unwrap();
    let (table, after) = rest.split_once(END).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{written}{END}{after}")).unwrap();
        return;
    }
    assert!(table == written, "docs/{file} is behind: run UPDATE_DOCS=1 cargo test --test balance_releases");
}

#[test]
fn the_tables_in_the_docs_are_those_in_the_code() {
    hold("releases.md", BEGIN, &written());
    hold("workloads.md", BEGIN, &workloads());
}

#[test]
fn the_docs_name_every_input_and_every_named_policy() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/policies.md");
    let doc = std::fs::read_to_string(&path).unwrap();
    for (_, name, what) in Input::ALL {
        assert!(doc.contains(&format!("| `{name}` | {what} |\n")), "{name}");
    }
    for policy in POLICIES {
        let row = format!("| {} | {} | ", policy.name, policy.about);
        let switches: Vec<String> = policy.settings.iter().map(|(k, v)| format!("`{k}={v}`")).collect();
        assert!(doc.contains(&format!("{row}{} |\n", switches.join(", "))), "{}", policy.name);
    }
}
