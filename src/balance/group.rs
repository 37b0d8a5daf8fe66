//! From statistics to a decision: `find_busiest_group` (6.x).

use super::amount::{Amount, DomainSum, calculate_imbalance};
use super::busiest::pick_busiest;
use super::classify::{avg_load, classify};
use super::imbalance::is_imbalanced;
use super::why::{Subject, Test, Why, fact};
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

/// Classifies the groups, picks the busiest and decides. Fills in `group_type` and `avg_load` of every group.
/// Without a local group the domain counts as balanced. This is `GroupScheme::GroupType`; under `AvgLoad`
/// [`super::avg_load_scheme::find_busiest_group`] decides.
pub fn find_busiest_group(
    rules: &Rules,
    domain: &DomainView,
    groups: &mut [GroupStats],
    why: &mut impl Why,
) -> Decision {
    let Some(local) = groups.iter().position(|group| group.local) else {
        return Decision::balanced(None);
    };
    let busiest = busiest_of(rules, domain, groups, local, why);
    let busiest = busiest.map(|index| (index, &groups[index]));
    decide(rules, domain, &groups[local], busiest, || groups.iter().collect(), why)
}

/// Goes over the groups as the kernel does: classifies each, the local one first, and keeps the busiest other.
fn busiest_of(
    rules: &Rules,
    domain: &DomainView,
    groups: &mut [GroupStats],
    local: usize,
    why: &mut impl Why,
) -> Option<usize> {
    why.about(Subject::Group(local as u32));
    set_type(classify(rules, domain, None, &groups[local], why), &mut groups[local]);
    let mut busiest: Option<usize> = None;
    for index in (0..groups.len()).filter(|&index| index != local) {
        why.about(Subject::Group(index as u32));
        let group_type = classify(rules, domain, Some(&groups[local]), &groups[index], why);
        set_type(group_type, &mut groups[index]);
        let so_far = busiest.map(|index| &groups[index]);
        if pick_busiest(rules, domain, &groups[local], so_far, &groups[index], why) {
            busiest = Some(index);
        }
    }
    why.about(Subject::Pass);
    busiest
}

pub(super) fn set_type(group_type: GroupType, group: &mut GroupStats) {
    group.group_type = group_type;
    group.avg_load =
        if group_type == GroupType::Overloaded { avg_load(group.load, group.capacity) } else { 0 };
}

/// Decides between the local group and the busiest other, given with its index.
pub(super) fn decide(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    busiest: Option<(usize, &GroupStats)>,
    sum: impl FnOnce() -> DomainSum,
    why: &mut impl Why,
) -> Decision {
    let at = Test(rules.names.busiest_group, "sds.busiest");
    fact(why, at, busiest.is_some());
    let Some((index, busiest)) = busiest else {
        return Decision::balanced(None);
    };
    // Average loads are compared only where the local group has nothing to spare.
    let sum = if local.group_type == GroupType::HasSpare { DomainSum::default() } else { sum() };
    if !is_imbalanced(rules, domain, local, busiest, sum.avg_load(), why) {
        return Decision::balanced(Some(index));
    }
    let Amount { migration_type, amount } = calculate_imbalance(rules, domain, local, busiest, sum, why);
    Decision { busiest: Some(index), go: true, migration_type, amount }
}
