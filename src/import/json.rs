//! JSON of `lscpu -J` and `lscpu -e -J`.

use super::Kind;
use super::found::Found;
use super::notes::Notes;
use super::summary::Summary;
use super::table::{Columns, Table};
use serde_json::Value;

/// More than lscpu prints for the largest machine, and little enough to hold in memory as a tree.
const MAX_JSON: usize = 16 << 20;

/// JSON found in a text.
pub(super) struct Block {
    /// What it says.
    pub(super) found: Found,
    /// How many bytes of the text it takes.
    pub(super) bytes: usize,
}

/// Reads the JSON at the beginning of `text`, which is line `line`. An error is a sentence; its line is where
/// the JSON breaks.
pub(super) fn read(text: &str, line: usize, notes: &mut Notes) -> Result<Block, (usize, String)> {
    if text.len() > MAX_JSON {
        let text = format!("From here on is more JSON than any machine's: over {} MiB.", MAX_JSON >> 20);
        return Err((line, text));
    }
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let (value, bytes) = match stream.next() {
        Some(Ok(value)) => (value, stream.byte_offset()),
        Some(Err(error)) => {
            let at = line + error.line().saturating_sub(1);
            // If all but the end can be read once it is closed, the end is what is missing.
            let repaired = repair(text).and_then(|whole| serde_json::from_str(&whole).ok());
            let Some(value) = repaired else {
                return Err((at, "The JSON is broken here.".to_owned()));
            };
            notes.warn(at, "The JSON ends before it is complete; what stands before that was read.");
            (value, text.len())
        }
        None => return Err((line, "There is no JSON here.".to_owned())),
    };
    let found = if let Some(Value::Array(fields)) = value.get("lscpu") {
        let empty = (line, "This JSON names nothing of a machine.".to_owned());
        summary(fields, line, notes).ok_or(empty)?
    } else if let Some(Value::Array(cpus)) = value.get("cpus") {
        table(cpus, line, notes)?
    } else if value.get("caches").is_some() {
        let text = "This is lscpu -C, which counts caches and does not say which CPUs share them.";
        return Err((line, text.to_owned()));
    } else {
        return Err((line, "This JSON is not lscpu's: it has neither “lscpu” nor “cpus”.".to_owned()));
    };
    Ok(Block { found, bytes })
}

/// Closes JSON that was cut off: everything after the last complete object goes, what is open is closed.
fn repair(text: &str) -> Option<String> {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    let mut best: Option<(usize, Vec<char>)> = None;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            // lscpu nests a few levels; deeper text is something else.
            '{' | '[' if !in_string && open.len() >= 16 => return None,
            '{' if !in_string => open.push('}'),
            '[' if !in_string => open.push(']'),
            '}' | ']' if !in_string => {
                if open.pop() != Some(c) {
                    return None;
                }
                best = Some((at + 1, open.clone()));
            }
            _ => {}
        }
    }
    let (end, open) = best?;
    Some(text[..end].chars().chain(open.into_iter().rev()).collect())
}

/// Fields, which may nest in `children`; the JSON parser has bounded their depth.
fn summary(fields: &[Value], line: usize, notes: &mut Notes) -> Option<Found> {
    let mut summary = Summary::new(Kind::LscpuJson, line);
    let mut todo: Vec<&Value> = fields.iter().rev().collect();
    while let Some(field) = todo.pop() {
        let name = field.get("field").and_then(Value::as_str).unwrap_or_default();
        if let Some(data) = field.get("data").and_then(cell) {
            summary.field(line, name, &data, notes);
        }
        if let Some(Value::Array(children)) = field.get("children") {
            todo.extend(children.iter().rev());
        }
    }
    summary.finish()
}

fn table(cpus: &[Value], line: usize, notes: &mut Notes) -> Result<Found, (usize, String)> {
    let Some(first) = cpus.iter().find_map(Value::as_object) else {
        return Err((line, "Its list of CPUs is empty.".to_owned()));
    };
    let names: Vec<&str> = first.keys().map(String::as_str).take(64).collect();
    let columns = Columns::from_names(names.iter().copied()).filter(Columns::have_cpu);
    let Some(columns) = columns else {
        return Err((line, "Its rows do not say which CPU they are about.".to_owned()));
    };
    let mut table = Table::new(Kind::LscpuJson, line, columns);
    for row in cpus {
        // A key that this row lacks is an unknown value; keys that only this row has are not needed.
        let cells: Vec<String> =
            names.iter().map(|name| row.get(*name).and_then(cell).unwrap_or_default()).collect();
        table.cells(line, &cells, notes);
    }
    table.finish().ok_or((line, "Its list of CPUs holds none that can be read.".to_owned()))
}

/// A value as the text it would be in a table; older releases quote numbers and booleans.
fn cell(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
