//! One setting and the values it takes in a sweep: `load=0.1..1.2/12`, `release=4.19,6.6`.

use super::Sweep;
use crate::scenario::range;

/// A setting that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// As in a link.
    pub key: String,
    /// At least one, each once, in the order in which they are run.
    pub values: Vec<String>,
}

impl Axis {
    /// Reads `key=a,b,c`; each piece may be a range `lo..hi/n`. A comma within brackets belongs to its value.
    /// The error is one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((key, text)) = text.split_once('=').map(|(key, rest)| (key.trim(), rest)) else {
            return Err(format!("--vary {text:?} has no value; write it as key=a,b,c or key=lo..hi/n."));
        };
        let about = |sentence: String| format!("--vary {key}: {sentence}");
        let mut values = Vec::new();
        for piece in pieces(text) {
            match piece {
                "" => return Err(about("a value is empty.".to_owned())),
                piece if piece.contains("..") => {
                    values.extend(range(key, piece, Sweep::MOST_RUNS).map_err(about)?);
                }
                piece => values.push(piece.to_owned()),
            }
            if values.len() as u64 > Sweep::MOST_RUNS {
                return Err(about(format!("more than {} values are too many.", Sweep::MOST_RUNS)));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        if let Some(twice) = values.iter().find(|value| !seen.insert(value.as_str())) {
            return Err(about(format!("{twice} is given more than once.")));
        }
        Ok(Self { key: key.to_owned(), values })
    }
}

fn pieces(text: &str) -> Vec<&str> {
    let mut open = 0_u32;
    let outside = |c: char| {
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        c == ',' && open == 0
    };
    text.split(outside).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> String {
        Axis::parse(text).map_or_else(|sentence| sentence, |axis| axis.values.join(" "))
    }

    #[test]
    fn lists_and_ranges_can_be_mixed() {
        assert_eq!(values("release=4.19,6.6"), "4.19 6.6");
        assert_eq!(values("seed=1..3/3, 7"), "1 2 3 7");
        assert_eq!(values("policy=min(1,2) < 3,1"), "min(1,2) < 3 1");
    }

    #[test]
    fn what_cannot_be_read_is_one_sentence() {
        assert!(values("load").starts_with("--vary \"load\" has no value"));
        assert_eq!(values("load=0.1,,1"), "--vary load: a value is empty.");
        assert_eq!(values("load=1,0.5,1"), "--vary load: 1 is given more than once.");
        assert_eq!(values("load=1..0/3"), "--vary load: 1..0/3 must begin below its end.");
        assert!(values("seed=1..1000000/1000000").contains("more than 100000 values"));
    }
}
