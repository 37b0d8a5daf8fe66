//! The same moment under other rules: the same pure functions, given the same numbers.

use super::{Draft, Found, Text};
use crate::balance::rules::GroupScheme;
use crate::balance::{Condition, Rules, find_busiest_group, gate};
use crate::topology::Release;
use serde::{Deserialize, Serialize};

/// What one release's rules make of the numbers of a pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// Whose rules.
    pub release: Release,
    /// What they say.
    pub says: Says,
}

/// What rules say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Says {
    /// The gates of a new-idle pass let it pass.
    Passes,
    /// They refuse, by this condition and its two numbers.
    Refuses(Text, i64, i64),
    /// The group statistics lead to this.
    Groups(Found),
    /// The release decides by other statistics than were read.
    OtherStatistics,
}

/// A pass that got to group statistics is judged by these, another one by the gates it was held at. Nothing is said
/// of a pass that got to neither.
pub(super) fn elsewhere(rules: &Rules, draft: &Draft) -> Vec<Elsewhere> {
    Release::ALL
        .into_iter()
        .filter_map(|release| {
            let other = Rules::of(release);
            let says = if draft.groups.is_empty() {
                at_gate(&other, draft)?
            } else {
                at_groups(rules, &other, draft)
            };
            Some(Elsewhere { release, says })
        })
        .collect()
}

fn at_gate(rules: &Rules, draft: &Draft) -> Option<Says> {
    let mut why: Vec<Condition> = Vec::new();
    let outcome = gate(rules, draft.gate.as_ref()?, &mut why);
    Some(match why.pop() {
        Some(last) if outcome != crate::balance::GateOutcome::Pass => {
            Says::Refuses(last.text.clone(), last.left, last.right)
        }
        _ => Says::Passes,
    })
}

fn at_groups(own: &Rules, other: &Rules, draft: &Draft) -> Says {
    let same = own.groups.scheme == GroupScheme::GroupType && other.groups.scheme == GroupScheme::GroupType;
    let Some(view) = draft.view.as_ref().filter(|_| same) else { return Says::OtherStatistics };
    let mut stats = draft.stats.clone();
    let d = find_busiest_group(other, view, &mut stats, &mut ());
    Says::Groups(Found { pulls: d.pulls(), migration_type: d.migration_type, amount: d.amount })
}
