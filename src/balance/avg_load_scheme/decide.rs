//! The busiest group and whether to pull from it (`find_busiest_group`, 4.19).

use super::amount::calculate_imbalance;
use super::{AvgLoadStats, AvgLoadType};
use crate::balance::classify::avg_load;
use crate::balance::why::{Op, Subject, Test, Why, fact, test};
use crate::balance::{Decision, DomainView, IdleType, MigrationType};

const F: &str = "find_busiest_group";

/// Averages and classifies the groups, in the CPU's own order with the local one first, picks the busiest and
/// decides. Without a local group the domain counts as balanced.
pub fn find_busiest_group(domain: &DomainView, groups: &mut [AvgLoadStats], why: &mut impl Why) -> Decision {
    let Some(local) = prepare(domain, groups, why) else {
        return Decision::balanced(None);
    };
    let busiest = busiest_of(groups, why).filter(|index| groups[*index].nr_running > 0);
    if !fact(why, Test(F, "sds.busiest with tasks"), busiest.is_some()) {
        return Decision::balanced(None);
    }
    let Some(index) = busiest else {
        return Decision::balanced(None);
    };
    let domain_avg = domain_average(groups);
    let (local, busiest) = (&groups[local], &groups[index]);
    if !is_imbalanced(domain, local, busiest, domain_avg, why) {
        return Decision::balanced(Some(index));
    }
    let amount = calculate_imbalance(local, busiest, domain_avg, why);
    Decision { busiest: Some(index), go: true, migration_type: Some(MigrationType::Load), amount }
}

fn prepare(domain: &DomainView, groups: &mut [AvgLoadStats], why: &mut impl Why) -> Option<usize> {
    let local = groups.iter().position(|group| group.local)?;
    groups.iter_mut().for_each(AvgLoadStats::average);
    // The local group is judged first, and the others beside it.
    why.about(Subject::Group(local as u32));
    groups[local].classify(domain, None, why);
    let (before, rest) = groups.split_at_mut(local);
    let (own, after) = rest.split_first_mut()?;
    let others = (0..).zip(before.iter_mut()).chain((local as u32 + 1..).zip(after));
    for (index, group) in others {
        why.about(Subject::Group(index));
        group.classify(domain, Some(own), why);
    }
    why.about(Subject::Pass);
    Some(local)
}

/// Higher type, then higher average load, strictly; a group must beat type `Other` with load 0
/// (`update_sd_pick_busiest`).
fn busiest_of(groups: &[AvgLoadStats], why: &mut impl Why) -> Option<usize> {
    let f = "update_sd_pick_busiest";
    let (mut busiest, mut best) = (None, (AvgLoadType::Other, 0));
    for (index, group) in groups.iter().enumerate().filter(|(_, group)| !group.local) {
        why.about(Subject::Group(index as u32));
        let (new, old) = (group.group_type as u32, best.0 as u32);
        let picked = test(why, Test(f, "group_type > busiest->group_type"), new, Op::Gt, old)
            || (new == old
                && test(why, Test(f, "avg_load > busiest->avg_load"), group.avg_load, Op::Gt, best.1));
        if picked {
            (busiest, best) = (Some(index), (group.group_type, group.avg_load));
        }
    }
    why.about(Subject::Pass);
    busiest
}

fn domain_average(groups: &[AvgLoadStats]) -> u64 {
    let sum = groups.iter().fold((0_u64, 0_u64), |sum, group| {
        (sum.0.wrapping_add(group.load), sum.1.wrapping_add(group.capacity))
    });
    avg_load(sum.0, sum.1)
}

fn is_imbalanced(
    domain: &DomainView,
    local: &AvgLoadStats,
    busiest: &AvgLoadStats,
    domain_avg: u64,
    why: &mut impl Why,
) -> bool {
    if fact(why, Test(F, "busiest is imbalanced"), busiest.group_type == AvgLoadType::Imbalanced) {
        return true;
    }
    if domain.idle != IdleType::Busy
        && local.has_capacity(domain, why)
        && fact(why, Test(F, "busiest has no capacity"), busiest.no_capacity)
    {
        return true;
    }
    if test(why, Test(F, "local avg_load >= busiest avg_load"), local.avg_load, Op::Ge, busiest.avg_load)
        || test(why, Test(F, "local avg_load >= domain avg_load"), local.avg_load, Op::Ge, domain_avg)
    {
        return false;
    }
    if domain.idle == IdleType::Idle {
        idle_helps(local, busiest, why)
    } else {
        exceeds(domain, local, busiest, why)
    }
}

/// CPU_IDLE: without an overloaded group, only a clear difference in idle CPUs is worth a move.
fn idle_helps(local: &AvgLoadStats, busiest: &AvgLoadStats, why: &mut impl Why) -> bool {
    let overloaded = busiest.group_type == AvgLoadType::Overloaded;
    let limit = busiest.idle_cpus.saturating_add(1);
    fact(why, Test(F, "busiest is overloaded"), overloaded)
        || !test(why, Test(F, "local idle_cpus <= busiest idle_cpus + 1"), local.idle_cpus, Op::Le, limit)
}

/// CPU_NOT_IDLE and CPU_NEWLY_IDLE: the loads must differ by the domain's percentage.
fn exceeds(domain: &DomainView, local: &AvgLoadStats, busiest: &AvgLoadStats, why: &mut impl Why) -> bool {
    let (left, right) =
        (busiest.avg_load.wrapping_mul(100), local.avg_load.wrapping_mul(u64::from(domain.imbalance_pct)));
    !test(why, Test(F, "100 x busiest avg_load <= pct x local avg_load"), left, Op::Le, right)
}
