//! A domain object's state: one per CPU per level.

use super::World;
use crate::balance::intervals::{balance_interval, busy};
use crate::balance::{IdleType, IntervalInput, NewidleCost, NewidleStats, Pace};
use crate::topology::Domain;

/// The fields that a CPU does not share with the others of its domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sd {
    /// Jiffies.
    pub last_balance: u64,
    pub pace: Pace,
    pub cost: NewidleCost,
    pub stats: NewidleStats,
}

impl Default for Sd {
    fn default() -> Self {
        Self {
            last_balance: 0,
            pace: Pace { balance_interval: 1, nr_balance_failed: 0 },
            cost: NewidleCost::default(),
            stats: NewidleStats::at_build(0),
        }
    }
}

impl Sd {
    /// As the domain is built.
    pub(super) fn new(domain: &Domain) -> Self {
        let pace = Pace { balance_interval: domain.min_interval, nr_balance_failed: 0 };
        Self { pace, ..Self::default() }
    }

    pub(super) fn write(&self, put: &mut impl FnMut(u64)) {
        put(self.last_balance);
        put(u64::from(self.pace.balance_interval) << 32 | u64::from(self.pace.nr_balance_failed));
        put(self.cost.max);
        put(self.cost.stamp);
        put(u64::from(self.stats.call) << 32 | u64::from(self.stats.success));
        put(u64::from(self.stats.ratio));
        put(self.stats.stamp_ns);
    }
}

impl World {
    /// A domain object.
    pub(super) fn sd(&self, c: usize, level: usize) -> &Sd {
        &self.sds[c * self.setup.stride + level]
    }

    pub(super) fn sd_mut(&mut self, c: usize, level: usize) -> &mut Sd {
        &mut self.sds[c * self.setup.stride + level]
    }

    /// Whether a pass for a CPU of this kind goes by the intervals of a busy one.
    pub(super) fn busy(&self, c: usize, idle: IdleType) -> bool {
        busy(&self.setup.rules, idle, self.cpus[c].only_sched_idle())
    }

    /// `get_sd_balance_interval`, jiffies.
    pub(super) fn interval(&self, c: usize, level: usize, busy: bool) -> u64 {
        let input = IntervalInput {
            balance_interval: self.sd(c, level).pace.balance_interval,
            busy,
            busy_factor: self.setup.domain(c, level).busy_factor,
            hz: self.setup.hz,
            online_cpus: self.setup.cpus() as u32,
        };
        balance_interval(&self.setup.rules, &input)
    }

    pub(super) fn jiffies(&self) -> u64 {
        self.setup.jiffies(self.now)
    }
}
