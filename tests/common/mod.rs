//! The repository's own files, for the tests that keep its rules.

use std::path::{Path, PathBuf};

/// Built or fetched, hence not ours to check.
const SKIPPED: [&str; 6] = ["target", "dist", "node_modules", "pkg", "out", ".git"];

/// A text file of the repository.
pub struct Source {
    /// Path from the root, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All text files below a folder of the repository (`""` for all), in order of their paths.
pub fn sources(below: &str) -> Vec<Source> {
    let mut found = Vec::new();
    walk(&root().join(below), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn walk(folder: &Path, found: &mut Vec<Source>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if SKIPPED.contains(&name.as_str()) || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            walk(&path, found);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let path = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            found.push(Source { path, text });
        }
    }
}

/// Fails with all that was found, one a line.
#[track_caller]
pub fn nothing(found: &[String]) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}
