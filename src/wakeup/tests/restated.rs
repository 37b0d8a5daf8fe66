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

/// A group of 6.1 and later without the task, as plain numbers: type (0 spare, 1 fully busy, 2 overloaded), load by
/// capacity, utilization, idle CPUs, tasks.
fn group(mock: &Mock, cpus: &[usize], pct: u64, capacity: u64) -> (u8, u64, u64, usize, u64) {
    let counted: Vec<usize> = cpus
        .iter()
        .copied()
        .filter(|&c| !mock.rules.wakeup.slow_path_allowed_only || mock.allowed.contains(c))
        .collect();
    let sum = |of: &dyn Fn(&Cpu) -> u64| counted.iter().map(|&c| of(&mock.cpus[c])).sum::<u64>();
    let (tasks, util, runnable) =
        (sum(&|c| u64::from(c.nr)), sum(&|c| c.util.min(1_024)), sum(&|c| c.runnable));
    let pressed = capacity * pct < runnable * 100;
    let overloaded = tasks > cpus.len() as u64 && (capacity * 100 < util * pct || pressed);
    let spare = tasks < cpus.len() as u64 || (!pressed && capacity * 100 > util * pct);
    let kind = if overloaded { 2 } else { u8::from(!spare) };
    let load = if kind == 0 { 0 } else { sum(&|c| c.load) * 1_024 / capacity };
    (kind, load, util, counted.iter().filter(|&&c| mock.cpus[c].idle).count(), tasks)
}

/// The slow path of 6.1 and later for a new task on equal CPUs, level by level from the top.
fn plain_fork(mock: &Mock, this: usize) -> usize {
    let mut cpu = this;
    let mut width = usize::MAX;
    while let Some(domain) = mock.tree.chains[cpu].iter().rev().find(|d| d.span.weight() < width) {
        width = domain.span.weight();
        let (pct, numa) = (u64::from(domain.imbalance_pct), domain.flags.contains(SdFlags::NUMA));
        let seen = |id: &GroupId| {
            let g = mock.tree.group(*id);
            let cpus: Vec<usize> = g.span.iter().collect();
            let usable: Vec<usize> = cpus.iter().copied().filter(|&c| mock.allowed.contains(c)).collect();
            (!usable.is_empty()).then(|| (group(mock, &cpus, pct, g.capacity), cpus, usable))
        };
        let groups: Vec<_> = domain.groups.iter().filter_map(seen).collect();
        let local = groups.iter().find(|(_, cpus, _)| cpus.contains(&cpu));
        // The first of the best: least type, then most idle CPUs and least utilization, or least load.
        let key = |((kind, load, util, idle, _), ..): &(_, Vec<usize>, Vec<usize>)| {
            if *kind == 0 { (*kind, usize::MAX - *idle, *util) } else { (*kind, 0, *load) }
        };
        let others = groups.iter().filter(|(_, cpus, _)| !cpus.contains(&cpu));
        let Some(best) = others.min_by_key(|g| key(g)) else { continue };
        if let Some(local) = local {
            let ((here, load, _, idle, tasks), _, usable) = local;
            let ((there, their_load, _, their_idle, _), ..) = best;
            let m = 1_024 * (pct - 100) / 100;
            let close = idle.abs_diff(*their_idle) <= 2;
            let few = *tasks < (domain.imb_numa_nr as usize).min(usable.len()) as u64;
            let stays = match (here.cmp(there), here) {
                (std::cmp::Ordering::Less, _) => true,
                (std::cmp::Ordering::Greater, _) => false,
                (_, 0) => idle >= their_idle || (numa && few && close),
                _ => {
                    (numa && their_load + m >= *load)
                        || *their_load >= load + m
                        || 100 * load <= pct * their_load
                }
            };
            if stays {
                continue;
            }
        }
        let (_, cpus, usable) = best;
        let idle_cpus = || usable.iter().copied().filter(|&c| mock.cpus[c].idle);
        let latest = idle_cpus().map(|c| mock.cpus[c].stamp).max();
        cpu = match latest {
            _ if cpus.len() == 1 => cpus[0],
            Some(stamp) => idle_cpus().find(|&c| mock.cpus[c].stamp == stamp).unwrap(),
            None => usable.iter().copied().min_by_key(|&c| mock.cpus[c].load).unwrap(),
        };
    }
    cpu
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
        for (c, load) in loads.iter().enumerate().take(n) {
            mock.cpus[c].stamp = 1 + load % 5;
            if !mock.cpus[c].idle {
                mock.cpus[c].nr = 1 + (load % 3) as u32;
                mock.cpus[c].runnable = load * 2 / 3;
            }
        }
        let placed = super::super::slow_path(&mock.rules, &mock, &task, flag, this, &mut ());
        prop_assert!(mock.allowed.contains(placed.cpu));
        if release != Release::V4_19 && mock.allowed.weight() > 1 {
            prop_assert_eq!(placed.cpu, plain_fork(&mock, this));
        }
    }
}
