//! Single values: each reader gives a usable value, and says a sentence where it is not what was written.

use super::report::{Report, listed, nearest, shortened};
use super::units::{Unit, read_time, scaled, thousandths_text, time_text, time_words};

/// The key and the text that stands for it.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub key: &'a str,
    pub text: &'a str,
}

impl Written<'_> {
    /// `key=text`, fit for a sentence.
    pub fn quoted(self) -> String {
        format!("{}={}", shortened(self.key), shortened(self.text))
    }
}

/// What a number may be.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub min: u64,
    pub max: u64,
}

/// How a number is spelled.
#[derive(Clone, Copy)]
pub(super) enum Spelling {
    /// A time in nanoseconds; without a unit it is taken in this one.
    Time(Unit),
    /// A decimal, kept in thousandths.
    Thousandths,
    /// A whole number.
    Count,
    /// A nice level, kept 20 above.
    Nice,
}

/// What is added to a nice level to keep it as a number from 0 on.
const NICE: i64 = 20;

impl Spelling {
    /// As written in a link.
    pub fn text(self, value: u64) -> String {
        match self {
            Self::Time(_) => time_text(value),
            Self::Thousandths => thousandths_text(value),
            Self::Count => value.to_string(),
            Self::Nice => (i64::try_from(value).unwrap_or(i64::MAX).saturating_sub(NICE)).to_string(),
        }
    }

    fn words(self, value: u64) -> String {
        match self {
            Self::Time(_) if value > 0 => time_words(value),
            other => other.text(value),
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Time(_) => "a time such as 500us",
            Self::Thousandths => "a number such as 0.9",
            Self::Count => "a whole number",
            Self::Nice => "a nice level from -20 to 19",
        }
    }

    fn finest(self) -> &'static str {
        match self {
            Self::Time(_) => "a nanosecond",
            Self::Thousandths => "a thousandth",
            Self::Count | Self::Nice => "a whole",
        }
    }
}

/// Reads a number: the default if it is none, the nearest allowed one if it is out of range.
pub(super) fn number(
    written: Written,
    spelling: Spelling,
    limits: Limits,
    default: u64,
    report: &mut Report,
) -> u64 {
    try_number(written, spelling, limits, report).unwrap_or_else(|| {
        let (quoted, example, used) = (written.quoted(), spelling.example(), spelling.words(default));
        report.say(written.key, format!("{quoted} is not {example}. {used} is used."));
        default
    })
}

/// The same, but `None` if it is no number at all; the caller says so.
pub(super) fn try_number(
    written: Written,
    spelling: Spelling,
    limits: Limits,
    report: &mut Report,
) -> Option<u64> {
    let (value, exact, has_unit) = match spelling {
        Spelling::Time(assumed) => {
            let time = read_time(written.text, assumed)?;
            (time.ns, time.exact, time.unit.is_some() || time.ns == 0)
        }
        Spelling::Thousandths => scaled(written.text, 1_000).map(|s| (s.value, s.exact, true))?,
        Spelling::Count => scaled(written.text, 1).map(|s| (s.value, s.exact, true))?,
        Spelling::Nice => scaled(written.text, 1).map(|s| (s.value.saturating_add(NICE), s.exact, true))?,
    };
    let used = u64::try_from(value).unwrap_or(0).clamp(limits.min, limits.max);
    let (quoted, words) = (written.quoted(), spelling.words(used));
    if i64::try_from(used) != Ok(value) {
        let (beyond, end) =
            if used == limits.max && value > 0 { ("above", "largest") } else { ("below", "smallest") };
        report.say(written.key, format!("{quoted} is {beyond} the {end} value. {words} is used."));
    } else if !exact {
        report.say(written.key, format!("{quoted} is finer than {}. {words} is used.", spelling.finest()));
    } else if !has_unit {
        let typed = spelling.text(used);
        report.say(written.key, format!("{quoted} has no unit. {words} is used; write {typed}."));
    }
    Some(used)
}

/// The sentence for a name that is not known.
pub(super) fn not_one_of(written: Written, names: &[&str], used: &str) -> String {
    let quoted = written.quoted();
    match nearest(written.text, names.iter().copied()) {
        Some(near) => format!("{quoted} is not known. Did you mean {near}? {used} is used."),
        None => format!("{quoted} is not known; there is {}. {used} is used.", listed(names)),
    }
}
