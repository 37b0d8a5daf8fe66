//! How much load to move (`calculate_imbalance`, `fix_small_imbalance`, 4.19).

use super::{AvgLoadStats, AvgLoadType};
use crate::balance::why::{Op, Test, Why, test};

const F: &str = "calculate_imbalance";
const SMALL: &str = "fix_small_imbalance";
const SCALE: u64 = 1024;

/// The load to move from the busiest group to the local one.
pub fn calculate_imbalance(
    local: &AvgLoadStats,
    busiest: &AvgLoadStats,
    domain_avg: u64,
    why: &mut impl Why,
) -> i64 {
    // With pinned tasks a group's own average says little of what a task weighs.
    let task = match busiest.group_type {
        AvgLoadType::Imbalanced => busiest.load_per_task.min(domain_avg),
        AvgLoadType::Other | AvgLoadType::Overloaded => busiest.load_per_task,
    };
    // Averages cross because groups of lower types count in the domain's.
    if test(why, Test(F, "busiest avg_load <= domain avg_load"), busiest.avg_load, Op::Le, domain_avg)
        || test(why, Test(F, "local avg_load >= domain avg_load"), local.avg_load, Op::Ge, domain_avg)
    {
        return small(local, busiest, task, 0, why);
    }
    let pull = (busiest.avg_load - domain_avg).min(above_capacity(local, busiest));
    let from = pull.wrapping_mul(busiest.capacity);
    let to = (domain_avg - local.avg_load).wrapping_mul(local.capacity);
    let amount = from.min(to) / SCALE;
    if test(why, Test(F, "env->imbalance < busiest load_per_task"), amount, Op::Lt, task) {
        return small(local, busiest, task, amount, why);
    }
    amount.cast_signed()
}

/// When both groups are overloaded, no more is pulled than makes CPUs idle there.
fn above_capacity(local: &AvgLoadStats, busiest: &AvgLoadStats) -> u64 {
    if busiest.group_type != AvgLoadType::Overloaded || local.group_type != AvgLoadType::Overloaded {
        return u64::MAX;
    }
    let load = u64::from(busiest.nr_running) * SCALE;
    if load <= busiest.capacity {
        return u64::MAX;
    }
    (load - busiest.capacity).wrapping_mul(SCALE) / busiest.capacity.max(1)
}

/// Less than one task: one average task all the same if the busier group then is no lighter than the local
/// one was, or if the CPUs would do more work; else the small amount stands.
fn small(local: &AvgLoadStats, busiest: &AvgLoadStats, task: u64, amount: u64, why: &mut impl Why) -> i64 {
    let lighter = local.nr_running > 0 && task > local.load_per_task;
    let n = if lighter { 1 } else { 2 };
    let scaled = task.wrapping_mul(SCALE) / busiest.capacity.max(1);
    let (left, right) =
        (busiest.avg_load.wrapping_add(scaled), local.avg_load.wrapping_add(scaled.wrapping_mul(n)));
    let at = Test(SMALL, "busiest avg_load + s >= local avg_load + n x s");
    if test(why, at, left, Op::Ge, right) || gains(local, busiest, task, scaled, why) {
        return task.cast_signed();
    }
    amount.cast_signed()
}

/// Estimated throughput: each group does the lesser of its average load and its average task, by capacity.
fn gains(local: &AvgLoadStats, busiest: &AvgLoadStats, task: u64, scaled: u64, why: &mut impl Why) -> bool {
    let local_task = if local.nr_running == 0 { 0 } else { local.load_per_task };
    let done = |capacity: u64, task: u64, load: u64| capacity.wrapping_mul(task.min(load));
    let now = done(busiest.capacity, task, busiest.avg_load).wrapping_add(done(
        local.capacity,
        local_task,
        local.avg_load,
    )) / SCALE;
    let left = busiest.avg_load.checked_sub(scaled).filter(|left| *left > 0);
    let given = left.map_or(0, |load| done(busiest.capacity, task, load));
    let moved = busiest.avg_load.wrapping_mul(busiest.capacity).min(task.wrapping_mul(SCALE));
    let received = local.avg_load.wrapping_add(moved / local.capacity.max(1));
    let after = given.wrapping_add(done(local.capacity, local_task, received)) / SCALE;
    test(why, Test(SMALL, "capa_move > capa_now"), after, Op::Gt, now)
}
