//! JSON whose objects keep their order and repeated names, which rt-app files rely on.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The first value of that name.
    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        self.entries().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Names and values of an object; none of anything else.
    pub(super) fn entries(&self) -> &[(String, Node)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }

    /// A whole number; rt-app takes texts for numbers too.
    pub(super) fn whole(&self) -> Option<i64> {
        let number = match self {
            Self::Number(number) => *number,
            Self::Text(text) => text.trim().parse().ok()?,
            _ => return None,
        };
        // Beyond 2^53 a number is no longer exact, and no time or count of a file is that large.
        (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Flag(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = from.next_element()? {
            list.push(value);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = from.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Object(entries))
    }
}

/// Replaces comments by spaces, `/* */` and `//`, and drops commas before a closing bracket: rt-app's reader lets both
/// pass. Lines stay where they are.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let (mut in_text, mut escaped) = (false, false);
    while let Some(c) = chars.next() {
        if in_text {
            in_text = escaped || c != '"';
            escaped = !escaped && c == '\\';
            out.push(c);
            continue;
        }
        match (c, chars.peek()) {
            ('/', Some('*')) => {
                chars.next();
                let mut star = false;
                for c in chars.by_ref() {
                    out.push(if c == '\n' { '\n' } else { ' ' });
                    if star && c == '/' {
                        break;
                    }
                    star = c == '*';
                }
            }
            ('/', Some('/')) => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            ('}' | ']', _) => {
                drop_comma(&mut out);
                out.push(c);
            }
            _ => {
                in_text = c == '"';
                out.push(c);
            }
        }
    }
    out
}

/// Turns a comma at the end into a space.
fn drop_comma(out: &mut String) {
    let end = out.trim_end().len();
    if out[..end].ends_with(',') {
        out.replace_range(end - 1..end, " ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_repeats_are_kept() {
        let node: Node = serde_json::from_str(r#"{"run": 1, "sleep": "2", "run": 3.0}"#).unwrap();
        let entries: Vec<_> = node.entries().iter().map(|(k, v)| (k.as_str(), v.whole())).collect();
        assert_eq!(entries, [("run", Some(1)), ("sleep", Some(2)), ("run", Some(3))]);
    }

    #[test]
    fn comments_go_and_lines_stay() {
        let text = "{ /* a \"b\"\n */ \"x//y\": 1, // c\n}";
        let plain = plain(text);
        assert_eq!(plain.lines().count(), text.lines().count());
        let node: Node = serde_json::from_str(&plain).unwrap();
        assert_eq!(node.entries()[0].0, "x//y");
    }
}
