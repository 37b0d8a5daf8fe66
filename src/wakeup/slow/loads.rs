//! The idlest group by loads (`find_idlest_group`, 4.19).

use super::util_without;
use crate::balance::{Op, Rules, Test, Why, test};
use crate::topology::{Domain, GroupId, SdFlags};
use crate::wakeup::{Task, View};

/// What 4.19 knows of a group.
#[derive(Clone, Copy, Debug)]
struct Loads {
    id: Option<GroupId>,
    /// Load of runnable tasks, by capacity.
    runnable: u64,
    /// Load with sleepers, by capacity.
    avg: u64,
}

const NONE: Loads = Loads { id: None, runnable: u64::MAX, avg: u64::MAX };

/// The group to which a task on CPU `this` should go; `None`: it stays in the local one. A new task has no
/// utilization yet, so its fork is decided by load alone; otherwise the group with the roomiest CPU is preferred.
/// Sums that begin at the largest number wrap, as the kernel's.
pub(super) fn find(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    domain: &Domain,
    this: usize,
    flag: SdFlags,
    why: &mut impl Why,
) -> Option<GroupId> {
    let f = rules.names.idlest_group;
    let pct = u64::from(domain.imbalance_pct);
    let scale = 100 + pct.saturating_sub(100) / 2;
    let margin = 1024 * pct.saturating_sub(100) / 100;
    let (mut local, mut min) = (NONE, NONE);
    let (mut local_spare, mut most_spare) = (0, (0, None));
    for &id in &domain.groups {
        if !view.group_cpus(id).iter().any(|&c| view.allowed(c as usize)) {
            continue;
        }
        let (loads, spare) = gather(view, task, id);
        if view.tree().group(id).span.contains(this) {
            (local, local_spare) = (loads, spare);
            continue;
        }
        if min.runnable > loads.runnable.wrapping_add(margin) {
            min = loads;
        } else if loads.runnable < min.runnable.wrapping_add(margin)
            && min.avg.wrapping_mul(100) > scale.wrapping_mul(loads.avg)
        {
            min = Loads { runnable: min.runnable, ..loads };
        }
        if most_spare.0 < spare {
            most_spare = (spare, Some(id));
        }
    }
    if flag != SdFlags::BALANCE_FORK {
        let half = task.util / 2;
        if test(why, Test(f, "this_spare > task_util/2"), local_spare, Op::Gt, half)
            && test(
                why,
                Test(f, "this_spare x scale > 100 x most_spare"),
                scale * local_spare,
                Op::Gt,
                100 * most_spare.0,
            )
        {
            return None;
        }
        if test(why, Test(f, "most_spare > task_util/2"), most_spare.0, Op::Gt, half) {
            return most_spare.1;
        }
    }
    min.id?;
    let below = min.runnable.wrapping_add(margin);
    let numa = domain.flags.contains(SdFlags::NUMA);
    if numa && test(why, Test(f, "NUMA: min load + m >= this load"), below, Op::Ge, local.runnable) {
        return None;
    }
    let above = local.runnable.wrapping_add(margin);
    if test(why, Test(f, "min load > this load + m"), min.runnable, Op::Gt, above) {
        return None;
    }
    let (ours, theirs) = (local.avg.wrapping_mul(100), scale.wrapping_mul(min.avg));
    if test(why, Test(f, "this load < min load + m"), local.runnable, Op::Lt, below)
        && test(why, Test(f, "100 x this_avg_load < scale x min_avg_load"), ours, Op::Lt, theirs)
    {
        return None;
    }
    min.id
}

/// Loads of a group by its capacity, and the room on its roomiest CPU (`capacity_spare_without`).
fn gather(view: &impl View, task: &Task, id: GroupId) -> (Loads, u64) {
    let (mut runnable, mut avg, mut spare) = (0_u64, 0_u64, 0);
    for cpu in view.group_cpus(id).iter().map(|&c| c as usize) {
        runnable += view.load(cpu);
        avg += view.load_avg(cpu);
        spare = view.capacity(cpu).saturating_sub(util_without(view, task, cpu)).max(spare);
    }
    let capacity = view.group(id).capacity.max(1);
    let scaled = |load: u64| load.wrapping_mul(1024) / capacity;
    (Loads { id: Some(id), runnable: scaled(runnable), avg: scaled(avg) }, spare)
}
