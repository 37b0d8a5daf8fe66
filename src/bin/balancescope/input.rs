//! Reading what the user names, with the limits that the contract gives.

use balancescope::topology::Release;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// Largest input, in bytes.
const LIMIT: u64 = 64 << 20;

/// Reads a whole file, or standard input for `-`. The error is one sentence.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let place = place_of(path);
    let mut bytes = Vec::new();
    let mut source: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).map_err(|e| format!("{place} cannot be opened: {e}."))?)
    };
    source
        .by_ref()
        .take(LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| format!("{place} cannot be read: {e}."))?;
    if bytes.len() as u64 > LIMIT {
        return Err(format!("{place} is larger than 64 MiB, which is the limit."));
    }
    Ok(bytes)
}

/// Reads a whole text file, or standard input for `-`. The error is one sentence.
pub fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        format!("{} is not UTF-8 text: see line {line}.", place_of(path))
    })
}

/// What a sentence calls the input.
fn place_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "Standard input".to_owned() } else { path.display().to_string() }
}

/// A release named on the command line.
pub fn parse_release(name: &str) -> Result<Release, String> {
    Release::parse(name).ok_or_else(|| {
        let known: Vec<&str> = Release::ALL.iter().map(|r| r.name()).collect();
        format!("{name} is not a known release; known are {}", known.join(", "))
    })
}

/// Prints a text and a line break on standard output. The error is one sentence; a reader that closed the pipe
/// has seen enough, and that is none.
pub fn print(text: &str) -> Result<(), String> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("Standard output cannot be written: {error}."))
        }
        _ => Ok(()),
    }
}
