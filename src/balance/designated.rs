//! Who balances for a group: `should_we_balance`.

use super::rules::Designated;
use super::why::{Op, Test, Why, fact, test};
use super::{CpuView, IdleType, Rules};
use crate::topology::CpuMask;

const F: &str = "should_we_balance";

/// What `should_we_balance` looks at, besides the idle state of CPUs.
#[derive(Clone, Copy, Debug)]
pub struct DesignatedInput<'a> {
    /// The destination.
    pub cpu: usize,
    /// For what kind of CPU.
    pub idle: IdleType,
    /// CPUs the pass may still work with: the domain's active CPUs, less those found unsuitable.
    pub candidates: &'a CpuMask,
    /// Balance mask of the local group.
    pub mask: &'a CpuMask,
    /// The domain is siblings of a core (SD_SHARE_CPUCAPACITY).
    pub smt: bool,
    /// Tasks of all classes on the destination.
    pub nr_running: u32,
    /// A wake-up is pending at the destination.
    pub wakeup_pending: bool,
}

/// Whether the destination is the one to balance at this level (spec 4.1).
pub fn should_we_balance(
    rules: &Rules,
    input: &DesignatedInput,
    view: &impl CpuView,
    why: &mut impl Why,
) -> bool {
    if !fact(why, Test(F, "dst_cpu in env->cpus"), input.candidates.contains(input.cpu)) {
        return false;
    }
    if input.idle == IdleType::Newidle {
        return newidle(rules, input, why);
    }
    let first = input.mask.first();
    let chosen = match rules.periodic.designated {
        Designated::FirstIdle => first_idle(input, view).or(first),
        Designated::IdleCore => first_idle_core(input, view).or(first),
        Designated::IdleCoreOrFirst => return idle_core_or_first(input, view, why),
    };
    is_dst(input, chosen, why)
}

fn newidle(rules: &Rules, input: &DesignatedInput, why: &mut impl Why) -> bool {
    if !rules.newidle.refuses_when_busy {
        return true;
    }
    !test(why, Test(F, "nr_running > 0"), input.nr_running, Op::Gt, 0)
        && !fact(why, Test(F, "ttwu_pending"), input.wakeup_pending)
}

fn is_dst(input: &DesignatedInput, chosen: Option<usize>, why: &mut impl Why) -> bool {
    let number = |cpu: Option<usize>| cpu.map_or(-1, |cpu| cpu as i64);
    test(why, Test(F, "dst_cpu == designated CPU"), input.cpu as i64, Op::Eq, number(chosen))
}

fn idle_cpus<'a>(input: &'a DesignatedInput, view: &'a impl CpuView) -> impl Iterator<Item = usize> + 'a {
    input.mask.iter().filter(|&cpu| input.candidates.contains(cpu) && view.idle(cpu))
}

fn first_idle(input: &DesignatedInput, view: &impl CpuView) -> Option<usize> {
    idle_cpus(input, view).next()
}

/// The first CPU of an idle core, else the first idle CPU. At SMT level cores do not matter.
fn first_idle_core(input: &DesignatedInput, view: &impl CpuView) -> Option<usize> {
    whole_core(input, view).or_else(|| first_idle(input, view))
}

fn whole_core(input: &DesignatedInput, view: &impl CpuView) -> Option<usize> {
    idle_cpus(input, view).find(|&cpu| input.smt || view.siblings_idle(cpu))
}

/// 6.6.0: with no idle core, both the first idle CPU and the group's first CPU qualify.
fn idle_core_or_first(input: &DesignatedInput, view: &impl CpuView, why: &mut impl Why) -> bool {
    let core = whole_core(input, view);
    if core.is_some() {
        return is_dst(input, core, why);
    }
    let idle = first_idle(input, view);
    idle == Some(input.cpu) || is_dst(input, input.mask.first(), why)
}
