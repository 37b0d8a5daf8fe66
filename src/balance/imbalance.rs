//! Is the difference between two groups an imbalance? (`find_busiest_group`, 6.x; spec 4.3)

use super::rules::PreferSibling;
use super::why::{Op, Test, Why, fact, test};
use super::{DomainView, GroupStats, GroupType, IdleType, Rules};

/// Whether tasks should spread over sibling groups of this domain.
pub fn prefers_siblings(rules: &Rules, domain: &DomainView, busiest: &GroupStats) -> bool {
    match rules.groups.prefer_sibling {
        PreferSibling::ChildDomain => domain.child_prefer_sibling,
        PreferSibling::BusiestGroup => busiest.prefer_sibling,
    }
}

/// By how many tasks the busiest group exceeds its fair share against the local group (`sibling_imbalance`,
/// 6.6; a plain difference before).
pub fn sibling_imbalance(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    busiest: &GroupStats,
) -> i64 {
    let (nr_l, nr_b) = (i64::from(local.nr_running), i64::from(busiest.nr_running));
    if !rules.groups.sibling_cores {
        return (nr_b - nr_l).max(0);
    }
    if domain.idle == IdleType::Busy || nr_b == 0 {
        return 0;
    }
    let (cores_l, cores_b) = (i64::from(local.cores), i64::from(busiest.cores));
    let cores = cores_l + cores_b;
    if cores_l == cores_b || cores == 0 {
        return (nr_b - nr_l).max(0);
    }
    let difference = (cores_l * nr_b - cores_b * nr_l).max(0);
    let scaled = (2 * difference + cores) / cores;
    // A single task on an otherwise full group is worth taking by an empty one.
    if scaled <= 1 && nr_l == 0 && nr_b > 1 { 2 } else { scaled }
}

/// Whether to pull from the busiest group; `domain_avg` is the average load over all groups.
pub fn is_imbalanced(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    busiest: &GroupStats,
    domain_avg: u64,
    why: &mut impl Why,
) -> bool {
    let f = rules.names.busiest_group;
    if fact(why, Test(f, "busiest is misfit"), busiest.group_type == GroupType::Misfit) {
        return true;
    }
    if fact(why, Test(f, "energy aware and not overutilized"), domain.energy_aware) {
        return false;
    }
    let forced = matches!(busiest.group_type, GroupType::AsymPacking | GroupType::Imbalanced);
    if fact(why, Test(f, "busiest is asym_packing or imbalanced"), forced) {
        return true;
    }
    let types = (local.group_type as u32, busiest.group_type as u32);
    if test(why, Test(f, "local type > busiest type"), types.0, Op::Gt, types.1) {
        return false;
    }
    if local.group_type == GroupType::Overloaded && loads_balanced(f, domain, local, busiest, domain_avg, why)
    {
        return false;
    }
    if spreads(rules, domain, local, busiest, why) {
        return true;
    }
    busiest.group_type == GroupType::Overloaded || worth_pulling(rules, domain, local, busiest, why)
}

fn loads_balanced(
    f: &'static str,
    domain: &DomainView,
    local: &GroupStats,
    busiest: &GroupStats,
    domain_avg: u64,
    why: &mut impl Why,
) -> bool {
    let scaled_local = u64::from(domain.imbalance_pct).wrapping_mul(local.avg_load);
    test(why, Test(f, "local avg_load >= busiest avg_load"), local.avg_load, Op::Ge, busiest.avg_load)
        || test(why, Test(f, "local avg_load >= domain avg_load"), local.avg_load, Op::Ge, domain_avg)
        || test(
            why,
            Test(f, "100 x busiest avg_load <= pct x local avg_load"),
            busiest.avg_load.wrapping_mul(100),
            Op::Le,
            scaled_local,
        )
}

fn spreads(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    busiest: &GroupStats,
    why: &mut impl Why,
) -> bool {
    let f = rules.names.busiest_group;
    fact(why, Test(f, "prefer_sibling"), prefers_siblings(rules, domain, busiest))
        && fact(why, Test(f, "local has spare"), local.group_type == GroupType::HasSpare)
        && test(
            why,
            Test(f, "sibling_imbalance > 1"),
            sibling_imbalance(rules, domain, local, busiest),
            Op::Gt,
            1,
        )
}

/// The busiest group is not overloaded: only an idle CPU pulls, and only if that helps.
fn worth_pulling(
    rules: &Rules,
    domain: &DomainView,
    local: &GroupStats,
    busiest: &GroupStats,
    why: &mut impl Why,
) -> bool {
    let f = rules.names.busiest_group;
    if fact(why, Test(f, "dst is busy"), domain.idle == IdleType::Busy) {
        return false;
    }
    let smt = busiest.group_type == GroupType::SmtBalance && local.smt != busiest.smt;
    if fact(why, Test(f, "smt_balance between SMT and other"), smt) {
        return true;
    }
    if test(why, Test(f, "busiest weight > 1"), busiest.weight, Op::Gt, 1) {
        let at = Test(f, "local idle_cpus <= busiest idle_cpus + 1");
        let busiest_idle = u64::from(busiest.idle_cpus) + 1;
        if test(why, at, u64::from(local.idle_cpus), Op::Le, busiest_idle) {
            return false;
        }
    }
    !test(why, Test(f, "busiest sum_h_nr_running == 1"), busiest.h_nr_running, Op::Eq, 1)
}
