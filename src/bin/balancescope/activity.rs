//! What counters, domain files and traces say, for people.

use balancescope::import::Activity;
use serde_json::Value;

/// A line a fact; a table's rows below its name.
pub fn summary(activity: &Activity) -> String {
    let Ok(Value::Object(map)) = serde_json::to_value(activity) else { return String::new() };
    let mut out = String::new();
    for (name, value) in &map {
        let name = name.replace('_', " ");
        match value {
            Value::Array(rows) if rows.iter().any(Value::is_object) => {
                out.push_str(&format!("{name}\n"));
                rows.iter().for_each(|row| out.push_str(&format!("  {}\n", plain(row))));
            }
            _ => out.push_str(&format!("{name:<22}{}\n", plain(value))),
        }
    }
    out
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Object(map) => {
            map.iter().map(|(name, v)| format!("{name} {}", plain(v))).collect::<Vec<_>>().join(", ")
        }
        Value::Number(n) if n.is_f64() => format!("{:.3}", n.as_f64().unwrap_or_default()),
        other => other.to_string(),
    }
}
