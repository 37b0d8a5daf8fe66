//! The boot log of `sched_verbose`.

use super::files::number;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Log<'a> {
    /// `CPU3 attaching sched-domain(s):`, or `NULL` for one without.
    Cpu(u32),
    /// `domain-1: span=0-3 level=MC`.
    Domain { index: u32, span: &'a str, name: &'a str },
    /// `groups: 0:{ span=0 }, 4:{ span=4 }`.
    Groups(&'a str),
    /// `ERROR: …`: a fact about the machine.
    Error(&'a str),
    /// `root domain span: 0-7`, which says nothing of the tree.
    Root,
}

/// Reads a line, whatever the log printed before it. `inside` tells that a CPU's domains came just before.
pub(super) fn read(line: &str, inside: bool) -> Option<Log<'_>> {
    if let Some(at) = line.find(" attaching ").filter(|at| line[at + 11..].contains("sched-domain")) {
        let word = line[..at].rsplit([' ', '\t', ']']).next()?;
        let (cpu, rest) = number(word.strip_prefix("CPU")?)?;
        return rest.is_empty().then_some(Log::Cpu(cpu));
    }
    if let Some(domain) = domain(line) {
        return Some(domain);
    }
    if line.contains("root domain span: ") || line.contains("root_domain ") {
        return Some(Log::Root);
    }
    if !inside {
        return None;
    }
    if let Some(at) = line.find("groups:") {
        return Some(Log::Groups(line[at + 7..].trim()));
    }
    line.find("ERROR: ").map(|at| Log::Error(line[at + 7..].trim()))
}

/// Also the older spelling, `domain 0: span 0-3 level MC`.
fn domain(line: &str) -> Option<Log<'_>> {
    for (at, _) in line.match_indices("domain").take(4) {
        let Some(rest) = line[at + 6..].strip_prefix(['-', ' ']) else { continue };
        let Some((index, rest)) = number(rest) else { continue };
        let Some(rest) = rest.strip_prefix(": span=").or_else(|| rest.strip_prefix(": span ")) else {
            continue;
        };
        let (span, name) =
            rest.split_once(" level=").or_else(|| rest.split_once(" level ")).unwrap_or((rest, ""));
        return Some(Log::Domain { index, span: span.trim(), name: name.trim() });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_log() {
        assert_eq!(read("[    0.3] CPU12 attaching sched-domain(s):", false), Some(Log::Cpu(12)));
        assert_eq!(read("CPU1 attaching NULL sched-domain.", false), Some(Log::Cpu(1)));
        let mc = Some(Log::Domain { index: 1, span: "0-3,8", name: "MC" });
        assert_eq!(read("kernel: [ 0.3]   domain-1: span=0-3,8 level=MC", false), mc);
        assert_eq!(read("  domain 1: span 0-3,8 level MC", false), mc);
        assert_eq!(read("   groups: 0:{ span=0 }", true), Some(Log::Groups("0:{ span=0 }")));
        assert_eq!(read("   groups: 0:{ span=0 }", false), None);
    }
}
