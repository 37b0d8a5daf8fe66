//! Paths and values of domain files, however they were listed.

/// A file of one domain, and its value where it stands on the same line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File<'a> {
    pub(super) cpu: u32,
    pub(super) index: u32,
    pub(super) field: &'a str,
    /// `None` where the line only names the file, as `head` and `tail` do.
    pub(super) value: Option<&'a str>,
}

/// Reads `…/cpu0/domain1/name:MC` (`grep -r .`), `kernel.sched_domain.cpu0.domain1.name = MC` (`sysctl -a`) and
/// `==> …/cpu0/domain1/name <==` (`tail`).
pub(super) fn read(line: &str) -> Option<File<'_>> {
    let text = line.trim();
    let (text, header) = match text.strip_prefix("==> ") {
        Some(path) => (path.strip_suffix("<==")?.trim_end(), true),
        None => (text, false),
    };
    for (at, _) in text.match_indices("cpu").take(8) {
        // What stands before is a path: without blanks.
        if text[..at].contains(char::is_whitespace) {
            return None;
        }
        if let Some(file) = path(&text[at + 3..], header) {
            return Some(file);
        }
    }
    None
}

/// What follows `cpu`: `0/domain1/name:MC`.
fn path(text: &str, header: bool) -> Option<File<'_>> {
    let (cpu, rest) = number(text)?;
    let slash = rest.chars().next().filter(|c| matches!(c, '/' | '.'))?;
    let (index, rest) = number(rest[1..].strip_prefix("domain")?)?;
    let rest = rest.strip_prefix(slash)?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (field, rest) = rest.split_at(end);
    if field.is_empty() {
        return None;
    }
    if header {
        return rest.is_empty().then_some(File { cpu, index, field, value: None });
    }
    let value = rest.trim_start().strip_prefix([':', '='])?.trim();
    Some(File { cpu, index, field, value: Some(value) })
}

/// The number at the beginning, and what follows.
pub(super) fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_of_all_tools() {
        let file = |value| Some(File { cpu: 12, index: 1, field: "name", value });
        for line in [
            "cpu12/domain1/name:MC",
            "/sys/kernel/debug/sched/domains/cpu12/domain1/name:MC",
            "./cpu12/domain1/name: MC",
            "kernel.sched_domain.cpu12.domain1.name = MC",
        ] {
            assert_eq!(read(line), file(Some("MC")), "{line}");
        }
        assert_eq!(read("==> /proc/sys/kernel/sched_domain/cpu12/domain1/name <=="), file(None));
        for line in [
            "cpu12",
            "cpu0/domain/name:x",
            "cpu0/domain0:x",
            "a cpu0/domain0/name:x",
            "cpu99999999999/domain0/name:x",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
