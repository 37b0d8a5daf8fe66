//! The waker's CPU or the task's last one.

use super::capacity::fits_capacity;
use super::{Task, View};
use crate::balance::{Op, Rules, Test, Why, fact, test};

/// `wake_wide` (all releases): waker and wakee each wake so many that pulling them together would crowd the
/// cache. `llc_size` is that of the waker's CPU.
pub(super) fn wake_wide(waker_flips: u32, wakee_flips: u32, llc_size: u32, why: &mut impl Why) -> bool {
    const F: &str = "wake_wide";
    let (slave, master) = (waker_flips.min(wakee_flips), waker_flips.max(wakee_flips));
    if test(why, Test(F, "smaller flips < llc_size"), slave, Op::Lt, llc_size) {
        return false;
    }
    let wide = slave.wrapping_mul(llc_size);
    !test(why, Test(F, "larger flips < smaller flips x llc_size"), master, Op::Lt, wide)
}

/// `wake_cap` (4.19): the smaller of the two CPUs is too small for the task, on a machine of unequal CPUs.
pub(super) fn wake_cap(view: &impl View, task: &Task, this: usize, prev: usize, why: &mut impl Why) -> bool {
    const F: &str = "wake_cap";
    if !view.asym() {
        return false;
    }
    let (min, max) = (view.capacity(this).min(view.capacity(prev)), view.max_capacity());
    if test(why, Test(F, "max_cap - min_cap < max_cap / 8"), max.saturating_sub(min), Op::Lt, max >> 3) {
        return false;
    }
    !fact(why, Test(F, "task_fits_capacity(min_cap)"), fits_capacity(task.util_or_est(), min))
}

/// `wake_affine`: the waker's CPU `this`, or `prev`. They differ. `pct` is `imbalance_pct` of the lowest domain
/// with SD_WAKE_AFFINE of `this` that holds `prev`.
pub(super) fn wake_affine(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    (this, prev): (usize, usize),
    sync: bool,
    pct: u32,
    why: &mut impl Why,
) -> usize {
    if let Some(cpu) = by_idleness(rules, view, this, prev, sync, why) {
        return cpu;
    }
    if weight(view, task, (this, prev), sync, pct, why) { this } else { prev }
}

/// `wake_affine_idle`.
fn by_idleness(
    rules: &Rules,
    view: &impl View,
    this: usize,
    prev: usize,
    sync: bool,
    why: &mut impl Why,
) -> Option<usize> {
    const F: &str = "wake_affine_idle";
    let idle = fact(why, Test(F, "this_cpu idle"), view.idle(this));
    if idle && fact(why, Test(F, "cpus_share_cache(this, prev)"), view.shares_cache(this, prev)) {
        let prev_idle = fact(why, Test(F, "prev_cpu idle"), view.idle(prev));
        return Some(if prev_idle { prev } else { this });
    }
    if sync && test(why, Test(F, "sync, this nr_running == 1"), view.nr_running(this), Op::Eq, 1) {
        return Some(this);
    }
    let stays = rules.wakeup.affine_prev_idle && fact(why, Test(F, "prev_cpu idle"), view.idle(prev));
    stays.then_some(prev)
}

/// `wake_affine_weight`: with the task the waker's CPU would be lighter than the last one without it, which
/// counts for half of `imbalance_pct` more. Signed 64-bit arithmetic that wraps, as the kernel's.
fn weight(
    view: &impl View,
    task: &Task,
    (this, prev): (usize, usize),
    sync: bool,
    pct: u32,
    why: &mut impl Why,
) -> bool {
    const F: &str = "wake_affine_weight";
    let mut here = view.load(this) as i64;
    if sync {
        let current = view.current_load(this) as i64;
        if test(why, Test(F, "load of current > this load"), current, Op::Gt, here) {
            return true;
        }
        here -= current;
    }
    let load = task.load as i64;
    here = (here + load).wrapping_mul(100).wrapping_mul(view.capacity(prev) as i64);
    let bias = 100 + (i64::from(pct) - 100) / 2;
    let there = (view.load(prev) as i64 - load).wrapping_mul(bias).wrapping_mul(view.capacity(this) as i64);
    let there = there.wrapping_add(i64::from(sync));
    test(why, Test(F, "this_eff_load < prev_eff_load"), here, Op::Lt, there)
}
