//! Text from a real machine becomes facts, and where the facts allow, a [`Machine`].
//!
//! [`read`] and [`read_bytes`] are total: whatever the input, they return what could be read, what had to be
//! assumed and what could not be used (with its line), or one plain sentence that says why there is nothing
//! to read. A fact is never a number that the text does not hold; what a machine needs beyond the facts is
//! assumed and said.
//!
//! This room knows [`crate::topology`], and [`crate::scenario`] to hand a machine on.

mod build;
mod facts;
mod foreign;
mod found;
mod hwloc;
mod hwloc_numa;
mod json;
mod kind;
mod lists;
mod merge;
mod notes;
mod numactl;
mod reading;
mod report;
mod sections;
mod summary;
mod table;
mod text;

use crate::topology::Machine;
use notes::Notes;

pub use kind::Kind;
pub use reading::Reading;
pub use report::{Facts, Import, ImportWarning};

/// The most input that is read, in bytes: 64 MiB.
pub const MAX_BYTES: usize = 64 << 20;

/// Reads text: one file, or a terminal's or a mail's whole contents with several kinds in it.
///
/// The kind is told from the content; `as_kind` overrides that. An error is one plain sentence, with the line
/// where there is one.
pub fn read(text: &str, as_kind: Option<Kind>) -> Result<Import, String> {
    read_text(text, as_kind, Notes::default())
}

/// Reads bytes of unknown encoding: UTF-8 or UTF-16, with what cannot be decoded passed over and said.
pub fn read_bytes(bytes: &[u8], as_kind: Option<Kind>) -> Result<Import, String> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut notes = Notes::default();
    let text = text::decode(bytes, &mut notes)?;
    read_text(&text, as_kind, notes)
}

/// The refusal of input above [`MAX_BYTES`].
pub fn too_large() -> String {
    format!("This is larger than {} MiB, the most that is read.", MAX_BYTES >> 20)
}

/// A list of numbers as the kernel prints it: `0-3,8`.
pub fn cpu_list(numbers: &[u32]) -> String {
    notes::ranges(numbers)
}

fn read_text(text: &str, as_kind: Option<Kind>, mut notes: Notes) -> Result<Import, String> {
    if text.len() > MAX_BYTES {
        return Err(too_large());
    }
    let lines = text::lines(text, &mut notes);
    let sections = sections::split(&lines, as_kind, &mut notes);
    let refused = sections.refused;
    let mut kinds: Vec<Kind> = Vec::new();
    for found in &sections.found {
        if !kinds.contains(&found.kind) {
            kinds.push(found.kind);
        }
    }
    let found = merge::merge(sections.found, &mut notes).filter(found::Found::has_topology);
    let Some(found) = found else { return Err(refusal(&lines, as_kind, refused)) };
    if let Some((line, sentence)) = refused {
        notes.warn(line, sentence);
    }
    let facts = facts::count(&found);
    let machine =
        build::machine(&found, &facts, &mut notes)?.and_then(|machine| checked(machine, &mut notes));
    let (assumed, warnings) = notes.finish();
    Ok(Import { kind: found.kind, kinds, facts, assumed, warnings, machine })
}

/// The machine, if a tree can be built of it.
fn checked(machine: Machine, notes: &mut Notes) -> Option<Machine> {
    let check = machine.check();
    for sentence in &check.errors {
        notes.warn(None, format!("No machine could be made of this: {sentence}"));
    }
    check.errors.is_empty().then_some(machine)
}

/// Why there is nothing to read, as well as can be told.
fn refusal(lines: &[text::Line<'_>], as_kind: Option<Kind>, refused: Option<(usize, String)>) -> String {
    if let Some((line, sentence)) = refused {
        return format!("Line {line}: {sentence}");
    }
    if lines.iter().all(|line| line.text.trim().is_empty()) {
        return "This is empty.".to_owned();
    }
    if let Some(kind) = as_kind {
        return format!("This is not {}: no line of it can be read as that.", kind.title());
    }
    foreign::recognise(lines.iter().map(|line| line.text.as_ref())).unwrap_or_else(|| {
        "There is no topology in this: it holds no output of lscpu or numactl --hardware and no hwloc XML.".to_owned()
    })
}

#[cfg(test)]
mod tests;
