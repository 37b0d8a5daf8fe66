//! CPU lists (`0-62:2,64`), node lists and masks, with bounds: a short text must not ask for much memory.

use fixedbitset::FixedBitSet;

/// CPU numbers are below this; no Linux kernel is built for more than 8192 CPUs. How many CPUs a machine may
/// have here is [`crate::topology::MAX_CPUS`].
pub(super) const MAX_CPUS: u32 = 8192;
/// Node numbers are below this; no Linux kernel is built for more than 1024 nodes.
pub(super) const MAX_NODES: u32 = 1024;

/// What a text says when it goes beyond the bounds.
pub(super) fn too_many(what: &str, limit: u32) -> String {
    format!("It names {what} numbered {limit} or above; Linux has at most {limit}.")
}

/// Reads a list of numbers below `limit`: ranges `a-b`, strides `a-b:s`, separated by commas or spaces, and
/// numactl's trailing count `(28)`. A mask with a leading `0x` is read too. The result ascends, each number
/// once. An error is a sentence.
pub(super) fn parse_list(text: &str, what: &str, limit: u32) -> Result<Vec<u32>, String> {
    let text = text.split('(').next().unwrap_or_default().trim();
    if text.starts_with("0x") {
        return parse_mask(text, what, limit);
    }
    let mut numbers = FixedBitSet::with_capacity(limit as usize);
    for part in text.split([',', ' ', '\t']).filter(|p| !p.is_empty()) {
        let (range, step) = part.split_once(':').unwrap_or((part, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (Ok(first), Ok(last), Ok(step)) =
            (first.parse::<u32>(), last.parse::<u32>(), step.parse::<u32>())
        else {
            return Err(unreadable(part, "a number or a range of numbers"));
        };
        if first >= limit || last >= limit {
            return Err(too_many(what, limit));
        }
        if last < first || step == 0 {
            return Err(unreadable(part, "a rising range"));
        }
        if step == 1 {
            numbers.insert_range(first as usize..last as usize + 1);
        } else {
            numbers.extend((first as usize..=last as usize).step_by(step as usize));
        }
    }
    Ok(numbers.ones().map(|number| number as u32).collect())
}

/// Reads a mask in hexadecimal: 32-bit words, highest first, separated by commas, each with or without `0x`.
/// Inner words of nothing may be left empty, as hwloc does. A single longer word is read too.
pub(super) fn parse_mask(text: &str, what: &str, limit: u32) -> Result<Vec<u32>, String> {
    if text.contains("...") {
        return Err("The mask has no end.".to_owned());
    }
    let mut numbers = Vec::new();
    let mut start = 0_u32;
    for word in text.trim().rsplit(',') {
        let word = word.trim();
        let digits = word.strip_prefix("0x").unwrap_or(word);
        let mut base = start;
        for digit in digits.chars().rev() {
            let bits = digit.to_digit(16).ok_or_else(|| unreadable(text, "a mask"))?;
            for bit in (0..4).filter(|bit| bits & (1 << bit) != 0) {
                let number = base.saturating_add(bit);
                if number >= limit {
                    return Err(too_many(what, limit));
                }
                numbers.push(number);
            }
            base = base.saturating_add(4);
        }
        // A word written short or left empty stands for 32 CPUs all the same.
        let words = base.saturating_sub(start).div_ceil(32).max(1);
        start = start.saturating_add(words.saturating_mul(32));
    }
    Ok(numbers)
}

fn unreadable(part: &str, what: &str) -> String {
    format!("“{}” is not {what}.", shown(part))
}

/// A piece of the text, short enough for a sentence.
pub(super) fn shown(text: &str) -> String {
    let mut out: String = text.chars().take(40).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(text: &str) -> Result<Vec<u32>, String> {
        parse_list(text, "CPUs", MAX_CPUS)
    }

    #[test]
    fn lists_of_all_spellings() {
        assert_eq!(list("0-3,8"), Ok(vec![0, 1, 2, 3, 8]));
        assert_eq!(list("0-6:2"), Ok(vec![0, 2, 4, 6]));
        assert_eq!(list("0 1 5"), Ok(vec![0, 1, 5]));
        assert_eq!(list("0-1, 4-5 (4)"), Ok(vec![0, 1, 4, 5]));
        assert_eq!(list("3,1,1"), Ok(vec![1, 3]));
        assert_eq!(list(""), Ok(vec![]));
        assert_eq!(list("0x11"), Ok(vec![0, 4]));
    }

    #[test]
    fn lists_beyond_bounds_are_sentences() {
        assert!(list("0-4294967295").is_err_and(|e| e.contains("8192")));
        assert!(list("0-99999999999999999999").is_err());
        assert!(list("5-1").is_err_and(|e| e.contains("rising")));
        assert!(list("0-5:0").is_err());
        assert!(list("zero").is_err_and(|e| e.contains("zero")));
    }

    #[test]
    fn masks_of_all_spellings() {
        let mask = |text| parse_mask(text, "CPUs", MAX_CPUS);
        assert_eq!(mask("0x00000001,,0x0"), Ok(vec![64]));
        assert_eq!(mask("0x00000001,,,,0x0"), Ok(vec![128]));
        assert_eq!(mask("0x0"), Ok(vec![]));
        assert_eq!(mask("f,00000003"), Ok(vec![0, 1, 32, 33, 34, 35]));
        assert_eq!(mask("0x100000001"), Ok(vec![0, 32]));
        assert_eq!(mask("0x1,0x0,"), Ok(vec![64]));
        assert!(mask("0xf...f").is_err());
        assert!(mask("0xg").is_err());
        assert!(mask(&format!("1{}", ",".repeat(100_000))).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_printed_is_read_back(set in proptest::collection::btree_set(0..MAX_CPUS, 0..40)) {
            let numbers: Vec<u32> = set.into_iter().collect();
            prop_assert_eq!(list(&super::super::notes::ranges(&numbers)), Ok(numbers));
        }

        #[test]
        fn any_text_ends(text in ".{0,60}") {
            let _ = list(&text);
            let _ = parse_mask(&text, "CPUs", MAX_CPUS);
        }
    }
}
