//! Numbers as people read them: units always, a thin space in thousands.

const THIN: char = '\u{2009}';

/// Three significant digits at most, without a trailing zero after the point.
fn digits(value: f64) -> String {
    let places = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    let text = fixed(value, places);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A number with so many digits after the point, ties to even as std has it. Made of whole numbers, since std's exact
/// way, which nobody needs on a screen, would have to be downloaded.
pub fn fixed(value: f64, places: u32) -> String {
    let scale = 10_u64.pow(places);
    let all = (value.abs() * scale as f64).round_ties_even() as u64;
    let sign = if value < 0.0 && all > 0 { "-" } else { "" };
    match places {
        0 => format!("{sign}{all}"),
        _ => format!("{sign}{}.{:0width$}", all / scale, all % scale, width = places as usize),
    }
}

/// A length of time: `500 µs`, `1.9 ms`.
pub fn duration(ns: u64) -> String {
    duration_f(ns as f64)
}

/// A length of time that may be a mean.
pub fn duration_f(ns: f64) -> String {
    let (scale, unit) = match ns {
        n if n >= 0.9995e9 => (1e9, "s"),
        n if n >= 0.9995e6 => (1e6, "ms"),
        n if n >= 0.9995e3 => (1e3, "µs"),
        _ => (1.0, "ns"),
    };
    format!("{} {unit}", digits(ns / scale))
}

/// A count, exact up to 99 999: `23 941`, then `604 k`, `1.44 M`.
pub fn count(value: f64) -> String {
    match value {
        v if v >= 99.95e6 || v >= 0.9995e6 => format!("{} M", digits(v / 1e6)),
        v if v >= 99_999.5 => format!("{} k", digits(v / 1e3)),
        v if v >= 99.95 => thousands(v.round() as u64),
        v => digits(v),
    }
}

/// A count in at most three digits: `41.2 k`.
pub fn short(value: f64) -> String {
    if (999.5..0.9995e6).contains(&value) { format!("{} k", digits(value / 1e3)) } else { count(value) }
}

/// A whole number with its thousands apart.
pub fn thousands(value: u64) -> String {
    let plain = value.to_string();
    let first = plain.len() % 3;
    let mut text = String::new();
    for (i, c) in plain.chars().enumerate() {
        if i > 0 && i % 3 == first && plain.len() > 3 {
            text.push(THIN);
        }
        text.push(c);
    }
    text
}

/// A share of one as percent: `4.3 %`.
pub fn percent(share: f64) -> String {
    format!("{} %", digits(share * 100.0))
}

/// A moment of the run: `8.412 360 s`.
pub fn moment(ns: u64) -> String {
    let micros = ns / 1_000;
    let (s, ms, us) = (micros / 1_000_000, micros / 1_000 % 1_000, micros % 1_000);
    format!("{}.{ms:03}{THIN}{us:03} s", thousands(s))
}

/// Thousandths as a plain number: `0.90`.
pub fn thousandths(value: u32) -> String {
    if value.is_multiple_of(10) {
        format!("{}.{:02}", value / 1_000, value % 1_000 / 10)
    } else {
        format!("{}.{:03}", value / 1_000, value % 1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_and_three_digits() {
        for (ns, text) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_000, "1 µs"),
            (3_142, "3.14 µs"),
            (500_000, "500 µs"),
            (999_950, "1 ms"),
            (1_900_000, "1.9 ms"),
            (12_345_678, "12.3 ms"),
            (8_412_360_000, "8.41 s"),
        ] {
            assert_eq!(duration(ns), text);
        }
    }

    #[test]
    fn fixed_places_are_rounded_and_filled() {
        for (value, places, text) in [
            (0.0, 0, "0"),
            (2.5, 0, "2"),
            (99.96, 1, "100.0"),
            (-0.25, 4, "-0.2500"),
            (-0.001, 2, "0.00"),
            (1.03, 1, "1.0"),
        ] {
            assert_eq!(fixed(value, places), text);
        }
    }

    #[test]
    fn counts_grow_into_thousands_and_millions() {
        for (value, long, brief) in [
            (0.0, "0", "0"),
            (4.25, "4.25", "4.25"),
            (27.0, "27", "27"),
            (1_710.4, "1\u{2009}710", "1.71 k"),
            (23_941.0, "23\u{2009}941", "23.9 k"),
            (604_000.0, "604 k", "604 k"),
            (1_441_000.0, "1.44 M", "1.44 M"),
        ] {
            assert_eq!(count(value), long);
            assert_eq!(short(value), brief);
        }
    }

    #[test]
    fn a_moment_shows_microseconds() {
        assert_eq!(moment(8_412_360_999), "8.412\u{2009}360 s");
        assert_eq!(moment(0), "0.000\u{2009}000 s");
        assert_eq!(thousands(1_234_567), "1\u{2009}234\u{2009}567");
        assert_eq!(thousands(123), "123");
    }

    #[test]
    fn thousandths_keep_what_they_hold() {
        assert_eq!(thousandths(900), "0.90");
        assert_eq!(thousandths(1_205), "1.205");
    }
}
