//! CFS, the picker up to 6.5: slices, preemption and placement as pure functions.
//!
//! Source of the rules: fair.c of 4.19 and 6.1.192. Each function names the one whose rule it states.

use super::entity::Entity;
use super::rules::Picking;
use super::weight;

/// Within which every one of `nr` tasks should run once, ns (`__sched_period`).
pub fn period(p: &Picking, nr: u64) -> u64 {
    if nr > p.nr_latency() { nr.saturating_mul(p.base_slice) } else { p.latency }
}

/// A task's part of the period, ns (`sched_slice`): by its weight among `total`, itself counted in both. From 6.1
/// at least `min_granularity`, which is 0.75 ms for a SCHED_IDLE task beside others (BASE_SLICE).
pub fn slice(p: &Picking, nr: u64, of: u32, total: u64) -> u64 {
    let slice = weight::scale(period(p, nr), of, weight::inverse_of_total(total));
    if !p.rules.slice_floor {
        return slice;
    }
    let alone = total == u64::from(of);
    let floor = if of == weight::IDLE && !alone { p.rules.base_slice.ns() } else { p.base_slice };
    slice.max(floor)
}

/// What the tick finds (`check_preempt_tick`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtTick {
    /// The running task goes on.
    Stays,
    /// Its slice is used up: it must yield and is nobody's buddy any more.
    SliceOver,
    /// It is too far ahead of the first waiting task.
    TooFarAhead,
}

/// The tick with another task queued: `ran` ns since it was picked, against its slice, then the lead over the first
/// waiting task against the slice, once `min_granularity` has passed. Both are strict (`check_preempt_tick`).
pub fn at_tick(p: &Picking, ran: u64, slice: u64, lead: i64) -> AtTick {
    if ran > slice {
        AtTick::SliceOver
    } else if ran >= p.base_slice && lead > slice.cast_signed() {
        AtTick::TooFarAhead
    } else {
        AtTick::Stays
    }
}

/// Whether `ahead` has run more than a wake-up granularity beyond `behind`, in the virtual time of the latter
/// (`wakeup_preempt_entity` is 1). Strict.
pub fn runs_ahead(p: &Picking, ahead: &Entity, behind: &Entity) -> bool {
    let lead = ahead.vruntime - behind.vruntime;
    lead > 0 && lead > behind.virtual_time(p.wakeup_granularity)
}

/// Where a waking task starts: where it was, but not further behind than half a latency, or than half
/// `min_granularity` if it is SCHED_IDLE and the release has slice floors, as 6.1 (`place_entity`).
pub fn place_waking(p: &Picking, entity: &Entity, min_vruntime: i64) -> i64 {
    let whole = if entity.is_idle() && p.rules.slice_floor { p.base_slice } else { p.latency };
    let bonus = if p.rules.gentle_sleepers { whole >> 1 } else { whole };
    entity.vruntime.max(min_vruntime - bonus.cast_signed())
}

/// Where a new task starts on its parent's queue of `nr` tasks that weigh `total`: a slice after `min_vruntime`
/// (START_DEBIT), and not before its parent (`task_fork_fair`, `place_entity`, `sched_vslice`).
pub fn place_new(p: &Picking, entity: &Entity, nr: u64, total: u64, min: i64, parent: Option<i64>) -> i64 {
    let mut start = min;
    if p.rules.start_debit {
        let slice = slice(p, nr + 1, entity.weight, total + u64::from(entity.weight));
        start += entity.virtual_time(slice);
    }
    parent.map_or(start, |parent| parent.max(start))
}

#[cfg(test)]
mod tests {
    use super::super::rules::PickRules;
    use super::super::rules::samples::{cfs, on};
    use super::*;

    fn at(vruntime: i64, weight: u32) -> Entity {
        Entity { vruntime, ..Entity::new(1, weight) }
    }

    fn v4_19() -> PickRules {
        PickRules { slice_floor: false, ..cfs() }
    }

