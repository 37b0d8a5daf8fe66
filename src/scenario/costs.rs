//! What the scheduler's own work costs: the table of which a scenario may override each row. The engine
//! charges these.
//!
//! Every default names its source; where there is none it says "assumed, to be calibrated". What a pass at a
//! domain costs is fitted once, to the published average of a new-idle pass by level (the row
//! `balance-cost-by-level` of the published numbers: 878, 1685, 10837 and 20153 ns over 2, 16, 128 and 256 CPUs):
//! each step up adds the CPUs of one more distance. Nothing else is fitted to a result.

use crate::workload::Unit;

/// No single cost may exceed this: 100 ms.
pub const COST_MAX: u64 = 100_000_000;

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// As written in a scenario.
    pub name: &'static str,
    /// ns, or thousandths.
    pub default: u64,
    /// How it is written.
    pub unit: Unit,
    /// Largest value; the smallest is 0.
    pub max: u64,
    /// What it is the cost of.
    pub meaning: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
}

const EMULATOR: &str = "none on real hardware; emulators are slow here (docs/rates.md)";
const ASSUMED: &str = "assumed, to be calibrated";
const FITTED: &str = "fitted to balance-cost-by-level, the step to this distance";
const LINE: &str = "assumed from usual core-to-core cache-line latencies of server CPUs, to be calibrated";

const fn row(name: &'static str, default: u64, meaning: &'static str, source: &'static str) -> Cost {
    Cost { name, default, unit: Unit::Time, max: COST_MAX, meaning, source }
}

const fn permille(name: &'static str, default: u64, meaning: &'static str, source: &'static str) -> Cost {
    Cost { name, default, unit: Unit::Count, max: 1_000, meaning, source }
}

/// Every cost, in the order in which scenarios write them.
pub const COSTS: [Cost; 26] = [
    row("newidle_fixed", 200, "entering a new-idle pass", ASSUMED),
    row("blocked_update", 300, "bringing one CPU's blocked averages up to date", ASSUMED),
    row("softirq_fixed", 500, "entering the balancing softirq", ASSUMED),
    row(
        "pass_fixed",
        800,
        "one pass at one domain, whatever it finds",
        "fitted to balance-cost-by-level: a core's level less its CPUs and the tail",
    ),
    row("scan_core", 15, "reading a CPU of the same core in the group statistics", LINE),
    row("scan_llc", 58, "reading a CPU that shares the last-level cache", FITTED),
    row("scan_node", 82, "reading a CPU of the same node behind another cache", FITTED),
    row("scan_remote", 73, "reading a CPU of another node", FITTED),
    row("look", 40, "looking at one task of the busiest queue", ASSUMED),
    row("move", 500, "detaching and attaching one task", ASSUMED),
    row("line_llc", 50, "moving a contended line within a last-level cache", LINE),
    row("line_node", 90, "moving a contended line within a node", LINE),
    row("line_remote", 180, "moving a contended line between nodes", LINE),
    permille("tail_permille", 10, "how many of a thousand passes meet an interrupt or cold caches", ASSUMED),
    row("tail", 5_000, "mean of what such a pass takes longer", ASSUMED),
    row("tick", 1_000, "one timer tick", ASSUMED),
    row("switch", 1_000, "one context switch", ASSUMED),
    row("wakeup", 500, "waking a task, for the CPU that wakes it", ASSUMED),
    row("irq", 700, "an interrupt that brings a wake-up or a kick", ASSUMED),
    row("ipi", 1_000, "delay until an interrupt reaches another CPU", ASSUMED),
    row("idle_exit", 500, "leaving the idle state", ASSUMED),
    row("stopper", 3_000, "the stopper pushing a running task away", ASSUMED),
    row("timer_late", 0, "mean delay of a timer interrupt while its CPU is busy", EMULATOR),
    row("timer_idle", 0, "delay of a timer interrupt while its CPU is idle", EMULATOR),
    row("timer_stall", 0, "mean of a time in which no timer interrupt comes anywhere", EMULATOR),
    row("timer_stall_gap", 0, "mean time between two of those", EMULATOR),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cost_names_its_source_and_keeps_its_range() {
        for cost in COSTS {
            assert!(!cost.source.is_empty() && !cost.meaning.is_empty(), "{}", cost.name);
            assert!(cost.default <= cost.max, "{}", cost.name);
        }
    }
}
