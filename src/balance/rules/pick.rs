//! How each release picks the next task of a CPU.

use super::choices::Choice;
use crate::sched::rules::{Micros, PickRules, Picker, Protection};

impl Choice for Picker {
    const NAMES: &'static [(&'static str, Self)] = &[("cfs", Self::Cfs), ("eevdf", Self::Eevdf)];
}

impl Choice for Protection {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("off", Self::None),
        ("deadline", Self::Deadline),
        ("min_slice", Self::MinSlice),
        ("quantum", Self::Quantum),
    ];
}

/// CFS of 4.19. What belongs to EEVDF stands as 6.6 has it, so that a scenario that picks EEVDF gets that.
pub(super) fn v4_19() -> PickRules {
    PickRules {
        picker: Picker::Cfs,
        base_slice: Micros(750),
        slice_floor: false,
        gentle_sleepers: true,
        start_debit: true,
        last_buddy: true,
        wakeup_preemption: true,
        place_lag: true,
        place_deadline_initial: false,
        place_rel_deadline: false,
        protection: Protection::Deadline,
        preempt_short: false,
        delay_dequeue: false,
        delay_zero: false,
        new_task_preempts: true,
        wakeup_ends_delay: false,
    }
}

/// CFS of 6.1.
pub(super) fn v6_1() -> PickRules {
    PickRules { slice_floor: true, ..v4_19() }
}

/// EEVDF as it came. CFS switches stand as 6.1 has them.
pub(super) fn v6_6() -> PickRules {
    PickRules { picker: Picker::Eevdf, ..v6_1() }
}

/// Delayed dequeue, relative deadlines, shorter slices that preempt.
pub(super) fn v6_12() -> PickRules {
    PickRules {
        place_deadline_initial: true,
        place_rel_deadline: true,
        preempt_short: true,
        delay_dequeue: true,
        delay_zero: true,
        ..v6_6()
    }
}

/// A shorter base slice, and protection by the shortest slice.
pub(super) fn v6_17() -> PickRules {
    PickRules { base_slice: Micros(700), protection: Protection::MinSlice, ..v6_12() }
}

/// New tasks wait for their turn.
pub(super) fn v6_19() -> PickRules {
    PickRules { new_task_preempts: false, wakeup_ends_delay: true, ..v6_17() }
}
