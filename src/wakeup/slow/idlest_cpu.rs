//! The idlest CPU of a group (`find_idlest_group_cpu`).

use crate::balance::{Rules, Test, Why, fact};
use crate::topology::GroupId;
use crate::wakeup::View;

/// A CPU that runs SCHED_IDLE tasks alone (6.1 and later), else the one that went idle last (all idle states are
/// alike here), else the one with the least load, the first of equals. `this` if there is none.
pub(super) fn of(rules: &Rules, view: &impl View, id: GroupId, this: usize, why: &mut impl Why) -> usize {
    let f = rules.names.idlest_group_cpu;
    let cpus = view.group_cpus(id);
    if let [cpu] = cpus {
        return *cpu as usize;
    }
    let (mut idle, mut latest) = (None, 0);
    let (mut lightest, mut min_load) = (this, u64::MAX);
    for cpu in cpus.iter().map(|&c| c as usize).filter(|&c| view.allowed(c)) {
        if rules.wakeup.sched_idle_is_idle && view.only_sched_idle(cpu) {
            fact(why, Test(f, "CPU with SCHED_IDLE tasks alone"), true);
            return cpu;
        }
        if view.idle(cpu) {
            if view.idle_stamp(cpu) > latest {
                (idle, latest) = (Some(cpu), view.idle_stamp(cpu));
            }
        } else if idle.is_none() && view.load(cpu) < min_load {
            (lightest, min_load) = (cpu, view.load(cpu));
        }
    }
    fact(why, Test(f, "idle CPU"), idle.is_some());
    idle.unwrap_or(lightest)
}
