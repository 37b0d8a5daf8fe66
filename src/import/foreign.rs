//! Texts that are something else: told apart so that the refusal says what they are.

/// Says what a text without topology is, by its first lines.
pub(super) fn recognise<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    lines.take(2000).find_map(line)
}

fn line(line: &str) -> Option<String> {
    let line = line.trim();
    let later = |what: String| Some(format!("This is {what}; reading it is not here yet."));
    if let Some(version) = line.strip_prefix("version ").and_then(|v| v.parse::<u32>().ok()) {
        return later(format!("/proc/schedstat version {version}"));
    }
    let counted = |what: &str| line.starts_with(what) && line.split_whitespace().count() > 30;
    if counted("domain") {
        return later("/proc/schedstat".to_owned());
    }
    if line.contains("/domain") && line.contains("cpu") && (line.contains("/name") || line.contains("/flags"))
    {
        return later("a listing of the scheduler's domain files".to_owned());
    }
    if line.contains("sched:sched_") {
        return later("a trace from perf script".to_owned());
    }
    let events = ["sched_switch:", "sched_wakeup:", "sched_waking:", "sched_migrate_task:"];
    if line.starts_with("# tracer:") || events.iter().any(|e| line.contains(e)) {
        return later("an ftrace or trace-cmd trace".to_owned());
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
