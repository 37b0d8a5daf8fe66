//! What the scheduler's own work costs in one run: the table of [`crate::scenario::costs`] with a scenario's
//! overrides (`cost.scan_llc=60ns`).

use crate::scenario::costs::COSTS;

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
    pub timer_late: u64,
    pub timer_idle: u64,
    pub timer_stall: u64,
    pub timer_stall_gap: u64,
}

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
            if *value > COSTS[i].max {
                return Err(format!("The cost {name} is above {}.", COSTS[i].max));
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
            timer_late: v[22],
            timer_idle: v[23],
            timer_stall: v[24],
            timer_stall_gap: v[25],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_changes_its_cost_alone() {
        let c = Costs::with(&[("scan_node".to_owned(), 7)]).unwrap();
        assert_eq!(c, Costs { scan: [15, 58, 7, 73], ..Costs::default() });
        let c = Costs::with(&[("stopper".to_owned(), 9)]).unwrap();
        assert_eq!(c, Costs { stopper: 9, ..Costs::default() });
    }

    #[test]
    fn unknown_and_absurd_costs_are_refused_in_a_sentence() {
        assert_eq!(Costs::with(&[("scan".to_owned(), 1)]), Err("scan is not a cost.".to_owned()));
        assert!(Costs::with(&[("tick".to_owned(), 100_000_001)]).is_err());
        assert!(Costs::with(&[("tail_permille".to_owned(), 1_001)]).is_err());
    }
}
