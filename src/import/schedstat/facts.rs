//! From a snapshot, or the difference of two, to facts.

use super::fields::{CPU_FIELDS, TAIL_FIELDS, TYPES, type_field};
use super::{CpuRow, Snapshot};
use crate::import::activity::{Activity, BalanceFacts, Counts, DomainFacts};
use crate::import::notes::{Notes, count, ranges};
use crate::import::spans::CpuSpans;
use std::collections::{BTreeMap, BTreeSet};

const SCHEDULES: usize = 1;
const IDLE: usize = 2;
const WAKEUPS: usize = 3;
const LOCAL: usize = 4;
/// From here on a 32-bit counter is close to its end.
const NEAR_WRAP: u64 = 7 << 29;

/// The facts of one snapshot.
pub(in crate::import) fn facts(snapshot: &Snapshot, notes: &mut Notes) -> Activity {
    let mut out = sums(snapshot);
    out.schedstat_version = snapshot.version;
    out.timestamp = snapshot.timestamp;
    if snapshot.version.is_some_and(|v| v < 14) {
        // Kernels of that age kept these times in jiffies.
        for (name, time) in [("run_jiffies", out.run_ns.take()), ("wait_jiffies", out.wait_ns.take())] {
            out.counters.extend(time.map(|t| (name.to_owned(), t)));
        }
        notes.warn(snapshot.line, "Run and wait times of this version are in jiffies, not in nanoseconds.");
    }
    if snapshot.version.is_none() {
        notes.assume(
            "version assumed: the file's head is missing, so the counters were taken in the order of version 15, \
             or of 17 where there are 45 of them",
        );
    }
    collected(&mut out, notes);
    share(&mut out, snapshot, notes);
    odd_counters(snapshot, notes);
    if let (Some(run), Some(wait)) = (out.run_ns, out.wait_ns)
        && wait > run
    {
        notes.warn(None, "Tasks waited longer to run than they ran.");
    }
    out
}

/// The sums over CPUs.
pub(super) fn sums(snapshot: &Snapshot) -> Activity {
    let mut out = Activity { domains: levels(snapshot), balance: balance(snapshot), ..Activity::default() };
    let counts = || snapshot.cpus.values().filter_map(|row| row.counts.as_ref());
    out.run_ns = total(counts().map(|c| c.run));
    out.wait_ns = total(counts().map(|c| c.wait));
    for (at, name) in CPU_FIELDS.iter().enumerate() {
        if let Some(sum) = total(counts().map(|c| c.fields[at])) {
            out.counters.insert((*name).to_owned(), sum);
        }
    }
    for row in &out.balance {
        if let Some(n) = row.counters.get("gained") {
            let sum = out.gained.entry(row.kind.clone()).or_default();
            *sum = sum.saturating_add(*n);
        }
    }
    out
}

/// The sum of what there is; `None` of nothing, or where a sum passes 64 bits.
fn total(values: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    values.flatten().try_fold(None, |sum: Option<u64>, v| sum.unwrap_or(0).checked_add(v).map(Some)).flatten()
}

/// One row a level; spans and names that CPUs have.
fn levels(snapshot: &Snapshot) -> Vec<DomainFacts> {
    let names = assumed_names(snapshot);
    let level = |index: u32| {
        let rows = || snapshot.domains().filter(move |(_, d)| d.index == index);
        let stated: BTreeSet<&str> = rows().filter_map(|(_, d)| d.name.as_deref()).collect();
        let spans: BTreeSet<&[u32]> = rows().map(|(_, d)| &*d.span).filter(|s| !s.is_empty()).collect();
        let cpus: Vec<u32> = rows().map(|(cpu, _)| cpu).collect();
        let mut counters = Counts::new();
        for (at, name) in TAIL_FIELDS.iter().enumerate() {
            if let Some(sum) = total(rows().filter_map(|(_, d)| d.counts.as_ref()).map(|c| c.tail[at])) {
                counters.insert((*name).to_owned(), sum);
            }
        }
        let assumed_name = if stated.is_empty() { names.get(&index).cloned() } else { None };
        DomainFacts {
            index,
            name: (!stated.is_empty()).then(|| stated.into_iter().collect::<Vec<_>>().join("/")),
            assumed_name,
            cpus: ranges(&cpus),
            spans: spans.into_iter().map(ranges).collect(),
            counters,
            ..DomainFacts::default()
        }
    };
    (0..snapshot.depth()).map(level).filter(|l| !l.cpus.is_empty()).collect()
}

