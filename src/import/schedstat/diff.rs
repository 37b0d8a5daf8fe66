//! What happened between two snapshots, or why they cannot be compared.

use super::facts::{share, sums};
use super::fields::{CpuCounts, DomainCounts};
use super::{CpuRow, DomainRow, Snapshot};
use crate::import::activity::Activity;
use crate::import::notes::{Notes, count, named};

/// Index of the timeslices in the CPU fields: a 64-bit counter, as the others are not.
const TIMESLICES: usize = 5;

/// Says why two snapshots cannot be compared.
fn refusal(before: &Snapshot, after: &Snapshot) -> Option<String> {
    if before.version != after.version {
        let shown = |v: Option<u32>| v.map_or("an unknown version".to_owned(), |v| format!("version {v}"));
        return Some(format!(
            "The snapshots cannot be compared: the first is of {}, the second of {}.",
            shown(before.version),
            shown(after.version)
        ));
    }
    let (a, b) = (before.cpu_ids(), after.cpu_ids());
    if a != b {
        let gone: Vec<u32> = a.iter().copied().filter(|c| !b.contains(c)).take(16).collect();
        let new: Vec<u32> = b.iter().copied().filter(|c| !a.contains(c)).take(16).collect();
        let (cpus, where_) = if gone.is_empty() { (new, "second") } else { (gone, "first") };
        return Some(format!(
            "The snapshots cannot be compared: {} only in the {where_}, so a CPU went offline or came online in between, or they are of two machines.",
            named("CPU", &cpus) + if cpus.len() == 1 { " is" } else { " are" },
        ));
    }
    for (cpu, row) in &before.cpus {
        let other = &after.cpus[cpu];
        let shape = |row: &CpuRow| {
            row.domains.iter().map(|d| (d.index, d.name.clone(), d.span.clone())).collect::<Vec<_>>()
        };
        if shape(row) != shape(other) {
            return Some(format!(
                "The snapshots cannot be compared: the domains of CPU {cpu} are others in the second, so they were rebuilt in between and their counters began anew."
            ));
        }
    }
    match (before.timestamp, after.timestamp) {
        (Some(a), Some(b)) if b < a => Some(
            "The snapshots cannot be compared: the second is older than the first; either they were given in the wrong order or the machine was started anew in between."
                .to_owned(),
        ),
        (Some(a), Some(b)) if b == a => {
            Some("The snapshots cannot be compared: both are of the same moment.".to_owned())
        }
        _ => restarted(before, after),
    }
}

/// Run and wait times only grow, and are too wide to wrap.
fn restarted(before: &Snapshot, after: &Snapshot) -> Option<String> {
    let back = before.cpus.iter().find(|(cpu, row)| {
        let (Some(a), Some(b)) = (&row.counts, &after.cpus[cpu].counts) else { return false };
        let less = |a: Option<u64>, b: Option<u64>| matches!((a, b), (Some(a), Some(b)) if b < a);
        less(a.run, b.run) || less(a.wait, b.wait)
    });
    back.map(|(cpu, _)| {
        format!(
            "The snapshots cannot be compared: CPU {cpu} ran less in the second than in the first, so the machine was started anew in between or they are of two machines."
        )
    })
}

/// The facts of two snapshots: differences and what `perf sched stats` derives from them. An error is a
/// sentence: why they cannot be compared.
pub(in crate::import) fn difference(
    before: &Snapshot,
    after: &Snapshot,
    notes: &mut Notes,
) -> Result<Activity, String> {
    if let Some(sentence) = refusal(before, after) {
        return Err(sentence);
    }
    let mut wraps = 0;
    let cpus = before.cpus.iter().map(|(cpu, a)| (*cpu, row(a, &after.cpus[cpu], &mut wraps))).collect();
    let between = Snapshot { line: after.line, version: after.version, timestamp: None, cpus };
    if wraps > 0 {
        notes.warn(
            after.line,
            format!(
                "{} smaller in the second snapshot: taken as wrapped once at 2^32; if one wrapped more often, its difference is too small.",
                count(wraps, "counter") + if wraps == 1 { " is" } else { " are" }
            ),
        );
    }
    let mut out = sums(&between);
    out.schedstat_version = before.version;
    out.timestamp = before.timestamp;
    share(&mut out, &between, notes);
    switched_off(&mut out, before, after, notes);
    out.elapsed_jiffies = match (before.timestamp, after.timestamp) {
        (Some(a), Some(b)) => b.checked_sub(a),
        _ => None,
    };
    rates(&mut out, between.cpus.len());
    match out.elapsed_jiffies {
        Some(_) => notes.assume(
            "rates are a jiffy: the file does not say how long one is (HZ of the kernel, 100 to 1000 a second)",
        ),
        None => notes.warn(after.line, "A timestamp is missing, so there are differences but no rates."),
    }
    Ok(out)
}

