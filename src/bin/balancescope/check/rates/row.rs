//! A recorded row, as far as it is read.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub struct Row {
    pub machine: String,
    pub spec: String,
    pub gate: String,
    pub threads: u64,
    pub hogs: u64,
    /// Shortest and longest.
    pub run_us: (u64, u64),
    /// Shortest and longest.
    pub sleep_us: (u64, u64),
    pub seconds: u64,
    pub loops: u64,
    pub cpu_ns: u64,
    pub wake_late_avg_ns: u64,
    pub system: System,
    pub levels: BTreeMap<String, Level>,
}

#[derive(Deserialize)]
pub struct System {
    pub wait_ns: u64,
    pub slices: u64,
    pub gate_reached: u64,
    pub refused_overload_clear: u64,
}

#[derive(Deserialize)]
pub struct Level {
    pub idle: Balanced,
    pub newidle: Balanced,
}

/// One idle type.
#[derive(Deserialize)]
pub struct Balanced {
    pub calls: u64,
    pub gained: u64,
    pub time_ns: u64,
}
