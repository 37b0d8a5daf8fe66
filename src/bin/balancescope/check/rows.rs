//! Files with one recorded row a line, read strictly: a row says each thing once, and all that a check needs.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// Reads every row and hands it on with its line number, from 1. Blank lines are passed over. The error says
/// at which line a row cannot be used; that there is none is an error as well.
pub fn each<R: DeserializeOwned>(
    text: &str,
    mut row: impl FnMut(usize, R) -> Result<(), String>,
) -> Result<(), String> {
    let mut rows = 0;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        let told = |why: serde_json::Error| format!("line {number} is not such a row: {}.", said(&why));
        once(line).map_err(told)?;
        row(number, serde_json::from_str(line).map_err(told)?)
            .map_err(|why| format!("line {number} is not such a row: {why}."))?;
        rows += 1;
    }
    if rows == 0 { Err("There is no recorded row to check.".to_owned()) } else { Ok(()) }
}

/// What is wrong, without the place in the line, which for such long lines helps nobody.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or_else(|| text.clone(), |(what, _)| what.to_owned())
}

/// Whether a text is one JSON object, in which no object gives a key twice. Readers take the last of two, or the
/// first, so such a row has no meaning of its own.
pub fn once(text: &str) -> Result<(), serde_json::Error> {
    let Once(object) = serde_json::from_str(text)?;
    if object { Ok(()) } else { Err(serde_json::Error::custom("it is no object")) }
}

/// Any JSON value whose objects give each key once, and whether it is an object.
struct Once(bool);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Once;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Once, E> {
        Ok(Once(false))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Once, E> {
        Ok(Once(false))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Once, E> {
        Ok(Once(false))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Once, E> {
        Ok(Once(false))
    }

    fn visit_str<E>(self, _: &str) -> Result<Once, E> {
        Ok(Once(false))
    }

    fn visit_unit<E>(self) -> Result<Once, E> {
        Ok(Once(false))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Once, A::Error> {
        while list.next_element::<Once>()?.is_some() {}
        Ok(Once(false))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Once, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if keys.contains(&key) {
                return Err(A::Error::custom(format_args!("it gives `{key}` twice")));
            }
            map.next_value::<Once>()?;
            keys.insert(key);
        }
        Ok(Once(true))
    }
}

/// For a field that may be null but not left out: `#[serde(deserialize_with = "given")]`.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// Recorded and own values of one row, of which only those that differ are printed.
#[derive(Default)]
pub struct Differences(Vec<String>);

impl Differences {
    /// Compares one field.
    pub fn compare<T: PartialEq + fmt::Debug>(&mut self, field: &str, recorded: &T, ours: &T) {
        if recorded != ours {
            self.0.push(format!("{field} recorded {recorded:?}, ours {ours:?}"));
        }
    }

    /// Adds a field that differs by more than it may.
    pub fn add(&mut self, field: &str, recorded: &dyn fmt::Debug, ours: &dyn fmt::Debug) {
        self.0.push(format!("{field} recorded {recorded:?}, ours {ours:?}"));
    }

    /// Whether the row matches.
    pub fn none(&self) -> bool {
        self.0.is_empty()
    }

    /// One line for a person.
    pub fn line(&self, label: &str, number: usize) -> String {
        format!("{label}:{number}: {}", self.0.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_row_is_named_by_its_line() {
        #[derive(Deserialize)]
        struct Row {
            x: u32,
            #[serde(deserialize_with = "given")]
            y: Option<u32>,
        }
        let read = |text: &str| {
            let mut seen = Vec::new();
            let end = each(text, |line, row: Row| {
                seen.push((line, row.x, row.y));
                Ok(())
            });
            end.map(|()| seen)
        };
        assert_eq!(
            read("{\"x\":1,\"y\":null}\n\n {\"x\":3,\"y\":4} \r\n"),
            Ok(vec![(1, 1, None), (3, 3, Some(4))])
        );
        for (text, error) in [
            ("{\"x\":1,\"y\":2}\n\n{\"y\":2}", "line 3 is not such a row: missing field `x`."),
            ("{\"x\":1}", "line 1 is not such a row: missing field `y`."),
            ("{\"x\":1,\"x\":1,\"y\":2}", "line 1 is not such a row: it gives `x` twice."),
            ("{\"x\":1,\"y\":2,\"z\":[{\"a\":1,\"a\":2}]}", "line 1 is not such a row: it gives `a` twice."),
            ("[1,2]", "line 1 is not such a row: it is no object."),
            ("{\"x\":1,\"y\":2} {}", "line 1 is not such a row: trailing characters."),
            ("\n", "There is no recorded row to check."),
        ] {
            assert_eq!(read(text), Err(error.to_owned()));
        }
    }
}
