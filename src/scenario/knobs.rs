//! The three knobs that turn while a world runs, and their turns on the way (`set`).

use super::report::{Report, grouped, shortened};
use super::units::{Unit, time_text};
use super::value::{Limits, Spelling, Written, not_one_of, number, try_number};
use super::{Change, ChangeTo, MigrationCost, OverloadMode, Scenario};

/// As written in a link: `0`, `500us`, `always`.
pub(super) fn migration_cost_text(cost: MigrationCost) -> String {
    match cost {
        MigrationCost::NeverHot => "0".to_owned(),
        MigrationCost::Ns(ns) => time_text(ns.min(MigrationCost::MOST_NS)),
        MigrationCost::AlwaysHot => "always".to_owned(),
    }
}

/// Reads a migration cost; the default, with a sentence, if it is none.
pub(super) fn migration_cost(written: Written, report: &mut Report) -> MigrationCost {
    try_migration_cost(written, report).unwrap_or_else(|| {
        let used = MigrationCost::default();
        let text = migration_cost_text(used);
        let quoted = written.quoted();
        report.say(written.key, format!("{quoted} is not a time, 0 or always. {text} is used."));
        used
    })
}

/// A bare number is microseconds; `-1` is the kernel's own spelling of always.
fn try_migration_cost(written: Written, report: &mut Report) -> Option<MigrationCost> {
    match written.text {
        "always" | "-1" => return Some(MigrationCost::AlwaysHot),
        "never" => return Some(MigrationCost::NeverHot),
        _ => {}
    }
    let limits = Limits { min: 0, max: MigrationCost::MOST_NS };
    try_number(written, Spelling::Time(Unit::Us), limits, report).map(MigrationCost::of_ns)
}

/// Reads a load level into thousandths.
pub(super) fn load(written: Written, default: u32, report: &mut Report) -> u32 {
    number(written, Spelling::Thousandths, LOAD, default.into(), report) as u32
}

const LOAD: Limits = Limits { min: 0, max: Scenario::MOST_LOAD as u64 };

/// Reads how the overload flag is held.
pub(super) fn overload(written: Written, report: &mut Report) -> Option<OverloadMode> {
    let mode = try_overload(written.text);
    if mode.is_none() {
        let names = OverloadMode::ALL.map(OverloadMode::name);
        report.say(written.key, not_one_of(written, &names, OverloadMode::default().name()));
    }
    mode
}

fn try_overload(text: &str) -> Option<OverloadMode> {
    let held = text.strip_prefix("held").map(|rest| rest.trim_start_matches(['-', '_', ' ']));
    OverloadMode::ALL.into_iter().find(|mode| mode.name() == held.unwrap_or(text))
}

/// As written in a link: `3.2s:load=0.7,4s:overload=clear`, in order of time.
pub(super) fn changes_text(changes: &[Change]) -> String {
    let texts: Vec<String> = in_order(changes).iter().map(change_text).collect();
    texts.join(",")
}

fn in_order(changes: &[Change]) -> Vec<Change> {
    let mut sorted: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        // Of two turns of one moment the later written is the later turned.
        let place = sorted.partition_point(|before| before.at_ns <= change.at_ns);
        sorted.insert(place, change.clone());
    }
    sorted
}

fn change_text(change: &Change) -> String {
    let at = time_text(change.at_ns);
    match change.to {
        ChangeTo::MigrationCost(cost) => format!("{at}:migration_cost={}", migration_cost_text(cost)),
        ChangeTo::Load(load) => format!("{at}:load={}", Spelling::Thousandths.text(load.into())),
        ChangeTo::Overload(mode) => format!("{at}:overload={}", mode.name()),
    }
}

/// Reads `set`. What cannot be read is left out, with a sentence each.
pub(super) fn changes(text: &str, report: &mut Report) -> Vec<Change> {
    let mut items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    let mut changes = Vec::new();
    for item in items.by_ref().take(Scenario::MOST_CHANGES) {
        match change(item, report) {
            Some(change) => changes.push(change),
            None => report.say(
                "set",
                format!(
                    "{} in set cannot be used; write a time and a knob, such as 3.2s:load=0.7.",
                    shortened(item)
                ),
            ),
        }
    }
    let left = items.count();
    if left > 0 {
        let (most, left) = (Scenario::MOST_CHANGES, grouped(left as u64));
        report.say("set", format!("set holds more than {most} turns of a knob; {left} are not used."));
    }
    in_order(&changes)
}

/// `None` if the item says nothing for certain: a turn that nobody wrote would change the run.
fn change(item: &str, report: &mut Report) -> Option<Change> {
    let (at, turn) = item.split_once(':')?;
    let (key, text) = turn.split_once('=')?;
    let written = Written { key, text };
    let to = match key {
        "load" => ChangeTo::Load(try_number(written, Spelling::Thousandths, LOAD, report)? as u32),
        "migration_cost" => ChangeTo::MigrationCost(try_migration_cost(written, report)?),
        "overload" => ChangeTo::Overload(try_overload(text)?),
        _ => return None,
    };
    let limits = Limits { min: 0, max: Scenario::LATEST_NS };
    let at = Written { key: "set", text: at };
    Some(Change { at_ns: try_number(at, Spelling::Time(Unit::S), limits, report)?, to })
}
