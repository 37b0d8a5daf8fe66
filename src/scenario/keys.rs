//! The keys of a link and their fixed order.

use super::Scenario;
use super::catalogue;
use super::costs::COSTS;
use super::report::listed;
use super::value::Written;

/// Before the name of a cost.
pub(super) const COST: &str = "cost.";

/// A key, or the place of keys that other rooms name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Version,
    Release,
    /// Switches of the rules, by their own names.
    Switches,
    Machine,
    Workload,
    /// `requests.service` and the like.
    Params,
    /// Recorded tasks, packed.
    Replay,
    Load,
    MigrationCost,
    Overload,
    Hz,
    Preempt,
    Freq,
    Ticks,
    Seed,
    /// `cost.…`
    Costs,
    Set,
    At,
    Name,
    Lesson,
    Ab,
    Embed,
}

impl Key {
    /// In the order in which they are written.
    pub const ALL: [Key; 22] = [
        Self::Version,
        Self::Release,
        Self::Switches,
        Self::Machine,
        Self::Workload,
        Self::Params,
        Self::Replay,
        Self::Load,
        Self::MigrationCost,
        Self::Overload,
        Self::Hz,
        Self::Preempt,
        Self::Freq,
        Self::Ticks,
        Self::Seed,
        Self::Costs,
        Self::Set,
        Self::At,
        Self::Name,
        Self::Lesson,
        Self::Ab,
        Self::Embed,
    ];

    /// As written; empty for the places of other rooms' keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Version => "v",
            Self::Release => "release",
            Self::Machine => "machine",
            Self::Workload => "workload",
            Self::Replay => "replay",
            Self::Load => "load",
            Self::MigrationCost => "migration_cost",
            Self::Overload => "overload",
            Self::Hz => "hz",
            Self::Preempt => "preempt",
            Self::Freq => "freq",
            Self::Ticks => "ticks",
            Self::Seed => "seed",
            Self::Set => "set",
            Self::At => "at",
            Self::Name => "name",
            Self::Lesson => "lesson",
            Self::Ab => "ab",
            Self::Embed => "embed",
            Self::Switches | Self::Params | Self::Costs => "",
        }
    }
}

/// Every key that could stand in a link of this release and workload.
pub(super) fn known(scenario: &Scenario) -> Vec<String> {
    let own = Key::ALL.iter().map(|key| key.name().to_owned()).filter(|name| !name.is_empty());
    let switches = catalogue::switches(scenario.release).into_iter().map(|(name, _)| name.to_owned());
    let kind = &scenario.workload.kind;
    let params = catalogue::params(kind).iter().map(|param| format!("{kind}.{}", param.name));
    let costs = COSTS.iter().map(|cost| format!("{COST}{}", cost.name));
    own.chain(switches).chain(params).chain(costs).collect()
}

/// The sentence for a value that must be one of a few numbers.
pub(super) fn not_listed(written: Written, all: &[&str], used: &str) -> String {
    format!("{} is none of {}. {used} is used.", written.quoted(), listed(all))
}
