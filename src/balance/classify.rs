//! What a group's load is like: `group_classify` (6.x).

use super::rules::AsymPacking;
use super::why::{Op, Test, Why, fact, test};
use super::{DomainView, GroupStats, GroupType, IdleType, Rules};

const F: &str = "group_classify";

/// The group's type; the first rule that matches wins (spec 4.2, release-6.1 4 and 10). `local` is the group
/// of the balancing CPU, `None` where `group` is that group itself.
pub fn classify(
    rules: &Rules,
    domain: &DomainView,
    local: Option<&GroupStats>,
    group: &GroupStats,
    why: &mut impl Why,
) -> GroupType {
    if is_overloaded(domain, group, why) {
        return GroupType::Overloaded;
    }
    if fact(why, Test(F, "sg_imbalanced"), group.imbalance_flag) {
        return GroupType::Imbalanced;
    }
    if let Some(local) = local {
        if is_asym(rules, domain, local, group, why) {
            return GroupType::AsymPacking;
        }
        if is_smt_balance(rules, domain, group, why) {
            return GroupType::SmtBalance;
        }
    }
    if test(why, Test(F, "group_misfit_task_load != 0"), group.misfit_load, Op::Ne, 0) {
        return GroupType::Misfit;
    }
    if has_capacity(domain, group, why) { GroupType::HasSpare } else { GroupType::FullyBusy }
}

/// `load x 1024 / capacity`.
pub(super) fn avg_load(load: u64, capacity: u64) -> u64 {
    load.wrapping_mul(1024) / capacity.max(1)
}

fn runnable_exceeds(domain: &DomainView, group: &GroupStats, why: &mut impl Why) -> bool {
    let capacity = group.capacity.wrapping_mul(u64::from(domain.imbalance_pct));
    let runnable = group.runnable.wrapping_mul(100);
    test(why, Test(F, "capacity x pct < runnable x 100"), capacity, Op::Lt, runnable)
}

fn util_sides(domain: &DomainView, group: &GroupStats) -> (u64, u64) {
    (group.capacity.wrapping_mul(100), group.util.wrapping_mul(u64::from(domain.imbalance_pct)))
}

fn is_overloaded(domain: &DomainView, group: &GroupStats, why: &mut impl Why) -> bool {
    let at = Test(F, "sum_nr_running > group_weight");
    if !test(why, at, group.nr_running, Op::Gt, group.weight) {
        return false;
    }
    let (capacity, util) = util_sides(domain, group);
    test(why, Test(F, "capacity x 100 < util x pct"), capacity, Op::Lt, util)
        || runnable_exceeds(domain, group, why)
}

fn has_capacity(domain: &DomainView, group: &GroupStats, why: &mut impl Why) -> bool {
    let at = Test(F, "sum_nr_running < group_weight");
    if test(why, at, group.nr_running, Op::Lt, group.weight) {
        return true;
    }
    if runnable_exceeds(domain, group, why) {
        return false;
    }
    let (capacity, util) = util_sides(domain, group);
    test(why, Test(F, "capacity x 100 > util x pct"), capacity, Op::Gt, util)
}

fn is_smt_balance(rules: &Rules, domain: &DomainView, group: &GroupStats, why: &mut impl Why) -> bool {
    rules.groups.smt_balance
        && domain.idle != IdleType::Busy
        && fact(why, Test(F, "group has SD_SHARE_CPUCAPACITY"), group.smt)
        && test(why, Test(F, "sum_h_nr_running > 1"), group.h_nr_running, Op::Gt, 1)
}

fn is_asym(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    group: &GroupStats,
    why: &mut impl Why,
) -> bool {
    if !domain.asym_packing || domain.idle == IdleType::Busy || group.h_nr_running == 0 {
        return false;
    }
    let preferred = domain.dst_priority > group.priority;
    let pulls = match rules.groups.asym_packing {
        AsymPacking::IdleCore => preferred && (domain.smt || domain.dst_core_idle),
        AsymPacking::BusyCpus => busy_cpus_allow(local, group, preferred),
    };
    fact(why, Test(F, "group_asym_packing"), pulls)
}

/// 6.1 (release-6.1 10): an SMT group gives when enough of its CPUs are busy, and an SMT destination takes
/// only what leaves its core no busier than the other.
fn busy_cpus_allow(local: &GroupStats, group: &GroupStats, preferred: bool) -> bool {
    let busy = |stats: &GroupStats| i64::from(stats.weight) - i64::from(stats.idle_cpus);
    match (local.smt, group.smt) {
        (false, false) => preferred,
        (false, true) => busy(group) >= 2 || preferred,
        (true, true) => busy(group) - busy(local) == 1 && preferred,
        (true, false) => local.nr_running == 0 && preferred,
    }
}
