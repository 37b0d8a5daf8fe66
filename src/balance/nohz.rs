//! Idle CPUs without a tick: the kick, who is kicked, and what the kicked CPU does (spec 3).

use super::rules::{IlbOrder, IlbResched, IlbTarget, KickNextBalance, TickStop};
use super::why::{Op, Test, Why, fact, test};
use super::{CpuView, Rules};
use crate::topology::CpuMask;

const KICK: &str = "nohz_balancer_kick";

/// Whether the tick of a CPU that idles stops as its idle loop goes round (`tick_nohz_idle_stop_tick`; spec 3), on
/// a machine without cpuidle governor. `got_tick`: a tick ended the last round. `next_timer`: when the next timer of
/// the CPU is due, ns from now.
pub fn tick_stops(rules: &Rules, got_tick: bool, next_timer: Option<u64>, tick_ns: u64) -> bool {
    let may = match rules.nohz.tick_stop {
        TickStop::IdleEntry => true,
        TickStop::AfterIdleTick => got_tick,
    };
    let kept = rules.nohz.timer_keeps_tick && next_timer.is_some_and(|due| due <= tick_ns);
    may && !kept
}

/// What the kick test looks at, at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KickInput {
    /// `rq->idle_balance`: the CPU is idle at its tick.
    pub idle: bool,
    /// `nohz.idle_cpus_mask` has a CPU.
    pub any_nohz: bool,
    /// Jiffies.
    pub now: u64,
    /// `nohz.next_balance`, jiffies.
    pub next_balance: u64,
    /// Some tickless CPU has load left to decay.
    pub has_blocked: bool,
    /// `nohz.next_blocked`, jiffies.
    pub next_blocked: u64,
    /// `nohz.needs_update`: a CPU joined the mask since `nohz.next_balance` was collated.
    pub needs_update: bool,
    /// Tasks of all classes here.
    pub nr_running: u32,
    /// CFS tasks here.
    pub h_nr_running: u32,
    /// Capacity is noticeably reduced, by the lowest domain's percentage.
    pub capacity_reduced: bool,
    /// The asym-packing domain holds an idle CPU preferred to this one.
    pub asym_prefers_idle: bool,
    /// The CPU belongs to a domain of unequal capacities.
    pub asym_capacity: bool,
    /// A task here is too big for this CPU.
    pub misfit: bool,
    /// `nr_busy_cpus` of its last-level cache; `None` without one.
    pub llc_busy: Option<u32>,
}

/// What an idle CPU is kicked for (`NOHZ_KICK_MASK`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kick {
    /// To balance for the idle CPUs.
    pub balance: bool,
    /// To refresh their statistics.
    pub stats: bool,
    /// To collate `nohz.next_balance`.
    pub next: bool,
}

impl Kick {
    /// For nothing.
    pub const NONE: Self = Self { balance: false, stats: false, next: false };

    /// Whether there is anything to kick for.
    pub fn any(self) -> bool {
        self.balance || self.stats || self.next
    }

    /// For what either kick asks.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            balance: self.balance || other.balance,
            stats: self.stats || other.stats,
            next: self.next || other.next,
        }
    }
}

/// `nohz_balancer_kick`: whether this CPU's tick wakes an idle CPU, and what for.
pub fn kick(rules: &Rules, input: &KickInput, why: &mut impl Why) -> Kick {
    if fact(why, Test(KICK, "rq->idle_balance"), input.idle) {
        return Kick::NONE;
    }
    if !fact(why, Test(KICK, "nohz.idle_cpus_mask not empty"), input.any_nohz) {
        return Kick::NONE;
    }
    let stats = input.has_blocked
        && test(why, Test(KICK, "jiffies > nohz.next_blocked"), input.now, Op::Gt, input.next_blocked);
    let early = test(why, Test(KICK, "jiffies < nohz.next_balance"), input.now, Op::Lt, input.next_balance);
    let balance = !early && wants_balance(rules, input, why);
    let next = rules.nohz.needs_update && fact(why, Test(KICK, "nohz.needs_update"), input.needs_update);
    Kick { balance, stats: stats || balance, next }
}

