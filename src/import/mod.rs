//! Text from a real machine becomes facts, and where the facts allow, a [`Machine`].
//!
//! [`read`] and [`read_bytes`] are total: whatever the input, they return what could be read, what had to be
//! assumed and what could not be used (with its line), or one plain sentence that says why there is nothing
//! to read. A fact is never a number that the text does not hold; what a machine needs beyond the facts is
//! assumed and said.
//!
//! This room knows only [`crate::topology`].

mod kind;
mod report;

pub use kind::Kind;
pub use report::{Facts, Import, ImportWarning};

/// The most input that is read, in bytes: 64 MiB.
pub const MAX_BYTES: usize = 64 << 20;

/// Reads text: one file, or a terminal's or a mail's whole contents with several kinds in it.
///
/// The kind is told from the content; `as_kind` overrides that. An error is one plain sentence.
pub fn read(text: &str, as_kind: Option<Kind>) -> Result<Import, String> {
    let _ = (text, as_kind);
    Err("Reading files is not here yet.".to_owned())
}

/// Reads bytes of unknown encoding: UTF-8 or UTF-16, with what cannot be decoded replaced and said.
pub fn read_bytes(bytes: &[u8], as_kind: Option<Kind>) -> Result<Import, String> {
    read(&String::from_utf8_lossy(bytes), as_kind)
}
