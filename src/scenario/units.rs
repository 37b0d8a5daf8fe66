//! Numbers with units as people write them: `500us`, `1.5s`, `0.9`. Integers throughout.

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Ns,
    Us,
    Ms,
    S,
}

impl Unit {
    const ALL: [Unit; 4] = [Self::Ns, Self::Us, Self::Ms, Self::S];

    /// Nanoseconds in one.
    fn ns(self) -> u64 {
        match self {
            Self::Ns => 1,
            Self::Us => 1_000,
            Self::Ms => 1_000_000,
            Self::S => 1_000_000_000,
        }
    }

    /// As typed in a link.
    pub fn typed(self) -> &'static str {
        match self {
            Self::Ns => "ns",
            Self::Us => "us",
            Self::Ms => "ms",
            Self::S => "s",
        }
    }

    /// As printed in a sentence.
    fn printed(self) -> &'static str {
        match self {
            Self::Us => "µs",
            other => other.typed(),
        }
    }

    fn of(text: &str) -> Option<Self> {
        match text {
            "ns" => Some(Self::Ns),
            "us" | "µs" | "μs" => Some(Self::Us),
            "ms" => Some(Self::Ms),
            "s" | "sec" => Some(Self::S),
            _ => None,
        }
    }
}

/// A decimal number times a whole scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scaled {
    /// The value, held at the ends of `i64` where it would lie beyond.
    pub value: i64,
    /// False if digits finer than 1 were dropped.
    pub exact: bool,
}

/// `text` (digits with at most one point, perhaps signed) times `scale`, toward zero. `None` if it is no such
/// number.
pub(super) fn scaled(text: &str, scale: u64) -> Option<Scaled> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let mut value = digits_value(whole).saturating_mul(u128::from(scale));
    let fraction = fraction.trim_end_matches('0');
    // Digits beyond the eighteenth are finer than any unit here, so they cannot change the value.
    let kept = &fraction[..fraction.len().min(18)];
    let numerator = digits_value(kept).saturating_mul(u128::from(scale));
    let denominator = 10_u128.pow(kept.len() as u32);
    value = value.saturating_add(numerator / denominator);
    let exact = fraction.len() == kept.len() && numerator.is_multiple_of(denominator);
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    Some(Scaled { value: if negative { -value } else { value }, exact })
}

fn digits_value(digits: &str) -> u128 {
    let digits = digits.trim_start_matches('0');
    if digits.len() > 30 {
        return u128::MAX;
    }
    digits.bytes().fold(0, |value, b| value * 10 + u128::from(b - b'0'))
}

/// A time as read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time {
    /// Nanoseconds.
    pub ns: i64,
    /// The unit that was written; `None` if none was, and then the caller's was used.
    pub unit: Option<Unit>,
    /// False if digits finer than a nanosecond were dropped.
    pub exact: bool,
}

/// Reads `500us`, `1.5 s`, `500`. A number without a unit is taken in `assumed`.
pub(super) fn read_time(text: &str, assumed: Unit) -> Option<Time> {
    let text = text.trim();
    let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let unit = match suffix {
        "" => None,
        suffix => Some(Unit::of(&suffix.to_lowercase())?),
    };
    let read = scaled(number.trim_end(), unit.unwrap_or(assumed).ns())?;
    Some(Time { ns: read.value, unit, exact: read.exact })
}

/// The whole part and trimmed fraction of `value / scale`; `scale` is a power of ten.
fn decimal(value: u64, scale: u64) -> String {
    let (whole, rest) = (value / scale, value % scale);
    if rest == 0 {
        return whole.to_string();
    }
    let width = scale.ilog10() as usize;
    let fraction = format!("{rest:0width$}");
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

fn fitting(ns: u64) -> Unit {
    Unit::ALL.into_iter().rev().find(|unit| ns >= unit.ns()).unwrap_or(Unit::Ns)
}

/// The canonical form, exact, in the largest unit of which it holds one: `500us`, `4ms`, `1.5s`; zero is `0`.
pub(super) fn time_text(ns: u64) -> String {
    if ns == 0 {
        return "0".to_owned();
    }
    let unit = fitting(ns);
    decimal(ns, unit.ns()) + unit.typed()
}

/// The same for a sentence: `500 µs`.
pub(super) fn time_words(ns: u64) -> String {
    let unit = fitting(ns);
    format!("{}\u{a0}{}", decimal(ns, unit.ns()), unit.printed())
}

/// Thousandths as a decimal: 900 is `0.9`.
pub(super) fn thousandths_text(permille: u64) -> String {
    decimal(permille, 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_written_in_the_unit_that_fits() {
        for (ns, text) in [
            (0, "0"),
            (1, "1ns"),
            (999, "999ns"),
            (1_500, "1.5us"),
            (500_000, "500us"),
            (4_000_000, "4ms"),
            (1_500_000_000, "1.5s"),
            (8_412_360_001, "8.412360001s"),
        ] {
            assert_eq!(time_text(ns), text);
        }
        assert_eq!(time_words(500_000), "500\u{a0}µs");
    }

    #[test]
    fn times_are_read_in_the_ways_people_write_them() {
        for (text, ns) in [
            ("500us", 500_000),
            ("500µs", 500_000),
            ("500 us", 500_000),
            ("1.5S", 1_500_000_000),
            (".5ms", 500_000),
            ("+1ms", 1_000_000),
            ("-1ms", -1_000_000),
            ("99999999999999999999999999999999999999999s", i64::MAX),
        ] {
            assert_eq!(read_time(text, Unit::Us).map(|t| t.ns), Some(ns), "{text}");
        }
        for text in ["", "us", "1.2.3s", "1e3us", "5 minutes", "１ms", ".", "-", "1us2"] {
            assert_eq!(read_time(text, Unit::Us), None, "{text}");
        }
        assert_eq!(read_time("500", Unit::Us), Some(Time { ns: 500_000, unit: None, exact: true }));
        assert!(!read_time("1.5ns", Unit::Us).unwrap().exact);
    }

    proptest! {
        #[test]
        fn every_time_comes_back(ns in 0..=i64::MAX as u64) {
            let read = read_time(&time_text(ns), Unit::Us).unwrap();
            prop_assert_eq!((read.ns, read.exact), (ns as i64, true));
        }

        #[test]
        fn every_level_comes_back(permille in 0..100_000_u64) {
            let read = scaled(&thousandths_text(permille), 1_000).unwrap();
            prop_assert_eq!(read, Scaled { value: permille as i64, exact: true });
        }

        #[test]
        fn no_text_panics(text in ".{0,60}") {
            let _ = read_time(&text, Unit::S);
        }
    }
}
