//! An import as a page shows it: what is told needs neither the importers nor JSON to be shown.

use super::{Import, ImportWarning};
use crate::topology::Machine;
use serde::{Deserialize, Serialize};

/// What was read, in words, and the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// One line: `Read lscpu -p: 16 CPUs, 2 nodes`.
    pub summary: String,
    /// Facts as (name, value); long lists are shortened.
    pub facts: Vec<(String, String)>,
    /// What the machine needs and the text does not say: one sentence each.
    pub assumed: Vec<String>,
    /// What could not be used, and what looks wrong.
    pub warnings: Vec<ImportWarning>,
    /// The machine, where the facts name its CPUs.
    pub machine: Option<Machine>,
    /// Canonical fragment of the tasks played again, where the text tells what tasks did.
    pub replay: Option<String>,
}

impl From<Import> for Reading {
    fn from(import: Import) -> Self {
        let tasks = import.script.is_some();
        let replay = import.scenario().filter(|_| tasks).map(|scenario| scenario.fragment());
        Self {
            replay,
            summary: summary(&import),
            facts: facts(&import),
            assumed: import.assumed,
            warnings: import.warnings,
            machine: import.machine,
        }
    }
}

/// `Read lscpu -p: 16 CPUs, 2 nodes`.
fn summary(import: &Import) -> String {
    let kinds: Vec<&str> = import.kinds.iter().map(|k| k.title()).collect();
    let kinds = if kinds.is_empty() { import.kind.title().to_owned() } else { kinds.join(", ") };
    let counted = |n: Option<u32>, one: &str, many: &str| {
        n.map(|n| if n == 1 { format!("1 {one}") } else { format!("{n} {many}") })
    };
    let facts: Vec<String> = [
        counted(import.facts.cpus, "CPU", "CPUs"),
        counted(import.facts.cores, "core", "cores"),
        counted(import.facts.packages, "package", "packages"),
        counted(import.facts.nodes, "node", "nodes"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if facts.is_empty() { format!("Read {kinds}") } else { format!("Read {kinds}: {}", facts.join(", ")) }
}

/// Facts as (name, value), lists shortened.
fn facts(import: &Import) -> Vec<(String, String)> {
    let Ok(serde_json::Value::Object(map)) = serde_json::to_value(&import.facts) else { return Vec::new() };
    let short = |value: &serde_json::Value| {
        let text = plain(value);
        if text.chars().count() > 160 { text.chars().take(157).chain(['…']).collect() } else { text }
    };
    map.iter().map(|(name, value)| (name.replace('_', " "), short(value))).collect()
}

/// A value as people write it: numbers in a row as `0–7`, groups in braces.
fn plain(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => match list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>() {
            Some(numbers) => runs(&numbers),
            None => list.iter().map(|v| format!("{{{}}}", plain(v))).collect::<Vec<_>>().join(" "),
        },
        Value::Object(map) => {
            map.iter().map(|(k, v)| format!("{k}: {}", plain(v))).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// Numbers with those that follow each other as `first–last`.
fn runs(numbers: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &n in numbers {
        match parts.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(n) => *last = n,
            _ => parts.push((n, n)),
        }
    }
    let word = |(a, b): &(u64, u64)| match b - a {
        0 => a.to_string(),
        1 => format!("{a}, {b}"),
        _ => format!("{a}–{b}"),
    };
    parts.iter().map(word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_read_as_people_write_them() {
        for (value, text) in [
            (serde_json::json!([0, 1, 2, 3, 8, 10, 11]), "0–3, 8, 10, 11"),
            (serde_json::json!([[0, 4], [1, 5]]), "{0, 4} {1, 5}"),
            (serde_json::json!({"0": [0, 1, 2]}), "0: 0–2"),
            (serde_json::json!("GenuineIntel"), "GenuineIntel"),
            (serde_json::json!([]), ""),
        ] {
            assert_eq!(plain(&value), text);
        }
    }
}
