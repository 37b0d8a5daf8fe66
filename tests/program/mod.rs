//! The command line, for the tests that call it as a script does.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in the repository's root with these arguments and this standard input.
pub fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(Path::new(env!("CARGO_BIN_EXE_balancescope")))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments may close its input unread.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}
