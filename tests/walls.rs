//! The walls between the rooms (ARCHITECTURE.md). A room that learns what it should not know can no longer be
//! tested, replaced or trusted alone, so each wall is kept here, with its reason.

// A test may stop at a file of its own that it cannot read.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Source, nothing, sources};

/// What one room may use of the others.
struct Room {
    name: &'static str,
    may_use: &'static [&'static str],
    why: &'static str,
}

const ROOMS: &[Room] = &[
    Room {
        name: "topology",
        may_use: &[],
        why: "topology knows no tasks and no time: a machine becomes a tree, and that is all",
    },
    Room {
        name: "sched",
        may_use: &[],
        why: "sched is one CPU and knows no other; what crosses CPUs is balance, wakeup or engine",
    },
    Room {
        name: "balance",
        may_use: &["topology", "sched"],
        why: "balance is given the values it reads and returns what it decided; it knows no event queue",
    },
    Room {
        name: "wakeup",
        may_use: &["topology", "balance", "sched"],
        why: "wake-up placement decides from values, as balance does; it knows no event queue",
    },
    Room {
        name: "workload",
        may_use: &["scenario"],
        why: "workload says what tasks want; it knows no CPU, no queue and no balancer",
    },
    Room {
        name: "observe",
        may_use: &["topology", "balance", "sched"],
        why: "observe describes what happened; whoever makes it happen hands it over",
    },
    Room {
        name: "scenario",
        may_use: &["topology", "balance", "workload"],
        why: "scenario says what a run depends on; it knows no engine that runs it",
    },
    Room {
        name: "import",
        may_use: &["topology", "scenario", "observe"],
        why: "import knows the files of real machines, and nothing inside the engine",
    },
    Room {
        name: "export",
        may_use: &["topology", "scenario", "observe"],
        why: "export writes what was observed, and knows nothing inside the engine",
    },
    Room {
        name: "engine",
        may_use: &["topology", "sched", "wakeup", "balance", "workload", "observe", "scenario"],
        why: "engine runs a world; hosts, files and comparisons are built on it, not into it",
    },
    Room {
        name: "host",
        may_use: &["topology", "balance", "observe", "scenario", "engine"],
        why: "host carries commands to a world and frames back; files and comparisons are others' work",
    },
    Room {
        name: "experiment",
        may_use: &["topology", "sched", "balance", "workload", "observe", "scenario", "engine"],
        why: "experiment runs worlds and compares them; it knows no host",
    },
];

/// A text that a place may not contain.
struct Banned {
    texts: &'static [&'static str],
    places: &'static [&'static str],
    except: &'static [&'static str],
    why: &'static str,
}

/// Rooms whose code runs at every event.
const RUN: &[&str] =
    &["src/engine/", "src/sched/", "src/balance/", "src/wakeup/", "src/workload/", "src/observe/"];

const LIBRARY: &[&str] = &["src/"];

const BANNED: &[Banned] = &[
    Banned {
        texts: &["std::time", "Instant::now", "SystemTime", "chrono::"],
        places: LIBRARY,
        except: &["src/bin/", "src/npm.rs"],
        why: "the library knows no clock: time is integer nanoseconds that a host asks it to reach",
    },
    Banned {
        texts: &["std::fs", "std::net", "std::env", "std::process", "std::thread", "include_str!(\"/"],
        places: LIBRARY,
        except: &["src/bin/", "src/npm.rs"],
        why: "the library knows no disk, no network, no environment and no threads: hosts hand texts in",
    },
    Banned {
        texts: &[
            "getrandom",
            "from_entropy",
            "from_os_rng",
            "thread_rng",
            "OsRng",
            "RandomState",
            "rand::rng(",
        ],
        places: LIBRARY,
        except: &["src/bin/"],
        why: "the library knows no chance of its own: every stream starts from the scenario's seed",
    },
    Banned {
        texts: &["web_sys", "js_sys", "wasm_bindgen", "yew::", "gloo"],
        places: LIBRARY,
        except: &["src/bin/app/", "src/bin/reader.rs", "src/npm.rs"],
        why: "the core knows no browser: only the page, the worker and the npm package do",
    },
    Banned {
        texts: &["println!", "eprintln!", "print!("],
        places: LIBRARY,
        except: &["src/bin/"],
        why: "the library returns what it has to say; only a command line prints",
    },
    Banned {
        texts: &["HashMap", "HashSet"],
        places: RUN,
        except: &[],
        why: "a hash map's order differs from run to run and its look-ups are slow: use arrays by CPU, task and level",
    },
    Banned {
        texts: &[".ln()", ".exp()", ".powf(", ".powi(", ".sin(", ".cos(", ".log2()", ".log10()", ".exp2()"],
        places: RUN,
        except: &[],
        why: "the platform's own logarithms and powers differ in the last bit between machines: take libm's",
    },
    Banned {
        texts: &["Release::V"],
        places: LIBRARY,
        except: &[
            "src/topology/release.rs",
            "src/topology/rules",
            "src/balance/rules",
            "src/scenario/types.rs",
            "src/experiment/published",
        ],
        why: "releases are data: only constructors of rules, the default scenario and published numbers name one",
    },
    Banned {
        texts: &[
            "balancescope::engine",
            "balancescope::sched",
            "balancescope::wakeup",
            "balancescope::workload::Workload",
            "balancescope::export",
            "balancescope::experiment",
        ],
        places: &["src/bin/app/"],
        except: &[],
        why: "the page draws frames and sends commands; the simulation is in its worker",
    },
];

