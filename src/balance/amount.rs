//! How much to move, and counted in what: `calculate_imbalance` (6.x; spec 4.4).

use super::classify::avg_load;
use super::imbalance::{prefers_siblings, sibling_imbalance};
use super::rules::IdleDifference;
use super::why::{Op, Test, Why, fact, test};
use super::{DomainView, GroupStats, GroupType, IdleType, MigrationType, Rules};

const F: &str = "calculate_imbalance";

/// NUMA_IMBALANCE_MIN.
const NUMA_IMBALANCE_MIN: i64 = 2;

/// An amount and its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// `None` where the kernel leaves it unset, since there is nothing to move.
    pub migration_type: Option<MigrationType>,
    /// In units of the migration type.
    pub amount: i64,
}

impl Amount {
    const NONE: Self = Self { migration_type: None, amount: 0 };

    fn of(migration_type: MigrationType, amount: i64) -> Self {
        Self { migration_type: Some(migration_type), amount }
    }
}

/// Load and capacity of the whole domain (a CPU in two overlapping groups counts twice).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DomainSum {
    /// Sum of all groups' loads.
    pub load: u64,
    /// Sum of all groups' capacities.
    pub capacity: u64,
}

impl DomainSum {
    /// Average load.
    pub fn avg_load(self) -> u64 {
        avg_load(self.load, self.capacity)
    }
}

impl<'a> FromIterator<&'a GroupStats> for DomainSum {
    fn from_iter<I: IntoIterator<Item = &'a GroupStats>>(groups: I) -> Self {
        groups.into_iter().fold(Self::default(), |sum, group| Self {
            load: sum.load.wrapping_add(group.load),
            capacity: sum.capacity.wrapping_add(group.capacity),
        })
    }
}

/// What to move from the busiest group to the local one.
pub fn calculate_imbalance(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    busiest: &GroupStats,
    sum: DomainSum,
    why: &mut impl Why,
) -> Amount {
    match busiest.group_type {
        GroupType::Misfit if domain.asym_capacity => return Amount::of(MigrationType::Misfit, 1),
        GroupType::Misfit => return Amount::of(MigrationType::Load, busiest.misfit_load.cast_signed()),
        GroupType::AsymPacking => {
            return Amount::of(MigrationType::Task, i64::from(busiest.h_nr_running));
        }
        GroupType::SmtBalance | GroupType::Imbalanced => return Amount::of(MigrationType::Task, 1),
        GroupType::HasSpare | GroupType::FullyBusy | GroupType::Overloaded => {}
    }
    if fact(why, Test(F, "local has spare"), local.group_type == GroupType::HasSpare) {
        return fill_spare(rules, domain, local, busiest, why);
    }
    even_loads(local, busiest, sum, why)
}

fn fill_spare(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    busiest: &GroupStats,
    why: &mut impl Why,
) -> Amount {
    let busy = busiest.group_type > GroupType::FullyBusy;
    if fact(why, Test(F, "busiest above fully_busy"), busy)
        && !fact(why, Test(F, "domain shares the LLC"), domain.share_llc)
    {
        return fill_capacity(domain, local);
    }
    let siblings = fact(why, Test(F, "busiest weight == 1"), busiest.weight == 1)
        || fact(why, Test(F, "prefer_sibling"), prefers_siblings(rules, domain, busiest));
    let tasks = if siblings {
        sibling_imbalance(rules, domain, local, busiest)
    } else {
        idle_difference(rules, local, busiest)
    };
    let tasks = if domain.numa { numa_adjusted(domain, local, tasks, why) } else { tasks };
    Amount::of(MigrationType::Task, tasks >> 1)
}

fn fill_capacity(domain: &DomainView, local: &GroupStats) -> Amount {
    let spare = local.capacity.max(local.util) - local.util;
    if spare == 0 && domain.idle != IdleType::Busy {
        return Amount::of(MigrationType::Task, 1);
    }
    Amount::of(MigrationType::Util, spare.cast_signed())
}

fn idle_difference(rules: &Rules, local: &GroupStats, busiest: &GroupStats) -> i64 {
    match rules.groups.idle_difference {
        IdleDifference::Unsigned => i64::from(local.idle_cpus.wrapping_sub(busiest.idle_cpus)),
        IdleDifference::Clamped => (i64::from(local.idle_cpus) - i64::from(busiest.idle_cpus)).max(0),
    }
}

/// `adjust_numa_imbalance`: a small imbalance is left alone while the local node is nearly empty.
fn numa_adjusted(domain: &DomainView, local: &GroupStats, tasks: i64, why: &mut impl Why) -> i64 {
    adjust_numa_imbalance(tasks, local.nr_running.saturating_add(1), domain.imb_numa_nr, why)
}

/// `adjust_numa_imbalance` (6.x): `tasks`, or 0 if the destination would then run no more than `imb_numa_nr`
/// tasks and the difference is at most two.
pub fn adjust_numa_imbalance(tasks: i64, dst_running: u32, imb_numa_nr: u32, why: &mut impl Why) -> i64 {
    let f = "adjust_numa_imbalance";
    if test(why, Test(f, "dst_running > imb_numa_nr"), dst_running, Op::Gt, imb_numa_nr) {
        return tasks;
    }
    let small = test(why, Test(f, "imbalance <= NUMA_IMBALANCE_MIN"), tasks, Op::Le, NUMA_IMBALANCE_MIN);
    if small { 0 } else { tasks }
}

fn even_loads(local: &GroupStats, busiest: &GroupStats, sum: DomainSum, why: &mut impl Why) -> Amount {
    let domain_avg = sum.avg_load();
    let mut local_avg = local.avg_load;
    if local.group_type < GroupType::Overloaded {
        // Average loads are only kept of overloaded groups, and the local one is about to become so.
        local_avg = avg_load(local.load, local.capacity);
        let at = Test(F, "local avg_load >= busiest avg_load");
        if test(why, at, local_avg, Op::Ge, busiest.avg_load)
            || test(why, Test(F, "local avg_load >= domain avg_load"), local_avg, Op::Ge, domain_avg)
        {
            return Amount::NONE;
        }
    }
    // Unsigned as in the kernel: a busiest group below the domain's average wraps to a huge product, and the
    // other one is taken.
    let from = busiest.avg_load.wrapping_sub(domain_avg).wrapping_mul(busiest.capacity);
    let to = domain_avg.wrapping_sub(local_avg).wrapping_mul(local.capacity);
    test(why, Test(F, "excess of busiest < room of local"), from, Op::Lt, to);
    Amount::of(MigrationType::Load, (from.min(to) / 1024).cast_signed())
}
