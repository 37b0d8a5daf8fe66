//! What happened so far, in the words of `balancescope run --json`.

use crate::observe::{Cause, CpuFrame, Frame, Kind, LevelCounts};
use crate::topology::Level;
use serde::Serialize;
use std::collections::BTreeMap;

/// Figures from the start of the run on.
#[derive(Debug, Serialize)]
pub struct Stats {
    simulated_ns: u64,
    events: u64,
    cpus: usize,
    overload: bool,
    done: u64,
    levels: Vec<&'static str>,
    balance: Vec<Row>,
    cpu: Shares,
    migrations: BTreeMap<&'static str, u64>,
}

#[derive(Debug, Serialize)]
struct Row {
    level: &'static str,
    kind: Kind,
    #[serde(flatten)]
    counts: LevelCounts,
}

/// Shares of all CPU time; they sum to 1, or are all 0 before any time has passed.
#[derive(Debug, PartialEq, Serialize)]
struct Shares {
    user: f64,
    balance: f64,
    lock: f64,
    other_system: f64,
    idle: f64,
}

const KINDS: [Kind; 4] = [Kind::Newidle, Kind::Idle, Kind::Busy, Kind::Nohz];

const CAUSES: [(Cause, &str); 6] = [
    (Cause::Wakeup, "wakeup"),
    (Cause::Fork, "fork"),
    (Cause::Newidle, "newidle"),
    (Cause::Periodic, "periodic"),
    (Cause::Nohz, "nohz"),
    (Cause::Active, "active"),
];

impl Stats {
    /// Reads a frame of a machine with these levels.
    pub fn new(frame: &Frame, levels: &[Level]) -> Self {
        let names: Vec<_> = levels.iter().map(|level| level.name.as_str()).collect();
        Self {
            simulated_ns: frame.now_ns,
            events: frame.events,
            cpus: frame.cpus.len(),
            overload: frame.overload,
            done: frame.totals.done,
            balance: rows(frame, &names),
            levels: names,
            cpu: Shares::new(&frame.cpus),
            migrations: CAUSES
                .into_iter()
                .map(|(cause, name)| (name, frame.totals.migrations[cause as usize]))
                .collect(),
        }
    }
}

fn rows(frame: &Frame, names: &[&'static str]) -> Vec<Row> {
    let of_level = |(level, kinds): (&&'static str, &[LevelCounts; 4])| {
        let level = *level;
        KINDS.into_iter().zip(*kinds).map(move |(kind, counts)| Row { level, kind, counts }).collect::<Vec<_>>()
    };
    names.iter().zip(&frame.totals.levels).flat_map(of_level).collect()
}

impl Shares {
    fn new(cpus: &[CpuFrame]) -> Self {
        let sum = |part: fn(&CpuFrame) -> u64| cpus.iter().map(part).sum::<u64>() as f64;
        let parts = [
            sum(|c| c.user_ns),
            sum(|c| c.balance_ns),
            sum(|c| c.lock_ns),
            sum(|c| c.system_ns),
            sum(|c| c.idle_ns),
        ];
        let all: f64 = parts.iter().sum();
        let [user, balance, lock, other_system, idle] =
            parts.map(|part| if all > 0.0 { part / all } else { 0.0 });
        Self { user, balance, lock, other_system, idle }
    }
}