/// The code of a file without comments and without the test module at its end.
fn code(text: &str) -> String {
    let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

fn is_test_file(path: &str) -> bool {
    path.ends_with("tests.rs") || path.contains("/tests/")
}

/// The rooms that code names by a path from the crate's root, each with its line.
fn rooms_used(path: &str, code: &str) -> Vec<(usize, String)> {
    let from_root = "super::".repeat(depth(path));
    let mut used = Vec::new();
    for start in ["crate::", from_root.as_str()] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            if before.is_alphanumeric() || before == '_' || before == ':' {
                continue;
            }
            let line = code[..at].matches('\n').count() + 1;
            let rest = &code[at + start.len()..];
            used.extend(first_names(rest).into_iter().map(|name| (line, name)));
        }
    }
    used
}

/// How many `super::` lead from a file to the crate's root.
fn depth(path: &str) -> usize {
    let module = path.trim_start_matches("src/").trim_end_matches(".rs");
    module.trim_end_matches("/mod").split('/').count()
}

/// `balance` of `balance::Rules`; `balance` and `engine` of `{balance::Rules, engine}`.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    let Some(group) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let mut names = vec![name(group)];
    let mut open = 1;
    for (at, c) in group.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            ',' if open == 1 => names.push(name(&group[at + 1..])),
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn crossings(source: &Source) -> Vec<String> {
    let Some(room) = ROOMS.iter().find(|room| source.path.starts_with(&format!("src/{}/", room.name))) else {
        return Vec::new();
    };
    let is_room = |name: &str| ROOMS.iter().any(|room| room.name == name);
    rooms_used(&source.path, &code(&source.text))
        .into_iter()
        .filter(|(_, name)| is_room(name) && name != room.name && !room.may_use.contains(&name.as_str()))
        .map(|(line, name)| format!("{}:{line} uses crate::{name}, but {}.", source.path, room.why))
        .collect()
}

fn banned(source: &Source) -> Vec<String> {
    let starts = |places: &[&str]| places.iter().any(|place| source.path.starts_with(place));
    let code = code(&source.text);
    let mut found = Vec::new();
    for ban in BANNED.iter().filter(|ban| starts(ban.places) && !starts(ban.except)) {
        for (number, line) in code.lines().enumerate() {
            if let Some(text) = ban.texts.iter().find(|text| line.contains(*text)) {
                found.push(format!("{}:{} has {text}, but {}.", source.path, number + 1, ban.why));
            }
        }
    }
    found
}

fn rust_files() -> Vec<Source> {
    let mut files = sources("src");
    files.retain(|file| file.path.ends_with(".rs") && !is_test_file(&file.path));
    files
}

#[test]
fn no_room_knows_what_it_should_not() {
    nothing(&rust_files().iter().flat_map(crossings).collect::<Vec<_>>());
}

#[test]
fn nothing_banned_is_used() {
    nothing(&rust_files().iter().flat_map(banned).collect::<Vec<_>>());
}

#[test]
fn every_room_has_its_wall() {
    let library = common::root().join("src/lib.rs");
    let library = std::fs::read_to_string(library).unwrap();
    let modules = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let open: Vec<String> = modules
        .filter(|name| *name != "npm" && !ROOMS.iter().any(|room| room.name == *name))
        .map(|name| format!("{name} is a room without a wall: add it to ROOMS in tests/walls.rs."))
        .collect();
    nothing(&open);
}

#[test]
fn the_library_stands_without_web_crates() {
    let manifest = std::fs::read_to_string(common::root().join("Cargo.toml")).unwrap();
    let web = ["gloo", "js-sys", "wasm-bindgen", "wasm-bindgen-futures", "web-sys", "yew"];
    let bound: Vec<String> = manifest
        .lines()
        .take_while(|line| !line.starts_with("[dev-dependencies]"))
        .filter(|line| web.iter().any(|name| line.starts_with(&format!("{name} ="))))
        .filter(|line| !line.contains("optional = true"))
        .map(|line| format!("{line} is not optional, but a native build must do without web crates."))
        .collect();
    nothing(&bound);
}

/// The checks themselves: a wall that no crossing can trip keeps nothing.
#[test]
fn a_crossing_is_seen_however_it_is_written() {
    let tripped = |path: &str, text: &str| {
        let source = Source { path: path.to_owned(), text: text.to_owned() };
        crossings(&source).len() + banned(&source).len()
    };
    for (path, text) in [
        ("src/topology/a.rs", "use crate::engine::World;"),
        ("src/topology/a.rs", "use crate::{\n    topology::Cpu,\n    sched::{Load, Avg},\n};"),
        ("src/topology/a.rs", "fn f() { crate::balance::gate() }"),
        ("src/topology/build/a.rs", "use super::super::super::engine::World;"),
        ("src/scenario/a.rs", "use super::super::host::Host;"),
        ("src/engine/a.rs", "use std::time::Instant;"),
        ("src/engine/a.rs", "if release == Release::V6_6 {}"),
        ("src/engine/a.rs", "let m = std::collections::HashMap::new();"),
        ("src/bin/app/a.rs", "use balancescope::engine::World;"),
    ] {
        assert!(tripped(path, text) > 0, "{path}: {text}");
    }
    for (path, text) in [
        ("src/topology/build/a.rs", "use super::super::mask::CpuMask;"),
        ("src/topology/a.rs", "// use crate::engine::World;"),
        (
            "src/topology/a.rs",
            "use crate::topology::Cpu;\n#[cfg(test)]\nmod tests { use crate::engine::World; }",
        ),
        ("src/engine/a.rs", "use crate::balance::Rules;"),
        ("src/bin/balancescope/a.rs", "use std::time::Instant;"),
    ] {
        assert_eq!(tripped(path, text), 0, "{path}: {text}");
    }
}
