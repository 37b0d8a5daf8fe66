//! House rules (CONTRIBUTING.md) that a program can keep.

// A test may stop at a file of its own that it cannot read.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Source, nothing, sources};

/// Longest source file, in lines.
const LONGEST: usize = 600;

/// Text files that are data as they were recorded, or written by a tool.
fn is_data(path: &str) -> bool {
    path.starts_with("tests/data/")
        || path.ends_with(".snap")
        || path.ends_with(".lock")
        || path.ends_with("package-lock.json")
}

fn ours() -> Vec<Source> {
    let mut files = sources("");
    files.retain(|file| !is_data(&file.path));
    files
}

fn rust() -> Vec<Source> {
    let mut files = ours();
    files.retain(|file| file.path.ends_with(".rs"));
    files
}

/// Lines for which `wrong` gives a complaint.
fn lines(files: &[Source], wrong: impl Fn(&str, &str) -> Option<String>) -> Vec<String> {
    let complaint = |file: &Source, number: usize, line: &str| {
        wrong(&file.path, line).map(|what| format!("{}:{} {what}", file.path, number + 1))
    };
    files
        .iter()
        .flat_map(|file| file.text.lines().enumerate().filter_map(|(n, line)| complaint(file, n, line)))
        .collect()
}

#[test]
fn files_are_small() {
    let long = rust().into_iter().map(|file| (file.text.lines().count(), file.path));
    let long = long.filter(|(lines, _)| *lines > LONGEST);
    nothing(
        &long.map(|(n, path)| format!("{path} has {n} lines; {LONGEST} is the most.")).collect::<Vec<_>>(),
    );
}

#[test]
fn every_file_says_what_it_is_for() {
    let mute = rust().into_iter().filter(|file| !file.text.starts_with("//!"));
    nothing(&mute.map(|file| format!("{} must begin with a //! line.", file.path)).collect::<Vec<_>>());
}

#[test]
fn nothing_is_left_half_done() {
    let marks = ["todo!(", "unimplemented!(", "dbg!(", "FIXME", "XXX:", "#[ignore]"];
    let found = lines(&rust(), |path, line| {
        let mark = marks.iter().find(|mark| line.contains(*mark))?;
        (path != "tests/tidy.rs").then(|| format!("has {mark}"))
    });
    nothing(&found);
}

#[test]
fn text_is_clean() {
    let mut found = lines(&ours(), |path, line| {
        let spaces = line.ends_with([' ', '\t']);
        let tab = line.contains('\t') && path.ends_with(".rs");
        if spaces { Some("ends in a space.".to_owned()) } else { tab.then(|| "has a tab.".to_owned()) }
    });
    let ragged = ours().into_iter().filter(|file| !file.text.is_empty() && !file.text.ends_with('\n'));
    found.extend(ragged.map(|file| format!("{} must end in a line break.", file.path)));
    nothing(&found);
}

#[test]
fn no_path_of_one_machine() {
    let paths = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];
    let found = lines(&ours(), |_, line| {
        let path = paths.iter().find(|path| line.contains(*path))?;
        Some(format!("has {path}, which is a path of one machine."))
    });
    nothing(&found);
}

#[test]
fn the_readme_shows_how_to_start() {
    let readme = std::fs::read_to_string(common::root().join("README.md")).unwrap();
    for shown in ["./dev serve", "./dev test", "docs/screenshot.png"] {
        assert!(readme.contains(shown), "README.md does not show {shown}");
    }
}

#[test]
fn every_room_is_on_the_map() {
    let text = |path: &str| std::fs::read_to_string(common::root().join(path)).unwrap();
    let (library, map) = (text("src/lib.rs"), text("ARCHITECTURE.md"));
    let rooms = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let missing = rooms.filter(|room| *room != "npm" && !map.contains(&format!("`{room}`")));
    nothing(&missing.map(|room| format!("ARCHITECTURE.md does not mention `{room}`.")).collect::<Vec<_>>());
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut broken = Vec::new();
    for file in ours().iter().filter(|file| file.path.ends_with(".md")) {
        let folder = common::root().join(&file.path).parent().unwrap().to_owned();
        for piece in file.text.split("](").skip(1) {
            let target = piece.split([')', '#']).next().unwrap_or_default();
            // What a lesson points at is held by tests/lessons.rs.
            let points = target.starts_with("point:");
            let outside =
                points || target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !outside && !folder.join(target).exists() {
                broken.push(format!("{} links to {target}, which is not there.", file.path));
            }
        }
    }
    nothing(&broken);
}
