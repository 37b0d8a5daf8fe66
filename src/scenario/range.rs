//! Ranges of a setting's values, as a sweep takes them: `0.1..1.2/12`, `100us..1ms/10`.

use super::report::shortened;
use super::units::{Unit, read_time, scaled, thousandths_text, time_text};

/// What both ends of a range are counted in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    Ns,
    Thousandth,
    Whole,
}

/// The values of `lo..hi/n`: n of them, evenly spaced with both ends, each rounded to the nearest nanosecond,
/// thousandth (for `load`, and where an end has a point) or whole number. `most` bounds n. The error is one
/// sentence.
pub fn range(key: &str, text: &str, most: u64) -> Result<Vec<String>, String> {
    let quoted = shortened(text);
    let malformed = || format!("{quoted} is no range; write it as lo..hi/n, such as 0.1..1.2/12.");
    let (low, rest) = text.split_once("..").ok_or_else(malformed)?;
    let (high, count) = rest.split_once('/').ok_or_else(malformed)?;
    let (low, high, count) = (low.trim(), high.trim(), count.trim());
    if count.is_empty() || !count.bytes().all(|b| b.is_ascii_digit()) {
        return Err(malformed());
    }
    let count = count.parse::<u64>().unwrap_or(u64::MAX);
    if count < 2 {
        return Err(format!("{quoted} asks for {count} values; a range has two at least."));
    }
    if count > most {
        return Err(format!("{quoted} asks for more than {most} values, which is the most."));
    }
    let grain = grain(key, low, high);
    let (low, high) = (end(low, grain).ok_or_else(malformed)?, end(high, grain).ok_or_else(malformed)?);
    if low >= high {
        return Err(format!("{quoted} must begin below its end."));
    }
    if high - low < count - 1 {
        return Err(format!("{quoted} asks for {count} values where there are only {}.", high - low + 1));
    }
    Ok((0..count).map(|k| written(between(low, high, k, count - 1), grain)).collect())
}

fn grain(key: &str, low: &str, high: &str) -> Grain {
    let has_unit = |text: &str| text.ends_with(|c: char| c.is_alphabetic());
    if has_unit(low) || has_unit(high) {
        Grain::Ns
    } else if key == "load" || low.contains('.') || high.contains('.') {
        Grain::Thousandth
    } else {
        Grain::Whole
    }
}

/// An end in grains; `None` if it is none, is negative, or is finer than a grain.
fn end(text: &str, grain: Grain) -> Option<u64> {
    let (value, exact) = match grain {
        Grain::Ns => {
            let time = read_time(text, Unit::Ns)?;
            // A bare number beside a time could be meant in any unit; zero is zero in all.
            (time.ns, time.exact && (time.unit.is_some() || time.ns == 0))
        }
        Grain::Thousandth => scaled(text, 1_000).map(|s| (s.value, s.exact))?,
        Grain::Whole => scaled(text, 1).map(|s| (s.value, s.exact))?,
    };
    u64::try_from(value).ok().filter(|_| exact)
}

/// `low` plus `k` of `steps` parts of the way to `high`, to the nearest.
fn between(low: u64, high: u64, k: u64, steps: u64) -> u64 {
    let way = u128::from(high - low) * u128::from(k) * 2 + u128::from(steps);
    // At most high - low.
    low + (way / (u128::from(steps) * 2)) as u64
}

fn written(value: u64, grain: Grain) -> String {
    match grain {
        Grain::Ns => time_text(value),
        Grain::Thousandth => thousandths_text(value),
        Grain::Whole => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(key: &str, text: &str) -> String {
        range(key, text, 1_000).map_or_else(|sentence| sentence, |values| values.join(" "))
    }

    #[test]
    fn values_are_evenly_spaced_with_both_ends() {
        let loads = "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2";
        assert_eq!(values("load", "0.1..1.2/12"), loads);
        assert_eq!(values("load", "0..1/4"), "0 0.333 0.667 1");
        assert_eq!(values("seed", "1..5/5"), "1 2 3 4 5");
        assert_eq!(values("nr_migrate", "1..4/3"), "1 3 4");
        assert_eq!(values("migration_cost", "0..1ms/3"), "0 500us 1ms");
        assert_eq!(values("cost.tick", "1us..2us/2"), "1us 2us");
    }

    #[test]
    fn a_bad_range_is_one_sentence() {
        for text in ["1..2", "..2/3", "1../3", "1..2/x", "1..2/", "a..b/3", "-1..2/3", "1..2ms/3", "1/3"] {
            assert!(values("seed", text).contains(" is no range; "), "{text}: {}", values("seed", text));
        }
        assert_eq!(values("seed", "2..1/2"), "2..1/2 must begin below its end.");
        assert_eq!(values("seed", "1..1/2"), "1..1/2 must begin below its end.");
        assert_eq!(values("seed", "1..9/1"), "1..9/1 asks for 1 values; a range has two at least.");
        assert_eq!(values("seed", "1..3/5"), "1..3/5 asks for 5 values where there are only 3.");
        let most = "1..3/99999999999999999999 asks for more than 1000 values, which is the most.";
        assert_eq!(values("seed", "1..3/99999999999999999999"), most);
    }
}
