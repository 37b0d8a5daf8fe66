//! A frame's cumulative figures by name, for whoever compares runs: lessons, tables of differences.

use super::{Frame, Kind, LevelCounts};

/// The names that counts of one kind or level begin with, and the kinds that make them up.
const KINDS: [(&str, &[Kind]); 3] =
    [("newidle", &[Kind::Newidle]), ("periodic", &[Kind::Idle, Kind::Busy]), ("nohz", &[Kind::Nohz])];
/// Moves by cause, in the order of [`super::Cause`].
const MOVES: [&str; 6] = ["by_wakeup", "by_fork", "by_newidle", "by_periodic", "by_nohz", "by_active"];

/// All figures since the start of the run: counts by kind (`newidle_calls`), by level (`NUMA_calls`, where `levels`
/// names the slots bottom up), in all (`all_calls`); ns of CPU time by what it went into (`user_ns`); moves by cause
/// (`by_wakeup`); work done; and, of this moment, how many tasks run and wait.
pub fn figures(frame: &Frame, levels: &[&str]) -> Vec<(String, f64)> {
    let mut list = Vec::with_capacity(96);
    let rows = || frame.totals.levels.iter().enumerate();
    for (name, kinds) in KINDS {
        let counts = rows().flat_map(|(_, row)| kinds.iter().map(|kind| &row[*kind as usize]));
        put(&mut list, name, &sum(counts));
    }
    for (i, name) in levels.iter().enumerate().filter(|(i, name)| !levels[..*i].contains(name)) {
        let same = rows().skip(i).filter(|(slot, _)| levels.get(*slot) == Some(name));
        put(&mut list, name, &sum(same.flat_map(|(_, row)| row)));
    }
    put(&mut list, "all", &sum(rows().flat_map(|(_, row)| row)));
    let mut times = [0_u64; 5];
    let (mut running, mut queued) = (0, 0);
    for cpu in &frame.cpus {
        let each = [cpu.user_ns, cpu.balance_ns, cpu.lock_ns, cpu.system_ns, cpu.idle_ns];
        times.iter_mut().zip(each).for_each(|(sum, ns)| *sum += ns);
        running += u64::from(cpu.current.is_some());
        queued += u64::from(cpu.nr_running);
    }
    let [user, balance, lock, system, idle] = times;
    let busy = user + balance + lock + system;
    let mut one = |name: &str, value: u64| list.push((name.to_owned(), value as f64));
    for (name, ns) in [("user_ns", user), ("balance_ns", balance), ("lock_ns", lock), ("idle_ns", idle)] {
        one(name, ns);
    }
    one("busy_ns", busy);
    one("cpu_ns", busy + idle);
    MOVES.iter().zip(frame.totals.migrations).for_each(|(name, moves)| one(name, moves));
    one("done", frame.totals.done);
    one("overload_flips", frame.totals.overload_flips);
    one("running", running);
    one("waiting", queued.saturating_sub(running));
    one("cpus", frame.cpus.len() as u64);
    one("now_ns", frame.now_ns);
    list
}

fn sum<'a>(counts: impl Iterator<Item = &'a LevelCounts>) -> [u64; 8] {
    let mut sum = [0; 8];
    for c in counts {
        let each =
            [c.calls, c.gated, c.not_due, c.lock_failed, c.balanced, c.failed, c.moved_calls, c.moved_tasks];
        sum.iter_mut().zip(each).for_each(|(sum, n)| *sum += n);
    }
    sum
}

fn put(list: &mut Vec<(String, f64)>, of: &str, counts: &[u64; 8]) {
    const NAMES: [&str; 8] =
        ["calls", "gated", "not_due", "lock_failed", "balanced", "failed", "moved_calls", "moved_tasks"];
    list.extend(NAMES.iter().zip(counts).map(|(name, n)| (format!("{of}_{name}"), *n as f64)));
}

/// A figure, a figure a simulated second (`newidle_calls_per_s`), or one figure as a share of another
/// (`balance_ns/cpu_ns`). `None` if there is no such figure, or nothing to divide by.
pub fn figure(list: &[(String, f64)], name: &str) -> Option<f64> {
    let plain = |name: &str| list.iter().find(|(of, _)| of == name).map(|(_, value)| *value);
    let ratio = |a: f64, b: f64| (b > 0.0).then(|| a / b);
    if let Some((a, b)) = name.split_once('/') {
        return ratio(plain(a)?, plain(b)?);
    }
    match name.strip_suffix("_per_s") {
        Some(count) => ratio(plain(count)? * 1e9, plain("now_ns")?),
        None => plain(name),
    }
}
