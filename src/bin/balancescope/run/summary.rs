//! A report as a person reads it.

use balancescope::host::{Gate, Quantiles, Report, Row};
use std::fmt::Write;

/// The whole text, without a last line break.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = head(&mut out, report);
    let _ = table(&mut out, report);
    let _ = rest(&mut out, report);
    out
}

fn head(out: &mut String, r: &Report) -> std::fmt::Result {
    writeln!(out, "{}", if r.scenario.is_empty() { "(the default scenario)" } else { &r.scenario })?;
    let seconds = r.wall_ns.unwrap_or(0).max(1) as f64 / 1e9;
    writeln!(
        out,
        "{} CPUs, {} of simulated time, {} events in {seconds:.2} s ({:.2} million a second)",
        r.cpus,
        time(r.simulated_ns),
        r.events,
        r.events as f64 / seconds / 1e6
    )?;
    writeln!(out, "state {}\n", r.state_hash)
}

fn table(out: &mut String, r: &Report) -> std::fmt::Result {
    writeln!(
        out,
        "{:<5} {:<8} {:>10} {:>10} {:>10} {:>8} {:>10} {:>9} {:>9} {:>9} {:>10}",
        "level",
        "kind",
        "calls/s",
        "gated/s",
        "not due/s",
        "lock/s",
        "balanced",
        "failed",
        "moved",
        "tasks",
        "time"
    )?;
    let seen = |row: &&Row| row.calls + row.gated + row.not_due + row.lock_failed > 0;
    let rate = |count: u64| count as f64 * 1e9 / r.simulated_ns.max(1) as f64;
    for row in r.balance.iter().filter(seen) {
        writeln!(
            out,
            "{:<5} {:<8} {:>10.1} {:>10.1} {:>10.1} {:>8.1} {:>10} {:>9} {:>9} {:>9} {:>10}",
            row.level,
            format!("{:?}", row.kind).to_lowercase(),
            rate(row.calls),
            rate(row.gated),
            rate(row.not_due),
            rate(row.lock_failed),
            row.balanced,
            row.failed,
            row.moved_calls,
            row.moved_tasks,
            time(row.time_ns)
        )?;
    }
    writeln!(out, "Rates and shares are means over the whole run, its start included.\n")
}

fn rest(out: &mut String, r: &Report) -> std::fmt::Result {
    let c = &r.cpu;
    writeln!(
        out,
        "CPU time   user {:.2} %  balance {:.3} %  lock {:.3} %  other system {:.2} %  idle {:.2} %",
        c.user * 100.0,
        c.balance * 100.0,
        c.lock * 100.0,
        c.other_system * 100.0,
        c.idle * 100.0
    )?;
    writeln!(out, "throughput {:.1} a second", r.throughput_per_s)?;
    quantiles(out, "latency", r.latency_ns.as_ref())?;
    quantiles(out, "response", r.response_ns.as_ref())?;
    if let Some(w) = &r.work_conservation {
        writeln!(
            out,
            "idle beside a waiting task  {} of CPU time ({} could have been used)  longest {} on CPU {} ({} of intervals)  {} of {} spells longer than intervals",
            time(w.idle_beside_waiting_ns),
            time(w.lost_ns),
            time(w.longest_ns),
            w.longest_cpu,
            time(w.limit_ns),
            w.spells_over_limit,
            w.spells
        )?;
    }
    gate(out, &r.newidle_gate)?;
    let m = &r.migrations;
    write!(
        out,
        "migrations wakeup {}  fork {}  newidle {}  periodic {}  nohz {}  active {}",
        m.wakeup, m.fork, m.newidle, m.periodic, m.nohz, m.active
    )
}

fn gate(out: &mut String, g: &Gate) -> std::fmt::Result {
    write!(out, "newidle    gate reached {}", g.reached)?;
    let refused = [
        ("overload clear", g.overload_clear),
        ("avg_idle below migration_cost", g.migration_cost),
        ("avg_idle below domain's cost", g.domain_cost),
        ("policy", g.policy),
    ];
    for (what, count) in refused.into_iter().filter(|(_, count)| *count > 0) {
        write!(out, "  refused by {what} {:.1} %", count as f64 * 100.0 / g.reached.max(1) as f64)?;
    }
    writeln!(out)
}

fn quantiles(out: &mut String, what: &str, q: Option<&Quantiles>) -> std::fmt::Result {
    let Some(q) = q else { return Ok(()) };
    writeln!(
        out,
        "{what:<10} p50 {}  p95 {}  p99 {}  max {}",
        time(q.p50),
        time(q.p95),
        time(q.p99),
        time(q.max)
    )
}

fn time(ns: u64) -> String {
    match ns {
        0..1_000 => format!("{ns} ns"),
        1_000..1_000_000 => format!("{:.1} µs", ns as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} ms", ns as f64 / 1e6),
        _ => format!("{:.2} s", ns as f64 / 1e9),
    }
}
