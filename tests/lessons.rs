//! Lessons, held against runs: a lesson's scenarios open without a word, its figures exist, and what it expects to be
//! seen is what a run shows. `www/lessons.js` reads the same texts in the browser.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use balancescope::engine::World;
use balancescope::observe::{figure, figures};
use balancescope::scenario::Scenario;
use balancescope::topology::DomainTree;
use std::collections::BTreeMap;
use std::fs;

/// A lesson's settings, its choices, and its text.
struct Lesson {
    name: String,
    settings: BTreeMap<String, String>,
    choices: Vec<(f64, f64)>,
    text: String,
}

fn range(words: &str) -> (f64, f64) {
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("{words}: no range"));
    if let Some(to) = words.strip_prefix("below ") {
        return (f64::NEG_INFINITY, number(to));
    }
    if let Some(from) = words.strip_prefix("above ") {
        return (number(from), f64::INFINITY);
    }
    let (from, to) = words.split_once(" to ").unwrap_or_else(|| panic!("{words}: no range"));
    (number(from), number(to))
}

fn lessons() -> Vec<Lesson> {
    let mut all = Vec::new();
    for entry in fs::read_dir("www/lessons").expect("lessons lie in www/lessons") {
        let path = entry.unwrap().path();
        let source = fs::read_to_string(&path).unwrap();
        let (_, rest) = source.split_once("---\n").expect("settings begin with ---");
        let (head, text) = rest.split_once("\n---\n").expect("settings end with ---");
        let mut lesson = Lesson {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            settings: BTreeMap::new(),
            choices: Vec::new(),
            text: text.to_owned(),
        };
        for line in head.lines() {
            if let Some(choice) = line.strip_prefix("- ") {
                lesson.choices.push(range(choice.split_once(": ").expect("a range, then words").0));
            } else if let Some((key, value)) = line.split_once(':') {
                lesson.settings.insert(key.to_owned(), value.trim().to_owned());
            }
        }
        all.push(lesson);
    }
    assert!(all.len() >= 7, "the seven lessons");
    all
}

impl Lesson {
    fn setting(&self, key: &str) -> &str {
        self.settings.get(key).unwrap_or_else(|| panic!("{}: no {key}", self.name))
    }

    fn scenarios(&self) -> Vec<Scenario> {
        ["scenario", "against"]
            .iter()
            .filter_map(|key| self.settings.get(*key))
            .map(|f| self.opened(f))
            .collect()
    }

    fn opened(&self, fragment: &str) -> Scenario {
        let (scenario, warnings) = Scenario::parse_link(fragment);
        assert_eq!(warnings, [], "{}: {fragment}", self.name);
        scenario
    }

    /// The figures where the lesson's runs end.
    fn figures(&self, scenario: &Scenario) -> Vec<(String, f64)> {
        let (at, _) = Scenario::parse_link(&format!("at={}", self.setting("for")));
        let mut world = World::new(scenario).unwrap();
        world.run_until(at.at_ns.unwrap());
        let tree = DomainTree::build(&scenario.machine().unwrap(), &scenario.rules().topology).unwrap();
        let levels: Vec<&str> = tree.levels.iter().map(|level| level.name.as_str()).collect();
        figures(&world.frame(false), &levels)
    }
}

#[test]
fn every_lesson_says_what_it_needs_to() {
    let mut orders: Vec<u32> = Vec::new();
    let script = fs::read_to_string("www/lessons.js").unwrap();
    for lesson in lessons() {
        for key in ["title", "about", "question", "measure", "for", "speed", "shows", "scenario"] {
            assert!(!lesson.setting(key).is_empty(), "{}: {key}", lesson.name);
        }
        orders.push(lesson.setting("order").parse().unwrap());
        let names = lesson.settings.get("names").map_or(1, |names| names.split('|').count());
        assert_eq!(names, lesson.scenarios().len(), "{}: a name for each run", lesson.name);
        assert!(lesson.text.contains("\n## What happened\n"), "{}", lesson.name);
        for part in lesson.text.split("](point:").skip(1) {
            let target = part.split_once(')').map(|p| p.0).unwrap();
            assert!(
                script.contains(&format!("\n  {target}: ")),
                "{}: www/lessons.js knows no {target}",
                lesson.name
            );
        }
        for part in lesson.text.split("](#").skip(1) {
            let link = part.split_once(')').map(|p| p.0).unwrap();
            lesson.opened(link);
        }
        for pair in lesson.choices.windows(2) {
            assert_eq!(pair[0].1, pair[1].0, "{}: the ranges of the choices leave no gap", lesson.name);
        }
    }
    orders.sort_unstable();
    assert_eq!(orders, (1..=orders.len() as u32).collect::<Vec<_>>());
}

#[test]
fn what_a_lesson_expects_is_what_its_runs_show() {
    for lesson in lessons() {
        let runs: Vec<_> = lesson.scenarios().iter().map(|scenario| lesson.figures(scenario)).collect();
        let measure = lesson.setting("measure");
        let of = |run: &Vec<(String, f64)>, name: &str| {
            figure(run, name).unwrap_or_else(|| panic!("{}: no figure {name}", lesson.name))
        };
        let seen = match &runs[..] {
            [one] => of(one, measure),
            [a, b] => of(b, measure) / of(a, measure),
            _ => unreachable!("one scenario or two"),
        };
        let right = lesson.choices.iter().position(|(from, to)| (*from..*to).contains(&seen)).map(|i| i + 1);
        assert_eq!(
            right,
            lesson.setting("expected").parse().ok(),
            "{}: {measure} came to {seen}",
            lesson.name
        );
        for shown in lesson.setting("shows").split(',') {
            of(&runs[0], shown.split(" as ").next().unwrap().trim());
        }
        for named in lesson.text.split(['{', '}']).filter(|t| t.starts_with("a.") || t.starts_with("b.")) {
            let run = if named.starts_with('a') { &runs[0] } else { runs.last().unwrap() };
            // Before anything went wrong or right, a share of nothing has no value; its names must exist.
            named[2..].split('/').for_each(|name| {
                of(run, name);
            });
        }
    }
}

#[test]
fn kinds_and_levels_each_sum_up_to_all() {
    let (scenario, _) = Scenario::parse("machine=1x2x2&load=0.9");
    let mut world = World::new(&scenario).unwrap();
    assert_eq!(figure(&figures(&world.frame(false), &[]), "done_per_s"), None);
    world.run_until(50_000_000);
    let list = figures(&world.frame(false), &["SMT", "MC"]);
    let value = |name: &str| figure(&list, name).unwrap();
    assert!(value("all_calls") > 0.0);
    assert_eq!(value("newidle_calls") + value("periodic_calls") + value("nohz_calls"), value("all_calls"));
    assert_eq!(value("SMT_calls") + value("MC_calls"), value("all_calls"));
    assert_eq!(value("cpu_ns"), 4.0 * 50e6);
    assert!((value("done_per_s") - value("done") * 20.0).abs() < 1e-6);
    assert_eq!((figure(&list, "nothing"), figure(&list, "done/nothing")), (None, None));
}
