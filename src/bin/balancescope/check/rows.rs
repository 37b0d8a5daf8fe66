//! Files with one recorded row a line.

use serde::de::DeserializeOwned;

/// Reads every row and hands it on with its line number, from 1. Blank lines are passed over. The error says
/// at which line a row cannot be used.
pub fn each<R: DeserializeOwned>(text: &str, mut row: impl FnMut(usize, R)) -> Result<(), String> {
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        let read =
            serde_json::from_str(line).map_err(|e| format!("line {number} is not such a row: {e}."))?;
        row(number, read);
    }
    Ok(())
}

/// Recorded and own values of one row, of which only those that differ are printed.
#[derive(Default)]
pub struct Differences(Vec<String>);

impl Differences {
    /// Compares one field.
    pub fn compare<T: PartialEq + std::fmt::Debug>(&mut self, field: &str, recorded: &T, ours: &T) {
        if recorded != ours {
            self.0.push(format!("{field} recorded {recorded:?}, ours {ours:?}"));
        }
    }

    /// Adds a field that differs by more than it may.
    pub fn add(&mut self, field: &str, recorded: &dyn std::fmt::Debug, ours: &dyn std::fmt::Debug) {
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
        let mut seen = Vec::new();
        let error = each("1\n\n 2 \nx\n", |line, row: u32| seen.push((line, row))).unwrap_err();
        assert_eq!(seen, [(1, 1), (3, 2)]);
        assert!(error.starts_with("line 4 "), "{error}");
    }
}
