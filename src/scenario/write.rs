//! A scenario becomes keys and values, and those its link. Only what differs from the default is written, in
//! the order of the keys, so equal scenarios have equal links.

use super::catalogue;
use super::costs::COSTS;
use super::keys::{COST, Key};
use super::link::encoded;
use super::units::{Unit, thousandths_text, time_text};
use super::{FORMAT_VERSION, Scenario, knobs, machine, script};
use crate::balance::Rules;
use crate::workload::REPLAY;

impl Scenario {
    /// The link's fragment, without `#`: readable, typable, canonical. Settings that no reader would accept
    /// (names that nobody knows) are left out.
    pub fn fragment(&self) -> String {
        let defaults = Self::default();
        let pairs: Vec<String> = Key::ALL
            .into_iter()
            .flat_map(|key| {
                let written = pairs_of(self, key);
                if written == pairs_of(&defaults, key) { Vec::new() } else { written }
            })
            .map(|(key, value)| format!("{key}={}", encoded(&value)))
            .collect();
        pairs.join("&")
    }

    /// The rules it runs by: its release's, with its overrides.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::of(self.release);
        for (name, value) in &self.overrides {
            // `parse` lets only those through that the rules take; others are said there.
            let _ = rules.set(name, value);
        }
        rules
    }
}

/// Everything, defaults too, as the JSON form has it.
pub(super) fn all_pairs(scenario: &Scenario) -> Vec<(String, String)> {
    Key::ALL.into_iter().flat_map(|key| pairs_of(scenario, key)).collect()
}

/// The same without the machine.
pub(super) fn pairs_but_machine(scenario: &Scenario) -> impl Iterator<Item = (String, String)> {
    let keys = Key::ALL.into_iter().filter(|key| *key != Key::Machine);
    keys.flat_map(|key| pairs_of(scenario, key))
}

/// The text of one key in this scenario, if it has one.
pub(super) fn value_of(scenario: &Scenario, key: &str) -> Option<String> {
    if key == Key::Machine.name() {
        return Some(scenario.machine.name().to_owned());
    }
    let mut own = pairs_but_machine(scenario).filter(|(name, _)| name == key).map(|(_, value)| value);
    own.next().or_else(|| {
        let switches = scenario.rules().switches();
        switches.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    })
}

fn pairs_of(scenario: &Scenario, key: Key) -> Vec<(String, String)> {
    let one = |value: String| vec![(key.name().to_owned(), value)];
    match key {
        Key::Version => one(FORMAT_VERSION.to_string()),
        Key::Release => one(scenario.release.name().to_owned()),
        Key::Switches => overrides(scenario),
        Key::Machine => one(machine::text(&scenario.machine)),
        Key::Workload => one(scenario.workload.kind.clone()),
        Key::Params => params(scenario),
        Key::Replay if scenario.workload.kind == REPLAY => {
            let packed = scenario.script.as_deref().and_then(script::packed);
            packed.map(one).unwrap_or_default()
        }
        Key::Replay => Vec::new(),
        Key::Load => one(thousandths_text(scenario.load.min(Scenario::MOST_LOAD).into())),
        Key::MigrationCost => one(knobs::migration_cost_text(scenario.knobs.migration_cost)),
        Key::Overload => one(scenario.knobs.overload.name().to_owned()),
        Key::Hz => one(scenario.knobs.hz.0.to_string()),
        Key::Preempt => one(scenario.knobs.preempt.name().to_owned()),
        Key::Freq => one(scenario.knobs.freq.name().to_owned()),
        Key::Ticks => one(scenario.knobs.ticks.name().to_owned()),
        Key::Seed => one(scenario.seed.to_string()),
        Key::Costs => costs(scenario),
        Key::Set if scenario.changes.is_empty() => Vec::new(),
        Key::Set => one(knobs::changes_text(&scenario.changes)),
        Key::At => scenario.at_ns.map(|at| one(time_text(at))).unwrap_or_default(),
        Key::Name => said(key, &scenario.show.name),
        Key::Lesson => said(key, &scenario.show.lesson),
        Key::Ab => said(key, &scenario.show.ab),
        Key::Embed => said(key, if scenario.show.embed { "1" } else { "" }),
    }
}

/// A key with its value, if that is not empty.
fn said(key: Key, value: &str) -> Vec<(String, String)> {
    if value.is_empty() { Vec::new() } else { vec![(key.name().to_owned(), value.to_owned())] }
}

/// The switches that differ from the release's own, in the rules' order and spelling.
pub(super) fn overrides(scenario: &Scenario) -> Vec<(String, String)> {
    let released = Rules::of(scenario.release).switches();
    let differing = scenario.rules().switches().into_iter().zip(released);
    differing.filter(|(ours, theirs)| ours != theirs).map(|(ours, _)| (ours.0.to_owned(), ours.1)).collect()
}

/// The workload's parameters that differ from its defaults, in its order.
fn params(scenario: &Scenario) -> Vec<(String, String)> {
    let kind = &scenario.workload.kind;
    catalogue::params(kind)
        .iter()
        .filter_map(|param| {
            let value = given(&scenario.workload.params, param.name)?.clamp(param.min, param.max);
            (value != param.default).then(|| {
                (format!("{kind}.{}", param.name), catalogue::spelling(param.unit, Unit::Us).text(value))
            })
        })
        .collect()
}

/// The value of that name; of several, the last.
fn given(values: &[(String, u64)], name: &str) -> Option<u64> {
    values.iter().rev().find(|(of, _)| of == name).map(|(_, value)| *value)
}

fn costs(scenario: &Scenario) -> Vec<(String, String)> {
    COSTS
        .iter()
        .filter_map(|cost| {
            let value = given(&scenario.costs, cost.name)?.min(cost.max);
            let text = catalogue::spelling(cost.unit, Unit::Ns).text(value);
            (value != cost.default).then(|| (format!("{COST}{}", cost.name), text))
        })
        .collect()
}
