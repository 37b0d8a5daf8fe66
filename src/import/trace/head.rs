//! Lines of a trace that are no events: headers, losses, what stands around it in a web page.

use crate::import::lists::MAX_CPUS;

/// What a line beside the events says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// `# tracer: nop`.
    Tracer(String),
    /// `#P:8`, and whether events were overwritten before the trace was read.
    Entries { cpus: Option<u32>, overwritten: Option<u64> },
    /// trace-cmd's `cpus=8`.
    TraceCmd(Option<u32>),
    /// perf's `# nrcpus online : 8`.
    PerfCpus(u32),
    /// Events of a CPU were lost; how many, where that is said.
    Lost(u32, Option<u64>),
    /// `##### CPU 2 buffer started ####`.
    Started(u32),
    /// A header without a fact in it.
    Nothing,
}

/// Reads a line that may stand beside events. A header counts only inside of a trace, unless it is plain.
pub(super) fn read(text: &str, inside: bool) -> Option<Beside> {
    if let Some(tracer) = text.strip_prefix("# tracer:") {
        return Some(Beside::Tracer(tracer.trim().chars().take(40).collect()));
    }
    if let Some(rest) = text.strip_prefix("# entries-in-buffer/entries-written:") {
        return Some(entries(rest));
    }
    if let Some(cpus) = text.strip_prefix("cpus=") {
        return Some(Beside::TraceCmd(Some(small(cpus)?)));
    }
    if let Some(version) = text.strip_prefix("version = ") {
        return version.parse::<u32>().ok().map(|_| Beside::TraceCmd(None));
    }
    if let Some(cpus) = text.strip_prefix("# nrcpus online :") {
        return Some(Beside::PerfCpus(small(cpus.trim())?));
    }
    if let Some(rest) = text.strip_prefix("##### CPU ") {
        return Some(Beside::Started(small(rest.split(' ').next()?)?));
    }
    if let Some(rest) = text.strip_prefix("CPU:") {
        return lost(rest);
    }
    (inside && (text.starts_with('#') || text == "}")).then_some(Beside::Nothing)
}

/// `2 [LOST 123 EVENTS]` and `2 [123 EVENTS DROPPED]`.
fn lost(rest: &str) -> Option<Beside> {
    let (cpu, rest) = rest.split_once(' ')?;
    let upper = rest.to_ascii_uppercase();
    if !upper.contains("LOST") && !upper.contains("DROPPED") {
        return None;
    }
    let n = upper.split(|c: char| !c.is_ascii_digit()).find_map(|word| word.parse().ok());
    Some(Beside::Lost(small(cpu)?, n))
}

fn entries(rest: &str) -> Beside {
    let mut words = rest.split_ascii_whitespace();
    let (have, written) = words.next().and_then(|w| w.split_once('/')).unwrap_or_default();
    let overwritten = match (have.parse::<u64>(), written.parse::<u64>()) {
        (Ok(have), Ok(written)) => written.checked_sub(have).filter(|n| *n > 0),
        _ => None,
    };
    Beside::Entries { cpus: words.find_map(|w| small(w.strip_prefix("#P:")?)), overwritten }
}

fn small(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|n| *n <= MAX_CPUS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_beside_events() {
        for (text, expected) in [
            ("# tracer: nop", Some(Beside::Tracer("nop".to_owned()))),
            (
                "# entries-in-buffer/entries-written: 5/12   #P:8",
                Some(Beside::Entries { cpus: Some(8), overwritten: Some(7) }),
            ),
            ("cpus=8", Some(Beside::TraceCmd(Some(8)))),
            ("CPU:2 [LOST 123 EVENTS]", Some(Beside::Lost(2, Some(123)))),
            ("CPU:2 [7 EVENTS DROPPED]", Some(Beside::Lost(2, Some(7)))),
            ("CPU: Intel", None),
            ("##### CPU 3 buffer started ####", Some(Beside::Started(3))),
            ("# comment", None),
        ] {
            assert_eq!(read(text, false), expected, "{text}");
        }
    }
}
