//! The slow path of fork and exec: down the domains, at each into the idlest group.

mod groups;
mod idlest_cpu;
mod loads;

use super::select::walk;
use super::{Task, View};
use crate::balance::rules::SlowPath;
use crate::balance::{Rules, Test, Why, fact};
use crate::topology::{Domain, GroupId, SdFlags};

/// Where the slow path led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The CPU.
    pub cpu: usize,
    /// What looking at CPUs took, ns.
    pub looked_ns: u64,
}

/// `select_task_rq_fair` for a task that forks (SD_BALANCE_FORK) or execs (SD_BALANCE_EXEC) on CPU `this`, from
/// the highest domain of the unbroken run of levels with that flag.
pub fn slow_path(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    flag: SdFlags,
    this: usize,
    why: &mut impl Why,
) -> Placed {
    let stay = Placed { cpu: this, looked_ns: 0 };
    let found = match walk(view, this, this, flag, false).1 {
        Some(level) if view.nr_allowed() > 1 => descend(rules, view, task, flag, (this, level), why),
        _ => stay,
    };
    if view.allowed(found.cpu) { found } else { Placed { cpu: fallback(view, this), ..found } }
}

/// `find_idlest_cpu`: from one level of CPU `this` down. A group other than the local one is gone on with from its
/// chosen CPU, below the domain's width.
pub(super) fn descend(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    flag: SdFlags,
    (this, level): (usize, usize),
    why: &mut impl Why,
) -> Placed {
    let tree = view.tree();
    let mut placed = Placed { cpu: this, looked_ns: 0 };
    if !tree.chains[this][level].span.iter().any(|c| view.allowed(c)) {
        return placed;
    }
    let (mut cpu, mut at) = (this, Some(level));
    while let Some(level) = at {
        let domain = &tree.chains[cpu][level];
        at = level.checked_sub(1);
        if !domain.flags.contains(flag) {
            continue;
        }
        let Some(id) = idlest_group(rules, view, task, domain, cpu, flag, why) else {
            placed.looked_ns += domain.span.iter().map(|c| view.look_ns(this, c)).sum::<u64>();
            continue;
        };
        placed.looked_ns += domain.span.iter().map(|c| view.look_ns(this, c)).sum::<u64>();
        let new = idlest_cpu::of(rules, view, id, cpu, why);
        placed.cpu = new;
        if new == cpu {
            continue;
        }
        cpu = new;
        let width = domain.span.weight();
        let narrower = tree.chains[cpu].iter().take_while(|d| d.span.weight() < width);
        at = narrower.enumerate().filter(|(_, d)| d.flags.contains(flag)).map(|(l, _)| l).last();
    }
    placed
}

fn idlest_group(
    rules: &Rules,
    view: &impl View,
    task: &Task,
    domain: &Domain,
    cpu: usize,
    flag: SdFlags,
    why: &mut impl Why,
) -> Option<GroupId> {
    let found = match rules.wakeup.slow_path {
        SlowPath::GroupType => groups::find(rules, view, task, domain, cpu, why),
        SlowPath::Load => loads::find(rules, view, task, domain, cpu, flag, why),
    };
    fact(why, Test(rules.names.idlest_group, "another group than the local one"), found.is_some());
    found
}

/// `select_fallback_rq`: where the task may run at all, first in the node of the CPU it is on.
pub(super) fn fallback(view: &impl View, cpu: usize) -> usize {
    let cpus = view.tree().chains.len();
    let near = (0..cpus).find(|&c| view.node(c) == view.node(cpu) && view.allowed(c));
    near.or_else(|| (0..cpus).find(|&c| view.allowed(c))).unwrap_or(cpu)
}

/// `cpu_util_without`: the greater of the average and the estimate, each without the task, up to the capacity.
fn util_without(view: &impl View, task: &Task, cpu: usize) -> u64 {
    let (mut util, mut est) = (view.util_avg(cpu), view.util_est(cpu));
    if task.counted_on == Some(cpu) {
        util = util.saturating_sub(task.util);
    }
    if task.running_on == Some(cpu) {
        est = est.saturating_sub(task.util_est);
    }
    util.max(est).min(view.capacity(cpu))
}
