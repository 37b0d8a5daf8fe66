//! A link that once worked works for ever: every file of `tests/urls/` is a link, its canonical form, and the
//! sentences about what could not be used. Files are added; an old one changes only if its meaning was wrong.

// A test may stop at a file of its own that it cannot read.
#![allow(clippy::unwrap_used)]

use balancescope::scenario::Scenario;
use std::path::{Path, PathBuf};

struct Kept {
    link: String,
    canonical: String,
    warnings: Vec<String>,
}

fn kept(path: &Path) -> Kept {
    let text = std::fs::read_to_string(path).unwrap();
    let mut kept = Kept { link: String::new(), canonical: String::new(), warnings: Vec::new() };
    for line in text.lines() {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
        match field {
            "link" => kept.link = value,
            "canonical" => kept.canonical = value,
            "warning" => kept.warnings.push(value),
            _ => assert!(line.starts_with('#'), "{}: what is {line:?}?", path.display()),
        }
    }
    kept
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/urls");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    files
}

/// Sentences with the spaces a keyboard has, so that the files can be typed.
fn plain(text: &str) -> String {
    text.replace(['\u{a0}', '\u{2009}'], " ")
}

#[test]
fn every_kept_link_still_opens_as_it_did() {
    let files = files();
    assert!(files.len() >= 20, "the kept links are gone");
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let kept = kept(&path);
        let (scenario, warnings) = Scenario::parse(&kept.link);
        let (canonical, none) = Scenario::parse(&kept.canonical);
        assert_eq!(scenario, canonical, "{name}: what opens");
        assert_eq!(none, [], "{name}: the canonical form is clean");
        let warnings: Vec<String> = warnings.iter().map(|w| plain(&w.text)).collect();
        assert_eq!(warnings, kept.warnings, "{name}: what is said");
        // How a machine is compressed may change; that it opens may not, and that was held above.
        if !kept.canonical.contains("machine=z:") {
            assert_eq!(scenario.fragment(), kept.canonical, "{name}: what is written");
        }
    }
}
