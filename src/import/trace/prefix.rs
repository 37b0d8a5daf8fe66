//! What stands before an event: task, CPU, flags, time, name.

use super::Time;

/// Names are at most 15 bytes, but tools pad; beyond this no CPU stands in brackets.
const MAX_HEAD: usize = 160;

/// An event's line, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event<'a> {
    pub(super) pid: u32,
    pub(super) comm: &'a str,
    pub(super) cpu: u32,
    pub(super) time: Time,
    /// The time as printed.
    pub(super) stamp: &'a str,
    /// Without perf's `sched:`.
    pub(super) name: &'a str,
    pub(super) payload: &'a str,
    /// Whether the line is perf's.
    pub(super) perf: bool,
    /// Whether the flags say that an interrupt was being served, so that the task on the CPU did not do this.
    pub(super) interrupt: bool,
    /// Whether there are flags.
    pub(super) flagged: bool,
}

/// Takes a line apart; `None` if it is no event's.
pub(super) fn event(line: &str) -> Option<Event<'_>> {
    bracketed(line).or_else(|| latency(line))
}

/// `comm-pid [cpu] flags time: name: payload`, or perf's `comm pid [cpu] time: name: payload`. A name may hold
/// brackets, so every one is tried.
fn bracketed(line: &str) -> Option<Event<'_>> {
    let head = line.len().min(MAX_HEAD);
    for (at, _) in line.match_indices('[').take_while(|(at, _)| *at < head) {
        let rest = &line[at + 1..];
        let Some(end) = rest.find(']').filter(|end| (1..=6).contains(end)) else { continue };
        let Some(cpu) = number(&rest[..end]) else { continue };
        let Some((comm, pid, perf)) = task(line[..at].trim_end()) else { continue };
        let Some((time, stamp, flags, rest)) = time(&rest[end + 1..]) else { continue };
        let (name, payload) = named(rest, perf)?;
        let interrupt = in_interrupt(flags);
        let flagged = !flags.is_empty();
        return Some(Event { pid, comm, cpu, time, stamp, name, payload, perf, interrupt, flagged });
    }
    None
}

/// trace-cmd's `-l`: `comm-pid   0d.h1. time: name: payload`.
fn latency(line: &str) -> Option<Event<'_>> {
    let mut rest = line.trim_start();
    let comm_end = rest.find(char::is_whitespace)?;
    let (comm, pid, perf) = task(&rest[..comm_end])?;
    if perf {
        return None;
    }
    rest = rest[comm_end..].trim_start();
    let end = rest.find(char::is_whitespace)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let flags = &rest[digits.min(end)..end];
    if digits == 0 || !(4..=6).contains(&flags.len()) || !flags.bytes().any(|b| b == b'.') {
        return None;
    }
    let cpu = number(&rest[..digits])?;
    let interrupt = in_interrupt(flags);
    let (time, stamp, _, rest) = time(&rest[end..])?;
    let (name, payload) = named(rest, false)?;
    Some(Event { pid, comm, cpu, time, stamp, name, payload, perf: false, interrupt, flagged: true })
}

/// The task at the end of what stands before the CPU, and whether perf wrote it.
fn task(text: &str) -> Option<(&str, u32, bool)> {
    let text = match text.strip_suffix(')') {
        // The thread group, `(-------)` or `(   1234)`.
        Some(inside) => inside[..inside.rfind('(')?].trim_end(),
        None => text,
    };
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (before, pid) = text.split_at(text.len() - digits);
    let pid = number(pid)?;
    if let Some(comm) = before.strip_suffix('-') {
        return Some((comm.trim_start(), pid, false));
    }
    // perf prints `pid/tid` if asked to.
    let before = match before.strip_suffix('/') {
        Some(pair) => pair.trim_end_matches(|c: char| c.is_ascii_digit()),
        None => before,
    };
    let comm = before.trim();
    (before.ends_with([' ', '\t']) && !comm.is_empty()).then_some((comm, pid, true))
}

/// Whether the third flag says that a hard or soft interrupt was being served.
fn in_interrupt(flags: &str) -> bool {
    (4..=6).contains(&flags.len()) && flags.as_bytes().get(2).is_some_and(|flag| b"hHszZ".contains(flag))
}

