//! What the scheduler's own work costs: one table, in nanoseconds.
//!
//! Nothing here was fitted to a result. Every default names its source; where there is none it says
//! "assumed, to be calibrated". A scenario overrides each by its name (`costs=scan_llc:60ns`).

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostName {
    /// As written in a scenario.
    pub name: &'static str,
    /// ns (thousandths for names that end in `_permille`).
    pub default: u64,
    /// What it is the cost of.
    pub meaning: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
}

const ASSUMED: &str = "assumed, to be calibrated";
const LINE: &str = "assumed from usual core-to-core cache-line latencies of server CPUs, to be calibrated";

const fn row(name: &'static str, default: u64, meaning: &'static str, source: &'static str) -> CostName {
    CostName { name, default, meaning, source }
}

/// Every cost, in the order in which scenarios write them.
pub const COSTS: [CostName; 22] = [
    row("newidle_fixed", 200, "entering a new-idle pass", ASSUMED),
    row("blocked_update", 300, "bringing one CPU's blocked averages up to date", ASSUMED),
    row("softirq_fixed", 500, "entering the balancing softirq", ASSUMED),
    row("pass_fixed", 250, "one pass at one domain, whatever it finds", ASSUMED),
    row("scan_core", 15, "reading a CPU of the same core in the group statistics", LINE),
    row("scan_llc", 35, "reading a CPU that shares the last-level cache", LINE),
    row("scan_node", 70, "reading a CPU of the same node behind another cache", LINE),
    row("scan_remote", 130, "reading a CPU of another node", LINE),
    row("look", 40, "looking at one task of the busiest queue", ASSUMED),
    row("move", 500, "detaching and attaching one task", ASSUMED),
    row("line_llc", 50, "moving a contended line within a last-level cache", LINE),
    row("line_node", 90, "moving a contended line within a node", LINE),
    row("line_remote", 180, "moving a contended line between nodes", LINE),
    row("tail_permille", 10, "how many of a thousand passes meet an interrupt or cold caches", ASSUMED),
    row("tail", 5_000, "mean of what such a pass takes longer", ASSUMED),
    row("tick", 1_000, "one timer tick", ASSUMED),
    row("switch", 1_000, "one context switch", ASSUMED),
    row("wakeup", 500, "waking a task, for the CPU that wakes it", ASSUMED),
    row("irq", 700, "an interrupt that brings a wake-up or a kick", ASSUMED),
    row("ipi", 1_000, "delay until an interrupt reaches another CPU", ASSUMED),
    row("idle_exit", 500, "leaving the idle state", ASSUMED),
    row("stopper", 3_000, "the stopper pushing a running task away", ASSUMED),
];

/// The costs of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Costs {
    pub newidle_fixed: u64,
    pub blocked_update: u64,
    pub softirq_fixed: u64,
    pub pass_fixed: u64,
    /// By distance: same core, last-level cache, node, remote.
    pub scan: [u64; 4],
    pub look: u64,
    pub move_task: u64,
    /// By distance: same core (free), last-level cache, node, remote.
    pub line: [u64; 4],
    pub tail_permille: u64,
    pub tail: u64,
    pub tick: u64,
    pub switch: u64,
    pub wakeup: u64,
    pub irq: u64,
    pub ipi: u64,
    pub idle_exit: u64,
    pub stopper: u64,
}

/// No single cost may exceed this: 100 ms.
pub const COST_MAX: u64 = 100_000_000;

impl Default for Costs {
    fn default() -> Self {
        Self::from_values(&COSTS.map(|c| c.default))
    }
}

impl Costs {
    /// The table with a scenario's overrides. The error is one sentence.
    pub fn with(overrides: &[(String, u64)]) -> Result<Self, String> {
        let mut values = COSTS.map(|c| c.default);
        for (name, value) in overrides {
            let Some(i) = COSTS.iter().position(|c| c.name == name) else {
                return Err(format!("{name} is not a cost."));
            };
            if *value > COST_MAX {
                return Err(format!("The cost {name} is above 100 ms."));
            }
            values[i] = *value;
        }
        Ok(Self::from_values(&values))
    }

    fn from_values(v: &[u64; COSTS.len()]) -> Self {
        Self {
            newidle_fixed: v[0],
            blocked_update: v[1],
            softirq_fixed: v[2],
            pass_fixed: v[3],
            scan: [v[4], v[5], v[6], v[7]],
            look: v[8],
            move_task: v[9],
            line: [0, v[10], v[11], v[12]],
            tail_permille: v[13],
            tail: v[14],
            tick: v[15],
            switch: v[16],
            wakeup: v[17],
            irq: v[18],
            ipi: v[19],
            idle_exit: v[20],
            stopper: v[21],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_changes_its_cost_alone() {
        let c = Costs::with(&[("scan_node".to_owned(), 7)]).unwrap();
        assert_eq!(c, Costs { scan: [15, 35, 7, 130], ..Costs::default() });
        let c = Costs::with(&[("stopper".to_owned(), 9)]).unwrap();
        assert_eq!(c, Costs { stopper: 9, ..Costs::default() });
    }

    #[test]
    fn unknown_and_absurd_costs_are_refused_in_a_sentence() {
        assert_eq!(Costs::with(&[("scan".to_owned(), 1)]), Err("scan is not a cost.".to_owned()));
        assert!(Costs::with(&[("tick".to_owned(), COST_MAX + 1)]).is_err());
    }

    #[test]
    fn every_cost_names_its_source() {
        for c in COSTS {
            assert!(!c.source.is_empty() && !c.meaning.is_empty(), "{}", c.name);
        }
    }
}
