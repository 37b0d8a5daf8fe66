//! Machines to choose from: named ones, and grids such as `2x56x2`.

mod grid;
mod named;
mod shape;

pub use grid::grid;
pub use named::ENTRIES;

use super::Machine;

/// A named machine.
pub struct Entry {
    /// Its name in a link.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Where its layout and distances come from; "assumed" where nothing better was at hand.
    pub source: &'static str,
    build: fn() -> Machine,
}

impl Entry {
    /// The machine.
    pub fn machine(&self) -> Machine {
        Machine { name: self.name.to_owned(), ..(self.build)() }
    }
}

/// The names of the named machines, small ones first.
pub fn names() -> Vec<&'static str> {
    ENTRIES.iter().map(|entry| entry.name).collect()
}

/// The entry of that name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// A named machine or a grid; `None` if the text is neither.
pub fn named(name: &str) -> Option<Machine> {
    machine(name).ok()
}

/// A named machine or a grid. The error is one sentence for a person.
pub fn machine(name: &str) -> Result<Machine, String> {
    match entry(name) {
        Some(entry) => Ok(entry.machine()),
        None => grid(name),
    }
}
