//! Values that need the whole chain: group capacities and `imb_numa_nr`.

use super::chain::Proto;
use super::groups::State;
use super::spans::Spans;
use crate::topology::{LevelName, Machine, SdFlags};

/// Sums the capacities of the groups (`init_sched_groups_capacity`, `update_group_capacity`). Only the balance
/// CPU of its own group does it, from the highest CPU downward; other groups keep 1024 a CPU.
pub fn sum_capacities(
    machine: &Machine,
    names: &[LevelName],
    spans: &Spans,
    chains: &[Vec<Proto>],
    states: &mut [State],
) {
    for (cpu, chain) in chains.iter().enumerate().rev() {
        for (level, sd) in chain.iter().enumerate() {
            let Some(&own) = sd.groups.first() else { continue };
            let group = &states[own as usize];
            if group.balance_cpu != cpu {
                continue;
            }
            let one = |c: usize| u64::from(machine.cpus[c].capacity);
            let sum = match level.checked_sub(1) {
                None => one(cpu),
                Some(child) if names[child] == LevelName::Numa => {
                    spans.mask(group.span).iter().map(one).sum()
                }
                Some(child) => chain[child].groups.iter().map(|&g| states[g as usize].capacity).sum(),
            };
            states[own as usize].capacity = sum;
        }
    }
}

/// How many tasks of imbalance NUMA domains tolerate (`build_sched_domains`, from 5.18).
pub fn set_imb_numa_nr(names: &[LevelName], spans: &Spans, chain: &mut [Proto]) {
    let weights: Vec<u32> = chain.iter().map(|sd| spans.weight(sd.span)).collect();
    let in_llc: Vec<bool> = chain.iter().map(|sd| sd.flags.contains(SdFlags::LLC)).collect();
    let mut imb = 0;
    let mut imb_span = 1;
    for level in 0..chain.len() {
        let above_llc = level > 0 && !in_llc[level] && in_llc[level - 1];
        chain[level].imb_numa_nr = if above_llc {
            let llcs = weights[level] / weights[level - 1].max(1);
            imb = if llcs == 1 { weights[level] >> 3 } else { llcs }.max(1);
            let numa = (level + 1..chain.len()).find(|&l| names[l] == LevelName::Numa).unwrap_or(level);
            imb_span = weights[numa].max(1);
            imb
        } else {
            imb * (weights[level] / imb_span).max(1)
        };
    }
}
