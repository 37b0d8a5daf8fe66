//! What new-idle passes have cost: the maximum a level remembers, its decay, and the success statistics.

use super::rules::{CostDecay, DecayFlag};
use super::{Rules, migration_cost_ns};

/// A level's remembered maximum cost of a new-idle pass, for one CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NewidleCost {
    /// `max_newidle_lb_cost`, ns; 0 at build.
    pub max: u64,
    /// Jiffies of the last maximum or decay (`last_decay_max_lb_cost`).
    pub stamp: u64,
}

impl NewidleCost {
    fn decays(&self, now: u64, hz: u32) -> bool {
        now > self.stamp.saturating_add(u64::from(hz))
    }

    fn decay(&mut self, now: u64) {
        self.max = (u128::from(self.max) * 253 / 256) as u64;
        self.stamp = now;
    }

    /// The periodic pass visits the level: decays by 253/256 once a second. True if it did.
    pub fn periodic(&mut self, now: u64, hz: u32) -> bool {
        let due = self.decays(now, hz);
        if due {
            self.decay(now);
        }
        due
    }

    /// `update_newidle_cost` (6.6; 4.19 keeps the larger and nothing else). `limit` clamps what is stored.
    fn update(&mut self, rules: &Rules, cost: u64, limit: u64, now: u64, hz: u32) {
        if cost > self.max {
            self.max = cost.min(limit);
            if rules.newidle.cost_decay == CostDecay::Update {
                self.stamp = now;
            }
        } else if rules.newidle.cost_decay == CostDecay::Update && self.decays(now, hz) {
            self.decay(now);
        }
    }
}

/// A level's success statistics, for one CPU (NI_RANDOM).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewidleStats {
    /// Calls in the window.
    pub call: u32,
    /// Weighted successes in the window.
    pub success: u32,
    /// Of 1024: how often to run.
    pub ratio: u32,
    /// When the ratio was last set, ns (NI_RATE).
    pub stamp_ns: u64,
}

impl NewidleStats {
    /// As a domain is built.
    pub fn at_build(now_ns: u64) -> Self {
        Self { call: 512, success: 256, ratio: 512, stamp_ns: now_ns }
    }

    /// `update_newidle_stats`: one call with that much success. At 1024 calls the ratio is set anew and both
    /// counts are halved; with NI_RATE the time since then is added, and the ratio is at most 1024.
    pub fn count(&mut self, rules: &Rules, success: u32, now_ns: u64) {
        self.call = self.call.wrapping_add(1);
        self.success = self.success.wrapping_add(success);
        if self.call < 1024 {
            return;
        }
        self.ratio = self.success;
        if rules.newidle.ni_rate {
            let rate = now_ns.saturating_sub(self.stamp_ns) >> 22;
            self.ratio =
                u32::try_from(rate.saturating_add(u64::from(self.success)).min(1024)).unwrap_or(1024);
            self.stamp_ns = now_ns;
        }
        self.call /= 2;
        self.success /= 2;
    }
}

/// What a new-idle pass over one level reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassReport {
    /// Measured cost, ns.
    pub cost: u64,
    /// Tasks pulled.
    pub pulled: u32,
    /// The weight of [`super::LevelOutcome::Run`].
    pub weight: u32,
}

/// When it was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// ns.
    pub ns: u64,
    /// Jiffies.
    pub jiffies: u64,
    /// Jiffies a second.
    pub hz: u32,
    /// `sysctl_sched_migration_cost`, ns; -1 is always hot.
    pub migration_cost: i64,
}

/// Books a new-idle pass over one level: its cost, and its success if the dice are in use and it took time.
pub fn book_pass(
    rules: &Rules,
    cost: &mut NewidleCost,
    stats: &mut NewidleStats,
    report: &PassReport,
    now: &Now,
) {
    if rules.newidle.keeps_ratio() && report.cost > 0 {
        let success = if report.pulled > 0 { report.weight } else { 0 };
        stats.count(rules, success, now.ns);
    }
    let bump = rules.newidle.cost_bump;
    let reported = if bump && report.pulled == 0 { cost.max.saturating_mul(3) / 2 } else { report.cost };
    let limit = if bump { bump_limit(now.migration_cost) } else { u64::MAX };
    cost.update(rules, reported, limit, now.jiffies, now.hz);
}

/// What 6.17 clamps a stored cost to. The sum is one of unsigned 32-bit numbers, so that with a migration cost of -1
/// it wraps to 199 ns.
fn bump_limit(migration_cost: i64) -> u64 {
    let cost = u32::try_from(migration_cost_ns(migration_cost)).unwrap_or(u32::MAX);
    u64::from(cost.wrapping_add(200))
}

/// The periodic pass's sum of maxima, from which the rq's `max_idle_balance_cost` is renewed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CostSum {
    sum: u64,
    renew: bool,
}

impl CostSum {
    /// Visits a level, after [`NewidleCost::periodic`] said whether it decayed.
    pub fn visit(&mut self, rules: &Rules, decayed: bool, max: u64) {
        self.sum = self.sum.saturating_add(max);
        self.renew = match rules.newidle.decay_flag {
            DecayFlag::Sticky => self.renew || decayed,
            DecayFlag::LastDomain => decayed,
        };
    }

    /// Whether levels above one that said "not the designated balancer" are still visited, for their costs.
    pub fn keeps_visiting(&self) -> bool {
        self.renew
    }

    /// The new `max_idle_balance_cost` at the end of the pass: `max(migration_cost, sum)` if it is renewed.
    pub fn settle(&self, current: u64, migration_cost: i64) -> u64 {
        if self.renew { self.sum.max(migration_cost_ns(migration_cost)) } else { current }
    }
}
