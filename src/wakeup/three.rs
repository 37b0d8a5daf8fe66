//! The three searches of 4.19: an idle core, a bounded scan from the target, the target's siblings.

use super::View;
use super::sibling::{Choice, Reason, takes};
use crate::balance::rules::ScanLimit;
use crate::balance::{Op, Rules, Test, Why, fact, test};

/// From where `select_idle_sibling` begins to search, in 4.19.
pub(super) fn search(
    rules: &Rules,
    view: &impl View,
    (this, target): (usize, usize),
    why: &mut impl Why,
) -> Choice {
    let promised =
        view.smt() && fact(why, Test("select_idle_core", "has_idle_cores"), view.has_idle_cores(target));
    let (core, core_ns) = if promised { idle_core(view, this, target, why) } else { (None, 0) };
    if let Some(core) = core {
        return Choice { looked_ns: core_ns, ..Choice::of(core, target, Reason::IdleCore) };
    }
    let scanned = idle_cpu(rules, view, this, target, why);
    let found = match scanned.found {
        Some(cpu) => Choice::of(cpu, target, Reason::Scan),
        None => match idle_sibling(rules, view, target, why) {
            Some(cpu) => Choice::of(cpu, target, Reason::SiblingIdle),
            None => Choice::of(target, target, Reason::Target),
        },
    };
    Choice {
        cleared_idle_cores: promised,
        looked_ns: core_ns + scanned.ns,
        avg_scan_cost: scanned.avg_scan_cost,
        ..found
    }
}

/// From the target on, wrapping.
fn from_target(llc: &[u32], target: usize) -> impl Iterator<Item = usize> + '_ {
    let start = llc.partition_point(|&c| (c as usize) < target);
    llc[start..].iter().chain(&llc[..start]).map(|&c| c as usize)
}

/// `select_idle_core`: the first CPU of the first core that is idle as a whole. A core's CPUs leave the scan once
/// one of them was reached.
fn idle_core(view: &impl View, this: usize, target: usize, why: &mut impl Why) -> (Option<usize>, u64) {
    let place = |c: usize| (c < target, c);
    let mut ns = 0;
    for cpu in from_target(view.llc(target), target).filter(|&c| view.allowed(c)) {
        let mut siblings = view.siblings(cpu).iter().map(|&s| s as usize);
        let first = siblings
            .all(|s| s == cpu || place(s) > place(cpu) || !view.allowed(s) || !view.shares_cache(s, target));
        if !first {
            continue;
        }
        ns += view.look_ns(this, cpu);
        if view.siblings(cpu).iter().all(|&s| view.idle(s as usize)) {
            fact(why, Test("select_idle_core", "all siblings idle"), true);
            return (Some(cpu), ns);
        }
    }
    fact(why, Test("select_idle_core", "all siblings idle"), false);
    (None, ns)
}

struct Scanned {
    found: Option<usize>,
    ns: u64,
    avg_scan_cost: Option<u64>,
}

/// `select_idle_cpu`: every CPU of the cache costs one of the budget, also those that the task may not use.
fn idle_cpu(rules: &Rules, view: &impl View, this: usize, target: usize, why: &mut impl Why) -> Scanned {
    let mut scanned = Scanned { found: None, ns: 0, avg_scan_cost: None };
    let mut left = match rules.wakeup.scan_limit {
        // The waker's CPU has no cache domain, hence no cost of scans.
        ScanLimit::Prop if view.llc(this).len() <= 1 => return scanned,
        ScanLimit::Prop => budget(view, this, target, why),
        ScanLimit::Util => view.nr_idle_scan(target),
        ScanLimit::None => u32::MAX,
    };
    for cpu in from_target(view.llc(target), target) {
        if left == 0 {
            fact(why, Test("select_idle_cpu", "idle CPU among those probed"), false);
            return scanned;
        }
        left -= 1;
        if !view.allowed(cpu) {
            continue;
        }
        scanned.ns += view.look_ns(this, cpu);
        if takes(rules, view, cpu) {
            scanned.found = Some(cpu);
            break;
        }
    }
    fact(why, Test("select_idle_cpu", "idle CPU among those probed"), scanned.found.is_some());
    if rules.wakeup.scan_limit == ScanLimit::Prop {
        scanned.avg_scan_cost = Some(averaged(view.avg_scan_cost(this), scanned.ns));
    }
    scanned
}

/// `select_idle_smt`: an idle sibling of the target.
fn idle_sibling(rules: &Rules, view: &impl View, target: usize, why: &mut impl Why) -> Option<usize> {
    if !view.smt() {
        return None;
    }
    let siblings = view.siblings(target).iter().map(|&s| s as usize);
    let found = siblings.filter(|&s| view.allowed(s)).find(|&s| takes(rules, view, s));
    fact(why, Test("select_idle_smt", "sibling of the target idle"), found.is_some());
    found
}

/// How many CPUs SIS_PROP lets a wake-up probe: one less than the waker's `avg_idle`/512 pays for, and at least 3.
pub(super) fn budget(view: &impl View, this: usize, target: usize, why: &mut impl Why) -> u32 {
    let width = view.llc(target).len() as u64;
    let avg_idle = view.avg_idle(this) / 512;
    let avg_cost = view.avg_scan_cost(this) + 1;
    let span_avg = width.wrapping_mul(avg_idle);
    let at = Test("select_idle_cpu", "span x avg_idle/512 > 4 x avg_scan_cost");
    let nr = if test(why, at, span_avg, Op::Gt, 4 * avg_cost) { span_avg / avg_cost } else { 4 };
    u32::try_from(nr - 1).unwrap_or(u32::MAX)
}

/// The average of what scans cost, after one more.
pub(super) fn averaged(avg: u64, sample: u64) -> u64 {
    avg.wrapping_add_signed((sample as i64).wrapping_sub(avg as i64) / 8)
}
