//! Which of two groups is the busier: `update_sd_pick_busiest` (6.x).

use super::rules::{AsymFilter, FullyBusyTie};
use super::why::{Op, Test, Why, fact, test};
use super::{DomainView, GroupStats, GroupType, Rules};

const F: &str = "update_sd_pick_busiest";

/// `capacity_greater`: by a margin of about 5 %.
pub fn capacity_greater(a: u64, b: u64) -> bool {
    a.wrapping_mul(1024) > b.wrapping_mul(1078)
}

/// Whether `group` takes the place of the busiest so far (spec 4.2; release-6.1 5). Without one so far the
/// kernel compares with spare capacity and infinitely many idle CPUs.
#[inline]
pub fn pick_busiest(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    busiest: Option<&GroupStats>,
    group: &GroupStats,
    why: &mut impl Why,
) -> bool {
    if !test(why, Test(F, "sum_h_nr_running > 0"), group.h_nr_running, Op::Gt, 0) {
        return false;
    }
    if domain.asym_capacity
        && fact(why, Test(F, "misfit no help"), misfit_no_help(rules, domain, local, group))
    {
        return false;
    }
    let always = rules.groups.asym_filter == AsymFilter::Always;
    if always && too_big(domain, group, why) {
        return false;
    }
    let incumbent = busiest.map_or(GroupType::HasSpare, |busiest| busiest.group_type);
    let (new, old) = (group.group_type as u32, incumbent as u32);
    if test(why, Test(F, "group_type > busiest->group_type"), new, Op::Gt, old) {
        return true;
    }
    if test(why, Test(F, "group_type < busiest->group_type"), new, Op::Lt, old) {
        return false;
    }
    tie(rules, busiest, group, why) && (always || !too_big(domain, group, why))
}

/// The destination cannot help: it is not bigger than the group's largest CPU, or its own group is busy, or
/// (6.1.192) its core is.
fn misfit_no_help(rules: &Rules, domain: &DomainView, local: &GroupStats, group: &GroupStats) -> bool {
    group.group_type == GroupType::Misfit
        && (!capacity_greater(domain.dst_capacity, group.max_capacity)
            || local.group_type != GroupType::HasSpare
            || (rules.groups.misfit_needs_idle_core && !domain.dst_core_idle))
}

/// A group with no more than one task a CPU is not worth emptying if all its CPUs are bigger than the
/// destination.
fn too_big(domain: &DomainView, group: &GroupStats, why: &mut impl Why) -> bool {
    domain.asym_capacity
        && group.group_type <= GroupType::FullyBusy
        && fact(
            why,
            Test(F, "capacity_greater(group min, dst)"),
            capacity_greater(group.min_capacity, domain.dst_capacity),
        )
}

fn tie(rules: &Rules, busiest: Option<&GroupStats>, group: &GroupStats, why: &mut impl Why) -> bool {
    let Some(busiest) = busiest else {
        return true;
    };
    match group.group_type {
        GroupType::Overloaded => higher_avg_load(busiest, group, why),
        GroupType::Imbalanced => false,
        GroupType::AsymPacking => {
            let at = Test(F, "busiest->asym_prefer_cpu preferred to group's");
            test(why, at, busiest.priority, Op::Gt, group.priority)
        }
        GroupType::Misfit => {
            let at = Test(F, "group_misfit_task_load >= busiest->group_misfit_task_load");
            test(why, at, group.misfit_load, Op::Ge, busiest.misfit_load)
        }
        GroupType::SmtBalance if group.idle_cpus != 0 || busiest.idle_cpus != 0 => {
            less_spare(rules, busiest, group, why)
        }
        GroupType::SmtBalance | GroupType::FullyBusy => match rules.groups.fully_busy_tie {
            FullyBusyTie::AvgLoad => higher_avg_load(busiest, group, why),
            FullyBusyTie::KeepSmt => fully_busy(busiest, group, why),
        },
        GroupType::HasSpare => less_spare(rules, busiest, group, why),
    }
}

fn higher_avg_load(busiest: &GroupStats, group: &GroupStats, why: &mut impl Why) -> bool {
    test(why, Test(F, "avg_load > busiest->avg_load"), group.avg_load, Op::Gt, busiest.avg_load)
}

fn fully_busy(busiest: &GroupStats, group: &GroupStats, why: &mut impl Why) -> bool {
    if group.avg_load != busiest.avg_load {
        return higher_avg_load(busiest, group, why);
    }
    !fact(why, Test(F, "busiest has SD_SHARE_CPUCAPACITY"), busiest.smt)
}

fn less_spare(rules: &Rules, busiest: &GroupStats, group: &GroupStats, why: &mut impl Why) -> bool {
    if rules.groups.mixed_smt && busiest.smt != group.smt {
        // An SMT group with a single task would only leave its core idle.
        let alone = group.smt && group.h_nr_running <= 1;
        return !fact(why, Test(F, "SMT group with one CFS task"), alone);
    }
    if test(why, Test(F, "idle_cpus > busiest->idle_cpus"), group.idle_cpus, Op::Gt, busiest.idle_cpus) {
        return false;
    }
    let at = Test(F, "idle_cpus == busiest->idle_cpus");
    if !test(why, at, group.idle_cpus, Op::Eq, busiest.idle_cpus) {
        return true;
    }
    test(
        why,
        Test(F, "sum_nr_running > busiest->sum_nr_running"),
        group.nr_running,
        Op::Gt,
        busiest.nr_running,
    )
}
