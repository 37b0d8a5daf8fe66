//! Keys and values become a scenario. Total: what cannot be used is said, and the rest still counts.

use super::catalogue;
use super::costs::COSTS;
use super::keys::{self, COST, Key};
use super::link::{Pairs, fragment_of, split};
use super::report::{Report, nearest, shortened};
use super::units::Unit;
use super::value::{Limits, Spelling, Written, not_one_of, number};
use super::{Freq, Hz, Preempt, Scenario, Script, Show, Ticks, Warning, json, knobs, machine, script, write};
use crate::topology::Release;
use crate::workload::REPLAY;
use std::sync::Arc;

/// The version of the link format that is written, and the latest that can be read.
pub const FORMAT_VERSION: u32 = 1;

impl Scenario {
    /// Reads a whole link, `#…`, a bare fragment or a scenario's JSON, and says in one sentence each what could
    /// not be used. Never fails: in the worst case the default scenario comes back.
    pub fn parse(text: &str) -> (Self, Vec<Warning>) {
        if !json::looks_like(text) {
            return Self::parse_link(text);
        }
        let mut report = Report::default();
        let pairs = json::pairs(text, &mut report);
        let scenario = read(pairs, &mut report);
        (scenario, report.finish())
    }

    /// As [`Scenario::parse`], but for a link or fragment alone: who never meets JSON need not carry its reader.
    pub fn parse_link(text: &str) -> (Self, Vec<Warning>) {
        let mut report = Report::default();
        let fragment = fragment_of(text, &mut report);
        let pairs = split(fragment, &mut report);
        let scenario = read(pairs, &mut report);
        (scenario, report.finish())
    }
}

/// Reads pairs in the fixed order of the keys; what is left then is no key.
pub(super) fn read(mut pairs: Pairs, report: &mut Report) -> Scenario {
    let mut scenario = Scenario::default();
    for key in Key::ALL {
        match key {
            Key::Switches => switches(&mut pairs, &mut scenario, report),
            Key::Params => params(&mut pairs, &mut scenario, report),
            Key::Costs => costs(&mut pairs, &mut scenario, report),
            _ => {
                if let Some(text) = pairs.take(key.name()) {
                    one(key, &text, &mut scenario, report);
                }
            }
        }
    }
    rest(pairs, &scenario, report);
    nothing_to_replay(&mut scenario, report);
    scenario
}

fn one(key: Key, text: &str, scenario: &mut Scenario, report: &mut Report) {
    let written = Written { key: key.name(), text };
    match key {
        Key::Version => version(written, report),
        Key::Release => {
            let known = Release::ALL.map(Release::name);
            scenario.release = Release::parse(text).unwrap_or_else(|| {
                report.say(written.key, keys::not_listed(written, &known, scenario.release.name()));
                scenario.release
            });
        }
        Key::Machine => scenario.machine = machine::read(written, &scenario.machine, report),
        Key::Workload => {
            let known = catalogue::workloads();
            if known.contains(&text) {
                scenario.workload.kind = text.to_owned();
            } else {
                report.say(written.key, not_one_of(written, &known, &scenario.workload.kind));
            }
        }
        Key::Replay => scenario.script = script(written, scenario, report),
        Key::Load => scenario.load = knobs::load(written, scenario.load, report),
        Key::MigrationCost => scenario.knobs.migration_cost = knobs::migration_cost(written, report),
        Key::Overload => scenario.knobs.overload = knobs::overload(written, report).unwrap_or_default(),
        Key::Hz => scenario.knobs.hz = hz(written, report),
        Key::Preempt => scenario.knobs.preempt = preempt(written, report),
        Key::Freq => scenario.knobs.freq = freq(written, report),
        Key::Ticks => scenario.knobs.ticks = ticks(written, report),
        Key::Seed => scenario.seed = seed(written, scenario.seed, report),
        Key::Set => scenario.changes = knobs::changes(text, report),
        Key::At => {
            let limits = Limits { min: 0, max: Scenario::LATEST_NS };
            scenario.at_ns = Some(number(written, Spelling::Time(Unit::S), limits, 0, report));
        }
        Key::Name => scenario.show.name = held(written, Show::LONGEST_NAME, report),
        Key::Lesson => scenario.show.lesson = lesson(written, report),
        Key::Ab => scenario.show.ab = held(written, Show::LONGEST_AB, report),
        Key::Embed => scenario.show.embed = embed(written, report),
        Key::Switches | Key::Params | Key::Costs => {}
    }
}

