//! How many recorded values match, and which do not.

use crate::End;
use std::io::Write;

/// Rows that are printed before the rest is only counted.
const PRINTED: u64 = 20;

/// Counts matching and differing rows and prints the first that differ.
#[derive(Default)]
pub struct Tally {
    matching: u64,
    differing: u64,
}

impl Tally {
    /// One row or field: `describe` says where it is and gives the recorded and our value.
    pub fn add(&mut self, matches: bool, describe: impl FnOnce() -> String) {
        if matches {
            self.matching += 1;
            return;
        }
        self.differing += 1;
        if self.differing <= PRINTED {
            print_line(&describe());
        }
    }

    /// Compares two values that can be printed.
    pub fn compare<T: PartialEq + std::fmt::Debug>(
        &mut self,
        place: impl FnOnce() -> String,
        recorded: &T,
        ours: &T,
    ) {
        self.add(recorded == ours, || format!("{}: recorded {recorded:?}, ours {ours:?}", place()));
    }

    /// Prints the last line: `N match, M differ`.
    pub fn finish(self) -> End {
        if self.matching + self.differing == 0 {
            return End::Refused("There is no recorded row to check.".to_owned());
        }
        print_line(&format!("{} match, {} differ", self.matching, self.differing));
        if self.differing == 0 { End::Done } else { End::Differs }
    }
}

/// A reader that closed the pipe has seen enough; that is no error of ours.
fn print_line(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
