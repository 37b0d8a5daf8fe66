//! Detaching tasks from the source: `detach_tasks` (spec 4.6).

use super::rules::{DetachLoad, LoopMax};
use super::why::{Op, Test, Why, fact, test};
use super::{IdleType, MigrationType, Rules};

const F: &str = "detach_tasks";

/// What the size test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeInput {
    /// In what unit the imbalance is counted.
    pub migration_type: MigrationType,
    /// The task's load for `Load`, its `max(util_avg, util_est)` for `Util`; not used otherwise.
    pub value: u64,
    /// For `Misfit`: the task fits the CPU it is on.
    pub fits: bool,
    /// The level's failure counter.
    pub nr_balance_failed: u32,
    /// What is left to move; above 0.
    pub amount: i64,
}

/// Whether a task of this size is detached: `Some(what is left to move then)`, or `None` if it stays.
pub fn size_test(rules: &Rules, input: &SizeInput, why: &mut impl Why) -> Option<i64> {
    let amount = input.amount.cast_unsigned();
    match input.migration_type {
        MigrationType::Load => {
            let load = input.value.max(1);
            let (held, text) = match rules.detach.load {
                DetachLoad::Half => (load / 2, "load / 2 > env->imbalance"),
                DetachLoad::Shifted => {
                    (shifted(load, input.nr_balance_failed), "load >> nr_balance_failed > env->imbalance")
                }
            };
            let stays = test(why, Test(F, text), held, Op::Gt, amount);
            (!stays).then(|| input.amount.wrapping_sub_unsigned(load))
        }
        MigrationType::Util => {
            let (held, text) = if rules.detach.util_shifted {
                (shifted(input.value, input.nr_balance_failed), "util >> nr_balance_failed > env->imbalance")
            } else {
                (input.value, "util > env->imbalance")
            };
            let stays = test(why, Test(F, text), held, Op::Gt, amount);
            (!stays).then(|| input.amount.wrapping_sub_unsigned(input.value))
        }
        MigrationType::Task => Some(input.amount.saturating_sub(1)),
        MigrationType::Misfit => (!fact(why, Test(F, "task_fits_cpu"), input.fits)).then_some(0),
    }
}

/// `shr_bound`: the shift is at most 63.
fn shifted(value: u64, by: u32) -> u64 {
    value >> by.min(63)
}

/// `loop_max` of a pass over one source: `min(nr_migrate, nr_running)`.
pub fn loop_max(rules: &Rules, src_nr_running: u32) -> u32 {
    rules.detach.nr_migrate.min(src_nr_running)
}

/// What comes next in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Look at the task at the tail of the source's list.
    Look,
    /// Drop the locks, attach what was detached, then go on ([`Walk::after_breather`]).
    Breather,
    /// The walk is over.
    Stop,
}

/// A walk over the tasks of one source, from the tail of its list. Head is what was enqueued or picked last,
/// so the tail has waited longest; a refused task goes to the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// For what kind of CPU the pass runs.
    pub idle: IdleType,
    /// Kernel preemption is on (CONFIG_PREEMPTION): new-idle stops after one task.
    pub preemption: bool,
    /// What is left to move.
    pub amount: i64,
    /// Tasks detached so far.
    pub detached: u32,
    /// No task was found yet that affinity lets run at the destination.
    pub all_pinned: bool,
    looked: u32,
    loop_max: u32,
    loop_break: u32,
}

/// Tasks looked at between two breathers. No sysctl changes it, whatever `nr_migrate` is.
const BREATHER: u32 = 32;

impl Walk {
    /// A walk over a source with more than one task; `None` if the source has no more: then nothing is tried
    /// and its tasks do not count as pinned.
    pub fn new(
        rules: &Rules,
        idle: IdleType,
        preemption: bool,
        src_nr_running: u32,
        amount: i64,
    ) -> Option<Self> {
        (src_nr_running > 1).then(|| Self {
            idle,
            preemption,
            amount,
            detached: 0,
            all_pinned: true,
            looked: 0,
            loop_max: loop_max(rules, src_nr_running),
            loop_break: BREATHER,
        })
    }

    /// `detach_tasks` is entered, for the first time or again after a breather or with another destination: false if
    /// it leaves at once. A source with a single task left then has no task to count as pinned.
    pub fn enters(&mut self, src_nr_running: u32) -> bool {
        if src_nr_running <= 1 {
            self.all_pinned = false;
            return false;
        }
        self.amount > 0
    }

    /// Whether the walk goes on, given the tasks left on the source: `src_nr_running` of all classes,
    /// `listed` CFS tasks in its list.
    pub fn next(&mut self, rules: &Rules, src_nr_running: u32, listed: u32, why: &mut impl Why) -> Step {
        let done = test(why, Test(F, "env->imbalance <= 0"), self.amount, Op::Le, 0);
        if done || listed == 0 || self.one_is_enough(why) {
            return Step::Stop;
        }
        let spare = self.idle == IdleType::Busy;
        if !spare && test(why, Test(F, "src nr_running <= 1"), src_nr_running, Op::Le, 1) {
            return Step::Stop;
        }
        self.looked += 1;
        let movable = rules.detach.loop_max == LoopMax::Always || !self.all_pinned;
        if movable && test(why, Test(F, "loop > loop_max"), self.looked, Op::Gt, self.loop_max) {
            return Step::Stop;
        }
        if test(why, Test(F, "loop > loop_break"), self.looked, Op::Gt, self.loop_break) {
            self.loop_break = self.loop_break.saturating_add(BREATHER);
            return Step::Breather;
        }
        Step::Look
    }

    /// A task was detached; `left` is what [`size_test`] returned.
    pub fn take(&mut self, left: i64) {
        self.detached += 1;
        self.amount = left;
    }

    /// Whether the walk goes on after a breather: always, or (6.6) only while not every runnable task of the
    /// source was looked at.
    pub fn after_breather(&self, rules: &Rules, src_nr_running: u32) -> bool {
        rules.detach.breather_goes_on || self.looked < src_nr_running
    }

    /// The walk starts anew with another destination of the same group, for what is left to move.
    pub fn anew(&mut self) {
        self.looked = 0;
        self.loop_break = BREATHER;
    }

    fn one_is_enough(&self, why: &mut impl Why) -> bool {
        self.preemption
            && self.idle == IdleType::Newidle
            && test(why, Test(F, "detached in newidle with CONFIG_PREEMPTION"), self.detached, Op::Gt, 0)
    }
}
