//! Bytes from anywhere become clean, numbered lines: encodings, colour codes, mail quotes, code fences.

use super::notes::Notes;
use std::borrow::Cow;

/// More lines than this are not read; the largest topology file of a Linux machine has far fewer.
const MAX_LINES: usize = 1 << 20;

/// One line of the text, cleaned.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// From 1, in the text as given.
    pub(super) no: usize,
    /// Without line end, control characters, quote marks and trailing blanks; leading blanks stay.
    pub(super) text: Cow<'a, str>,
}

/// Decodes bytes: UTF-8, or UTF-16 as some editors and terminals save it. Bytes that are no text at all are
/// refused.
pub(super) fn decode<'a>(bytes: &'a [u8], notes: &mut Notes) -> Result<Cow<'a, str>, String> {
    if let Some(name) = binary_format(bytes) {
        return Err(format!("This is {name}, not text."));
    }
    if let Some(text) = utf16(bytes) {
        return Ok(Cow::Owned(text));
    }
    let nuls = bytes.iter().filter(|b| **b == 0).count();
    if nuls > bytes.len() / 20 {
        return Err("This is a binary file, not text.".to_owned());
    }
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = std::str::from_utf8(bytes) {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count();
        let broken = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
        if broken > text.len() / 20 {
            return Err("This is a binary file, not text.".to_owned());
        }
        notes.warn(line, "Here and perhaps below are bytes that are not UTF-8 text; they were passed over.");
    }
    Ok(text)
}

/// Formats that people are likely to drop by mistake, by their first bytes.
fn binary_format(bytes: &[u8]) -> Option<&'static str> {
    let formats: [(&[u8], &str); 9] = [
        (b"\x1f\x8b", "a gzip archive"),
        (b"\xfd7zXZ", "an xz archive"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive"),
        (b"BZh", "a bzip2 archive"),
        (b"PK\x03\x04", "a zip archive"),
        (b"\x7fELF", "a program"),
        (b"\x89PNG", "a picture"),
        (b"%PDF", "a PDF"),
        (b"PERFILE2", "a binary perf.data file"),
    ];
    formats.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, name)| *name)
}

/// Decodes UTF-16 with a byte order mark, or without one if every other byte of the beginning is zero.
fn utf16(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(64)];
    let zeros = |odd: usize| head.len() >= 8 && head.iter().skip(odd).step_by(2).all(|b| *b == 0);
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ if zeros(1) && !zeros(0) => u16::from_le_bytes,
        _ if zeros(0) && !zeros(1) => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// How many bytes are read between two calls of a watcher.
const WATCH_EVERY: usize = 1 << 20;

/// Splits text into cleaned lines, whatever ends them, and keeps those that `take` does not take. Only the kept
/// ones cost memory. `watch` is told now and then how many bytes were read.
pub(super) fn lines<'a>(
    text: &'a str,
    notes: &mut Notes,
    watch: &mut dyn FnMut(usize),
    mut take: impl FnMut(&Line<'a>, &mut Notes) -> bool,
) -> Vec<Line<'a>> {
    let mut out = Vec::new();
    let mut no = 0;
    let (mut done, mut told) = (0, 0);
    let mut nul = None;
    let mut full = None;
    for piece in text.split('\n') {
        done += piece.len() + 1;
        if done - told >= WATCH_EVERY {
            told = done;
            watch(done);
        }
        // A lone carriage return ends a line too: old files, and terminals that drew a line anew.
        for raw in piece.strip_suffix('\r').unwrap_or(piece).split('\r') {
            no += 1;
            if nul.is_none() && raw.contains('\0') {
                nul = Some(no);
            }
            let line = Line { no, text: clean(raw) };
            if take(&line, notes) {
                continue;
            }
            if out.len() < MAX_LINES {
                out.push(line);
            } else {
                full.get_or_insert(no);
            }
        }
    }
    if nul.is_some() {
        notes.warn(nul, "Here and perhaps below are NUL bytes; they were passed over.");
    }
    if full.is_some() {
        notes.warn(
            full,
            format!("The text goes on; of what is no trace, only the first {MAX_LINES} lines are read."),
        );
    }
    out
}