/// A text of that many bytes at most; one that is longer is not used.
fn held(written: Written, longest: usize, report: &mut Report) -> String {
    let text = written.text;
    if text.len() > longest || text.contains(char::is_control) {
        let key = written.key;
        report.say(key, format!("{key} holds at most {longest} bytes of plain text. It is not used."));
        return String::new();
    }
    text.to_owned()
}

fn lesson(written: Written, report: &mut Report) -> String {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if written.text.len() > 40 || !written.text.bytes().all(fits) {
        let quoted = written.quoted();
        report.say(written.key, format!("{quoted} is not the name of a lesson. None is opened."));
        return String::new();
    }
    written.text.to_owned()
}

fn embed(written: Written, report: &mut Report) -> bool {
    if !matches!(written.text, "0" | "1") {
        report.say(written.key, format!("{} is neither 0 nor 1. 0 is used.", written.quoted()));
    }
    written.text == "1"
}

fn version(written: Written, report: &mut Report) {
    let text = shortened(written.text);
    match written.text.parse::<u32>() {
        Ok(1..=FORMAT_VERSION) => {}
        Ok(later) if later > FORMAT_VERSION => report.say(
            written.key,
            format!(
                "This link was made by a later balancescope (format {later}, this one reads \
                 {FORMAT_VERSION}). Reload to update. The link is kept."
            ),
        ),
        _ => report.say(written.key, format!("v={text} is not a link format. {FORMAT_VERSION} is used.")),
    }
}

/// Recorded tasks, which mean something to one workload alone.
fn script(written: Written, scenario: &Scenario, report: &mut Report) -> Option<Arc<Script>> {
    if scenario.workload.kind != REPLAY {
        let runs = &scenario.workload.kind;
        report.say(
            written.key,
            format!(
                "Recorded tasks belong to workload={REPLAY}, and {runs} is the workload. They are not used."
            ),
        );
        return None;
    }
    match script::unpacked(written.text) {
        Ok(script) => Some(Arc::new(script)),
        Err(sentence) => {
            report.say(written.key, sentence);
            None
        }
    }
}

fn nothing_to_replay(scenario: &mut Scenario, report: &mut Report) {
    if scenario.workload.kind == REPLAY && scenario.script.is_none() {
        let used = Scenario::default().workload;
        let kind = &used.kind;
        report.say(
            Key::Workload.name(),
            format!("workload={REPLAY} has no recorded tasks to play (replay=…). {kind} is used."),
        );
        scenario.workload = used;
    }
}

fn hz(written: Written, report: &mut Report) -> Hz {
    let number = written.text.parse().ok();
    Hz::ALL.into_iter().find(|hz| number == Some(hz.0)).unwrap_or_else(|| {
        let names = Hz::ALL.map(|hz| hz.0.to_string());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let used = Hz::default();
        report.say(written.key, keys::not_listed(written, &names, &used.0.to_string()));
        used
    })
}

fn preempt(written: Written, report: &mut Report) -> Preempt {
    Preempt::ALL.into_iter().find(|p| p.name() == written.text).unwrap_or_else(|| {
        let names = Preempt::ALL.map(Preempt::name);
        report.say(written.key, not_one_of(written, &names, Preempt::default().name()));
        Preempt::default()
    })
}

fn freq(written: Written, report: &mut Report) -> Freq {
    Freq::ALL.into_iter().find(|f| f.name() == written.text).unwrap_or_else(|| {
        let names = Freq::ALL.map(Freq::name);
        report.say(written.key, not_one_of(written, &names, Freq::default().name()));
        Freq::default()
    })
}

