//! Statistics of a group in 4.19 (`sg_lb_stats`, `group_classify`).

use super::{LoadHistory, load_index};
use crate::balance::classify::avg_load;
use crate::balance::why::{Op, Test, Why, fact, test};
use crate::balance::{CpuStats, DomainView, Rules};

/// What a group's load is like in 4.19, in ascending priority to be pulled from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum AvgLoadType {
    #[default]
    Other,
    Imbalanced,
    Overloaded,
}

/// A group's statistics as one 4.19 pass sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AvgLoadStats {
    /// Whether this is the group of the CPU that balances.
    pub local: bool,
    /// Sum of loads, biased with their history.
    pub load: u64,
    /// Sum of loads as they are now.
    pub weighted_load: u64,
    /// Sum of utilization.
    pub util: u64,
    /// CFS tasks.
    pub nr_running: u32,
    /// CPUs with nothing to run.
    pub idle_cpus: u32,
    /// CPUs in the whole group.
    pub weight: u32,
    /// Capacity of the group.
    pub capacity: u64,
    /// The group's imbalance flag (pinned tasks).
    pub imbalance_flag: bool,
    /// More tasks than CPUs and little capacity left, or forced so to spread over siblings.
    pub no_capacity: bool,
    /// Set by classification.
    pub group_type: AvgLoadType,
    /// `load x 1024 / capacity`; set by [`AvgLoadStats::average`].
    pub avg_load: u64,
    /// Average load of a task, 0 without tasks; set by [`AvgLoadStats::average`].
    pub load_per_task: u64,
}

impl AvgLoadStats {
    /// Adds one CPU of the group that is still a candidate; `cpu.load` is its `runnable_load_avg`. True if the
    /// CPU makes the root domain overloaded.
    pub fn add(&mut self, rules: &Rules, domain: &DomainView, history: &LoadHistory, cpu: &CpuStats) -> bool {
        let biased = history.biased(rules, load_index(domain), self.local, cpu.load);
        self.load = self.load.wrapping_add(biased);
        self.weighted_load = self.weighted_load.wrapping_add(cpu.load);
        self.util = self.util.wrapping_add(cpu.util());
        self.nr_running += cpu.h_nr_queued;
        self.idle_cpus += u32::from(cpu.nr_running == 0 && cpu.idle);
        cpu.nr_running > 1
    }

    /// Fills in the averages.
    pub fn average(&mut self) {
        self.avg_load = avg_load(self.load, self.capacity);
        self.load_per_task = self.weighted_load.checked_div(u64::from(self.nr_running)).unwrap_or(0);
    }

    /// Fills in `no_capacity` and the type. Siblings spread: a remote group with at least two tasks more than
    /// a local group that has capacity counts as overloaded.
    pub fn classify(&mut self, domain: &DomainView, local: Option<&Self>, why: &mut impl Why) {
        self.no_capacity = self.is_overloaded(domain, why) || self.spreads(domain, local, why);
        self.group_type = if self.no_capacity {
            AvgLoadType::Overloaded
        } else if fact(why, Test("group_classify", "sg_imbalanced"), self.imbalance_flag) {
            AvgLoadType::Imbalanced
        } else {
            AvgLoadType::Other
        };
    }

    fn sides(&self, domain: &DomainView) -> (u64, u64) {
        (self.capacity.wrapping_mul(100), self.util.wrapping_mul(u64::from(domain.imbalance_pct)))
    }

    fn is_overloaded(&self, domain: &DomainView, why: &mut impl Why) -> bool {
        let f = "group_is_overloaded";
        let (capacity, util) = self.sides(domain);
        test(why, Test(f, "sum_nr_running > group_weight"), self.nr_running, Op::Gt, self.weight)
            && test(why, Test(f, "capacity x 100 < util x pct"), capacity, Op::Lt, util)
    }

    /// `group_has_capacity`.
    pub fn has_capacity(&self, domain: &DomainView, why: &mut impl Why) -> bool {
        let f = "group_has_capacity";
        let (capacity, util) = self.sides(domain);
        test(why, Test(f, "sum_nr_running < group_weight"), self.nr_running, Op::Lt, self.weight)
            || test(why, Test(f, "capacity x 100 > util x pct"), capacity, Op::Gt, util)
    }

    fn spreads(&self, domain: &DomainView, local: Option<&Self>, why: &mut impl Why) -> bool {
        let f = "update_sd_lb_stats";
        let Some(local) = local.filter(|_| domain.child_prefer_sibling) else {
            return false;
        };
        let limit = local.nr_running.saturating_add(1);
        local.has_capacity(domain, why)
            && test(why, Test(f, "sum_nr_running > local sum_nr_running + 1"), self.nr_running, Op::Gt, limit)
    }
}
