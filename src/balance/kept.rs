//! Group statistics that stay from pass to pass, so that a pass works on what changed and not on every group.

use super::classify::classify;
use super::group::{Decision, decide, set_type};
use super::why::{Subject, Why};
use super::{DomainView, GroupStats, IdleType, Rules, pick_busiest};
use crate::topology::GroupId;

/// Statistics of all groups of a machine, by group number, and what is known about their types.
#[derive(Clone, Debug)]
pub struct KeptGroups {
    stats: Vec<GroupStats>,
    /// For what kind of pass the type of each group was found since it last changed; 0: for none.
    typed: Vec<u32>,
}

impl KeptGroups {
    /// Begins with these.
    pub fn new(stats: Vec<GroupStats>) -> Self {
        Self { typed: vec![0; stats.len()], stats }
    }

    /// A group's statistics. Their type and average load are those that the last pass found.
    pub fn get(&self, id: GroupId) -> &GroupStats {
        &self.stats[id.0 as usize]
    }

    /// A group's statistics, to be changed.
    #[inline]
    pub fn change(&mut self, id: GroupId) -> &mut GroupStats {
        self.typed[id.0 as usize] = 0;
        &mut self.stats[id.0 as usize]
    }

    /// [`super::find_busiest_group`] for a domain of these groups, in the CPU's own order with the local one first.
    /// A decision's `busiest` is a group number.
    pub fn find_busiest<W: Why>(
        &mut self,
        rules: &Rules,
        domain: &DomainView,
        order: &[GroupId],
        why: &mut W,
    ) -> Decision {
        let Some((local_id, others)) = order.split_first() else {
            return Decision::balanced(None);
        };
        let local = self.change(*local_id);
        why.about(Subject::Group(local_id.0));
        set_type(classify(rules, domain, None, local, why), local);
        let local = local.clone();
        let kind = kind_of_pass(domain);
        let mut busiest: Option<usize> = None;
        for id in others {
            let index = id.0 as usize;
            why.about(Subject::Group(id.0));
            let group = &mut self.stats[index];
            if W::READ || kind == 0 || self.typed[index] != kind {
                set_type(classify(rules, domain, Some(&local), group, why), group);
                self.typed[index] = kind;
            }
            debug_assert_eq!(group.group_type, classify(rules, domain, Some(&local), group, &mut ()));
            let so_far = busiest.map(|index| &self.stats[index]);
            if pick_busiest(rules, domain, &local, so_far, &self.stats[index], why) {
                busiest = Some(index);
            }
        }
        why.about(Subject::Pass);
        let sum = || order.iter().map(|id| self.get(*id)).collect();
        decide(rules, domain, &local, busiest.map(|index| (index, &self.stats[index])), sum, why)
    }
}

/// What a group's type depends on beside the group itself. 0 where that is more than fits into a number: under
/// asymmetric packing it depends on the local group.
fn kind_of_pass(domain: &DomainView) -> u32 {
    if domain.asym_packing {
        return 0;
    }
    domain.imbalance_pct << 2 | u32::from(domain.idle == IdleType::Busy) << 1 | 1
}
