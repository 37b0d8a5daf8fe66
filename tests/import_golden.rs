//! Files written by hand in the shapes that real tools print, each with what is read from it beside it.
//! `INSTA_UPDATE=always cargo test --test import_golden` writes the latter anew.

// Helpers outside of test functions are held to the rules of production code otherwise.
#![allow(clippy::unwrap_used)]

use balancescope::import::{Import, cpu_list, read_bytes};
use balancescope::scenario::ScriptTask;
use balancescope::topology::{Cpu, Machine};
use std::collections::BTreeMap;
use std::fmt::Write;

#[test]
fn files_and_what_is_read_from_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e != "snap" && e != "new"));
    files.sort();
    assert!(files.len() > 30);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("data/import");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for file in files {
        let text = shown(read_bytes(&std::fs::read(&file).unwrap(), None));
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        settings.bind(|| insta::assert_snapshot!(name, text));
    }
}

fn shown(read: Result<Import, String>) -> String {
    let import = match read {
        Ok(import) => import,
        Err(sentence) => return format!("refused: {sentence}"),
    };
    let mut out = String::new();
    let kinds: Vec<&str> = import.kinds.iter().map(|k| k.name()).collect();
    writeln!(out, "kinds: {}", kinds.join(" ")).unwrap();
    let facts = serde_json::to_value(&import.facts).unwrap();
    for (name, value) in facts.as_object().unwrap() {
        writeln!(out, "{name}: {value}").unwrap();
    }
    for sentence in &import.assumed {
        writeln!(out, "assumed: {sentence}").unwrap();
    }
    for warning in &import.warnings {
        writeln!(out, "line {}: {}", warning.line.unwrap_or(0), warning.text).unwrap();
    }
    if let Some(machine) = &import.machine {
        shown_machine(machine, &mut out);
    }
    if let Some(script) = &import.script {
        writeln!(out, "workload: {} ns", script.length_ns).unwrap();
        for (at, task) in script.tasks.iter().enumerate() {
            let ScriptTask { name, nice, forked, times, delay_ns, ops } = task;
            let ops: Vec<String> = ops.iter().map(|op| format!("{op:?}")).collect();
            let head = format!("{at} {name}, nice {nice}, forked {forked}, times {times}, delay {delay_ns}");
            writeln!(out, "  {head}: {}", ops.join(" ")).unwrap();
        }
    }
    out
}

fn shown_machine(machine: &Machine, out: &mut String) {
    type GroupOf = fn(&Cpu) -> Option<u32>;
    let by: [(&str, GroupOf); 6] = [
        ("cores", |c| Some(c.core)),
        ("clusters", |c| c.cluster),
        ("llcs", |c| Some(c.llc)),
        ("packages", |c| Some(c.package)),
        ("nodes", |c| Some(c.node)),
        ("capacities", |c| Some(c.capacity)),
    ];
    writeln!(out, "machine: {}", machine.name).unwrap();
    for (name, of) in by {
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for cpu in &machine.cpus {
            if let Some(group) = of(cpu) {
                groups.entry(group).or_default().push(cpu.id);
            }
        }
        let lists: Vec<String> =
            groups.iter().map(|(group, cpus)| format!("{group}={}", cpu_list(cpus))).collect();
        writeln!(out, "  {name}: {}", lists.join(" ")).unwrap();
    }
    let nodes: Vec<u32> = machine.nodes.iter().map(|n| n.id).collect();
    writeln!(out, "  node ids: {nodes:?}, distances: {:?}", machine.distances).unwrap();
    let Machine { x86, hybrid, granite_rapids, node_reclaim_distance, .. } = machine;
    writeln!(
        out,
        "  x86: {x86}, hybrid: {hybrid}, granite rapids: {granite_rapids}, reclaim distance: {node_reclaim_distance}"
    )
    .unwrap();
}