/// Takes off what is not the content of a line.
fn clean(raw: &str) -> Cow<'_, str> {
    let odd = |c: char| {
        (c.is_control() && c != '\t') || matches!(c, '\u{a0}' | '\u{200b}' | '\u{feff}' | '\u{202f}')
    };
    if !raw.contains(odd) {
        return Cow::Borrowed(unquote(raw));
    }
    let plain = plain(raw);
    Cow::Owned(unquote(&plain).to_owned())
}

/// Takes off mail quotes, code fences and trailing blanks.
fn unquote(line: &str) -> &str {
    let mut line = line.trim_end();
    while let Some(rest) = line.trim_start().strip_prefix('>') {
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    if line.trim_start().starts_with("```") { "" } else { line }
}

/// Takes off terminal escapes and control characters, and carries out backspaces.
fn plain(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{8}' => drop(out.pop()),
            '\u{a0}' | '\u{202f}' => out.push(' '),
            '\u{200b}' | '\u{feff}' => {}
            c if c.is_control() && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}

/// Skips what follows an escape character: a control sequence, an operating system command, or one character.
fn skip_escape(chars: &mut std::str::Chars<'_>) {
    match chars.next() {
        Some('[') => {
            let _ = chars.find(|c| ('\u{40}'..='\u{7e}').contains(c));
        }
        Some(']') => {
            while let Some(c) = chars.next() {
                if c == '\u{7}' || (c == '\u{1b}' && chars.next().is_some()) {
                    break;
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        lines(text, &mut Notes::default(), &mut |_| {}, |_, _| false)
            .into_iter()
            .map(|l| l.text.into_owned())
            .collect()
    }

    #[test]
    fn line_ends_quotes_colours_and_fences_go() {
        assert_eq!(texts("a\r\nb\rc\nd"), ["a", "b", "c", "d"]);
        assert_eq!(texts("> > 0,1\n>\n>>x"), ["0,1", "", "x"]);
        assert_eq!(texts("\u{1b}[1;32mCPU\u{1b}[0m(s): 4\u{1b}]0;title\u{7}!"), ["CPU(s): 4!"]);
        assert_eq!(texts("```text\nab\u{8}c\n\u{feff}d\u{a0}e  "), ["", "ac", "d e"]);
    }

    #[test]
    fn line_numbers_count_from_one_and_stop_in_time() {
        let mut notes = Notes::default();
        let text = "\n".repeat(MAX_LINES + 10);
        let all = lines(&text, &mut notes, &mut |_| {}, |_, _| false);
        assert_eq!((all[0].no, all.len()), (1, MAX_LINES));
        assert_eq!(notes.finish().1.len(), 1);
    }

    #[test]
    fn utf16_is_read_with_and_without_its_mark() {
        for (mark, swap) in [(true, false), (true, true), (false, false), (false, true)] {
            let text = if mark { "\u{feff}CPU(s): 4\n" } else { "CPU(s): 4\n" };
            let to = if swap { u16::to_be_bytes } else { u16::to_le_bytes };
            let bytes: Vec<u8> = text.encode_utf16().flat_map(to).collect();
            let decoded = decode(&bytes, &mut Notes::default());
            assert_eq!(decoded.map(|t| texts(&t)), Ok(vec!["CPU(s): 4".to_owned(), String::new()]));
        }
    }

    #[test]
    fn binaries_are_named_or_refused() {
        let refusal = |bytes: &[u8]| decode(bytes, &mut Notes::default()).err().unwrap_or_default();
        assert_eq!(refusal(b"\x1f\x8b\x08abc"), "This is a gzip archive, not text.");
        assert_eq!(refusal(&[0, 0, 1, 2, 0, 0, 0, 9, 7]), "This is a binary file, not text.");
        assert_eq!(refusal(&[0x80, 0xff, 0x81, 0x82]), "This is a binary file, not text.");
    }

    #[test]
    fn a_few_bad_bytes_are_passed_over_and_said() {
        let mut notes = Notes::default();
        let long = [b"CPU(s): 4\nModel name: caf".as_slice(), b"\xe9\n", &[b'a'; 60]].concat();
        assert!(decode(&long, &mut notes).is_ok());
        assert_eq!(notes.finish().1[0].line, Some(2));
    }
}
