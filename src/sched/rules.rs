//! The switches of picking, and the times they work with. Which release has which is [`crate::balance`]'s table;
//! here they are only named.

/// How the next task of a CPU is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picker {
    /// Least `vruntime` first (up to 6.5).
    Cfs,
    /// Earliest virtual deadline of those that are owed service (6.6 and later).
    Eevdf,
}

/// How long a picked task keeps the CPU although another has the earlier deadline (RUN_TO_PARITY and its forms).
/// It ends in any case when the task is owed no more service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Not at all: NO_RUN_TO_PARITY up to 6.16.
    None,
    /// Until its deadline is renewed; a task picked again right after that has none (6.6 to 6.16).
    Deadline,
    /// For the shortest slice among the queued tasks, at most to its deadline (6.17 and later).
    MinSlice,
    /// For the unscaled base slice: NO_RUN_TO_PARITY from 6.17.
    Quantum,
}

/// A time in whole microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Micros(pub u32);

impl Micros {
    /// In ns.
    pub fn ns(self) -> u64 {
        u64::from(self.0) * 1_000
    }
}

/// The switches of picking, one CPU's part of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickRules {
    /// CFS or EEVDF.
    pub picker: Picker,
    /// `sched_min_granularity` of CFS, `sched_base_slice` of EEVDF, before it is scaled by the number of CPUs.
    pub base_slice: Micros,
    /// A slice is at least `sched_min_granularity` (BASE_SLICE, 6.1).
    pub slice_floor: bool,
    /// A waking task is put half a latency ahead, not a whole one (GENTLE_FAIR_SLEEPERS).
    pub gentle_sleepers: bool,
    /// A new task starts a slice behind (START_DEBIT).
    pub start_debit: bool,
    /// A preempted task is preferred at the next pick (LAST_BUDDY).
    pub last_buddy: bool,
    /// A waking task may take the CPU (WAKEUP_PREEMPTION).
    pub wakeup_preemption: bool,
    /// The lag of a task is kept while it is off the queue (PLACE_LAG).
    pub place_lag: bool,
    /// A new task gets half a slice to its first deadline (PLACE_DEADLINE_INITIAL, and that it takes effect).
    pub place_deadline_initial: bool,
    /// A moved task keeps how far it was from its deadline (PLACE_REL_DEADLINE).
    pub place_rel_deadline: bool,
    /// RUN_TO_PARITY.
    pub protection: Protection,
    /// A waking task with a shorter slice breaks the protection (PREEMPT_SHORT).
    pub preempt_short: bool,
    /// A sleeper that was served more than its share stays queued until that is over (DELAY_DEQUEUE).
    pub delay_dequeue: bool,
    /// Such a sleeper then leaves, or is woken, with no lag to its credit (DELAY_ZERO).
    pub delay_zero: bool,
    /// A new task may take the CPU as a waking one may.
    pub new_task_preempts: bool,
    /// The test whether a waking task takes the CPU lets sleepers go whose dequeue was delayed and is due.
    pub wakeup_ends_delay: bool,
}

/// The rules with the times they take on one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picking {
    /// The switches.
    pub rules: PickRules,
    /// `sched_latency` of CFS, ns.
    pub latency: u64,
    /// `sched_min_granularity` of CFS, `sched_base_slice` of EEVDF, ns.
    pub base_slice: u64,
    /// `sched_wakeup_granularity` of CFS, ns.
    pub wakeup_granularity: u64,
    /// `TICK_NSEC`.
    pub tick: u64,
}

impl Picking {
    /// The times for that many online CPUs: 6 and 1 ms and the base slice, times 1 + log2 of at most 8
    /// (`get_update_sysctl_factor`, all releases).
    pub fn new(rules: PickRules, cpus: usize, tick: u64) -> Self {
        let factor = 1 + u64::from(cpus.clamp(1, 8).ilog2());
        Self {
            latency: 6_000_000 * factor,
            base_slice: rules.base_slice.ns() * factor,
            wakeup_granularity: 1_000_000 * factor,
            tick,
            rules,
        }
    }

    /// So many tasks share one `sched_latency`; with more the period grows (`sched_nr_latency`, CFS).
    pub fn nr_latency(&self) -> u64 {
        self.latency.div_ceil(self.base_slice.max(1))
    }
}

#[cfg(test)]
pub(super) mod samples {
    use super::*;

    /// CFS as 6.1 has it.
    pub fn cfs() -> PickRules {
        PickRules {
            picker: Picker::Cfs,
            base_slice: Micros(750),
            slice_floor: true,
            gentle_sleepers: true,
            start_debit: true,
            last_buddy: true,
            wakeup_preemption: true,
            place_lag: false,
            place_deadline_initial: false,
            place_rel_deadline: false,
            protection: Protection::None,
            preempt_short: false,
            delay_dequeue: false,
            delay_zero: false,
            new_task_preempts: true,
            wakeup_ends_delay: false,
        }
    }

    /// EEVDF as 6.6 has it.
    pub fn eevdf() -> PickRules {
        PickRules {
            picker: Picker::Eevdf,
            slice_floor: false,
            gentle_sleepers: false,
            start_debit: false,
            last_buddy: false,
            place_lag: true,
            protection: Protection::Deadline,
            ..cfs()
        }
    }

    /// EEVDF as 6.12 has it.
    pub fn eevdf_delayed() -> PickRules {
        PickRules {
            place_deadline_initial: true,
            place_rel_deadline: true,
            preempt_short: true,
            delay_dequeue: true,
            delay_zero: true,
            ..eevdf()
        }
    }

    /// EEVDF as 6.19 has it.
    pub fn eevdf_late() -> PickRules {
        PickRules {
            base_slice: Micros(700),
            protection: Protection::MinSlice,
            new_task_preempts: false,
            wakeup_ends_delay: true,
            ..eevdf_delayed()
        }
    }

    /// On that many CPUs at 1000 HZ.
    pub fn on(rules: PickRules, cpus: usize) -> Picking {
        Picking::new(rules, cpus, 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::samples::{cfs, eevdf_late, on};

    #[test]
    fn times_grow_with_the_cpus_up_to_eight() {
        let times = [1, 2, 4, 8, 56].map(|cpus| {
            let p = on(cfs(), cpus);
            (p.latency, p.base_slice, p.wakeup_granularity)
        });
        let ms = |a: u64, b: u64, c: u64| (a * 1_000_000, b * 10_000, c * 1_000_000);
        assert_eq!(times, [ms(6, 75, 1), ms(12, 150, 2), ms(18, 225, 3), ms(24, 300, 4), ms(24, 300, 4)]);
        assert_eq!(on(eevdf_late(), 8).base_slice, 2_800_000);
    }

    #[test]
    fn eight_tasks_share_one_latency() {
        assert_eq!([1, 3, 8].map(|cpus| on(cfs(), cpus).nr_latency()), [8, 8, 8]);
    }
}
