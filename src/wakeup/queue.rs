//! Whether a wake-up is put on the target's list of pending ones (`ttwu_queue`).

use crate::balance::{Op, Rules, Test, Why, fact, test};

/// Whether CPU `from` leaves the wake-up to CPU `to`, which then counts as "wake-up pending" until its interrupt
/// comes: across caches always, within one (6.1 and later) only if nothing runs on the target. In 4.19 that is
/// `ttwu_queue`, later `ttwu_queue_cond`. `nr_running` is the target's.
pub fn queues(
    rules: &Rules,
    from: usize,
    to: usize,
    shares_cache: bool,
    nr_running: u32,
    why: &mut impl Why,
) -> bool {
    const F: &str = "ttwu_queue";
    if !fact(why, Test(F, "cpus_share_cache(this, target)"), shares_cache) {
        return true;
    }
    if !rules.wakeup.queue_if_empty {
        return false;
    }
    if !fact(why, Test(F, "target is another CPU"), from != to) {
        return false;
    }
    test(why, Test(F, "target nr_running == 0"), nr_running, Op::Eq, 0)
}
