//! The rules of each release as data. No code outside the constructors asks for a release by name.

mod choices;
mod pick;
mod release;
mod switches;
mod tracking;

pub use choices::{
    ActiveAfterFailures, ActiveStarted, AsymFilter, AsymPacking, AvgIdleDivision, AvgIdleSample, CostDecay,
    DecayFlag, Designated, DetachLoad, FullyBusyTie, GroupScheme, IdleDifference, IdleSearch, IlbOrder,
    IlbResched, IlbTarget, KickNextBalance, LoopMax, NewidleGate, NewidleStop, NextBalance, PreferSibling,
    ScanLimit, SerializeLock, SlowPath, TickStop,
};
pub use switches::{Switch, table};

use super::policy::{Input, Policy};
use crate::sched::rules::PickRules;
use crate::sched::tracking::TrackingRules;
use crate::topology::TopologyRules;

/// Switches and constants of one release. A scenario may override any single one by its name
/// ([`Rules::set`]); `docs/releases.md` lists them release by release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What the kernel calls its functions.
    pub names: Names,
    /// How domains are built.
    pub topology: TopologyRules,
    /// New-idle passes, their costs and `avg_idle`.
    pub newidle: NewidleRules,
    /// Periodic passes, intervals and the exits of `load_balance`.
    pub periodic: PeriodicRules,
    /// Group statistics, the busiest group and the amount.
    pub groups: GroupRules,
    /// The busiest queue, detaching and active balance.
    pub detach: DetachRules,
    /// Idle CPUs that have stopped their tick.
    pub nohz: NohzRules,
    /// Where waking and new tasks are placed.
    pub wakeup: WakeupRules,
    /// Who runs on a CPU.
    pub pick: PickRules,
    /// Load tracking and frequency.
    pub tracking: TrackingRules,
}

/// The kernel's names of functions that were renamed between releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// The new-idle pass: `idle_balance`, `newidle_balance`, `sched_balance_newidle`.
    pub newidle: &'static str,
    /// The periodic pass over a CPU's domains.
    pub domains: &'static str,
    /// One balance of one domain.
    pub load_balance: &'static str,
    /// The choice of the busiest group.
    pub busiest_group: &'static str,
    /// The choice of the busiest queue.
    pub busiest_queue: &'static str,
    /// The update of a domain's newidle cost.
    pub newidle_cost: &'static str,
    /// Where `avg_idle` is sampled.
    pub avg_idle: &'static str,
    /// The slow path of placement: the idlest group of a domain.
    pub idlest_group: &'static str,
    /// The same: the idlest CPU of a group.
    pub idlest_group_cpu: &'static str,
}

/// New-idle passes, their costs and `avg_idle`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewidleRules {
    /// What `avg_idle` is compared with first.
    pub gate: NewidleGate,
    /// A policy of the user's own in the place of the overload flag's test and of every comparison of `avg_idle`
    /// before the pass: the levels are visited where its value is not 0.
    pub policy: Option<Policy>,
    /// The same in the place of `avg_idle < curr_cost + sd->max_newidle_lb_cost` at each level: the pass goes on
    /// where its value is not 0.
    pub level_policy: Option<Policy>,
    /// A pending wake-up refuses the pass, before `idle_stamp` is set.
    pub wakeup_gate: bool,
    /// A CPU without domains leaves before the gate.
    pub domain_gate: bool,
    /// The update of blocked averages counts in the lowest level's cost.
    pub blocked_in_cost: bool,
    /// When `next_balance` takes a level into account.
    pub next_balance: NextBalance,
    /// When the pass goes no further up.
    pub stop: NewidleStop,
    /// `should_we_balance` refuses once a task or a pending wake-up is there.
    pub refuses_when_busy: bool,
    /// Levels run in proportion to their success (NI_RANDOM).
    pub ni_random: bool,
    /// The proportion also follows the rate of calls (NI_RATE).
    pub ni_rate: bool,
    /// A failed pass reports 3/2 of the maximum, and maxima are clamped (6.17, 6.18).
    pub cost_bump: bool,
    /// Where the maximum cost decays.
    pub cost_decay: CostDecay,
    /// Which domain decides whether `max_idle_balance_cost` is recomputed.
    pub decay_flag: DecayFlag,
    /// Which events sample `avg_idle`.
    pub avg_idle_sample: AvgIdleSample,
    /// How the sample is weighed in.
    pub avg_idle_division: AvgIdleDivision,
    /// A zero `idle_stamp` is sampled as if the CPU had been idle since boot (7.0).
    pub avg_idle_zero_stamp: bool,
}

impl NewidleRules {
    /// Whether a level's share of successful calls is kept: for the dice, or since a policy reads it.
    pub fn keeps_ratio(&self) -> bool {
        let reads = |policy: &Option<Policy>| policy.as_ref().is_some_and(|p| p.reads(Input::SuccessRatio));
        self.ni_random || reads(&self.policy) || reads(&self.level_policy)
    }
}

/// Periodic passes, intervals and the exits of `load_balance`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodicRules {
    /// One jiffy less on a busy CPU, so that levels do not fall together.
    pub busy_minus_one: bool,
    /// A CPU that only runs SCHED_IDLE tasks counts as idle for its interval.
    pub sched_idle_is_idle: bool,
    /// New-idle passes stretch the periodic interval as well (4.19).
    pub newidle_doubles: bool,
    /// A failed misfit pass neither counts as failure nor doubles the interval.
    pub misfit_spares_counters: bool,
    /// Where the serialise lock is tried.
    pub serialize_lock: SerializeLock,
    /// New-idle passes need the serialise lock too.
    pub serialize_newidle: bool,
    /// Which CPU of a group balances for it.
    pub designated: Designated,
    /// What a started active balance does to counter and interval.
    pub active_started: ActiveStarted,
}

