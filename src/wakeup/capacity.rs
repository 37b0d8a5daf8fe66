//! Unequal CPUs: whether a task fits, and the search among them.

use super::{Task, View};
use crate::balance::{Rules, Test, Why, fact};
use crate::topology::SdFlags;

/// `fits_capacity` (6.1, 6.6), `task_fits_capacity` (4.19): a fifth of the capacity stays free.
pub fn fits_capacity(util: u64, capacity: u64) -> bool {
    util.wrapping_mul(1280) < capacity.wrapping_mul(1024)
}

/// `asym_fits_cpu`: always on a machine of equal CPUs, and in releases without that test.
pub(super) fn asym_fits(rules: &Rules, view: &impl View, task: &Task, cpu: usize) -> bool {
    !rules.wakeup.asym_fit || !view.asym() || fits_capacity(task.util_or_est(), view.capacity(cpu))
}

/// `select_idle_capacity`: from the target on, the first idle CPU of the lowest domain with all capacities that
/// the task fits, else the biggest idle one, the first of equals. The outer `None`: the target has no such domain.
/// Also returns the cost of looking.
pub(super) fn select_idle_capacity(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    (this, target): (usize, usize),
    why: &mut impl Why,
) -> Option<(Option<usize>, u64)> {
    let chain = &view.tree().chains[target];
    let domain = chain.iter().find(|d| d.flags.contains(SdFlags::ASYM_CPUCAPACITY_FULL))?;
    let (mut best, mut best_capacity, mut ns) = (None, 0, 0);
    for cpu in domain.span.iter_from(target).filter(|&c| view.allowed(c)) {
        ns += view.look_ns(this, cpu);
        if !super::sibling::takes(rules, view, cpu) {
            continue;
        }
        let capacity = view.capacity(cpu);
        if fits_capacity(task.util_or_est(), capacity) {
            fact(why, Test("select_idle_capacity", "idle CPU that the task fits"), true);
            return Some((Some(cpu), ns));
        }
        if capacity > best_capacity {
            (best, best_capacity) = (Some(cpu), capacity);
        }
    }
    fact(why, Test("select_idle_capacity", "idle CPU that the task fits"), false);
    Some((best, ns))
}
