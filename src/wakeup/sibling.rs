//! An idle CPU around the target of a wake-up: `select_idle_sibling`.

use super::capacity::{asym_fits, select_idle_capacity};
use super::{Task, View, one_scan, three};
use crate::balance::rules::IdleSearch;
use crate::balance::{Rules, Test, Why, fact};

/// Why a CPU was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is the only one the task may use.
    Pinned,
    /// The target of `wake_affine` was idle.
    TargetIdle,
    /// The CPU it ran on last was idle and shares the target's cache.
    PrevIdle,
    /// The CPU before that.
    RecentIdle,
    /// A whole core was idle.
    IdleCore,
    /// A sibling was idle: of the last CPU, in 4.19 of the target.
    SiblingIdle,
    /// The scan of the cache's CPUs found an idle one.
    Scan,
    /// On unequal CPUs, an idle one of the domain with all capacities.
    Capacity,
    /// Nothing was idle: the target itself.
    Target,
    /// The slow path.
    Idlest,
}

/// The choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where the task goes.
    pub cpu: usize,
    /// The CPU around which an idle one was sought.
    pub target: usize,
    /// Why.
    pub reason: Reason,
    /// The search got as far as the recent CPU, which the last one then becomes.
    pub recent_becomes_prev: bool,
    /// No idle core was found though the flag of the target's cache promised one: the flag is to be cleared.
    pub cleared_idle_cores: bool,
    /// What looking at CPUs took, ns.
    pub looked_ns: u64,
    /// The new `avg_scan_cost` of the waker's cache domain (SIS_PROP).
    pub avg_scan_cost: Option<u64>,
}

impl Choice {
    pub(super) fn of(cpu: usize, target: usize, reason: Reason) -> Self {
        Self {
            cpu,
            target,
            reason,
            recent_becomes_prev: false,
            cleared_idle_cores: false,
            looked_ns: 0,
            avg_scan_cost: None,
        }
    }
}

/// Whether a wake-up takes the CPU for idle: it is, or (6.1 and later) all it has is SCHED_IDLE.
pub(super) fn takes(rules: &Rules, view: &impl View, cpu: usize) -> bool {
    view.idle(cpu) || (rules.wakeup.sched_idle_is_idle && view.only_sched_idle(cpu))
}

const F: &str = "select_idle_sibling";

/// `select_idle_sibling` on behalf of a waker on CPU `this`.
pub(super) fn select_idle_sibling(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    (this, prev, target): (usize, usize, usize),
    why: &mut impl Why,
) -> Choice {
    let usable = |cpu| takes(rules, view, cpu) && asym_fits(rules, view, task, cpu);
    if fact(why, Test(F, "target idle"), usable(target)) {
        return Choice::of(target, target, Reason::TargetIdle);
    }
    let prev_shares = prev != target && view.shares_cache(prev, target);
    if prev_shares && fact(why, Test(F, "prev idle and shares the cache"), usable(prev)) {
        return Choice::of(prev, target, Reason::PrevIdle);
    }
    let choice = |cpu, reason| Choice { recent_becomes_prev: true, ..Choice::of(cpu, target, reason) };
    let recent = task.recent.filter(|&c| c != prev && c != target && view.shares_cache(c, target));
    if let Some(recent) = recent {
        let free = view.allowed(recent) && usable(recent);
        if fact(why, Test(F, "recent_used_cpu idle and shares the cache"), free) {
            return choice(recent, Reason::RecentIdle);
        }
    }
    if rules.wakeup.asym_fit
        && view.asym()
        && let Some((found, looked_ns)) = select_idle_capacity(rules, view, task, (this, target), why)
    {
        let found = found.map_or_else(|| choice(target, Reason::Target), |c| choice(c, Reason::Capacity));
        return Choice { looked_ns, ..found };
    }
    if view.llc(target).len() <= 1 {
        return choice(target, Reason::Target);
    }
    let found = match rules.wakeup.search {
        IdleSearch::OneScan => one_scan::search(rules, view, (this, prev, target), why),
        IdleSearch::ThreeSearches => three::search(rules, view, (this, target), why),
    };
    Choice { recent_becomes_prev: true, ..found }
}
