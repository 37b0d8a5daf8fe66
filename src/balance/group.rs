//! From statistics to a decision: `find_busiest_group` (6.x).

use super::amount::{Amount, DomainSum, calculate_imbalance};
use super::busiest::pick_busiest;
use super::classify::{avg_load, classify};
use super::imbalance::is_imbalanced;
use super::why::{Test, Why, fact};
use super::{DomainView, GroupStats, GroupType, MigrationType, Rules};

/// What a pass decided about a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The busiest group, as an index into the groups given.
    pub busiest: Option<usize>,
    /// There is an imbalance (its amount may still be 0, which also means balanced: see [`Self::pulls`]).
    pub go: bool,
    /// What to move; `None` if nothing.
    pub migration_type: Option<MigrationType>,
    /// How much of it.
    pub amount: i64,
}

impl Decision {
    /// Whether the pass goes on to look for the busiest queue.
    pub fn pulls(&self) -> bool {
        self.go && self.amount != 0
    }

    pub(super) fn balanced(busiest: Option<usize>) -> Self {
        Self { busiest, go: false, migration_type: None, amount: 0 }
    }
}

/// Classifies the groups, in the CPU's own order with the local one first, picks the busiest and decides.
/// Fills in `group_type` and `avg_load` of every group. Without a local group the domain counts as balanced.
/// This is `GroupScheme::GroupType`; under `AvgLoad` [`super::avg_load_scheme::find_busiest_group`] decides.
pub fn find_busiest_group(
    rules: &Rules,
    domain: &DomainView,
    groups: &mut [GroupStats],
    why: &mut impl Why,
) -> Decision {
    let Some(local) = classify_all(rules, domain, groups, why) else {
        return Decision::balanced(None);
    };
    let busiest = busiest_of(rules, domain, groups, local, why);
    let at = Test(rules.names.busiest_group, "sds.busiest");
    let Some(index) = busiest.filter(|_| fact(why, at, true)) else {
        fact(why, at, false);
        return Decision::balanced(None);
    };
    let sum = DomainSum::of(groups);
    let (local, busiest) = (&groups[local], &groups[index]);
    if !is_imbalanced(rules, domain, local, busiest, sum.avg_load(), why) {
        return Decision::balanced(Some(index));
    }
    let Amount { migration_type, amount } = calculate_imbalance(rules, domain, local, busiest, sum, why);
    Decision { busiest: Some(index), go: true, migration_type, amount }
}

/// Types and average loads of all groups; returns the local group's index.
fn classify_all(
    rules: &Rules,
    domain: &DomainView,
    groups: &mut [GroupStats],
    why: &mut impl Why,
) -> Option<usize> {
    let local = groups.iter().position(|group| group.local)?;
    for index in 0..groups.len() {
        let other = (index != local).then(|| &groups[local]);
        let group_type = classify(rules, domain, other, &groups[index], why);
        let group = &mut groups[index];
        group.group_type = group_type;
        group.avg_load =
            if group_type == GroupType::Overloaded { avg_load(group.load, group.capacity) } else { 0 };
    }
    Some(local)
}

fn busiest_of(
    rules: &Rules,
    domain: &DomainView,
    groups: &[GroupStats],
    local: usize,
    why: &mut impl Why,
) -> Option<usize> {
    let mut busiest: Option<usize> = None;
    for (index, group) in groups.iter().enumerate().filter(|(index, _)| *index != local) {
        let so_far = busiest.map(|index| &groups[index]);
        if pick_busiest(rules, domain, &groups[local], so_far, group, why) {
            busiest = Some(index);
        }
    }
    busiest
}
