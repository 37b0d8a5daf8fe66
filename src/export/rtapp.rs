//! A script as rt-app's JSON.

use crate::scenario::{Op, Script, ScriptTask};
use std::fmt::Write;

/// The file. Times are whole microseconds, as rt-app reads them; a shorter run is one microsecond. `duration_s` is how
/// long it is to run.
pub fn rt_app(script: &Script, duration_s: u64) -> String {
    let mut out = String::from("{\n\t\"tasks\": {\n");
    for (at, task) in script.tasks.iter().enumerate() {
        let comma = if at + 1 < script.tasks.len() { "," } else { "" };
        entry(&mut out, script, at, task);
        let _ = writeln!(out, "\t\t}}{comma}");
    }
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\t}},\n\t\"global\": {{\n\t\t\"duration\": {duration_s},\n\t\t\"calibration\": \"CPU0\",\n\t\t\"default_policy\": \"SCHED_OTHER\"\n\t}}\n}}\n"
    );
    out
}

/// The name of a task, which must be its own.
fn name(script: &Script, at: usize) -> String {
    let given = script.tasks.get(at).map_or("", |task| task.name.as_str());
    let plain: String = given.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.is_empty() { format!("t{at}") } else { format!("t{at}_{plain}") }
}

fn entry(out: &mut String, script: &Script, at: usize, task: &ScriptTask) {
    let _ = writeln!(out, "\t\t\"{}\": {{", name(script, at));
    let again = if script.length_ns > 0 || task.times == 0 { -1 } else { i64::from(task.times) };
    let again = if task.forked { 1 } else { again };
    let _ = writeln!(out, "\t\t\t\"instance\": {},", u8::from(!task.forked));
    let _ = writeln!(out, "\t\t\t\"loop\": {again},");
    if task.nice != 0 {
        let _ = writeln!(out, "\t\t\t\"priority\": {},", task.nice);
    }
    if task.delay_ns > 0 {
        let _ = writeln!(out, "\t\t\t\"delay\": {},", us(task.delay_ns));
    }
    let mut lines: Vec<String> =
        task.ops.iter().enumerate().map(|(step, op)| event(script, at, step, *op)).collect();
    if script.length_ns > 0 && !task.forked {
        // The recording begins anew for all at once.
        lines.push(event(script, at, lines.len(), Op::Every(script.length_ns)));
    }
    let _ = writeln!(out, "\t\t\t\"phases\": {{\n\t\t\t\t\"p\": {{");
    let _ = writeln!(out, "\t\t\t\t\t{}", lines.join(",\n\t\t\t\t\t"));
    let _ = writeln!(out, "\t\t\t\t}}\n\t\t\t}}");
}

fn event(script: &Script, at: usize, step: usize, op: Op) -> String {
    match op {
        Op::Run(ns) => format!("\"run{step}\": {}", us(ns).max(1)),
        Op::Sleep(ns) => format!("\"sleep{step}\": {}", us(ns)),
        Op::Every(ns) => format!(
            "\"timer{step}\": {{ \"ref\": \"unique\", \"period\": {}, \"mode\": \"absolute\" }}",
            us(ns).max(1)
        ),
        Op::Wait => format!("\"suspend{step}\": \"{}\"", name(script, at)),
        Op::Wake(other) => format!("\"resume{step}\": \"{}\"", name(script, other as usize)),
        Op::Fork(other) => format!("\"fork{step}\": \"{}\"", name(script, other as usize)),
    }
}

/// To the nearest.
fn us(ns: u64) -> u64 {
    ns.saturating_add(500) / 1_000
}
