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

/// One row of each kind that holds by the rules of 6.1.
const ROWS: [(&str, &str); 5] = [
    (
        "decisions",
        r#"{"level":"MC","idle":"idle","imbalance_pct":117,"prefer_sibling":true,"imb_numa_nr":0,"numa":false,"share_llc":true,"groups":[{"first":0,"local":true,"load":0,"capacity":1024,"util":0,"runnable":0,"nr_running":0,"h_nr_running":0,"idle_cpus":1,"weight":1,"imbalance_flag":false,"type":"has_spare","avg_load":0},{"first":1,"local":false,"load":3072,"capacity":1024,"util":1024,"runnable":3072,"nr_running":3,"h_nr_running":3,"idle_cpus":0,"weight":1,"imbalance_flag":false,"type":"overloaded","avg_load":3072}],"picked":1,"go":true,"migration_type":"task","imbalance":1}"#,
    ),
    (
        "queues",
        r#"{"level":"MC","idle":"idle","migration_type":"task","imbalance":1,"candidates":[{"cpu":1,"h_nr_running":3,"nr_running":3,"capacity":1024,"load":3072,"util":1024,"runnable":3072,"misfit_load":0,"reduced_capacity":false}],"chosen":1}"#,
    ),
    (
        "newidle",
        r#"{"level":"MC","avg_idle":1000000,"curr_cost":0,"max_newidle_lb_cost":5000,"outcome":"dice","dice":634,"call":645,"call_after":646,"success":258,"success_after":258,"ratio":512,"ratio_after":512}"#,
    ),
    (
        "detach",
        r#"{"migration_type":"load","value":448,"nr_balance_failed":0,"imbalance":80,"detach":false}"#,
    ),
    (
        "intervals",
        r#"{"level":"MC","idle":"busy","span_weight":8,"max_interval":16,"balance_interval":8,"balance_interval_after":16,"nr_balance_failed":3,"nr_balance_failed_after":0,"moved":0,"continue_balancing":false}"#,
    ),
];

/// What a check may not take for a match: a row that lacks any one of its fields, or gives one twice.
#[test]
fn a_row_that_lacks_a_field_or_gives_it_twice_is_refused_by_line_and_name() {
    for (kind, row) in ROWS {
        let output = balancescope(&["check", kind, "-"], row);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{kind}: {said}");
        let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(row).unwrap();
        // What the level is called says nothing that a rule asks for, but for the lowest.
        for field in fields.keys().filter(|field| *field != "level") {
            let mut less = fields.clone();
            less.remove(field);
            let text = format!("{row}\n{}", serde_json::Value::Object(less));
            let words = if field == "outcome" { "line 2 " } else { field };
            refused_with(&["check", kind, "-"], &text, &["line 2 ", words]);
            let value = &fields[field];
            let twice = format!("{},\"{field}\":{value}}}", row.strip_suffix('}').unwrap());
            refused_with(&["check", kind, "-"], &twice, &["line 1 ", field, "twice"]);
        }
    }
}

#[test]
fn a_row_that_no_kernel_can_have_written_is_refused() {
    let changed = |kind: &str, from: &str, to: &str| {
        let row = ROWS.iter().find(|(name, _)| *name == kind).unwrap().1;
        assert!(row.contains(from), "{kind}: {from}");
        row.replace(from, to)
    };
    for (kind, from, to, word) in [
        ("detach", "\"imbalance\":80", "\"imbalance\":-1", "imbalance"),
        ("detach", "\"imbalance\":80", "\"imbalance\":0", "imbalance"),
        ("detach", "\"load\"", "\"misfit\"", "migration_type"),
        ("newidle", "\"dice\":634", "\"dice\":1024", "dice"),
        ("newidle", "\"ratio\":512", "\"ratio\":1025", "ratio"),
        ("decisions", "\"local\":true", "\"local\":false", "local"),
        ("decisions", "\"local\":false", "\"local\":true", "local"),
        ("decisions", "\"share_llc\":true", "\"share_llc\":true,\"asym_capacity\":true", "dst_capacity"),
        ("decisions", "\"weight\":1,", "\"weight\":1,\"weight\":1,", "weight"),
    ] {
        refused_with(&["check", kind, "-"], &changed(kind, from, to), &["line 1 ", word]);
    }
    let row = ROWS[1].1;
    let candidate = &row[row.find("{\"cpu\"").unwrap()..row.find("]").unwrap()];
    let twice = row.replace(candidate, &format!("{candidate},{candidate}"));
    refused_with(&["check", "queues", "-"], &twice, &["line 1 ", "CPU 1 is twice"]);
}

/// A recorded tree that leaves out a field does not match.
#[test]
fn a_tree_that_lacks_a_field_differs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/domains/uma-4.json");
    let whole: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let checked = |tree: &serde_json::Value| {
        let output = balancescope(&["check", "domains", "-"], &tree.to_string());
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(checked(&whole).0, Some(0));
    let level =
        |tree: &mut serde_json::Value| tree["domains"][0]["levels"][0].as_object_mut().unwrap().clone();
    for field in level(&mut whole.clone()).keys() {
        let mut less = whole.clone();
        less["domains"][0]["levels"][0].as_object_mut().unwrap().remove(field);
        let (code, said) = checked(&less);
        let refused = matches!(field.as_str(), "name" | "span" | "groups");
        assert_eq!(code, Some(if refused { 2 } else { 1 }), "{field}: {said}");
        assert!(refused || said.contains(&format!("{field}: recorded nothing")), "{field}: {said}");
    }
    let mut twice = whole.clone();
    let chain = twice["domains"][0].clone();
    twice["domains"].as_array_mut().unwrap().push(chain);
    refused(&["check", "domains", "-"], &twice.to_string(), "recorded twice");
}

fn refused_with(args: &[&str], input: &str, words: &[&str]) {
    for word in words {
        refused(args, input, word);
    }
}

#[test]
fn a_file_that_is_no_text_is_refused_by_its_line() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("latin-1.jsonl");
    std::fs::write(&path, [ROWS[3].1.as_bytes(), b"\n\n\xe9\n"].concat()).unwrap();
    refused(&["check", "detach", path.to_str().unwrap()], "", "is not UTF-8 text: see line 3");
}