/// Inferred names by index where they are the same on every CPU.
fn assumed_names(snapshot: &Snapshot) -> BTreeMap<u32, String> {
    let named = crate::import::spans::named(spans(snapshot));
    let mut names: BTreeMap<u32, BTreeSet<&'static str>> = BTreeMap::new();
    for (_, chain) in &named {
        for (at, (name, _)) in chain.iter().enumerate() {
            names.entry(at as u32).or_default().insert(name.as_str());
        }
    }
    let join = |names: BTreeSet<&'static str>| names.into_iter().collect::<Vec<_>>().join("/");
    names.into_iter().map(|(at, names)| (at, join(names))).collect()
}

/// One row a level and idle type.
fn balance(snapshot: &Snapshot) -> Vec<BalanceFacts> {
    let mut out = Vec::new();
    let names = levels(snapshot);
    for level in &names {
        for (at, kind) in TYPES.iter().enumerate() {
            let rows: Vec<_> = snapshot
                .domains()
                .filter(|(_, d)| d.index == level.index)
                .filter_map(|(_, d)| d.counts.as_ref())
                .collect();
            let by_unit = rows.iter().any(|c| c.by_unit);
            let mut counters = Counts::new();
            for field in 0..rows.first().map_or(0, |c| c.types[at].len()) {
                let Some(name) = type_field(field, by_unit) else { continue };
                if let Some(sum) = total(rows.iter().map(|c| c.types[at][field])) {
                    counters.insert(name.to_owned(), sum);
                }
            }
            if rows.is_empty() {
                continue;
            }
            let name = level.name.clone().or_else(|| level.assumed_name.clone());
            let mut row =
                BalanceFacts { index: level.index, name, kind: (*kind).to_owned(), ..Default::default() };
            row.counters = counters;
            derive(&mut row);
            out.push(row);
        }
    }
    out
}

/// Success and pull size as `perf sched stats` derives them.
fn derive(row: &mut BalanceFacts) {
    let get = |name: &str| row.counters.get(name).copied();
    let (Some(count), Some(balanced), Some(failed)) = (get("count"), get("balanced"), get("failed")) else {
        return;
    };
    row.success = count.checked_sub(balanced).and_then(|n| n.checked_sub(failed));
    row.avg_pulled = match (row.success, get("gained")) {
        (Some(success), Some(gained)) if success > 0 => Some(gained as f64 / success as f64),
        _ => None,
    };
}

/// Whether the balancing counters were collected: zeros on a machine that ran mean that they were not.
fn collected(out: &mut Activity, notes: &mut Notes) {
    if out.balance.is_empty() {
        return;
    }
    let moving = out.balance.iter().any(|row| row.counters.values().any(|n| *n > 0))
        || out.domains.iter().any(|d| d.counters.values().any(|n| *n > 0));
    let ran = out.run_ns.is_some_and(|n| n > 0);
    if moving {
        out.balance_counters_collected = Some(true);
    } else if ran {
        out.balance_counters_collected = Some(false);
        notes.warn(
            None,
            "All balancing counters are zero while tasks ran: they were not collected (kernel.sched_schedstats is \
             off), which does not mean that the balancer never ran.",
        );
    }
}

