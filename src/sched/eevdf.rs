//! EEVDF, the picker from 6.6: the mean of virtual time, eligibility, lag, deadlines and placement as pure
//! functions.
//!
//! Source of the rules: fair.c of 6.6, 6.12 and 6.19. Each function names the one whose rule it states.

use super::entity::Entity;
use super::rules::{Picking, Protection};

/// Queued tasks as one: the sum of weight times virtual time relative to a reference near the mean, and the sum of
/// weights. The products stay small because of the reference: virtual times of a queue lie within a few slices of
/// each other, 2^32 at most even at the least weight, and weights of 100 000 tasks within 2^27.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mean {
    /// Sum of weight x (vruntime - reference).
    pub key_sum: i64,
    /// Sum of weights.
    pub load: i64,
}

impl Mean {
    /// With one more task at `key` virtual ns from the reference (`avg_vruntime_add`).
    #[must_use]
    pub fn and(self, weight: u32, key: i64) -> Self {
        let weight = i64::from(weight);
        Self { key_sum: self.key_sum.wrapping_add(key.wrapping_mul(weight)), load: self.load + weight }
    }

    /// Without that task (`avg_vruntime_sub`).
    #[must_use]
    pub fn without(self, weight: u32, key: i64) -> Self {
        let weight = i64::from(weight);
        Self { key_sum: self.key_sum.wrapping_sub(key.wrapping_mul(weight)), load: self.load - weight }
    }

    /// The same tasks as seen from a reference that lies `by` later (`avg_vruntime_update`).
    #[must_use]
    pub fn moved(self, by: i64) -> Self {
        Self { key_sum: self.key_sum.wrapping_sub(self.load.wrapping_mul(by)), ..self }
    }

    /// The mean, from the reference, rounded down; 0 if nothing is queued (`avg_vruntime`).
    pub fn value(&self) -> i64 {
        if self.load == 0 { 0 } else { self.key_sum.div_euclid(self.load) }
    }

    /// Whether a task at `key` is owed service: it is not beyond the mean. Tested without a division, which would
    /// round (`vruntime_eligible`).
    pub fn eligible(&self, key: i64) -> bool {
        self.key_sum >= key.wrapping_mul(self.load)
    }
}

/// The lag that is kept of a task at `vruntime`: the distance to the mean, held within two slices or a tick of its
/// own virtual time (`update_entity_lag`).
pub fn lag(p: &Picking, entity: &Entity, mean: i64) -> i64 {
    let limit = entity.virtual_time((2 * entity.slice).max(p.tick));
    (mean - entity.vruntime).clamp(-limit, limit)
}

/// Where a task with `lag` goes so that its lag is still that once it counts in the mean of tasks that weigh `load`:
/// so much further from the mean as it will draw the mean along (`place_entity`). The division rounds toward zero.
pub fn inflated(lag: i64, load: i64, weight: u32) -> i64 {
    if load == 0 { lag } else { lag.wrapping_mul(load + i64::from(weight)) / load }
}

/// Puts a task into the virtual time of a queue (`place_entity`): by its lag if others are `queued`, at the mean
/// otherwise; its deadline a slice later, or as far as it was (PLACE_REL_DEADLINE), or half a slice for a new one.
pub fn place(p: &Picking, entity: &mut Entity, mean: i64, load: i64, queued: bool, new: bool) {
    entity.slice = p.base_slice;
    let lag = if p.rules.place_lag && queued { inflated(entity.vlag, load, entity.weight) } else { 0 };
    entity.vruntime = mean - lag;
    if std::mem::take(&mut entity.relative) {
        entity.deadline += entity.vruntime;
        return;
    }
    let whole = entity.virtual_time(entity.slice);
    let first = if new && p.rules.place_deadline_initial { whole / 2 } else { whole };
    entity.deadline = entity.vruntime + first;
}

/// Renews a deadline that was reached (`update_deadline`). True if it was.
pub fn renew(p: &Picking, entity: &mut Entity) -> bool {
    if entity.vruntime < entity.deadline {
        return false;
    }
    entity.slice = p.base_slice;
    entity.deadline = entity.vruntime + entity.virtual_time(entity.slice);
    true
}

