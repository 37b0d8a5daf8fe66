//! What a run leaves behind, in the shape of the JSON contract. Fields only ever grow in number.

use crate::engine::{GateCounts, World};
use crate::observe::{Activity, ConservationReport, Histogram, Kind, LevelCounts};
use serde::Serialize;

/// What happened from the start of a run on. Times are ns of simulated time but for `wall_ns`; counts and
/// shares are of the whole run.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Report {
    /// Canonical fragment.
    pub scenario: String,
    /// 16 hexadecimal digits over the whole state.
    pub state_hash: String,
    pub simulated_ns: u64,
    pub events: u64,
    /// What the run took its host, where the host has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_ns: Option<u64>,
    pub cpus: usize,
    pub levels: Vec<&'static str>,
    pub balance: Vec<Row>,
    pub cpu: Shares,
    pub throughput_per_s: f64,
    pub latency_ns: Option<Quantiles>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_ns: Option<Quantiles>,
    pub migrations: Migrations,
    /// Idle CPUs beside waiting tasks, where the host had that observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_conservation: Option<ConservationReport>,
    pub newidle_gate: Gate,
    pub invariants_broken: usize,
    /// The broken ones, a sentence each.
    #[serde(skip)]
    pub broken: Vec<String>,
}

/// Counts of one level and kind of balancing.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Row {
    pub level: &'static str,
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

/// Shares of all CPUs' time; they sum to 1.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Shares {
    pub user: f64,
    pub balance: f64,
    pub lock: f64,
    pub other_system: f64,
    pub idle: f64,
}

/// Quantiles of a time.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Quantiles {
    pub p50: u64,
    pub p95: u64,
    pub p99: u64,
    pub max: u64,
}

/// Moves of tasks, by what caused them.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Migrations {
    pub wakeup: u64,
    pub fork: u64,
    pub newidle: u64,
    pub periodic: u64,
    pub nohz: u64,
    pub active: u64,
}

/// How often new-idle passes came to their gate, and what refused them there: see [`GateCounts`].
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Gate {
    pub reached: u64,
    pub overload_clear: u64,
    pub migration_cost: u64,
    pub domain_cost: u64,
    pub policy: u64,
    pub policy_divided_by_zero: u64,
    pub level: u64,
    pub wakeup_pending: u64,
    pub elsewhere: u64,
}

const KINDS: [Kind; 4] = [Kind::Newidle, Kind::Idle, Kind::Busy, Kind::Nohz];

impl Report {
    /// Reads a world that was opened from this canonical fragment.
    pub fn of(scenario: String, world: &World, wall_ns: Option<u64>) -> Self {
        let seen = world.observed();
        let levels: Vec<&'static str> = world.tree().levels.iter().map(|l| l.name.as_str()).collect();
        let rows = levels.iter().zip(&seen.totals.levels);
        let balance = rows
            .flat_map(|(level, counts)| KINDS.iter().zip(counts).map(|(kind, c)| Row::of(level, *kind, c)))
            .collect();
        let broken = world.check_invariants();
        Self {
            scenario,
            state_hash: format!("{:016x}", world.state_hash()),
            simulated_ns: world.now(),
            events: world.events(),
            wall_ns,
            cpus: world.machine().cpus.len(),
            levels,
            balance,
            cpu: Shares::of(world.cpu_times()),
            throughput_per_s: per_second(seen.totals.done, world.now()),
            latency_ns: Quantiles::of(&seen.wakeups),
            response_ns: Quantiles::of(&seen.response),
            migrations: Migrations::of(seen.totals.migrations),
            work_conservation: None,
            newidle_gate: Gate::of(world.gates()),
            invariants_broken: broken.len(),
            broken,
        }
    }
}

fn per_second(count: u64, ns: u64) -> f64 {
    if ns == 0 { 0.0 } else { count as f64 * 1e9 / ns as f64 }
}

impl Row {
    fn of(level: &'static str, kind: Kind, c: &LevelCounts) -> Self {
        Self {
            level,
            kind,
            calls: c.calls,
            gated: c.gated,
            not_due: c.not_due,
            lock_failed: c.lock_failed,
            balanced: c.balanced,
            failed: c.failed,
            moved_calls: c.moved_calls,
            moved_tasks: c.moved_tasks,
            time_ns: c.time_ns,
        }
    }
}

impl Shares {
    fn of(times: [u64; 5]) -> Self {
        let total = times.iter().sum::<u64>();
        // Before anything ran, every CPU was idle.
        let share = |a: Activity| match total {
            0 => f64::from(u8::from(a == Activity::Idle)),
            total => times[a as usize] as f64 / total as f64,
        };
        Self {
            user: share(Activity::User),
            balance: share(Activity::Balance),
            lock: share(Activity::Lock),
            other_system: share(Activity::System),
            idle: share(Activity::Idle),
        }
    }
}

impl Quantiles {
    fn of(h: &Histogram) -> Option<Self> {
        Some(Self { p50: h.quantile(500)?, p95: h.quantile(950)?, p99: h.quantile(990)?, max: h.max() })
    }
}

impl Gate {
    fn of(g: &GateCounts) -> Self {
        Self {
            reached: g.reached,
            overload_clear: g.overload_clear,
            migration_cost: g.migration_cost,
            domain_cost: g.domain_cost,
            policy: g.policy,
            policy_divided_by_zero: g.policy_divided_by_zero,
            level: g.level,
            wakeup_pending: g.wakeup_pending,
            elsewhere: g.elsewhere,
        }
    }
}

impl Migrations {
    fn of(m: [u64; 6]) -> Self {
        Self { wakeup: m[0], fork: m[1], newidle: m[2], periodic: m[3], nohz: m[4], active: m[5] }
    }
}
