//! `docs/releases.md` lists every switch as the code has it.

#![allow(clippy::unwrap_used)]

use balancescope::balance::Rules;
use balancescope::balance::policy::Input;
use balancescope::balance::rules::table;
use balancescope::experiment::POLICIES;
use balancescope::topology::Release;
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

#[test]
fn the_table_in_the_docs_is_the_one_in_the_code() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/releases.md");
    let doc = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = doc.split_once(BEGIN).unwrap();
    let (table, after) = rest.split_once(END).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{}{END}{after}", written())).unwrap();
        return;
    }
    assert!(
        table == written(),
        "docs/releases.md is behind: run UPDATE_DOCS=1 cargo test --test balance_releases"
    );
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
