//! Texts that are something else: told apart so that the refusal says what they are.

/// Says what a text without topology is, by its first lines.
pub(super) fn recognise<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    lines.take(2000).find_map(line)
}

fn line(line: &str) -> Option<String> {
    let line = line.trim();
    if line.contains("wait time") && line.contains("sch delay") {
        let text = "This is perf sched timehist, a summary without the events; give the output of perf sched script.";
        return Some(text.to_owned());
    }
    if line.contains("Runtime ms") && line.contains("Switches") {
        let text =
            "This is perf sched latency, a summary without the events; give the output of perf sched script.";
        return Some(text.to_owned());
    }
    if line.contains("PCT_CHANGE") {
        let text = "This is the report of perf sched stats; give the two copies of /proc/schedstat that it compares.";
        return Some(text.to_owned());
    }
    if line.starts_with("{\"traceEvents\"") || line.starts_with("{ \"traceEvents\"") {
        let text = "This is a trace in Chrome's JSON; give the trace as text (systrace, trace-cmd report or perf script).";
        return Some(text.to_owned());
    }
    if line.starts_with("processor") && line.contains(':') {
        let text =
            "This is /proc/cpuinfo; give the output of lscpu -p instead, which says which CPUs share caches.";
        return Some(text.to_owned());
    }
    if line.starts_with("NAME ONE-SIZE") {
        let text =
            "This is lscpu -C, which counts caches and does not say which CPUs share them; give lscpu -p.";
        return Some(text.to_owned());
    }
    if line.contains("PU L#") || line.starts_with("Machine (") {
        let text = "This is lstopo's drawing as text; save it as XML instead (lstopo machine.xml).";
        return Some(text.to_owned());
    }
    if line == "No NUMA available on this system" {
        return Some(
            "numactl found no NUMA on this system and lists no CPU; give the output of lscpu -p.".to_owned(),
        );
    }
    if line.starts_with("<!DOCTYPE html") || line.starts_with("<html") {
        return Some("This is a web page, not a file from a machine.".to_owned());
    }
    None
}