fn wants_balance(rules: &Rules, input: &KickInput, why: &mut impl Why) -> bool {
    if test(why, Test(KICK, "nr_running >= 2"), input.nr_running, Op::Ge, 2) {
        return true;
    }
    if rules.nohz.kick_llc_second && llc_busy(input, why) {
        return true;
    }
    let reduced = test(why, Test(KICK, "cfs.h_nr_running >= 1"), input.h_nr_running, Op::Ge, 1)
        && fact(why, Test(KICK, "capacity is reduced"), input.capacity_reduced);
    if reduced || fact(why, Test(KICK, "asym packing prefers an idle CPU"), input.asym_prefers_idle) {
        return true;
    }
    if rules.nohz.kick_misfit && fact(why, Test(KICK, "sd_asym_cpucapacity"), input.asym_capacity) {
        // Such a machine does not spread by cache.
        return fact(why, Test(KICK, "misfit task"), input.misfit);
    }
    !rules.nohz.kick_llc_second && llc_busy(input, why)
}

fn llc_busy(input: &KickInput, why: &mut impl Why) -> bool {
    input.llc_busy.is_some_and(|busy| test(why, Test(KICK, "nr_busy_cpus > 1"), busy, Op::Gt, 1))
}

/// `nohz.next_balance` after a kick.
pub fn next_balance_after_kick(rules: &Rules, kick: Kick, next_balance: u64, now: u64) -> u64 {
    match rules.nohz.kick_next_balance {
        KickNextBalance::Increment if kick.any() => next_balance.saturating_add(1),
        KickNextBalance::NextJiffy if kick.balance => now.saturating_add(1),
        KickNextBalance::Increment | KickNextBalance::NextJiffy => next_balance,
    }
}

/// `find_new_ilb`: the CPU to kick. The kick is dropped if one is pending there already.
pub fn ilb_target(
    rules: &Rules,
    kicker: usize,
    mask: &CpuMask,
    housekeeping: impl Fn(usize) -> bool,
    view: &impl CpuView,
) -> Option<usize> {
    match rules.nohz.ilb_target {
        IlbTarget::First => mask.first().filter(|&cpu| view.idle(cpu)),
        IlbTarget::FirstIdle => mask.iter().find(|&cpu| cpu != kicker && housekeeping(cpu) && view.idle(cpu)),
    }
}

/// Whether the kicked CPU takes the job (`nohz_csd_func` and the softirq that follows).
pub fn ilb_starts(rules: &Rules, idle: bool, need_resched: bool) -> bool {
    idle && (rules.nohz.ilb_resched == IlbResched::EndsIfBusy || !need_resched)
}

/// Whether the kicked CPU leaves off before the next CPU of the mask (`_nohz_idle_balance`).
pub fn ilb_aborts(rules: &Rules, idle: bool, need_resched: bool) -> bool {
    need_resched && (rules.nohz.ilb_resched == IlbResched::Ends || !idle)
}

/// The CPU at a place, from 0, in the order in which `this` goes through all `cpus`. Those that are not in the mask
/// or not idle when their turn comes are passed over, except `this` itself in 4.19 ([`ilb_serves`]).
pub fn ilb_at(rules: &Rules, this: usize, cpus: usize, place: usize) -> usize {
    match rules.nohz.ilb_order {
        IlbOrder::WrapFromNext => (this + 1 + place) % cpus,
        IlbOrder::AscendingSelfLast if place + 1 == cpus => this,
        IlbOrder::AscendingSelfLast => place + usize::from(place >= this),
    }
}

/// Whether a CPU of [`ilb_at`] is served when its turn comes; `idle`: it is idle and in the mask.
pub fn ilb_serves(rules: &Rules, this: usize, cpu: usize, idle: bool) -> bool {
    idle || (cpu == this && rules.nohz.ilb_order == IlbOrder::AscendingSelfLast)
}

/// `nohz.next_balance` after serving: the least of the visited queues' (`visited`, from now + 60 s), or left
/// alone after an abort (4.19 stores it all the same).
pub fn next_balance_after_ilb(
    rules: &Rules,
    aborted: bool,
    before: u64,
    visited: impl Iterator<Item = u64>,
    now: u64,
    hz: u32,
) -> u64 {
    if aborted && !rules.nohz.ilb_abort_stores {
        return before;
    }
    visited.fold(now.saturating_add(60 * u64::from(hz)), u64::min)
}