/// Protects a task that was just picked; `min_slice` is the shortest among those queued, its own included
/// (`set_next_entity` of 6.6 and 6.12, `set_protect_slice` of 6.17).
pub fn protect(p: &Picking, entity: &mut Entity, min_slice: u64) {
    let short = match p.rules.protection {
        Protection::None | Protection::Deadline => entity.slice,
        Protection::MinSlice => min_slice,
        Protection::Quantum => p.rules.base_slice.ns().min(entity.slice),
    };
    entity.vprot = entity.deadline;
    if short != entity.slice {
        entity.vprot = entity.vprot.min(entity.vruntime + entity.virtual_time(short));
    }
}

/// Whether the running task is still protected (`pick_eevdf` of 6.6, `protect_slice`). The older form holds as long
/// as the deadline is the one it was picked with.
pub fn protected(p: &Picking, entity: &Entity) -> bool {
    match p.rules.protection {
        Protection::None => false,
        Protection::Deadline => entity.vprot == entity.deadline,
        Protection::MinSlice | Protection::Quantum => entity.vprot > entity.vruntime,
    }
}

/// Ends the protection (`check_preempt_wakeup_fair` of 6.12, `cancel_protect_slice`).
pub fn unprotect(p: &Picking, entity: &mut Entity) {
    if !protected(p, entity) {
        return;
    }
    entity.vprot = match p.rules.protection {
        Protection::None | Protection::Deadline => entity.deadline.wrapping_add(1),
        Protection::MinSlice | Protection::Quantum => entity.vruntime,
    };
}

#[cfg(test)]
mod tests {
    use super::super::rules::PickRules;
    use super::super::rules::samples::{eevdf, eevdf_delayed, eevdf_late, on};
    use super::*;
    use proptest::prelude::*;

    fn at(vruntime: i64, weight: u32) -> Entity {
        Entity { vruntime, slice: 750_000, ..Entity::new(1, weight) }
    }

    fn mean(tasks: &[(u32, i64)]) -> Mean {
        tasks.iter().fold(Mean::default(), |m, &(weight, key)| m.and(weight, key))
    }

    #[test]
    fn the_mean_is_by_weight_and_rounds_down() {
        assert_eq!(mean(&[(1024, 0), (1024, 3)]).value(), 1);
        assert_eq!(mean(&[(1024, 0), (1024, -3)]).value(), -2);
        assert_eq!(mean(&[(3072, 0), (1024, 400)]).value(), 100);
        assert_eq!(Mean::default().value(), 0);
    }

    /// The mean of 0 and 3 is 1.5, so 1 is owed service and 2 is not; of 0 and -3 it is -1.5, rounded to -2, yet a
    /// task at -1.5 would be owed service and one at -1 is not.
    #[test]
    fn eligibility_does_not_round() {
        let m = mean(&[(1024, 0), (1024, 3)]);
        assert_eq!([0, 1, 2, 3].map(|key| m.eligible(key)), [true, true, false, false]);
        let m = mean(&[(1024, 0), (1024, -3)]);
        assert_eq!([-2, -1, 0].map(|key| m.eligible(key)), [true, false, false]);
        assert!(mean(&[(1024, 70)]).eligible(70));
    }

    /// The limit is two slices: 1.5 ms at weight 1024, and 1.5 ms x 1024 / 335 = 4585074 (inverse 12820798: 1024 x it
    /// >> 32 bits of factor) at nice 5; a longer tick is the limit where it is longer.
    #[test]
    fn lag_is_clamped_in_virtual_time() {
        let p = on(eevdf(), 1);
        assert_eq!(lag(&p, &at(0, 1024), 5), 5);
        assert_eq!(lag(&p, &at(0, 1024), 9_000_000), 1_500_000);
        assert_eq!(lag(&p, &at(9_000_000, 1024), 0), -1_500_000);
        assert_eq!(lag(&p, &at(0, 335), 9_000_000), 4_585_074);
        let slow = Picking { tick: 4_000_000, ..p };
        assert_eq!(lag(&slow, &at(0, 1024), 9_000_000), 4_000_000);
    }

    #[test]
    fn placement_inflates_the_lag() {
        // One other task of the same weight: the new mean lies half way, so the distance doubles.
        assert_eq!(inflated(1_000, 1024, 1024), 2_000);
        assert_eq!(inflated(-1_000, 2048, 1024), -1_500);
        assert_eq!((inflated(7, 3, 1), inflated(-7, 3, 1)), (9, -9));
        assert_eq!(inflated(5, 0, 1024), 5);
    }

