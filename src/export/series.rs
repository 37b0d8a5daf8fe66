//! A run over time, as a table and as JSON.

use crate::observe::{Activity, Frame, Histogram, Kind, LevelCounts, Totals};
use serde::Serialize;
use std::fmt::Write;

const KINDS: [Kind; 4] = [Kind::Newidle, Kind::Idle, Kind::Busy, Kind::Nohz];

/// What happened in one piece of time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// End of the piece, simulated ns.
    pub at_ns: u64,
    /// Length of the piece, ns.
    pub span_ns: u64,
    /// Shares of all CPUs' time; they sum to 1.
    pub cpu: Shares,
    /// Units of work a second.
    pub throughput_per_s: f64,
    /// Wake-up to running; absent where nothing was woken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ns: Option<Latency>,
    /// Moves of tasks by cause.
    pub migrations: Moves,
    /// A row a level and kind.
    pub balance: Vec<Row>,
}

/// Shares of all CPUs' time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Shares {
    pub user: f64,
    pub balance: f64,
    pub lock: f64,
    pub other_system: f64,
    pub idle: f64,
}

/// Quantiles of a time, ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Latency {
    pub p50: u64,
    pub p95: u64,
    pub p99: u64,
}

/// Moves by cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Moves {
    pub wakeup: u64,
    pub fork: u64,
    pub newidle: u64,
    pub periodic: u64,
    pub nohz: u64,
    pub active: u64,
}

/// Counts of one level and kind of balancing in the piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Row {
    pub level: String,
    pub kind: Kind,
    pub calls: u64,
    pub gated: u64,
    pub not_due: u64,
    pub lock_failed: u64,
    pub balanced: u64,
    pub failed: u64,
    pub moved_calls: u64,
    pub moved_tasks: u64,
    pub time_ns: u64,
}

/// Samples of a run, made from its frames.
#[derive(Clone, Debug, Default)]
pub struct Series {
    levels: Vec<String>,
    before: Option<(u64, [u64; 5], Totals)>,
    samples: Vec<Sample>,
}

impl Series {
    /// A series for a machine with these levels, bottom up.
    pub fn new(levels: impl IntoIterator<Item = String>) -> Self {
        Self { levels: levels.into_iter().collect(), ..Self::default() }
    }

    /// Adds what happened since the frame before; the first only begins.
    pub fn add(&mut self, frame: &Frame) {
        let times = times(frame);
        if let Some((at, before, totals)) = &self.before {
            self.samples.push(self.sample(frame, *at, &times, before, totals));
        }
        self.before = Some((frame.now_ns, times, frame.totals.clone()));
    }

    /// The samples so far.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    fn sample(
        &self,
        frame: &Frame,
        since: u64,
        times: &[u64; 5],
        before: &[u64; 5],
        totals: &Totals,
    ) -> Sample {
        let span = frame.now_ns.saturating_sub(since);
        let mut spent = [0; 5];
        for (spent, (now, before)) in spent.iter_mut().zip(times.iter().zip(before)) {
            *spent = now.saturating_sub(*before);
        }
        let mut wakeups = Histogram::default();
        wakeups.add(&frame.wakeups);
        let moved: Vec<u64> = frame
            .totals
            .migrations
            .iter()
            .zip(&totals.migrations)
            .map(|(now, before)| now - before)
            .collect();
        let moved = |at: usize| moved.get(at).copied().unwrap_or(0);
        Sample {
            at_ns: frame.now_ns,
            span_ns: span,
            cpu: shares(&spent),
            throughput_per_s: (frame.totals.done - totals.done) as f64 * 1e9 / span.max(1) as f64,
            latency_ns: latency(&wakeups),
            migrations: Moves {
                wakeup: moved(0),
                fork: moved(1),
                newidle: moved(2),
                periodic: moved(3),
                nohz: moved(4),
                active: moved(5),
            },
            balance: self.rows(&frame.totals, totals),
        }
    }

    fn rows(&self, now: &Totals, before: &Totals) -> Vec<Row> {
        let levels = self.levels.iter().zip(now.levels.iter().zip(&before.levels));
        levels
            .flat_map(|(level, (now, before))| {
                let kinds = KINDS.iter().zip(now.iter().zip(before));
                kinds.map(move |(kind, (now, before))| row(level, *kind, now, before))
            })
            .collect()
    }

    /// The table: a line a sample, with the names of its columns in the first. Counts of balancing are per second.
    pub fn csv(&self) -> String {
        let mut out = String::from(
            "time_s,cpu_user,cpu_balance,cpu_lock,cpu_other_system,cpu_idle,throughput_per_s,\
             latency_p50_ns,latency_p95_ns,latency_p99_ns,\
             moved_wakeup,moved_fork,moved_newidle,moved_periodic,moved_nohz,moved_active",
        );
        for level in &self.levels {
            for kind in ["newidle", "idle", "busy", "nohz"] {
                for what in RATES {
                    let _ = write!(out, ",{level}_{kind}_{what}_per_s");
                }
                let _ = write!(out, ",{level}_{kind}_time_ns");
            }
        }
        out.push('\n');
        self.samples.iter().for_each(|sample| csv_line(&mut out, sample));
        out
    }
}

