//! The idlest group by group types (`find_idlest_group`, 6.1 and later).

use super::util_without;
use crate::balance::{
    DomainView, GroupStats, GroupType, IdleType, Op, Rules, Test, Why, adjust_numa_imbalance, classify, fact,
    test,
};
use crate::topology::{Domain, GroupId, SdFlags};
use crate::wakeup::{Task, View, fits_capacity};

/// The group to which a task on CPU `this` should go; `None`: it stays in the local one.
pub(super) fn find(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    domain: &Domain,
    this: usize,
    why: &mut impl Why,
) -> Option<GroupId> {
    let mut local: Option<(GroupId, GroupStats)> = None;
    let mut idlest: Option<(GroupId, GroupStats)> = None;
    for &id in &domain.groups {
        if !view.group_cpus(id).iter().any(|&c| view.allowed(c as usize)) {
            continue;
        }
        let stats = gather(rules, view, task, domain, id, why);
        if view.tree().group(id).span.contains(this) {
            local = Some((id, stats));
        } else if idler(idlest.as_ref().map(|(_, s)| s), &stats, why) {
            idlest = Some((id, stats));
        }
    }
    let (id, idlest) = idlest?;
    // The local group may be missing because the task may not run in it.
    let Some((local_id, local)) = local else { return Some(id) };
    let f = rules.names.idlest_group;
    let (ours, theirs) = (local.group_type as u32, idlest.group_type as u32);
    if test(why, Test(f, "local type < idlest type"), ours, Op::Lt, theirs) {
        return None;
    }
    if test(why, Test(f, "local type > idlest type"), ours, Op::Gt, theirs) {
        return Some(id);
    }
    let stays = match local.group_type {
        GroupType::Overloaded | GroupType::FullyBusy => load_keeps(f, domain, &local, &idlest, why),
        GroupType::Imbalanced | GroupType::AsymPacking | GroupType::SmtBalance => true,
        GroupType::Misfit => {
            let at = Test(f, "local max_capacity >= idlest max_capacity");
            test(why, at, local.max_capacity, Op::Ge, idlest.max_capacity)
        }
        GroupType::HasSpare => {
            (domain.flags.contains(SdFlags::NUMA) && numa_keeps(view, domain, local_id, &local, &idlest, why))
                || test(
                    why,
                    Test(f, "local idle_cpus >= idlest idle_cpus"),
                    local.idle_cpus,
                    Op::Ge,
                    idlest.idle_cpus,
                )
        }
    };
    (!stays).then_some(id)
}

/// `update_sg_wakeup_stats`: statistics of a group without the task.
fn gather(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    domain: &Domain,
    id: GroupId,
    why: &mut impl Why,
) -> GroupStats {
    let asym = domain.flags.contains(SdFlags::ASYM_CPUCAPACITY);
    let mut stats = GroupStats {
        imbalance_flag: view.imbalanced(id),
        // Assumes that no CPU is big enough until one is found.
        misfit_load: u64::from(asym),
        ..view.group(id).clone()
    };
    for cpu in view.group_cpus(id).iter().map(|&c| c as usize) {
        if rules.wakeup.slow_path_allowed_only && !view.allowed(cpu) {
            continue;
        }
        let counted = task.counted_on == Some(cpu);
        let without = |queue: u64, own: u64| if counted { queue.saturating_sub(own) } else { queue };
        let here = u32::from(task.running_on == Some(cpu));
        stats.load += without(view.load(cpu), task.load);
        stats.util += util_without(view, task, cpu);
        stats.runnable += without(view.runnable(cpu), task.runnable);
        stats.h_nr_running += view.h_nr_running(cpu).saturating_sub(here);
        let nr_running = view.nr_running(cpu).saturating_sub(here);
        stats.nr_running += nr_running;
        stats.idle_cpus += u32::from(nr_running == 0 && view.idle_without_task(cpu));
        if asym && fits_capacity(task.util_or_est(), view.capacity(cpu)) {
            stats.misfit_load = 0;
        }
    }
    stats.group_type = classify(rules, &domain_view(domain), None, &stats, why);
    if matches!(stats.group_type, GroupType::FullyBusy | GroupType::Overloaded) {
        stats.avg_load = stats.load.wrapping_mul(1024) / stats.capacity.max(1);
    }
    stats
}

