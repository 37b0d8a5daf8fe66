//! What holds for every text: it is read or refused, whatever is around it and whatever was done to it.

use super::*;
use crate::topology::{DomainTree, Release, TopologyRules};
use proptest::prelude::*;

/// The files that the golden tests read too.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e != "snap"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    assert!(files.len() > 30);
    files
}

/// The same text as a mail, a terminal or another system would show it.
fn dressed(text: &str) -> Vec<String> {
    let each = |with: &dyn Fn(&str) -> String| text.lines().map(|line| with(line) + "\n").collect::<String>();
    vec![
        text.replace('\n', "\r\n"),
        each(&|line| format!("> {line}")),
        each(&|line| format!("{line}   ")),
        each(&|line| format!("\u{1b}[0m{line}\u{1b}[K")),
        format!("\u{feff}{text}"),
        format!("\n\n{text}\n\n"),
        format!("```\n{text}```\n"),
        format!("user@host:~$ some command\n{text}user@host:~$ "),
    ]
}

#[test]
fn what_is_around_a_text_does_not_change_what_it_says() {
    for (name, bytes) in fixtures() {
        let text = String::from_utf8(bytes).unwrap();
        let plain = read(&text, None).map(|i| (i.kind, i.facts, i.machine)).ok();
        for (at, other) in dressed(&text).into_iter().enumerate() {
            let other = read(&other, None).map(|i| (i.kind, i.facts, i.machine)).ok();
            assert_eq!(other, plain, "{name}, dress {at}");
        }
    }
}

#[test]
fn a_kind_can_be_forced_and_is_held_to() {
    let table = "# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n3,0,0,0,,0,0,0,0\n";
    let both = format!("CPU(s): 1\nOn-line CPU(s) list: 3\n{table}");
    assert_eq!(read(&both, None).unwrap().kinds, [Kind::Lscpu, Kind::LscpuP]);
    assert_eq!(read(&both, Some(Kind::LscpuP)).unwrap().kinds, [Kind::LscpuP]);
    let refusal = read(table, Some(Kind::Numactl)).unwrap_err();
    assert!(refusal.starts_with("This is not numactl --hardware"), "{refusal}");
    let refusal = read(table, Some(Kind::Hwloc)).unwrap_err();
    assert!(refusal.contains("hwloc"), "{refusal}");
}

#[test]
fn machines_beyond_the_limit_are_refused_in_one_sentence() {
    let rows: String = (0..100_000).map(|n| format!("{n},{n},0,0,,{n},{n},{n},0\n")).collect();
    let table = format!("# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n{rows}");
    let pus: String = (0..100_000).map(|n| format!("<object type=\"PU\" os_index=\"{n}\"/>\n")).collect();
    for text in [
        table,
        format!("<topology version=\"2.0\"><object type=\"Machine\">{pus}</object></topology>"),
        "CPU(s): 100000\n".to_owned(),
        "available: 1 nodes (0)\nnode 0 cpus: 0-5000\n".to_owned(),
    ] {
        let refusal = read(&text, None).unwrap_err();
        assert!(refusal.contains("at most") && refusal.len() < 120, "{refusal}");
    }
}

#[test]
fn input_beyond_the_limit_is_refused() {
    let bytes = vec![b' '; MAX_BYTES + 1];
    assert!(read_bytes(&bytes, None).unwrap_err().contains("64 MiB"));
}

#[test]
fn texts_made_to_be_slow_are_not() {
    let many = |piece: &str, n: usize| piece.repeat(n);
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=\"\"")).collect();
    for text in [
        many("{\"lscpu\":[]}\n", 50_000),
        many("{\"lscpu\":[", 50_000),
        many("[", 1 << 20),
        many("<topology>", 200_000),
        many("<?xml version=\"1.0\"?>\n", 100_000),
        format!("<topology{attributes}/>"),
        many("# CPU,Core\n0,0\n", 100_000),
        many("node 0 cpus: 0-4000\n", 20_000),
        format!("# CPU\n{}", many("0,", 1 << 20)),
        many("CPU(s): 1\n", 100_000),
        many("\u{1b}]", 1 << 20),
    ] {
        let _ = read(&text, None);
    }
}

