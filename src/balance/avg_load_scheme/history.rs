//! Smoothed loads of past ticks, and which of them a pass looks at.

use crate::balance::{DomainView, IdleType, Rules};

/// A CPU's load at its last tick, and two slower averages of it (`rq->cpu_load[0..3]`, 4.19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadHistory {
    /// Slot i weighs a new load by 1 / 2^i.
    pub slots: [u64; 3],
}

impl LoadHistory {
    /// A tick with that load (`cpu_load_update`). A rising load is rounded up, so that the average reaches it.
    pub fn tick(&mut self, load: u64) {
        for (i, slot) in (0_u32..).zip(&mut self.slots) {
            let old_weight = (1_u64 << i) - 1;
            let round_up = if load > *slot { old_weight } else { 0 };
            let sum = slot.wrapping_mul(old_weight).wrapping_add(load).wrapping_add(round_up);
            *slot = sum >> i;
        }
    }

    /// The load a pass sees: the load now, and with LB_BIAS at an index above 0 no less (`local`, keeping
    /// tasks here) or no more (elsewhere) than the history says (`target_load`, `source_load`).
    pub fn biased(&self, rules: &Rules, index: usize, local: bool, now: u64) -> u64 {
        let slot = index.checked_sub(1).and_then(|slot| self.slots.get(slot));
        match slot.filter(|_| rules.groups.lb_bias) {
            Some(past) if local => now.max(*past),
            Some(past) => now.min(*past),
            None => now,
        }
    }
}

/// Which history a pass over the domain looks at (`get_sd_load_idx`): `busy_idx` 2, 3 at NUMA levels;
/// `idle_idx` 1, 2 at NUMA levels, 0 within a cache; otherwise, and between siblings, 0.
pub fn load_index(domain: &DomainView) -> usize {
    if domain.smt {
        return 0;
    }
    match domain.idle {
        IdleType::Newidle => 0,
        IdleType::Busy => 2 + usize::from(domain.numa),
        IdleType::Idle if domain.numa => 2,
        IdleType::Idle => usize::from(!domain.share_llc),
    }
}