/// Shares, without those that a wrapped counter would falsify.
pub(super) fn share(out: &mut Activity, snapshot: &Snapshot, notes: &mut Notes) {
    let mut wrapped = [false; 2];
    for (cpu, row) in &snapshot.cpus {
        let Some(counts) = &row.counts else { continue };
        for (at, part, whole, less, more) in [
            (0, LOCAL, WAKEUPS, "wake-ups", "local wake-ups"),
            (1, IDLE, SCHEDULES, "schedule() calls", "calls that went idle"),
        ] {
            let (Some(whole), Some(part)) = (counts.fields[whole], counts.fields[part]) else { continue };
            if part > whole {
                wrapped[at] = true;
                notes.warn(
                    row.line,
                    format!(
                        "CPU {cpu} has fewer {less} ({whole}) than {more} ({part}): a 32-bit counter wrapped."
                    ),
                );
            }
        }
    }
    let ratio = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (Some(a), Some(b)) if b > 0 => Some(a as f64 / b as f64),
        _ => None,
    };
    let get = |name: &str| out.counters.get(name).copied();
    let mut shares = BTreeMap::new();
    if !wrapped[0] {
        shares.extend(ratio(get("local_wakeups"), get("wakeups")).map(|r| ("local_wakeups".to_owned(), r)));
    }
    if !wrapped[1] {
        shares.extend(ratio(get("went_idle"), get("schedules")).map(|r| ("went_idle".to_owned(), r)));
    }
    shares.extend(ratio(out.wait_ns, out.run_ns).map(|r| ("wait_of_run".to_owned(), r)));
    out.shares = shares;
}

/// Counters that cannot stand as they are.
fn odd_counters(snapshot: &Snapshot, notes: &mut Notes) {
    let near = |row: &CpuRow| {
        let of_domains = row.domains.iter().filter_map(|d| d.counts.as_ref()).flat_map(|c| c.all());
        let of_cpu = row.counts.iter().flat_map(|c| c.fields[..=LOCAL].iter().copied());
        of_domains.chain(of_cpu).flatten().filter(|n| (NEAR_WRAP..1 << 32).contains(n)).count()
    };
    let n: usize = snapshot.cpus.values().map(near).sum();
    if n > 0 {
        let verb = if n == 1 { "is" } else { "are" };
        notes.warn(
            snapshot.line,
            format!(
                "{} {verb} close to 2^32, where counters start anew; some may have wrapped.",
                count(n, "counter")
            ),
        );
    }
    let mut inconsistent: Option<(usize, usize)> = None;
    for (_, row) in snapshot.domains() {
        for counts in row.counts.iter().flat_map(|c| &c.types) {
            let [Some(count), Some(balanced), Some(failed), ..] = *counts else { continue };
            if balanced.saturating_add(failed) > count {
                let (n, line) = inconsistent.unwrap_or((0, row.line));
                inconsistent = Some((n + 1, line));
            }
        }
    }
    if let Some((n, line)) = inconsistent {
        notes.warn(
            line,
            format!(
                "Here and in {} more rows the calls are fewer than those that ended balanced or failed: a 32-bit counter wrapped.",
                n - 1
            ),
        );
    }
    let without: Vec<u32> =
        snapshot.cpus.iter().filter(|(_, row)| row.domains.is_empty()).map(|(cpu, _)| *cpu).collect();
    if !without.is_empty() && snapshot.depth() > 0 {
        notes.warn(
            snapshot.cpus[&without[0]].line,
            format!("{} no domain: isolated, or the text is cut off.", with_verb(&without)),
        );
    } else if !without.is_empty() {
        notes.warn(snapshot.line, "There are no domain lines: one CPU, a kernel without SMP, or a cut text.");
    }
}

fn with_verb(cpus: &[u32]) -> String {
    format!("{} {}", crate::import::notes::named("CPU", cpus), if cpus.len() == 1 { "has" } else { "have" })
}

/// The spans of every CPU's domains, bottom up.
pub(in crate::import) fn spans(snapshot: &Snapshot) -> CpuSpans {
    let chain = |row: &CpuRow| {
        row.domains.iter().map(|d| (d.name.clone(), d.span.clone())).filter(|(_, s)| !s.is_empty()).collect()
    };
    snapshot.cpus.iter().map(|(cpu, row)| (*cpu, chain(row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_beyond_64_bits_are_no_number() {
        assert_eq!(total([Some(u64::MAX), Some(1)].into_iter()), None);
        assert_eq!(total([None, Some(1)].into_iter()), Some(1));
        assert_eq!(total([None].into_iter()), None);
    }
}
