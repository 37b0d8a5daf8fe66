//! Intervals of the periodic pass, and what each exit of `load_balance` does to interval and failure counter.

use super::rules::ActiveStarted;
use super::why::{Op, Test, Why, test};
use super::{IdleType, Rules};

/// MAX_PINNED_INTERVAL, ms.
pub const MAX_PINNED_INTERVAL: u32 = 512;

/// What an interval follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntervalInput {
    /// `sd->balance_interval`, ms.
    pub balance_interval: u32,
    /// The pass is not CPU_IDLE; from 6.6 also: the queue holds more than SCHED_IDLE tasks ([`busy`]).
    pub busy: bool,
    /// `sd->busy_factor`.
    pub busy_factor: u32,
    /// Jiffies a second.
    pub hz: u32,
    /// CPUs online.
    pub online_cpus: u32,
}

/// Whether a CPU counts as busy for its intervals.
pub fn busy(rules: &Rules, idle: IdleType, only_sched_idle: bool) -> bool {
    idle != IdleType::Idle && !(rules.periodic.sched_idle_is_idle && only_sched_idle)
}

/// `get_sd_balance_interval`: the interval in jiffies, rounded up from ms, from 1 to HZ x online / 10.
pub fn balance_interval(rules: &Rules, input: &IntervalInput) -> u64 {
    let factor = if input.busy { input.busy_factor } else { 1 };
    let ms = u64::from(input.balance_interval) * u64::from(factor);
    let mut jiffies = jiffies_from_ms(ms, input.hz);
    if input.busy && rules.periodic.busy_minus_one {
        jiffies = jiffies.saturating_sub(1);
    }
    let max = u64::from(input.hz) * u64::from(input.online_cpus) / 10;
    jiffies.clamp(1, max.max(1))
}

/// `msecs_to_jiffies`: rounded up.
pub fn jiffies_from_ms(ms: u64, hz: u32) -> u64 {
    ms.saturating_mul(u64::from(hz)).div_ceil(1000)
}

/// Whether a level is due: `now >= last_balance + interval`.
pub fn due(rules: &Rules, now: u64, last_balance: u64, interval: u64, why: &mut impl Why) -> bool {
    let at = Test(rules.names.domains, "jiffies >= sd->last_balance + interval");
    test(why, at, now, Op::Ge, last_balance.saturating_add(interval))
}

/// How one `load_balance` ended, as far as counter and interval care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Something moved.
    Moved,
    /// An imbalance was found, nothing moved, and no active balance was wanted.
    NothingMoved,
    /// `should_we_balance` refused, no busiest group or queue, or (6.19) the serialise lock was taken.
    Balanced {
        /// All tasks of an earlier source in the same call were pinned.
        redone: bool,
    },
    /// All tasks of the only source left were pinned.
    AllPinned,
    /// Active balance was wanted, but the source's current task may not run here.
    ActivePinned {
        /// The source had a single task, so that nothing was tried before (from 6.6 the interval then may
        /// double up to 512 ms).
        single_task: bool,
    },
    /// Active balance was wanted, but the source is already active-balancing.
    ActiveRunning,
    /// Active balance was started.
    ActiveStarted {
        /// `need_active_balance` still holds with the counter after it was raised.
        still_needed: bool,
    },
}

impl Exit {
    /// Whether the exit clears the parent level's imbalance flag for the local group.
    pub fn clears_imbalance_flag(self) -> bool {
        matches!(self, Self::Balanced { redone: false })
    }
}

/// A level's interval and failure counter, for one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// `balance_interval`, ms.
    pub balance_interval: u32,
    /// `nr_balance_failed`.
    pub nr_balance_failed: u32,
}

/// What the exit rules need to know of the level and the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitInput {
    /// For what kind of CPU the pass ran.
    pub idle: IdleType,
    /// A misfit task was to move.
    pub misfit: bool,
    /// `sd->min_interval`, ms.
    pub min_interval: u32,
    /// `sd->max_interval`, ms.
    pub max_interval: u32,
    /// `sd->cache_nice_tries`.
    pub cache_nice_tries: u32,
}

impl Pace {
    /// What the exit does to counter and interval (the end of `load_balance`; spec 2).
    pub fn after(self, rules: &Rules, exit: Exit, input: &ExitInput) -> Self {
        let failed = self.failures_after(rules, exit, input);
        let interval = self.interval_after(rules, exit, input);
        Self { balance_interval: interval, nr_balance_failed: failed }
    }

    /// The counter as `need_active_balance` sees it after a pass that moved nothing.
    pub fn failed_once_more(self, rules: &Rules, input: &ExitInput) -> u32 {
        let spared = input.misfit && rules.periodic.misfit_spares_counters;
        if input.idle == IdleType::Newidle || spared {
            return self.nr_balance_failed;
        }
        self.nr_balance_failed.saturating_add(1)
    }

    fn failures_after(self, rules: &Rules, exit: Exit, input: &ExitInput) -> u32 {
        match exit {
            Exit::Moved | Exit::Balanced { .. } | Exit::AllPinned => 0,
            Exit::NothingMoved | Exit::ActivePinned { .. } | Exit::ActiveRunning => {
                self.failed_once_more(rules, input)
            }
            Exit::ActiveStarted { .. } => match rules.periodic.active_started {
                ActiveStarted::BackOff => input.cache_nice_tries.saturating_add(1),
                ActiveStarted::Keep => self.failed_once_more(rules, input),
            },
        }
    }

    fn interval_after(self, rules: &Rules, exit: Exit, input: &ExitInput) -> u32 {
        match exit {
            Exit::Moved | Exit::NothingMoved | Exit::ActiveRunning => input.min_interval,
            Exit::Balanced { redone } => self.doubled(rules, input, redone),
            Exit::AllPinned => self.doubled(rules, input, true),
            Exit::ActivePinned { single_task } => {
                let untried = single_task && rules.periodic.active_started == ActiveStarted::Keep;
                self.doubled(rules, input, untried)
            }
            Exit::ActiveStarted { still_needed } => match rules.periodic.active_started {
                ActiveStarted::BackOff => self.doubled_below(input.max_interval),
                ActiveStarted::Keep if still_needed => input.min_interval,
                ActiveStarted::Keep => self.balance_interval,
            },
        }
    }

    fn doubled(self, rules: &Rules, input: &ExitInput, pinned: bool) -> u32 {
        let newidle = input.idle == IdleType::Newidle && !rules.periodic.newidle_doubles;
        let misfit = input.misfit && rules.periodic.misfit_spares_counters;
        if newidle || misfit {
            return self.balance_interval;
        }
        let limit = if pinned { input.max_interval.max(MAX_PINNED_INTERVAL) } else { input.max_interval };
        self.doubled_below(limit)
    }

    fn doubled_below(self, limit: u32) -> u32 {
        let interval = self.balance_interval;
        if interval < limit { interval.saturating_mul(2) } else { interval }
    }
}
