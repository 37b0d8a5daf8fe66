//! The fast path against a plain restatement with sets.

use super::super::Reason;
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// 6.1 and later on equal CPUs: what is to be found around a target, by sets.
fn later(mock: &Mock, prev: usize, target: usize, recent: Option<usize>) -> (usize, bool) {
    let idle = |c: usize| mock.cpus[c].idle || mock.cpus[c].sched_idle;
    let near = |c: usize| mock.llc[target].contains(&(c as u32));
    if idle(target) {
        return (target, false);
    }
    if near(prev) && idle(prev) {
        return (prev, false);
    }
    if let Some(c) = recent.filter(|&c| c != prev && near(c) && idle(c) && mock.allowed.contains(c)) {
        return (c, false);
    }
    let smt = mock.siblings.iter().any(|s| s.len() > 1);
    let promised = smt && mock.idle_cores[target];
    if smt && !promised && near(prev) {
        for &s in &mock.siblings[prev] {
            let s = s as usize;
            let in_llc = near(s) || !mock.rules.wakeup.siblings_in_llc;
            if s != prev && mock.allowed.contains(s) && in_llc && idle(s) {
                return (s, false);
            }
        }
    }
    if mock.nr_idle_scan == 0 {
        return (target, false);
    }
    let mut left: BTreeSet<usize> =
        mock.llc[target].iter().map(|&c| c as usize).filter(|&c| mock.allowed.contains(c)).collect();
    if !promised {
        let order = left.iter().filter(|&&c| c > target).chain(left.iter().filter(|&&c| c <= target));
        let found = order.take(mock.nr_idle_scan as usize).find(|&&c| idle(c));
        return (found.copied().unwrap_or(target), false);
    }
    let mut noted = None;
    let mut at = target + 1;
    while !left.is_empty() {
        let cpu = left.iter().copied().find(|&c| c >= at).or_else(|| left.first().copied()).unwrap();
        at = cpu + 1;
        if mock.siblings[cpu].iter().all(|&s| mock.cpus[s as usize].idle) {
            return (cpu, false);
        }
        for &s in &mock.siblings[cpu] {
            let s = s as usize;
            if noted.is_none() && left.contains(&s) && idle(s) {
                noted = Some(s);
            }
        }
        for &s in &mock.siblings[cpu] {
            left.remove(&(s as usize));
        }
    }
    (noted.unwrap_or(target), true)
}

/// 4.19 on equal CPUs.
fn old(mock: &Mock, this: usize, prev: usize, target: usize, recent: Option<usize>) -> (usize, bool) {
    let idle = |c: usize| mock.cpus[c].idle;
    let near = |c: usize| mock.llc[target].contains(&(c as u32));
    for c in [Some(target), Some(prev), recent].into_iter().flatten() {
        if near(c) && idle(c) && mock.allowed.contains(c) {
            return (c, false);
        }
    }
    let smt = mock.siblings.iter().any(|s| s.len() > 1);
    let llc: Vec<usize> = mock.llc[target].iter().map(|&c| c as usize).collect();
    let order: Vec<usize> =
        llc.iter().filter(|&&c| c >= target).chain(llc.iter().filter(|&&c| c < target)).copied().collect();
    let promised = smt && mock.idle_cores[target];
    if promised {
        let whole = |&&c: &&usize| mock.siblings[c].iter().all(|&s| idle(s as usize));
        if let Some(&c) = order.iter().filter(|&&c| mock.allowed.contains(c)).find(whole) {
            return (c, false);
        }
    }
    let a = mock.cpus[this].avg_idle / 512;
    let c = mock.cpus[this].scan_cost + 1;
    let w = llc.len() as u64;
    let probes = if w * a > 4 * c { w * a / c } else { 4 } - 1;
    for &cpu in order.iter().take(probes as usize) {
        if mock.allowed.contains(cpu) && idle(cpu) {
            return (cpu, promised);
        }
    }
    let sibling = mock.siblings[target].iter().map(|&s| s as usize);
    let found = sibling.filter(|_| smt).find(|&s| mock.allowed.contains(s) && idle(s));
    (found.unwrap_or(target), promised)
}

fn machines() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["1x4x2", "2x4x1", "2x3x2", "1x8x2-llc4"])
}

fn releases() -> impl Strategy<Value = Release> {
    prop::sample::select(vec![Release::V4_19, Release::V6_1, Release::V6_6, Release::V6_19])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_search_finds_what_sets_find(
        name in machines(),
        release in releases(),
        states in prop::collection::vec(0_u8..8, 16),
        allowed in any::<u16>(),
        (this, prev, recent) in (0_usize..16, 0_usize..16, 0_usize..16),
        promise in any::<bool>(),
        nr_idle_scan in 0_u32..9,
        (avg_idle, scan_cost) in (0_u64..100_000, 0_u64..500),
    ) {
        let mut mock = Mock::new(name, release);
        let n = mock.cpus.len();
        let (this, prev, recent) = (this % n, prev % n, recent % n);
        for (cpu, state) in mock.cpus.iter_mut().zip(&states) {
            cpu.idle = *state < 2;
            cpu.sched_idle = *state == 2;
            cpu.nr = u32::from(*state >= 2);
            (cpu.avg_idle, cpu.scan_cost) = (avg_idle, scan_cost);
        }
        mock.allowed = (0..n).filter(|&c| allowed >> c & 1 == 1 || c == prev).collect();
        mock.idle_cores.fill(promise);
        mock.nr_idle_scan = nr_idle_scan;
        let task = Task { recent: Some(recent), ..Task::default() };
        let choice = mock.wake_as(&task, &plain(this, prev));
        if choice.reason == Reason::Pinned {
            prop_assert_eq!(mock.allowed.weight(), 1);
            return Ok(());
        }
        prop_assert!(mock.allowed.contains(choice.cpu));
        let expected = if release == Release::V4_19 {
            old(&mock, this, prev, choice.target, Some(recent))
        } else {
            later(&mock, prev, choice.target, Some(recent))
        };
        prop_assert_eq!((choice.cpu, choice.cleared_idle_cores), expected);
    }

    #[test]
    fn the_slow_path_ends_where_the_task_may_run(
        name in machines(),
        release in releases(),
        loads in prop::collection::vec(0_u64..3_000, 16),
        allowed in any::<u16>(),
        this in 0_usize..16,
        flag in prop::sample::select(vec![SdFlags::BALANCE_FORK, SdFlags::BALANCE_EXEC]),
    ) {
        let mut mock = Mock::new(name, release);
        let n = mock.cpus.len();
        let this = this % n;
        for (c, load) in loads.iter().enumerate().take(n).filter(|(_, load)| **load > 800) {
            mock = mock.busy([c], *load);
        }
        mock.allowed = (0..n).filter(|&c| allowed >> c & 1 == 1 || c == this).collect();
        let task = Task { load: 1_024, ..Task::default() };
        let placed = super::super::slow_path(&mock.rules, &mock, &task, flag, this, &mut ());
        prop_assert!(mock.allowed.contains(placed.cpu));
        // A child never goes to a busy CPU of the parent's node while that has an idle one that it may use.
        let idle_near = mock.llc[this].iter().any(|&c| mock.cpus[c as usize].idle && mock.allowed.contains(c as usize));
        if release != Release::V4_19 && mock.llc[this].contains(&(placed.cpu as u32)) && !mock.smt() && idle_near {
            prop_assert!(mock.cpus[placed.cpu].idle, "CPU {} for a child of {}", placed.cpu, this);
        }
    }
}
