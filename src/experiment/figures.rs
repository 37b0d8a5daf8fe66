//! The figures of a run: every number of its report, by name.

use serde_json::Value;

/// Numbers of a report that are no figures: what the run was, not what happened in it.
const SETTINGS: [&str; 3] = ["wall_ns", "simulated_ns", "cpus"];

/// Every number of a report of `run`, by its path: `cpu.balance`, `latency_ns.p99`,
/// `balance.MC.newidle.calls`. So a figure that reports gain is compared without a change here.
pub fn figures(report: &Value) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    collect("", report, &mut found);
    found.retain(|(name, _)| !SETTINGS.contains(&name.as_str()));
    found
}

fn collect(path: &str, value: &Value, found: &mut Vec<(String, f64)>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Number(number) => found.extend(number.as_f64().map(|number| (path.to_owned(), number))),
        Value::Object(map) => map.iter().for_each(|(name, value)| collect(&below(name), value, found)),
        Value::Array(rows) => {
            for row in rows {
                // Rows without a level and kind of their own (such as names of levels) hold no figures.
                if let (Some(level), Some(kind)) = (text(row, "level"), text(row, "kind")) {
                    collect(&below(&format!("{level}.{kind}")), row, found);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn text<'a>(row: &'a Value, key: &str) -> Option<&'a str> {
    row.get(key)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_number_has_a_path() {
        let report = json!({
            "scenario": "load=1", "events": 7, "wall_ns": 99, "levels": ["SMT"],
            "balance": [{"level": "SMT", "kind": "newidle", "calls": 3}],
            "cpu": {"user": 0.25}, "latency_ns": null,
        });
        let expected = [("events", 7.0), ("balance.SMT.newidle.calls", 3.0), ("cpu.user", 0.25)];
        let mut found = figures(&report);
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let mut expected: Vec<_> = expected.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, expected);
    }
}
