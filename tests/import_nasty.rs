//! One file of each kind, damaged in fifteen ways, and what is read of it each time: facts with warnings, or a sentence.
//! `INSTA_UPDATE=always cargo test --test import_nasty` writes what is read anew.

// Helpers outside of test functions are held to the rules of production code otherwise.
#![allow(clippy::unwrap_used)]

use balancescope::import::{Import, Kind, read_bytes};
use std::fmt::Write;

/// A file of each kind.
const FILES: [(&str, Kind); 13] = [
    ("lscpu-grouped-zen-2x4x2.txt", Kind::Lscpu),
    ("p-columns-snc.txt", Kind::LscpuP),
    ("e-offline-and-names.txt", Kind::LscpuE),
    ("json-e-new.json", Kind::LscpuJson),
    ("numactl-gap-and-memory-only.txt", Kind::Numactl),
    ("hwloc2-snc-and-memory-only.xml", Kind::Hwloc),
    ("schedstat-17-two-packages.txt", Kind::Schedstat),
    ("domains-debugfs.txt", Kind::SchedDomains),
    ("domains-boot-log.txt", Kind::SchedDomains),
    ("trace-ftrace-plain.txt", Kind::Ftrace),
    ("trace-systrace-page.html", Kind::Ftrace),
    ("perf-callchains-and-two-events.txt", Kind::PerfScript),
    ("rt-app-two-threads.json", Kind::RtApp),
];

fn each(text: &str, with: impl Fn(usize, &str) -> Option<String>) -> Vec<u8> {
    let lines = text.lines().enumerate().filter_map(|(at, line)| with(at, line));
    lines.map(|line| line + "\n").collect::<String>().into_bytes()
}

/// The last number of a line replaced.
fn last_number(line: &str, by: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let Some(end) = line.rfind(is_digit).map(|at| at + 1) else { return line.to_owned() };
    let start = line[..end]
        .rfind(|c| !is_digit(c))
        .map_or(0, |at| at + line[at..].chars().next().unwrap().len_utf8());
    format!("{}{by}{}", &line[..start], &line[end..])
}

fn damages(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let half = text.len() / 2;
    let half = (half..).find(|at| text.is_char_boundary(*at)).unwrap();
    let third = text.lines().count() / 3;
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let mut latin: Vec<u8> = text[..half].bytes().collect();
    latin.extend([b'\n', 0xe9, 0xe8, 0xff, b'\n']);
    latin.extend(text[half..].bytes());
    let mut binary: Vec<u8> = (0..64_u8).map(|b| b.wrapping_mul(37)).collect();
    binary.extend(text.bytes());
    let head: String = text.lines().take(third + 1).map(|line| format!("{line}\n")).collect();
    let reversed: Vec<&str> = text.lines().rev().collect();
    vec![
        ("cut in the middle", text[..half].into()),
        (
            "in a mail",
            [
                b"From: a@example.org\nSubject: Re: your machine\n\n".to_vec(),
                each(text, |_, l| Some(format!("> {l}"))),
            ]
            .concat(),
        ),
        ("UTF-16", utf16),
        ("a broken line in the middle, in Latin-1", latin),
        ("CRLF and blanks at the ends", each(text, |_, l| Some(format!("{l}  \r")))),
        (
            "tabs for blanks",
            each(text, |_, l| Some(l.split("  ").filter(|w| !w.is_empty()).collect::<Vec<_>>().join("\t"))),
        ),
        ("coloured", each(text, |_, l| Some(format!("\u{1b}[1;32m{l}\u{1b}[0m")))),
        ("the first third twice", [head.as_bytes(), text.as_bytes()].concat()),
        ("every third line missing", each(text, |at, l| (at % 3 != 2).then(|| l.to_owned()))),
        (
            "numbers below 0",
            each(text, |at, l| Some(if at % 4 == 3 { last_number(l, "-7") } else { l.to_owned() })),
        ),
        (
            "numbers beyond 64 bits",
            each(text, |at, l| {
                Some(if at % 4 == 3 { last_number(l, "99999999999999999999") } else { l.to_owned() })
            }),
        ),
        ("lines backwards", reversed.join("\n").into_bytes()),
        ("behind a binary head", binary),
        ("all twice", [text.as_bytes(), b"\n", text.as_bytes()].concat()),
        ("lines cut at 60 characters", each(text, |_, l| Some(l.chars().take(60).collect()))),
    ]
}

