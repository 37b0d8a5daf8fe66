//! Push the running task? `need_active_balance` (spec 4.7).

use super::rules::{ActiveAfterFailures, GroupScheme};
use super::why::{Op, Test, Why, fact, test};
use super::{IdleType, MigrationType, Rules};

const F: &str = "need_active_balance";

/// What [`need_active_balance`] looks at, after a pass moved nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveInput {
    /// For what kind of CPU the pass ran.
    pub idle: IdleType,
    /// What was to move.
    pub migration_type: MigrationType,
    /// The domain packs by priority and prefers the destination to the source.
    pub dst_preferred: bool,
    /// All siblings of the destination are idle, or the domain is siblings of a core.
    pub dst_core_idle: bool,
    /// The counter after it was raised ([`super::Pace::failed_once_more`]).
    pub nr_balance_failed: u32,
    /// `sd->cache_nice_tries`.
    pub cache_nice_tries: u32,
    /// CFS tasks on the source.
    pub src_h_nr_running: u32,
    /// The source's capacity is noticeably reduced.
    pub src_capacity_reduced: bool,
    /// Capacity of the source.
    pub src_capacity: u64,
    /// Capacity of the destination.
    pub dst_capacity: u64,
    /// Percent.
    pub imbalance_pct: u32,
}

/// Whether the source's running task should be pushed to the destination.
pub fn need_active_balance(rules: &Rules, input: &ActiveInput, why: &mut impl Why) -> bool {
    asym(rules, input, why)
        || failed_too_often(rules, input, why)
        || short_of_capacity(input, why)
        || (rules.detach.active_misfit
            && fact(why, Test(F, "migrate_misfit"), input.migration_type == MigrationType::Misfit))
}

fn asym(rules: &Rules, input: &ActiveInput, why: &mut impl Why) -> bool {
    let idle = match input.idle {
        IdleType::Busy => false,
        IdleType::Newidle => true,
        IdleType::Idle => !rules.detach.active_asym_newidle_only,
    };
    // From 6.6 a whole idle core is asked for; before, only priority counts here.
    let core = rules.groups.asym_packing == super::rules::AsymPacking::BusyCpus || input.dst_core_idle;
    fact(why, Test(F, "asym_active_balance"), idle && core && input.dst_preferred)
}

fn failed_too_often(rules: &Rules, input: &ActiveInput, why: &mut impl Why) -> bool {
    if rules.detach.active_after_failures == ActiveAfterFailures::TaskOnly
        && !fact(why, Test(F, "migrate_task"), input.migration_type == MigrationType::Task)
    {
        return false;
    }
    let at = Test(F, "nr_balance_failed > cache_nice_tries + 2");
    test(why, at, input.nr_balance_failed, Op::Gt, input.cache_nice_tries.saturating_add(2))
}

fn short_of_capacity(input: &ActiveInput, why: &mut impl Why) -> bool {
    if input.idle == IdleType::Busy
        || !test(why, Test(F, "src h_nr_running == 1"), input.src_h_nr_running, Op::Eq, 1)
        || !fact(why, Test(F, "src capacity is reduced"), input.src_capacity_reduced)
    {
        return false;
    }
    let source = input.src_capacity.saturating_mul(u64::from(input.imbalance_pct));
    let at = Test(F, "src capacity x pct < dst capacity x 100");
    test(why, at, source, Op::Lt, input.dst_capacity.saturating_mul(100))
}

/// Whether what the stopper on the source does moves a task: it counts itself, so one task besides it is
/// enough (`active_load_balance_cpu_stop`).
pub fn stopper_moves(src_nr_running_with_stopper: u32) -> bool {
    src_nr_running_with_stopper > 1
}

/// The migration type as 4.19 would see it, which has none: everything is load.
pub fn migration_type_of(rules: &Rules, migration_type: Option<MigrationType>) -> MigrationType {
    match rules.groups.scheme {
        GroupScheme::AvgLoad => MigrationType::Load,
        GroupScheme::GroupType => migration_type.unwrap_or(MigrationType::Load),
    }
}
