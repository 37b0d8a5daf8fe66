//! Placement of a waking task.

use super::View;

/// Why a CPU was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The target of `wake_affine` was idle.
    TargetIdle,
    /// The CPU it ran on last was idle and shares the target's cache.
    PrevIdle,
    /// The CPU before that.
    RecentIdle,
    /// A whole core was idle.
    IdleCore,
    /// A sibling of the CPU it ran on last was idle.
    SiblingIdle,
    /// The scan of the cache's CPUs found an idle one.
    Scan,
    /// Nothing was idle: the target itself.
    Target,
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
    /// The search got as far as the recent CPU, which prev then becomes.
    pub fast: bool,
    /// No idle core was found though the cache's flag promised one: the flag is to be cleared.
    pub cleared_idle_cores: bool,
}

/// `select_task_rq_fair` for a wake-up on CPU `this` of a task that ran on `prev`.
pub fn select(view: &impl View, this: usize, prev: usize) -> Choice {
    let target = if this != prev && view.allowed(this) && !wake_wide(view, this) {
        view.affine_pct(this, prev).map_or(prev, |pct| wake_affine(view, this, prev, pct))
    } else {
        prev
    };
    select_idle_sibling(view, target, prev)
}

/// `wake_wide`: the waker wakes so many that pulling them all here would crowd the cache.
fn wake_wide(view: &impl View, this: usize) -> bool {
    let (a, b) = view.wakee_flips();
    let factor = view.llc(this).len() as u32;
    let (low, high) = (a.min(b), a.max(b));
    low >= factor && high >= low.saturating_mul(factor)
}

/// `wake_affine`: the waker's CPU or the task's last one.
fn wake_affine(view: &impl View, this: usize, prev: usize, pct: u64) -> usize {
    if view.idle(this) && view.shares_cache(this, prev) {
        return if view.idle(prev) { prev } else { this };
    }
    if view.idle(prev) {
        return prev;
    }
    let task = view.task_load();
    let here = u128::from(view.load(this) + task) * 100 * u128::from(view.capacity(prev));
    let there = u128::from(view.load(prev).saturating_sub(task))
        * u128::from(100 + (pct.max(100) - 100) / 2)
        * u128::from(view.capacity(this));
    if here < there { this } else { prev }
}

/// `select_idle_sibling`.
fn select_idle_sibling(view: &impl View, target: usize, prev: usize) -> Choice {
    let choice = |cpu, reason, fast| Choice { cpu, target, reason, fast, cleared_idle_cores: false };
    let usable = |cpu| view.allowed(cpu) && view.idle(cpu);
    if usable(target) {
        return choice(target, Reason::TargetIdle, false);
    }
    let prev_shares = prev != target && view.shares_cache(prev, target);
    if prev_shares && usable(prev) {
        return choice(prev, Reason::PrevIdle, false);
    }
    if let Some(recent) = view.recent()
        && recent != prev
        && recent != target
        && view.shares_cache(recent, target)
        && usable(recent)
    {
        return choice(recent, Reason::RecentIdle, true);
    }
    let idle_cores = view.has_idle_cores(target);
    if !idle_cores
        && (prev_shares || prev == target)
        && let Some(&cpu) = view.siblings(prev).iter().find(|&&s| s as usize != prev && usable(s as usize))
        && view.shares_cache(cpu as usize, target)
    {
        return choice(cpu as usize, Reason::SiblingIdle, true);
    }
    let (found, cleared) = scan(view, target, idle_cores);
    match found {
        Some((cpu, reason)) => Choice { cleared_idle_cores: cleared, ..choice(cpu, reason, true) },
        None => Choice { cleared_idle_cores: cleared, ..choice(target, Reason::Target, true) },
    }
}

/// `select_idle_cpu` with SIS_UTIL: from the CPU after the target, wrapping. The second value: the promise of an
/// idle core did not hold.
fn scan(view: &impl View, target: usize, idle_cores: bool) -> (Option<(usize, Reason)>, bool) {
    let mut left = view.scan_limit(target);
    if left == 0 {
        return (None, false);
    }
    let llc = view.llc(target);
    let at = llc.partition_point(|&c| c as usize <= target);
    let order = llc[at..].iter().chain(&llc[..at]).map(|&c| c as usize).filter(|&c| view.allowed(c));
    let mut seen = None;
    for cpu in order {
        if idle_cores {
            let core = view.siblings(cpu);
            if core.first() == Some(&(cpu as u32)) && core.iter().all(|&s| view.idle(s as usize)) {
                return (Some((cpu, Reason::IdleCore)), false);
            }
            if seen.is_none() && view.idle(cpu) {
                seen = Some(cpu);
            }
        } else {
            if view.idle(cpu) {
                return (Some((cpu, Reason::Scan)), false);
            }
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    (seen.map(|cpu| (cpu, Reason::Scan)), idle_cores)
}