/// Group statistics, the busiest group and the amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRules {
    /// Average loads, or group types.
    pub scheme: GroupScheme,
    /// Per-CPU loads are biased with their history (LB_BIAS, 4.19).
    pub lb_bias: bool,
    /// CFS counts leave out tasks whose dequeue is delayed.
    pub h_nr_runnable: bool,
    /// The group type `smt_balance` exists.
    pub smt_balance: bool,
    /// How priority between CPUs is judged.
    pub asym_packing: AsymPacking,
    /// When groups of bigger CPUs are passed over.
    pub asym_filter: AsymFilter,
    /// A misfit is pulled only to a CPU whose whole core is idle (6.1.192).
    pub misfit_needs_idle_core: bool,
    /// Which of two fully busy groups is the busier.
    pub fully_busy_tie: FullyBusyTie,
    /// Groups with and without SMT have a rule of their own when both have spare capacity.
    pub mixed_smt: bool,
    /// Whose flags say that tasks should spread.
    pub prefer_sibling: PreferSibling,
    /// The difference in tasks is weighed by the numbers of cores, and is 0 for a busy CPU.
    pub sibling_cores: bool,
    /// How idle CPUs are subtracted.
    pub idle_difference: IdleDifference,
}

/// The busiest queue, detaching and active balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetachRules {
    /// The busiest queue is found by `max(util_avg, runnable_avg)` when utilization is to move.
    pub queue_util_boost: bool,
    /// Tasks looked at in one go, and between two breathers. 1 to 1024.
    pub nr_migrate: u32,
    /// When `loop_max` ends the walk.
    pub loop_max: LoopMax,
    /// After a breather the walk goes on even past the number of runnable tasks.
    pub breather_goes_on: bool,
    /// When a load is too big.
    pub load: DetachLoad,
    /// A utilization is shifted by `nr_balance_failed` before it is held against the amount.
    pub util_shifted: bool,
    /// Per-CPU kernel threads stay.
    pub kthreads_stay: bool,
    /// Tasks whose dequeue is delayed stay, unless load is to move.
    pub delayed_stay: bool,
    /// At first, tasks that would not be eligible on a busy destination stay.
    pub ineligible_stay: bool,
    /// No task is hot between siblings of a core.
    pub smt_never_hot: bool,
    /// The last buddy is hot as well as the next.
    pub last_buddy_hot: bool,
    /// When repeated failure starts an active balance.
    pub active_after_failures: ActiveAfterFailures,
    /// Priority between CPUs starts an active balance in newidle passes only (4.19).
    pub active_asym_newidle_only: bool,
    /// A misfit task starts an active balance.
    pub active_misfit: bool,
}

/// Idle CPUs that have stopped their tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NohzRules {
    /// When the tick stops without a cpuidle governor.
    pub tick_stop: TickStop,
    /// It goes on while a timer is due within a tick.
    pub timer_keeps_tick: bool,
    /// The kick test looks at the cache's busy CPUs second, before capacities (4.19).
    pub kick_llc_second: bool,
    /// A misfit task kicks, on machines of unequal capacities.
    pub kick_misfit: bool,
    /// What a kick does to `nohz.next_balance`.
    pub kick_next_balance: KickNextBalance,
    /// Once a CPU has joined the mask, the next kick test kicks to collate `nohz.next_balance` anew.
    pub needs_update: bool,
    /// Whom it reaches.
    pub ilb_target: IlbTarget,
    /// In which order the mask is served.
    pub ilb_order: IlbOrder,
    /// What a pending reschedule does.
    pub ilb_resched: IlbResched,
    /// An aborted pass still stores `nohz.next_balance` (4.19).
    pub ilb_abort_stores: bool,
    /// A CPU's own pass on entering idle lowers `nohz.next_balance` (4.19).
    pub idle_pass_lowers_next: bool,
}

/// Where waking and new tasks are placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WakeupRules {
    /// `wake_affine` leaves a task on its last CPU if that is idle.
    pub affine_prev_idle: bool,
    /// On unequal CPUs a task is pulled to the waker only if both CPUs are big enough for it (`wake_cap`).
    pub wake_cap: bool,
    /// How an idle CPU is sought around the target.
    pub search: IdleSearch,
    /// What bounds the scan.
    pub scan_limit: ScanLimit,
    /// A CPU that runs SCHED_IDLE tasks alone is as good as idle.
    pub sched_idle_is_idle: bool,
    /// Siblings of the last CPU count only within its cache's domain.
    pub siblings_in_llc: bool,
    /// So do idle CPUs noted while an idle core is sought.
    pub noted_in_llc: bool,
    /// On unequal CPUs an idle CPU is taken only if the task fits it (`asym_fits_cpu`).
    pub asym_fit: bool,
    /// How groups are compared for a new task.
    pub slow_path: SlowPath,
    /// Their statistics leave out CPUs where the task may not run.
    pub slow_path_allowed_only: bool,
    /// A wake-up goes over the target's list of pending ones also within a cache, if nothing runs there.
    pub queue_if_empty: bool,
}