fn ticks(written: Written, report: &mut Report) -> Ticks {
    Ticks::ALL.into_iter().find(|t| t.name() == written.text).unwrap_or_else(|| {
        let names = Ticks::ALL.map(Ticks::name);
        report.say(written.key, not_one_of(written, &names, Ticks::default().name()));
        Ticks::default()
    })
}

fn seed(written: Written, default: u64, report: &mut Report) -> u64 {
    written.text.parse().unwrap_or_else(|_| {
        let quoted = written.quoted();
        report.say(
            written.key,
            format!("{quoted} is not a whole number from 0 to {}. {default} is used.", u64::MAX),
        );
        default
    })
}

fn switches(pairs: &mut Pairs, scenario: &mut Scenario, report: &mut Report) {
    let mut rules = crate::balance::Rules::of(scenario.release);
    for (name, released) in catalogue::switches(scenario.release) {
        let Some(text) = pairs.take(name) else { continue };
        match rules.set(name, &text) {
            Ok(()) => scenario.overrides.push((name.to_owned(), text)),
            Err(sentence) => report.say(name, format!("{sentence} {released} is used.")),
        }
    }
    scenario.overrides = write::overrides(scenario);
}

fn params(pairs: &mut Pairs, scenario: &mut Scenario, report: &mut Report) {
    for param in catalogue::params(&scenario.workload.kind) {
        let key = format!("{}.{}", scenario.workload.kind, param.name);
        let Some(text) = pairs.take(&key) else { continue };
        let written = Written { key: &key, text: &text };
        let limits = Limits { min: param.min, max: param.max };
        let value = number(written, catalogue::spelling(param.unit, Unit::Us), limits, param.default, report);
        if value != param.default {
            scenario.workload.params.push((param.name.to_owned(), value));
        }
    }
}

fn costs(pairs: &mut Pairs, scenario: &mut Scenario, report: &mut Report) {
    for cost in &COSTS {
        let key = format!("{COST}{}", cost.name);
        let Some(text) = pairs.take(&key) else { continue };
        let written = Written { key: &key, text: &text };
        let limits = Limits { min: 0, max: cost.max };
        let value = number(written, catalogue::spelling(cost.unit, Unit::Ns), limits, cost.default, report);
        if value != cost.default {
            scenario.costs.push((cost.name.to_owned(), value));
        }
    }
}

/// Keys that nobody knows.
fn rest(pairs: Pairs, scenario: &Scenario, report: &mut Report) {
    let unknown: Vec<(String, String)> = pairs.rest().collect();
    let known = if unknown.is_empty() { Vec::new() } else { keys::known(scenario) };
    for (key, text) in &unknown {
        let sentence = if report.is_full() { String::new() } else { not_a_key(key, text, &known, scenario) };
        report.say(key, sentence);
    }
}

/// The known key most like this one; of keys with a common prefix (`cost.`) only the rest is compared, since
/// the prefix says nothing.
fn nearest_key<'a>(key: &str, known: &'a [String]) -> Option<&'a str> {
    let prefix = &key[..key.find('.').map_or(0, |dot| dot + 1)];
    let family: Vec<&str> = known.iter().filter_map(|known| known.strip_prefix(prefix)).collect();
    let near = nearest(&key[prefix.len()..], family)?;
    known.iter().map(String::as_str).find(|known| known.strip_prefix(prefix) == Some(near))
}

fn not_a_key(key: &str, text: &str, known: &[String], scenario: &Scenario) -> String {
    let quoted = Written { key, text }.quoted();
    if let Some((kind, _)) = key.split_once('.')
        && kind != scenario.workload.kind
        && catalogue::workloads().contains(&kind)
    {
        let runs = &scenario.workload.kind;
        return format!("{quoted} belongs to workload={kind}, and {runs} is the workload. It is not used.");
    }
    let near = nearest_key(key, known);
    let used = near.and_then(|near| Some((near, write::value_of(scenario, near)?)));
    match (near, used) {
        (_, Some((near, used))) => {
            format!("{quoted} is not a key. Did you mean {near}? {} is used.", shortened(&used))
        }
        (Some(near), None) => format!("{quoted} is not a key. Did you mean {near}?"),
        _ => format!("{quoted} is not a key. It is not used."),
    }
}
