//! Collects the sentences about what could not be used, bounded in number and length.

use super::Warning;

/// More sentences than this help nobody; the rest are counted.
const MOST: usize = 20;

/// Longest piece of a person's own text that is quoted back.
const QUOTED: usize = 40;

/// The sentences so far.
#[derive(Default)]
pub(super) struct Report {
    warnings: Vec<Warning>,
    more: usize,
}

impl Report {
    /// Adds one sentence about `key`.
    pub fn say(&mut self, key: &str, text: impl Into<String>) {
        self.push(Some(shortened(key)), text.into());
    }

    /// Adds one sentence about the link as a whole.
    pub fn say_of_link(&mut self, text: impl Into<String>) {
        self.push(None, text.into());
    }

    /// True once further sentences are only counted, so that callers can spare the work of wording them.
    pub fn is_full(&self) -> bool {
        self.warnings.len() >= MOST
    }

    fn push(&mut self, key: Option<String>, text: String) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.warnings.push(Warning { key, text });
        }
    }

    /// The sentences, with a last one that counts those left out.
    pub fn finish(mut self) -> Vec<Warning> {
        if self.more > 0 {
            let things = if self.more == 1 { "thing" } else { "things" };
            let text = format!("{} more {things} in this link could not be used.", grouped(self.more as u64));
            self.warnings.push(Warning { key: None, text });
        }
        self.warnings
    }
}

/// A person's own text, fit to stand in a sentence: one line, no control characters, at most 40 characters.
pub(super) fn shortened(text: &str) -> String {
    let mut out: String =
        text.chars().take(QUOTED).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(QUOTED).is_some() {
        out.push('…');
    }
    out
}

/// Digits in groups of three, with thin spaces: `100 000`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// The candidate most like `word`, if one is near enough to be what a person meant.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > QUOTED {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `a, b and c`.
pub(super) fn listed<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [head @ .., last] => {
            let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", head.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_bounded_and_the_rest_counted() {
        let mut report = Report::default();
        for i in 0..1000 {
            report.say("k", i.to_string());
        }
        let warnings = report.finish();
        assert_eq!(warnings.len(), MOST + 1);
        assert_eq!(warnings[MOST].text, "980 more things in this link could not be used.");
    }

    #[test]
    fn quoted_text_is_one_short_line() {
        assert_eq!(shortened("a\nb"), "a\u{fffd}b");
        assert_eq!(shortened(&"x".repeat(50)), format!("{}…", "x".repeat(40)));
    }

    #[test]
    fn nearest_finds_a_slip_and_no_stranger() {
        let keys = ["release", "machine", "load"];
        assert_eq!(nearest("relase", keys), Some("release"));
        assert_eq!(nearest("Machien", keys), Some("machine"));
        assert_eq!(nearest("colour", keys), None);
    }

    #[test]
    fn lists_and_groups_read_well() {
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(grouped(1_234_567), "1\u{2009}234\u{2009}567");
        assert_eq!(grouped(999), "999");
    }
}
