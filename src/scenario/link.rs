//! A link as text: finding its fragment, splitting it into keys and values, percent-encoding.

use super::report::{Report, grouped, shortened};
use std::collections::BTreeMap;

/// A link is read up to here; the largest packed machine is far shorter.
const LONGEST_LINK: usize = 1 << 20;

/// Most `key=value` pairs that are looked at.
const MOST_PAIRS: usize = 500;

/// Keys with their values, each once.
#[derive(Default)]
pub(super) struct Pairs {
    values: Vec<(String, Option<String>)>,
    places: BTreeMap<String, usize>,
    repeated: Vec<String>,
}

impl Pairs {
    /// Adds a value; a later one of the same key takes the place of an earlier one.
    pub fn put(&mut self, key: String, value: String) {
        if let Some(&place) = self.places.get(&key) {
            self.values[place].1 = Some(value);
            if !self.repeated.contains(&key) {
                self.repeated.push(key);
            }
        } else {
            self.places.insert(key.clone(), self.values.len());
            self.values.push((key, Some(value)));
        }
    }

    /// Takes a key's value out.
    pub fn take(&mut self, key: &str) -> Option<String> {
        self.places.get(key).and_then(|&place| self.values[place].1.take())
    }

    /// What nobody took, in the link's order.
    pub fn rest(self) -> impl Iterator<Item = (String, String)> {
        self.values.into_iter().filter_map(|(key, value)| Some((key, value?)))
    }

    /// Says which keys came more than once.
    pub fn say_repeated(&self, report: &mut Report) {
        for key in &self.repeated {
            let value = self.places.get(key).and_then(|&place| self.values[place].1.as_deref());
            let value = shortened(value.unwrap_or_default());
            let name = shortened(key);
            report.say(key, format!("{name} is given more than once. The last one, {value}, is used."));
        }
    }
}

/// The part of a pasted text that holds settings: what follows `#` in a whole link, or the text itself.
pub(super) fn fragment_of<'a>(text: &'a str, report: &mut Report) -> &'a str {
    let text = text.trim();
    if let Some((before, fragment)) = text.split_once('#')
        && (is_address(before) || !before.contains('='))
    {
        return fragment;
    }
    if !is_address(text) {
        return text;
    }
    if text.contains('?') {
        report.say_of_link("This link has its settings after ?; they belong after #. None is used.");
    }
    ""
}

fn is_address(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    text.starts_with('/') || scheme.is_some_and(|s| !s.is_empty() && s.bytes().all(is_scheme_byte))
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

/// Splits a fragment at `&` and `=`.
pub(super) fn split(fragment: &str, report: &mut Report) -> Pairs {
    let fragment = bounded(fragment, report);
    let mut pairs = Pairs::default();
    let mut pieces = fragment.split('&').filter(|piece| !piece.trim().is_empty());
    for piece in pieces.by_ref().take(MOST_PAIRS) {
        let Some((key, value)) = piece.split_once('=') else {
            say_no_value(piece, report);
            continue;
        };
        match (decoded(key.trim()), decoded(value.trim())) {
            (Some(key), Some(value)) => pairs.put(key, value),
            _ => say_broken(key, piece, report),
        }
    }
    if pieces.next().is_some() {
        report.say_of_link(format!("This link has more than {MOST_PAIRS} settings; the rest are not read."));
    }
    pairs.say_repeated(report);
    pairs
}

fn bounded<'a>(fragment: &'a str, report: &mut Report) -> &'a str {
    if fragment.len() <= LONGEST_LINK {
        return fragment;
    }
    let whole = fragment.floor_char_boundary(LONGEST_LINK);
    // The last piece is cut in the middle, so it is dropped.
    let end = fragment[..whole].rfind('&').unwrap_or(0);
    report.say_of_link(format!(
        "This link is {} bytes long; only the settings within the first {} are read.",
        grouped(fragment.len() as u64),
        grouped(LONGEST_LINK as u64)
    ));
    &fragment[..end]
}

fn say_no_value(piece: &str, report: &mut Report) {
    let piece = shortened(piece.trim());
    report.say(&piece, format!("{piece} has no value; settings look like load=0.9. It is not used."));
}

fn say_broken(key: &str, piece: &str, report: &mut Report) {
    let piece = shortened(piece.trim());
    report.say(key, format!("{piece} has a broken % code. It is not used."));
}

/// Undoes percent-encoding. `None` if a code is broken or the bytes are not UTF-8.
fn decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            out.push((high * 16 + low) as u8);
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}

/// Percent-encodes what cannot stand in the value of a fragment.
pub(super) fn encoded(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$'()*,;:@/?=+".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fragment(text: &str) -> &str {
        fragment_of(text, &mut Report::default())
    }

    #[test]
    fn the_fragment_of_whatever_was_pasted() {
        for (text, expected) in [
            ("load=1", "load=1"),
            ("#load=1", "load=1"),
            (" #load=1\n", "load=1"),
            ("https://example.org/lab/#load=1", "load=1"),
            ("https://example.org/lab/?x=1#load=1", "load=1"),
            ("/lab/?x=1#load=1", "load=1"),
            ("index.html#load=1", "load=1"),
            ("https://example.org/lab/", ""),
            ("load=1#2", "load=1#2"),
        ] {
            assert_eq!(fragment(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn encoding_comes_back(text in ".{0,40}") {
            let once = encoded(&text);
            prop_assert!(!once.contains(['&', '#', ' ']));
            prop_assert_eq!(decoded(&once), Some(text));
        }

        #[test]
        fn any_text_can_be_split(text in "[a-c&=%#?/ 0-9é]{0,60}") {
            let mut report = Report::default();
            let _ = split(fragment(&text), &mut report).rest().count();
        }
    }
}