/// Columns of each level and kind.
const RATES: [&str; 8] =
    ["calls", "gated", "not_due", "lock_failed", "balanced", "failed", "moved_calls", "moved_tasks"];

fn csv_line(out: &mut String, s: &Sample) {
    let c = &s.cpu;
    let _ = write!(out, "{:.9}", s.at_ns as f64 / 1e9);
    for share in [c.user, c.balance, c.lock, c.other_system, c.idle] {
        let _ = write!(out, ",{share:.6}");
    }
    let _ = write!(out, ",{:.3}", s.throughput_per_s);
    match &s.latency_ns {
        Some(l) => drop(write!(out, ",{},{},{}", l.p50, l.p95, l.p99)),
        None => out.push_str(",,,"),
    }
    let m = &s.migrations;
    for moved in [m.wakeup, m.fork, m.newidle, m.periodic, m.nohz, m.active] {
        let _ = write!(out, ",{moved}");
    }
    for row in &s.balance {
        let counts = [
            row.calls,
            row.gated,
            row.not_due,
            row.lock_failed,
            row.balanced,
            row.failed,
            row.moved_calls,
            row.moved_tasks,
        ];
        for count in counts {
            let _ = write!(out, ",{:.3}", count as f64 * 1e9 / s.span_ns.max(1) as f64);
        }
        let _ = write!(out, ",{}", row.time_ns);
    }
    out.push('\n');
}

fn row(level: &str, kind: Kind, now: &LevelCounts, before: &LevelCounts) -> Row {
    Row {
        level: level.to_owned(),
        kind,
        calls: now.calls - before.calls,
        gated: now.gated - before.gated,
        not_due: now.not_due - before.not_due,
        lock_failed: now.lock_failed - before.lock_failed,
        balanced: now.balanced - before.balanced,
        failed: now.failed - before.failed,
        moved_calls: now.moved_calls - before.moved_calls,
        moved_tasks: now.moved_tasks - before.moved_tasks,
        time_ns: now.time_ns - before.time_ns,
    }
}

fn latency(wakeups: &Histogram) -> Option<Latency> {
    Some(Latency { p50: wakeups.quantile(500)?, p95: wakeups.quantile(950)?, p99: wakeups.quantile(990)? })
}

/// ns of all CPUs by activity, since the start.
fn times(frame: &Frame) -> [u64; 5] {
    let mut sum = [0; 5];
    for cpu in &frame.cpus {
        sum[Activity::User as usize] += cpu.user_ns;
        sum[Activity::Balance as usize] += cpu.balance_ns;
        sum[Activity::Lock as usize] += cpu.lock_ns;
        sum[Activity::System as usize] += cpu.system_ns;
        sum[Activity::Idle as usize] += cpu.idle_ns;
    }
    sum
}

fn shares(spent: &[u64; 5]) -> Shares {
    let total = spent.iter().sum::<u64>().max(1) as f64;
    let share = |a: Activity| spent[a as usize] as f64 / total;
    Shares {
        user: share(Activity::User),
        balance: share(Activity::Balance),
        lock: share(Activity::Lock),
        other_system: share(Activity::System),
        idle: share(Activity::Idle),
    }
}