    #[test]
    fn placement_by_era() {
        let old = on(eevdf(), 1);
        let mut e = Entity { vlag: -1_000, ..at(0, 1024) };
        place(&old, &mut e, 10_000, 1024, true, false);
        assert_eq!((e.vruntime, e.deadline), (12_000, 762_000));
        place(&old, &mut e, 10_000, 0, false, true);
        assert_eq!((e.vruntime, e.deadline), (10_000, 760_000));
        let new = on(eevdf_delayed(), 1);
        place(&new, &mut e, 0, 1024, true, true);
        assert_eq!((e.vruntime, e.deadline), (2_000, 377_000));
        e.relative = true;
        e.deadline = 123;
        place(&new, &mut e, 0, 1024, true, false);
        assert_eq!((e.vruntime, e.deadline, e.relative), (2_000, 2_123, false));
    }

    #[test]
    fn a_deadline_is_renewed_when_it_is_reached() {
        let p = on(eevdf(), 1);
        let mut e = Entity { deadline: 750_000, ..at(749_999, 1024) };
        assert!(!renew(&p, &mut e));
        e.vruntime = 750_000;
        assert!(renew(&p, &mut e));
        assert_eq!(e.deadline, 1_500_000);
    }

    #[test]
    fn protection_lasts_to_the_deadline_it_began_with() {
        let p = on(eevdf(), 1);
        let mut e = Entity { deadline: 750_000, ..at(0, 1024) };
        protect(&p, &mut e, 750_000);
        e.vruntime = 749_999;
        assert!(protected(&p, &e));
        e.vruntime = 750_000;
        renew(&p, &mut e);
        assert!(!protected(&p, &e));
        let none = on(PickRules { protection: Protection::None, ..eevdf() }, 1);
        protect(&none, &mut e, 750_000);
        assert!(!protected(&none, &e));
    }

    #[test]
    fn later_protection_follows_the_shortest_slice() {
        let p = on(eevdf_late(), 1);
        let mut e = Entity { slice: 700_000, deadline: 700_000, ..at(0, 1024) };
        protect(&p, &mut e, 300_000);
        e.vruntime = 299_999;
        assert!(protected(&p, &e));
        unprotect(&p, &mut e);
        assert!(!protected(&p, &e));
        e.vprot = 300_000;
        e.vruntime = 300_000;
        assert!(!protected(&p, &e));
        // Without RUN_TO_PARITY the unscaled slice is kept; on 8 CPUs that is a quarter.
        let quantum = on(PickRules { protection: Protection::Quantum, ..eevdf_late() }, 8);
        let mut e = Entity { slice: 2_800_000, deadline: 2_800_000, ..at(0, 1024) };
        protect(&quantum, &mut e, 2_800_000);
        assert_eq!(e.vprot, 700_000);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn eligibility_equals_exact_sums_from_any_reference(
            tasks in prop::collection::vec((0usize..40, -30_000_000i64..30_000_000), 1..12),
            reference in -10_000_000i64..10_000_000,
        ) {
            let weight = |i: usize| super::super::weight::of_nice(i as i8 - 20);
            let m = tasks.iter().fold(Mean::default(), |m, &(i, v)| m.and(weight(i), v - reference));
            let total: i128 = tasks.iter().map(|t| i128::from(weight(t.0))).sum();
            let sum: i128 = tasks.iter().map(|t| i128::from(weight(t.0)) * i128::from(t.1)).sum();
            for &(_, v) in &tasks {
                prop_assert_eq!(m.eligible(v - reference), sum >= i128::from(v) * total);
            }
            prop_assert_eq!(i128::from(m.value() + reference), sum.div_euclid(total));
            prop_assert!(tasks.iter().any(|t| m.eligible(t.1 - reference)));
        }

        /// A task that leaves and comes back at once, to the same queue, keeps its lag but for rounding.
        #[test]
        fn lag_survives_leaving_and_coming_back(
            others in prop::collection::vec(-400_000i64..400_000, 1..6), own in -400_000i64..400_000,
        ) {
            let p = on(eevdf(), 1);
            let rest = others.iter().fold(Mean::default(), |m, &v| m.and(1024, v));
            let before = Entity { ..at(own, 1024) };
            let kept = lag(&p, &before, rest.and(1024, own).value());
            let mut back = Entity { vlag: kept, ..before };
            place(&p, &mut back, rest.value(), rest.load, true, false);
            let after = rest.and(1024, back.vruntime).value() - back.vruntime;
            prop_assert!((after - kept).abs() <= 2, "{} {}", kept, after);
        }
    }
}
