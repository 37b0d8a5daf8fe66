//! The search of 6.1 and later: siblings of the last CPU, then one scan from the CPU after the target.

use super::View;
use super::sibling::{Choice, Reason, takes};
use crate::balance::rules::ScanLimit;
use crate::balance::{Op, Rules, Test, Why, fact, test};

/// From where `select_idle_sibling` begins to search, in 6.1 and later.
pub(super) fn search(
    rules: &Rules,
    view: &impl View,
    (this, prev, target): (usize, usize, usize),
    why: &mut impl Why,
) -> Choice {
    let idle_cores =
        view.smt() && fact(why, Test("select_idle_sibling", "has_idle_cores"), view.has_idle_cores(target));
    if view.smt()
        && !idle_cores
        && view.shares_cache(prev, target)
        && let Some(cpu) = idle_sibling(rules, view, prev, target, why)
    {
        return Choice::of(cpu, target, Reason::SiblingIdle);
    }
    scan(rules, view, (this, target), idle_cores, why)
}

/// `select_idle_smt`: an idle sibling of the last CPU.
fn idle_sibling(
    rules: &Rules,
    view: &impl View,
    prev: usize,
    target: usize,
    why: &mut impl Why,
) -> Option<usize> {
    let mut others = view.siblings(prev).iter().map(|&s| s as usize).filter(|&s| s != prev);
    let found = others.find(|&s| {
        view.allowed(s)
            && (!rules.wakeup.siblings_in_llc || view.shares_cache(s, target))
            && takes(rules, view, s)
    });
    fact(why, Test("select_idle_smt", "sibling of prev idle"), found.is_some());
    found
}

/// `select_idle_cpu`: over the cache's CPUs that the task may use, whole cores if the flag promises one.
fn scan(
    rules: &Rules,
    view: &impl View,
    (this, target): (usize, usize),
    idle_cores: bool,
    why: &mut impl Why,
) -> Choice {
    const F: &str = "select_idle_cpu";
    let mut left = u32::MAX;
    match rules.wakeup.scan_limit {
        ScanLimit::Util => {
            left = view.nr_idle_scan(target);
            if test(why, Test(F, "nr_idle_scan == 0"), left, Op::Eq, 0) {
                return Choice::of(target, target, Reason::Target);
            }
        }
        ScanLimit::Prop if !idle_cores => left = super::three::budget(view, this, target, why),
        ScanLimit::Prop | ScanLimit::None => {}
    }
    let llc = view.llc(target);
    let start = llc.partition_point(|&c| c as usize <= target);
    let order = llc[start..].iter().chain(&llc[..start]).map(|&c| c as usize).filter(|&c| view.allowed(c));
    let (mut noted, mut looked_ns, mut ran_out) = (None, 0, false);
    for cpu in order {
        if !idle_cores && left == 0 {
            ran_out = true;
            break;
        }
        if !idle_cores {
            left -= 1;
            looked_ns += view.look_ns(this, cpu);
            if takes(rules, view, cpu) {
                noted = Some(cpu);
                break;
            }
        } else if first_of_core(view, target, cpu) {
            looked_ns += view.look_ns(this, cpu);
            if core_is_idle(rules, view, target, cpu, &mut noted) {
                fact(why, Test("select_idle_core", "all siblings idle"), true);
                return Choice { looked_ns, ..Choice::of(cpu, target, Reason::IdleCore) };
            }
        }
    }
    if idle_cores {
        fact(why, Test("select_idle_core", "all siblings idle"), false);
    }
    fact(why, Test(F, "idle CPU among those probed"), noted.is_some());
    let found =
        noted.map_or(Choice::of(target, target, Reason::Target), |cpu| Choice::of(cpu, target, Reason::Scan));
    let avg_scan_cost = (rules.wakeup.scan_limit == ScanLimit::Prop && !idle_cores && !ran_out)
        .then(|| super::three::averaged(view.avg_scan_cost(this), looked_ns));
    Choice { looked_ns, cleared_idle_cores: idle_cores, avg_scan_cost, ..found }
}

/// A core's CPUs leave the scan once one of them was reached: whether none of them comes before this one in the
/// order from the target on.
fn first_of_core(view: &impl View, target: usize, cpu: usize) -> bool {
    let place = |c: usize| (c <= target, c);
    view.siblings(cpu)
        .iter()
        .map(|&s| s as usize)
        .all(|s| s == cpu || place(s) > place(cpu) || !view.allowed(s) || !view.shares_cache(s, target))
}

/// `select_idle_core`: whether the core is idle as a whole. Otherwise notes the first CPU that would do.
fn core_is_idle(
    rules: &Rules,
    view: &impl View,
    target: usize,
    core: usize,
    noted: &mut Option<usize>,
) -> bool {
    let counts = |s| view.allowed(s) && (!rules.wakeup.noted_in_llc || view.shares_cache(s, target));
    let mut idle = true;
    for sibling in view.siblings(core).iter().map(|&s| s as usize) {
        if !view.idle(sibling) {
            idle = false;
            if noted.is_some() {
                break;
            }
            if takes(rules, view, sibling) && counts(sibling) {
                *noted = Some(sibling);
                break;
            }
        } else if noted.is_none() && counts(sibling) {
            *noted = Some(sibling);
        }
    }
    idle
}