/// The time, behind flags or not, the flags, and what follows the time's colon.
fn time(text: &str) -> Option<(Time, &str, &str, &str)> {
    let mut flags = "";
    let mut rest = text.trim_start();
    for _ in 0..2 {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..end];
        if let Some(stamp) = word.strip_suffix(':')
            && let Some(time) = stamped(stamp)
        {
            return Some((time, stamp, flags, rest[end..].trim_start()));
        }
        // Flags are short, and have no colon.
        if word.is_empty() || word.len() > 8 || word.contains(':') {
            return None;
        }
        flags = word;
        rest = rest[end..].trim_start();
    }
    None
}

/// Reads `secs.fraction`, or a plain number of an unknown clock.
fn stamped(stamp: &str) -> Option<Time> {
    let Some((secs, fraction)) = stamp.split_once('.') else { return Some(Time::Ticks(stamp.parse().ok()?)) };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(secs) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let scale = 10_u64.pow(9 - fraction.len() as u32);
    let ns = fraction.parse::<u64>().ok()? * scale;
    Some(Time::Ns(secs.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(ns)?))
}

/// The event's name and what it says.
fn named(text: &str, perf: bool) -> Option<(&str, &str)> {
    let mut text = text;
    let mut end = text.find(char::is_whitespace).unwrap_or(text.len());
    // perf prints the period of a sampled event before its name.
    if perf && number(&text[..end]).is_some() {
        text = text[end..].trim_start();
        end = text.find(char::is_whitespace).unwrap_or(text.len());
    }
    if end == 0 {
        return None;
    }
    let (word, rest) = text.split_at(end);
    match word.strip_suffix(':') {
        Some(name) => Some((name.strip_prefix("sched:").unwrap_or(name), rest.trim())),
        // The function tracer's lines: `name <-caller`.
        None if rest.trim_start().starts_with("<-") => Some(("function", text)),
        None => {
            let (name, rest) = word.split_once(':')?;
            (!name.is_empty()).then_some((name, rest))
        }
    }
}

fn number(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_of_all_tools() {
        let rest = "sched_wakeup: comm=x pid=1 prio=2 target_cpu=000";
        for (head, comm, pid, cpu, ns, perf) in [
            (
                "      opt cgu.04-30700   [001] d..2.   918.368802: ",
                "opt cgu.04",
                30700,
                1,
                918_368_802_000,
                false,
            ),
            ("  my-task [0]-17 (   1234) [1012] 1.5: ", "my-task [0]", 17, 1012, 1_500_000_000, false),
            ("<...>-9 (-------) [000] .... 1.123456789: ", "<...>", 9, 0, 1_123_456_789, false),
            (
                "            perf 29711 [000]   900.201956:       sched:",
                "perf",
                29711,
                0,
                900_201_956_000,
                true,
            ),
            ("a b 12/13 [003] 0.000001: sched:", "a b", 13, 3, 1000, true),
            ("  kworker/0:1-8     2d.h1. 3.000001: ", "kworker/0:1", 8, 2, 3_000_001_000, false),
        ] {
            let line = format!("{head}{rest}");
            let e = event(&line).unwrap();
            assert_eq!(
                (e.comm, e.pid, e.cpu, e.time, e.perf),
                (comm, pid, cpu, Time::Ns(ns), perf),
                "{line}"
            );
            assert_eq!((e.name, e.payload), ("sched_wakeup", &rest[14..]), "{line}");
        }
        assert_eq!(event("x-1 [000] 12345678: a: b").map(|e| e.time), Some(Time::Ticks(12_345_678)));
        assert_eq!(event("x-1 [000] .... 1.0: schedule <-do_idle").map(|e| e.name), Some("function"));
    }

    #[test]
    fn flags_say_whether_an_interrupt_was_served() {
        for (flags, interrupt) in
            [("d..2.", false), ("dNh2.", true), ("..s1", true), ("d.H.", true), ("", false)]
        {
            let line = format!("<idle>-0 [001] {flags} 1.5: sched_waking: x");
            assert_eq!(event(&line).map(|e| e.interrupt), Some(interrupt), "{line}");
        }
    }

    #[test]
    fn other_lines_are_no_events() {
        for line in [
            "",
            "[",
            "a [0] b",
            "x-1 [000] -1.5: a: b",
            "x-1 [000] 1.5",
            "0-3,[1] 2: x",
            "CPU:0 [LOST 5 EVENTS]",
        ] {
            assert_eq!(event(line), None, "{line}");
        }
    }
}
