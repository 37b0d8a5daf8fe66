//! Where importers put what they assumed and what they could not use.

use super::ImportWarning;

/// Beyond this many warnings only their number is kept: a hundred thousand bad rows are one finding.
const MAX_WARNINGS: usize = 100;

/// Collects sentences while a text is read; nothing stops for a warning.
#[derive(Default)]
pub(super) struct Notes {
    warnings: Vec<ImportWarning>,
    more: usize,
    assumed: Vec<String>,
}

impl Notes {
    /// Notes something that could not be used or looks wrong.
    pub(super) fn warn(&mut self, line: impl Into<Option<usize>>, text: impl Into<String>) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(ImportWarning { line: line.into(), text: text.into() });
        } else {
            self.more += 1;
        }
    }

    /// Notes something that the machine needs and the text does not say. Each sentence is kept once.
    pub(super) fn assume(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.assumed.contains(&text) {
            self.assumed.push(text);
        }
    }

    /// Says in every warning so far of which file it speaks: with two files a line number alone does not tell.
    pub(super) fn prefix_lines(&mut self, file: &str) {
        for warning in &mut self.warnings {
            let text = std::mem::take(&mut warning.text);
            warning.text = if warning.line.is_some() { format!("In the {file}: {text}") } else { text };
        }
    }

    /// Takes over what was noted elsewhere.
    pub(super) fn append(&mut self, other: Self) {
        self.more += other.more;
        other.warnings.into_iter().for_each(|w| self.warn(w.line, w.text));
        other.assumed.into_iter().for_each(|a| self.assume(a));
    }

    /// The assumptions in the order made, and the warnings in the order of their lines.
    pub(super) fn finish(mut self) -> (Vec<String>, Vec<ImportWarning>) {
        self.warnings.sort_by_key(|w| w.line);
        if self.more > 0 {
            let text = format!("{} more things could not be used.", self.more);
            self.warnings.push(ImportWarning { line: None, text });
        }
        (self.assumed, self.warnings)
    }
}

/// `1 CPU`, `2 CPUs`.
pub(super) fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// `CPU 2`, `CPUs 2-4`.
pub(super) fn named(one: &str, numbers: &[u32]) -> String {
    let plural = if numbers.len() == 1 { "" } else { "s" };
    format!("{one}{plural} {}", ranges(numbers))
}

/// A list of numbers as the kernel prints it: `0-3,8`.
pub(super) fn ranges(numbers: &[u32]) -> String {
    let mut out = String::new();
    let mut rest = numbers;
    while let [first, ..] = *rest {
        let run = 1 + rest.windows(2).take_while(|w| w[0].checked_add(1) == Some(w[1])).count();
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(&first.to_string());
        if run > 1 {
            out.push_str(&format!("-{}", rest[run - 1]));
        }
        rest = &rest[run..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_warnings_is_counted() {
        let mut notes = Notes::default();
        for line in (1..=250).rev() {
            notes.warn(line, "bad");
        }
        let (_, warnings) = notes.finish();
        assert_eq!(warnings.len(), MAX_WARNINGS + 1);
        assert!(warnings[0].line < warnings[1].line);
        assert_eq!(warnings[MAX_WARNINGS].text, "150 more things could not be used.");
    }

    #[test]
    fn lists_print_as_the_kernel_prints_them() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[0, 1, 2, 8, u32::MAX]), format!("0-2,8,{}", u32::MAX));
    }
}