fn told(read: Result<Import, String>) -> String {
    let import = match read {
        Ok(import) => import,
        Err(sentence) => return format!("  refused: {sentence}\n"),
    };
    let kinds: Vec<&str> = import.kinds.iter().map(|k| k.name()).collect();
    let facts = serde_json::to_value(&import.facts).unwrap();
    let mut out = format!("  {}:", kinds.join(" "));
    for (name, value) in facts.as_object().unwrap().iter().filter(|(_, v)| v.is_number()) {
        write!(out, " {name} {value}").unwrap();
    }
    let shape =
        import.machine.as_ref().map_or("no machine".to_owned(), |m| format!("machine of {}", m.cpus.len()));
    let tasks = import
        .script
        .as_ref()
        .map_or(String::new(), |s| format!(", {} tasks of {} steps", s.tasks.len(), s.ops()));
    writeln!(out, "; {shape}{tasks}; {} assumed", import.assumed.len()).unwrap();
    for warning in import.warnings.iter().take(4) {
        writeln!(out, "  line {}: {}", warning.line.unwrap_or(0), warning.text).unwrap();
    }
    if import.warnings.len() > 4 {
        writeln!(out, "  and {} more", import.warnings.len() - 4).unwrap();
    }
    out
}

#[test]
fn damaged_files_and_what_is_read_of_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("data/import-nasty");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (at, (name, kind)) in FILES.iter().enumerate() {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let whole = read_bytes(text.as_bytes(), None).unwrap();
        assert_eq!(whole.kind, *kind, "{name}");
        let mut out = format!("whole\n{}", told(Ok(whole)));
        for (what, bytes) in damages(&text) {
            write!(out, "{what}\n{}", told(read_bytes(&bytes, None))).unwrap();
        }
        let other = FILES[(at + 1) % FILES.len()].1;
        write!(out, "taken for {}\n{}", other.name(), told(read_bytes(text.as_bytes(), Some(other))))
            .unwrap();
        settings.bind(|| insta::assert_snapshot!(*name, out));
    }
}

#[test]
fn a_thousand_cpus_are_read() {
    let p: String = (0..1_000)
        .map(|c| format!("{c},{},{},{},,{c},{c},{c},{}\n", c / 2, c / 250, c / 250, c / 8))
        .collect();
    let table = format!("# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n{p}");
    let numactl: String = (0..4)
        .map(|n| {
            format!(
                "node {n} cpus: {}\n",
                (n * 250..n * 250 + 250).map(|c| c.to_string()).collect::<Vec<_>>().join(" ")
            )
        })
        .collect();
    let numactl = format!("available: 4 nodes (0-3)\n{numactl}");
    let mask = format!("ff{}", ",ffffffff".repeat(31));
    let stat: String = (0..1_000)
        .map(|c| format!("cpu{c} 0 0 9 4 5 3 700 30 8\ndomain0 MC {}{}\n", mask, " 1".repeat(45)))
        .collect();
    let stat = format!("version 17\ntimestamp 5\n{stat}");
    let trace: String = (0..1_000)
        .map(|c| format!("<idle>-0 [{c:03}] d..2. 1.{c:06}: sched_switch: prev_comm=swapper/{c} prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x next_pid={} next_prio=120\n", c + 5))
        .collect();
    for text in [table, numactl, stat, trace] {
        let import = read_bytes(text.as_bytes(), None).unwrap();
        assert_eq!(import.facts.cpus, Some(1_000), "{}", &text[..40]);
        assert!(
            import.scenario().is_some_and(|s| s.machine().unwrap().cpus.len() == 1_000)
                || import.machine.is_none()
        );
    }
}
