//! Placement of a waking task: `select_task_rq_fair`.

use super::affine::{wake_affine, wake_cap, wake_wide};
use super::sibling::{Choice, Reason, select_idle_sibling};
use super::slow::{descend, fallback};
use super::{Task, View};
use crate::balance::{Rules, Test, Why, fact};
use crate::topology::SdFlags;

const F: &str = "select_task_rq_fair";

/// A wake-up as placement is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waking {
    /// The CPU on which the waker, or the interrupt, runs.
    pub this: usize,
    /// The CPU on which the task ran last.
    pub prev: usize,
    /// The waker is about to sleep (WF_SYNC).
    pub sync: bool,
    /// `wakee_flips` of the waker, this wake-up counted.
    pub waker_flips: u32,
    /// `wakee_flips` of the task.
    pub wakee_flips: u32,
}

/// Where a waking task goes. A task that may use a single CPU is not placed at all (`select_task_rq`).
pub fn select(rules: &Rules, view: &impl View, task: &Task, wake: &Waking, why: &mut impl Why) -> Choice {
    let Waking { this, prev, .. } = *wake;
    if view.nr_allowed() == 1 && view.allowed(prev) {
        return Choice::of(prev, prev, Reason::Pinned);
    }
    let apart = wake_wide(wake.waker_flips, wake.wakee_flips, view.llc(this).len() as u32, why)
        || (rules.wakeup.wake_cap && wake_cap(view, task, this, prev, why));
    let want_affine = !apart && fact(why, Test(F, "task may use this_cpu"), view.allowed(this));
    let (affine, slow) = walk(view, this, prev, SdFlags::BALANCE_WAKE, want_affine);
    if let Some(level) = slow {
        let found = descend(rules, view, task, SdFlags::BALANCE_WAKE, (this, level), why);
        let cpu = if view.allowed(found.cpu) { found.cpu } else { fallback(view, prev) };
        return Choice { looked_ns: found.looked_ns, ..Choice::of(cpu, prev, Reason::Idlest) };
    }
    let target = match affine {
        Some(level) if this != prev => {
            let pct = view.tree().chains[this][level].imbalance_pct;
            wake_affine(rules, view, task, (this, prev), wake.sync, pct, why)
        }
        _ => prev,
    };
    let found = select_idle_sibling(rules, view, task, (this, prev, target), why);
    if view.allowed(found.cpu) { found } else { Choice { cpu: fallback(view, prev), ..found } }
}

/// The walk up from CPU `this`: the level of the first domain with SD_WAKE_AFFINE that holds `prev`, if that is
/// wanted; else the highest level of the unbroken run with `flag`, from which the slow path starts.
pub(super) fn walk(
    view: &impl View,
    this: usize,
    prev: usize,
    flag: SdFlags,
    want_affine: bool,
) -> (Option<usize>, Option<usize>) {
    let mut slow = None;
    for (level, domain) in view.tree().chains[this].iter().enumerate() {
        if want_affine && domain.flags.contains(SdFlags::WAKE_AFFINE) && domain.span.contains(prev) {
            return (Some(level), None);
        }
        if domain.flags.contains(flag) {
            slow = Some(level);
        } else if !want_affine {
            break;
        }
    }
    (None, slow)
}