#[derive(Clone, Debug)]
enum Damage {
    Cut(prop::sample::Index),
    Drop(prop::sample::Index, usize),
    Byte(prop::sample::Index, u8),
    Insert(prop::sample::Index, &'static str),
    SwapLines(prop::sample::Index, prop::sample::Index),
    RepeatLine(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    let pieces = prop::sample::select(vec![
        "4294967295",
        "-1",
        ",",
        ":",
        "0-4294967295",
        "<",
        "\"",
        "\0",
        "99999999999999999999",
        "0xf...f",
        "\r",
        "é",
        " ",
    ]);
    prop_oneof![
        at().prop_map(Damage::Cut),
        (at(), 1..40_usize).prop_map(|(at, n)| Damage::Drop(at, n)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        (at(), pieces).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        (at(), at()).prop_map(|(a, b)| Damage::SwapLines(a, b)),
        at().prop_map(Damage::RepeatLine),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        if bytes.is_empty() {
            return bytes;
        }
        let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        match damage {
            Damage::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Damage::Drop(at, n) => {
                let at = at.index(bytes.len());
                bytes.drain(at..bytes.len().min(at + n));
            }
            Damage::Byte(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Damage::Insert(at, piece) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, piece.bytes());
            }
            Damage::SwapLines(a, b) => {
                let (a, b) = (a.index(lines.len()), b.index(lines.len()));
                lines.swap(a, b);
                bytes = lines.concat();
            }
            Damage::RepeatLine(at) => {
                let at = at.index(lines.len());
                lines.insert(at, lines[at].clone());
                bytes = lines.concat();
            }
        }
    }
    bytes
}

/// What holds for whatever is returned.
fn sound(read: Result<Import, String>) -> Result<(), TestCaseError> {
    let import = match read {
        Ok(import) => import,
        Err(sentence) => {
            prop_assert!(sentence.ends_with('.') && sentence.len() < 300, "{}", sentence);
            return Ok(());
        }
    };
    let facts = &import.facts;
    if let (Some(n), Some(ids)) = (facts.cpus, &facts.cpu_ids) {
        // Of a trace, those are named that appear.
        prop_assert!(n as usize == ids.len() || (facts.activity.trace.is_some() && n as usize > ids.len()));
        prop_assert!(ids.windows(2).all(|w| w[0] < w[1]));
    }
    if let Some(script) = &import.script {
        prop_assert_eq!(script.check(), Ok(()));
        let scenario = import.scenario();
        prop_assert!(scenario.is_some());
        let link = scenario.as_ref().map(|s| s.fragment()).unwrap_or_default();
        let (again, said) = crate::scenario::Scenario::parse(&link);
        prop_assert_eq!((Some(again), said), (scenario, vec![]));
    }
    if let Some(machine) = &import.machine {
        prop_assert_eq!(machine.check().errors, Vec::<String>::new());
        prop_assert_eq!(Some(machine.cpus.len() as u32), facts.cpus);
        let did = serde_json::to_value(&facts.activity);
        prop_assert!(did.is_ok(), "{:?}", did.err());
        for release in Release::ALL {
            let tree = DomainTree::build(machine, &TopologyRules::of(release));
            prop_assert!(tree.is_ok(), "{:?}", tree.err());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        sound(read_bytes(&bytes, None))?;
    }

    #[test]
    fn any_lines_of_the_kinds_are_read_or_refused(
        lines in prop::collection::vec("(CPU\\(s\\): |NUMA node0 CPU\\(s\\): |node [0-9]{1,5} cpus: |node|#? ?CPU[, ]Core[, ]|Socket\\(s\\): |L[1-4]d?:)?[0-9,: -]{0,12}", 0..30),
        kind in prop::option::of(prop::sample::select(Kind::ALL.to_vec())),
    ) {
        sound(read(&lines.join("\n"), kind))?;
    }

    #[test]
    fn damaged_files_are_read_or_refused(
        which in any::<prop::sample::Index>(),
        damages in prop::collection::vec(damage(), 1..6),
        second in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let files = fixtures();
        let mut bytes = files[which.index(files.len())].1.clone();
        if let Some(second) = second {
            bytes.extend(&files[second.index(files.len())].1);
        }
        sound(read_bytes(&damaged(bytes, &damages), None))?;
    }
}