    #[test]
    fn the_period_stretches_beyond_eight_tasks() {
        let p = on(cfs(), 1);
        assert_eq!([1, 8, 9, 40].map(|nr| period(&p, nr)), [6_000_000, 6_000_000, 6_750_000, 30_000_000]);
    }

    /// 6 ms x 1024 / 2048: inverse of 2048 is (2^32 - 1) / 2048 = 2097151, so 1024 x 2097151 = 2147482624 over 2^32.
    #[test]
    fn a_slice_is_the_share_of_the_period_by_weight() {
        let p = on(v4_19(), 1);
        assert_eq!(slice(&p, 2, 1024, 2048), 6_000_000 * 2_147_482_624 / (1 << 32));
        assert_eq!(slice(&p, 2, 1024, 2048), 2_999_998);
        // Nine equal tasks: 6.75 ms / 9.
        assert_eq!(slice(&p, 9, 1024, 9 * 1024) / 1_000, 749);
    }

    #[test]
    fn from_6_1_a_slice_has_a_floor() {
        let (old, new) = (on(v4_19(), 8), on(cfs(), 8));
        let light = |p: &Picking| slice(p, 2, 15, 1039);
        assert_eq!(light(&old), 346_487);
        assert_eq!(light(&new), 3_000_000);
        assert_eq!(slice(&new, 2, weight::IDLE, 1027), 750_000);
        assert_eq!(slice(&new, 1, weight::IDLE, 3), 23_999_999);
    }

    #[test]
    fn the_tick_compares_strictly() {
        let p = on(cfs(), 1);
        let (slice, ms) = (3_000_000, 1_000_000);
        assert_eq!(at_tick(&p, slice, slice, 0), AtTick::Stays);
        assert_eq!(at_tick(&p, slice + 1, slice, 0), AtTick::SliceOver);
        assert_eq!(at_tick(&p, ms, slice, 3_000_000), AtTick::Stays);
        assert_eq!(at_tick(&p, ms, slice, 3_000_001), AtTick::TooFarAhead);
        // Too early for the second rule.
        assert_eq!(at_tick(&p, 749_999, slice, 9_000_000), AtTick::Stays);
    }

    #[test]
    fn a_granularity_is_in_the_wakees_virtual_time() {
        let p = on(cfs(), 1);
        assert!(!runs_ahead(&p, &at(1_000_000, 1024), &at(0, 1024)));
        assert!(runs_ahead(&p, &at(1_000_001, 1024), &at(0, 1024)));
        // At weight 15 a millisecond is 68.3 virtual ones; at 88761 it is 11537 ns.
        assert!(!runs_ahead(&p, &at(68_000_000, 1024), &at(0, 15)));
        assert!(runs_ahead(&p, &at(11_537, 1024), &at(0, 88_761)));
        assert!(!runs_ahead(&p, &at(11_536, 1024), &at(0, 88_761)));
    }

    #[test]
    fn a_long_sleeper_starts_half_a_latency_ahead() {
        let p = on(cfs(), 1);
        assert_eq!(place_waking(&p, &at(0, 1024), 50_000_000), 47_000_000);
        assert_eq!(place_waking(&p, &at(49_000_000, 1024), 50_000_000), 49_000_000);
        assert_eq!(place_waking(&p, &at(0, weight::IDLE), 50_000_000), 49_625_000);
        let rude = on(PickRules { gentle_sleepers: false, ..v4_19() }, 1);
        assert_eq!(place_waking(&rude, &at(0, weight::IDLE), 50_000_000), 44_000_000);
    }

    #[test]
    fn a_new_task_starts_a_slice_behind() {
        let p = on(cfs(), 1);
        let child = at(0, 1024);
        assert_eq!(place_new(&p, &child, 0, 0, 100, None), 100 + 5_999_998);
        assert_eq!(place_new(&p, &child, 1, 1024, 100, Some(50)), 100 + 2_999_998);
        assert_eq!(place_new(&p, &child, 1, 1024, 100, Some(9_000_000)), 9_000_000);
    }
}