/// Averages over the time between.
fn rates(out: &mut Activity, cpus: usize) {
    let Some(elapsed) = out.elapsed_jiffies.filter(|e| *e > 0) else { return };
    for row in &mut out.balance {
        let Some(count) = row.counters.get("count").copied().filter(|n| *n > 0) else { continue };
        let level = out.domains.iter().find(|d| d.index == row.index);
        // A CPU without this level makes no calls at it.
        let cpus = level
            .and_then(|d| crate::import::lists::parse_list(&d.cpus, "CPUs", u32::from(u16::MAX)).ok())
            .map_or(cpus, |list| list.len());
        row.avg_jiffies = Some(elapsed as f64 * cpus as f64 / count as f64);
        row.calls_per_jiffy = Some(count as f64 / elapsed as f64);
    }
}

/// Counters that stand still, or are zero at one end, tell that collecting was switched.
fn switched_off(out: &mut Activity, before: &Snapshot, after: &Snapshot, notes: &mut Notes) {
    let sum = |s: &Snapshot| -> u128 {
        s.domains()
            .filter_map(|(_, d)| d.counts.as_ref())
            .flat_map(|c| c.all().flatten())
            .map(u128::from)
            .sum()
    };
    if out.balance.is_empty() {
        return;
    }
    let (a, b) = (sum(before), sum(after));
    let still = out.balance.iter().all(|row| row.counters.values().all(|n| *n == 0));
    let ran = out.run_ns.is_some_and(|n| n > 0);
    out.balance_counters_collected = Some(!still || !ran).filter(|collected| !*collected || !still);
    if still && ran {
        notes.warn(
            after.line,
            "No balancing counter moved while tasks ran: they were not collected between the snapshots (kernel.sched_schedstats is off).",
        );
    } else if a == 0 && b > 0 {
        notes.warn(
            after.line,
            "All balancing counters are zero in the first snapshot: collecting was perhaps switched on in between.",
        );
    }
}

fn row(a: &CpuRow, b: &CpuRow, wraps: &mut usize) -> CpuRow {
    let counts = match (&a.counts, &b.counts) {
        (Some(a), Some(b)) => Some(cpu(a, b, wraps)),
        _ => None,
    };
    let domains = a.domains.iter().zip(&b.domains).map(|(a, b)| DomainRow {
        line: b.line,
        index: b.index,
        name: b.name.clone(),
        span: b.span.clone(),
        counts: match (&a.counts, &b.counts) {
            (Some(a), Some(b)) if a.by_unit == b.by_unit => Some(domain(a, b, wraps)),
            _ => None,
        },
    });
    CpuRow { line: b.line, counts, domains: domains.collect() }
}

/// The difference of a 32-bit counter, which may have wrapped once.
fn narrow(a: Option<u64>, b: Option<u64>, wraps: &mut usize) -> Option<u64> {
    let (a, b) = (a?, b?);
    if b >= a {
        return Some(b - a);
    }
    *wraps += 1;
    // Beyond 32 bits there is nothing to wrap at.
    (a < 1 << 32).then(|| b + (1 << 32) - a)
}

fn cpu(a: &CpuCounts, b: &CpuCounts, wraps: &mut usize) -> CpuCounts {
    let wide = |a: Option<u64>, b: Option<u64>| b?.checked_sub(a?);
    let mut out = CpuCounts { run: wide(a.run, b.run), wait: wide(a.wait, b.wait), ..CpuCounts::default() };
    for (at, field) in out.fields.iter_mut().enumerate() {
        let (a, b) = (a.fields[at], b.fields[at]);
        *field = if at == TIMESLICES { wide(a, b) } else { narrow(a, b, wraps) };
    }
    out
}

fn domain(a: &DomainCounts, b: &DomainCounts, wraps: &mut usize) -> DomainCounts {
    let mut out = DomainCounts { by_unit: a.by_unit, ..DomainCounts::default() };
    for (to, (a, b)) in out.types.iter_mut().zip(a.types.iter().zip(&b.types)) {
        for (to, (a, b)) in to.iter_mut().zip(a.iter().zip(b)) {
            *to = narrow(*a, *b, wraps);
        }
    }
    for (to, (a, b)) in out.tail.iter_mut().zip(a.tail.iter().zip(&b.tail)) {
        *to = narrow(*a, *b, wraps);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapped_counter_is_counted_on() {
        let mut wraps = 0;
        assert_eq!(narrow(Some(5), Some(9), &mut wraps), Some(4));
        assert_eq!(wraps, 0);
        assert_eq!(narrow(Some(u64::from(u32::MAX)), Some(4), &mut wraps), Some(5));
        assert_eq!(wraps, 1);
        assert_eq!(narrow(Some(1 << 40), Some(4), &mut wraps), None);
    }
}