/// What classification reads of a domain.
fn domain_view(domain: &Domain) -> DomainView {
    DomainView {
        idle: IdleType::Busy,
        imbalance_pct: domain.imbalance_pct,
        child_prefer_sibling: false,
        imb_numa_nr: domain.imb_numa_nr,
        numa: false,
        share_llc: false,
        smt: false,
        asym_capacity: false,
        asym_packing: false,
        dst_capacity: 0,
        dst_core_idle: false,
        dst_priority: 0,
        energy_aware: false,
    }
}

/// `update_pick_idlest`. Without one so far the kernel compares with an overloaded group of the largest 32-bit
/// average load.
fn idler(idlest: Option<&GroupStats>, group: &GroupStats, why: &mut impl Why) -> bool {
    const F: &str = "update_pick_idlest";
    let old_type = idlest.map_or(GroupType::Overloaded, |s| s.group_type);
    let (new, old) = (group.group_type as u32, old_type as u32);
    if test(why, Test(F, "group type < idlest type"), new, Op::Lt, old) {
        return true;
    }
    if test(why, Test(F, "group type > idlest type"), new, Op::Gt, old) {
        return false;
    }
    let old_load = idlest.map_or(u64::from(u32::MAX), |s| s.avg_load);
    match group.group_type {
        GroupType::Overloaded | GroupType::FullyBusy => {
            test(why, Test(F, "idlest avg_load > group avg_load"), old_load, Op::Gt, group.avg_load)
        }
        GroupType::Imbalanced | GroupType::AsymPacking | GroupType::SmtBalance => false,
        GroupType::Misfit => {
            let at = Test(F, "idlest max_capacity < group max_capacity");
            test(why, at, idlest.map_or(0, |s| s.max_capacity), Op::Lt, group.max_capacity)
        }
        GroupType::HasSpare => {
            let (idle, util) = idlest.map_or((0, u64::MAX), |s| (s.idle_cpus, s.util));
            if test(why, Test(F, "idlest idle_cpus > group idle_cpus"), idle, Op::Gt, group.idle_cpus) {
                return false;
            }
            test(why, Test(F, "idlest idle_cpus < group idle_cpus"), idle, Op::Lt, group.idle_cpus)
                || test(why, Test(F, "idlest util > group util"), util, Op::Gt, group.util)
        }
    }
}

/// Both groups are busy: whether the margins keep the task where it is.
fn load_keeps(
    f: &'static str,
    domain: &Domain,
    local: &GroupStats,
    idlest: &GroupStats,
    why: &mut impl Why,
) -> bool {
    let pct = u64::from(domain.imbalance_pct);
    let margin = 1024 * pct.saturating_sub(100) / 100;
    let (here, there) = (local.avg_load, idlest.avg_load);
    (domain.flags.contains(SdFlags::NUMA)
        && test(why, Test(f, "NUMA: idlest avg_load + m >= local avg_load"), there + margin, Op::Ge, here))
        || test(why, Test(f, "idlest avg_load >= local avg_load + m"), there, Op::Ge, here + margin)
        || test(why, Test(f, "100 x local avg_load <= pct x idlest"), 100 * here, Op::Le, pct * there)
}

/// Both nodes have idle CPUs: whether so small a difference is left alone while the local one is nearly empty. A
/// pinned task counts no more local CPUs than it may use.
fn numa_keeps(
    view: &impl View,
    domain: &Domain,
    local_id: GroupId,
    local: &GroupStats,
    idlest: &GroupStats,
    why: &mut impl Why,
) -> bool {
    let usable = view.group_cpus(local_id).iter().filter(|&&c| view.allowed(c as usize)).count() as u32;
    let allowed = domain.imb_numa_nr.min(usable);
    let difference = i64::from(local.idle_cpus.abs_diff(idlest.idle_cpus));
    let adjusted = adjust_numa_imbalance(difference, local.nr_running.saturating_add(1), allowed, why);
    fact(why, Test("adjust_numa_imbalance", "imbalance is 0"), adjusted == 0)
}
