//! What a switch may be set to: small closed choices, each named in kernel words.

/// A closed choice with a written name for each value.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every value with its name in a URL.
    const NAMES: &'static [(&'static str, Self)];
}

impl Choice for bool {
    const NAMES: &'static [(&'static str, Self)] = &[("off", false), ("on", true)];
}

/// Which group statistics and amounts a pass works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupScheme {
    /// Average loads of groups (4.19).
    AvgLoad,
    /// Group types and migration types (5.5 and later).
    GroupType,
}

impl Choice for GroupScheme {
    const NAMES: &'static [(&'static str, Self)] =
        &[("avg_load", Self::AvgLoad), ("group_type", Self::GroupType)];
}

/// What `avg_idle` is compared with before a newidle pass starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewidleGate {
    /// `sysctl_sched_migration_cost` (up to 5.15).
    MigrationCost,
    /// `max_newidle_lb_cost` of the lowest domain (5.16 and later).
    DomainCost,
    /// Both: 4.19's condition between the overload flag and the later one.
    Both,
}

impl Choice for NewidleGate {
    const NAMES: &'static [(&'static str, Self)] =
        &[("migration_cost", Self::MigrationCost), ("domain_cost", Self::DomainCost), ("both", Self::Both)];
}

/// When a newidle pass goes no further up, besides a pulled task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewidleStop {
    /// A task is on the runqueue (4.19).
    NrRunning,
    /// A task is on the runqueue or a wake-up is pending (5.13 and later).
    NrRunningOrPending,
    /// `should_we_balance` refused at this level (6.19).
    NotDesignated,
}

impl Choice for NewidleStop {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("nr_running", Self::NrRunning),
        ("nr_running_or_pending", Self::NrRunningOrPending),
        ("not_designated", Self::NotDesignated),
    ];
}

/// Which events take an `avg_idle` sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AvgIdleSample {
    /// A wake-up that enqueues a task here.
    Activation,
    /// The same, and a wake-up of a task that is still queued here (6.1.192).
    AnyWakeup,
    /// The idle task being switched out, whatever brought the task (7.0 and later).
    IdleSwitchOut,
}

impl Choice for AvgIdleSample {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("activation", Self::Activation),
        ("any_wakeup", Self::AnyWakeup),
        ("idle_switch_out", Self::IdleSwitchOut),
    ];
}

/// How the difference to `avg_idle` is divided by eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AvgIdleDivision {
    /// Arithmetic shift: rounds down (4.19).
    Shift,
    /// Signed division: rounds toward zero.
    Signed,
}

impl Choice for AvgIdleDivision {
    const NAMES: &'static [(&'static str, Self)] = &[("shift", Self::Shift), ("signed", Self::Signed)];
}

/// Where `max_newidle_lb_cost` decays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostDecay {
    /// In the periodic pass alone; a fresh maximum does not postpone it (4.19).
    Periodic,
    /// At every cost update; a fresh maximum holds for at least a second (5.16 and later).
    Update,
}

impl Choice for CostDecay {
    const NAMES: &'static [(&'static str, Self)] = &[("periodic", Self::Periodic), ("update", Self::Update)];
}

/// Which domain of a periodic pass decides whether `max_idle_balance_cost` is recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecayFlag {
    /// Any that decayed: the flag stays set over the loop (4.19).
    Sticky,
    /// The last one visited: the flag is overwritten at each level.
    LastDomain,
}

impl Choice for DecayFlag {
    const NAMES: &'static [(&'static str, Self)] =
        &[("sticky", Self::Sticky), ("last_domain", Self::LastDomain)];
}

/// When `next_balance` takes a domain into account in a newidle pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextBalance {
    /// After `load_balance`, so with an interval it may have doubled (4.19).
    After,
    /// Before it.
    Before,
}

impl Choice for NextBalance {
    const NAMES: &'static [(&'static str, Self)] = &[("after", Self::After), ("before", Self::Before)];
}

/// Where the system-wide lock of SD_SERIALIZE domains is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SerializeLock {
    /// In the domain pass before the due check; the loser retries at its next tick (up to 6.18).
    BeforeDue,
    /// In `sched_balance_rq` after `should_we_balance`; the loser waits a whole interval (6.19).
    AfterShouldWeBalance,
}

impl Choice for SerializeLock {
    const NAMES: &'static [(&'static str, Self)] =
        &[("before_due", Self::BeforeDue), ("after_should_we_balance", Self::AfterShouldWeBalance)];
}

/// Which CPU of the local group balances for it, outside newidle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Designated {
    /// The first idle CPU of the balance mask, else the mask's first (4.19, 6.1.192).
    FirstIdle,
    /// Above SMT the first CPU of a fully idle core; else the first idle CPU *or* the mask's first (6.6.0).
    IdleCoreOrFirst,
    /// The same, but the mask's first only if no CPU is idle (6.6.9, 6.8 and later).
    IdleCore,
}

impl Choice for Designated {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("first_idle", Self::FirstIdle),
        ("idle_core_or_first", Self::IdleCoreOrFirst),
        ("idle_core", Self::IdleCore),
    ];
}

/// Whose flags say that tasks should spread over sibling groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreferSibling {
    /// The own child domain's (4.19, 6.1): never at a level without child.
    ChildDomain,
    /// The busiest group's (6.6).
    BusiestGroup,
}

impl Choice for PreferSibling {
    const NAMES: &'static [(&'static str, Self)] =
        &[("child_domain", Self::ChildDomain), ("busiest_group", Self::BusiestGroup)];
}

/// How the difference in idle CPUs is subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleDifference {
    /// In unsigned 32 bits, so a negative difference becomes about 2^32 (6.1, 6.6).
    Unsigned,
    /// A negative difference is 0.
    Clamped,
}

impl Choice for IdleDifference {
    const NAMES: &'static [(&'static str, Self)] =
        &[("unsigned", Self::Unsigned), ("clamped", Self::Clamped)];
}

/// When groups whose smallest CPU is bigger than the destination are passed over (unequal capacities).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsymFilter {
    /// Only when group types tie.
    Tie,
    /// Before types are compared (6.1.192).
    Always,
}

impl Choice for AsymFilter {
    const NAMES: &'static [(&'static str, Self)] = &[("tie", Self::Tie), ("always", Self::Always)];
}

/// Which of two fully busy groups is the busier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullyBusyTie {
    /// The higher average load, which is 0 for both: the first stays (6.1).
    AvgLoad,
    /// The newcomer, unless the incumbent's CPUs share a core (6.6).
    KeepSmt,
}

impl Choice for FullyBusyTie {
    const NAMES: &'static [(&'static str, Self)] =
        &[("avg_load", Self::AvgLoad), ("keep_smt", Self::KeepSmt)];
}

/// When a group on lower-priority CPUs is one to pull from by priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsymPacking {
    /// By the numbers of busy CPUs in SMT groups (6.1.192).
    BusyCpus,
    /// The destination's whole core must be idle (6.6).
    IdleCore,
}

impl Choice for AsymPacking {
    const NAMES: &'static [(&'static str, Self)] =
        &[("busy_cpus", Self::BusyCpus), ("idle_core", Self::IdleCore)];
}

/// When a task's load is too big to be detached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetachLoad {
    /// Half of it is more than the amount (4.19).
    Half,
    /// Shifted right by `nr_balance_failed` it is more than the amount.
    Shifted,
}

impl Choice for DetachLoad {
    const NAMES: &'static [(&'static str, Self)] = &[("half", Self::Half), ("shifted", Self::Shifted)];
}

/// When `loop_max` ends the walk over the source's tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMax {
    /// Always.
    Always,
    /// Only once some task was found movable (6.6, 6.8).
    OnceMovable,
}

impl Choice for LoopMax {
    const NAMES: &'static [(&'static str, Self)] =
        &[("always", Self::Always), ("once_movable", Self::OnceMovable)];
}

/// When repeated failure starts an active balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActiveAfterFailures {
    /// Whatever was to move (4.19).
    AnyType,
    /// Only when tasks were to move.
    TaskOnly,
}

impl Choice for ActiveAfterFailures {
    const NAMES: &'static [(&'static str, Self)] =
        &[("any_type", Self::AnyType), ("task_only", Self::TaskOnly)];
}

/// Failure counter and interval once an active balance has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActiveStarted {
    /// Counter := cache_nice_tries + 1, interval doubles (4.19).
    BackOff,
    /// Counter kept, interval := min if the need still holds.
    Keep,
}

impl Choice for ActiveStarted {
    const NAMES: &'static [(&'static str, Self)] = &[("back_off", Self::BackOff), ("keep", Self::Keep)];
}

/// Which CPU a nohz kick goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IlbTarget {
    /// The first of the mask, and nobody if it is not idle now (4.19).
    First,
    /// The first idle housekeeping CPU of the mask other than the kicker.
    FirstIdle,
}

impl Choice for IlbTarget {
    const NAMES: &'static [(&'static str, Self)] = &[("first", Self::First), ("first_idle", Self::FirstIdle)];
}

/// In which order the balancing idle CPU serves the mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IlbOrder {
    /// Ascending, itself last and unconditionally (4.19).
    AscendingSelfLast,
    /// From the CPU after itself, wrapping.
    WrapFromNext,
}

impl Choice for IlbOrder {
    const NAMES: &'static [(&'static str, Self)] =
        &[("ascending_self_last", Self::AscendingSelfLast), ("wrap_from_next", Self::WrapFromNext)];
}

/// What a pending reschedule does to a nohz balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IlbResched {
    /// Keeps it from starting, and ends it (up to 6.12).
    Ends,
    /// Ends it only if the CPU is also no longer idle (6.1.192, 6.19).
    EndsIfBusy,
}

impl Choice for IlbResched {
    const NAMES: &'static [(&'static str, Self)] =
        &[("ends", Self::Ends), ("ends_if_busy", Self::EndsIfBusy)];
}

/// What a nohz kick does to `nohz.next_balance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KickNextBalance {
    /// Adds one jiffy, whatever the kick (4.19).
    Increment,
    /// Sets it to the next jiffy, for balance kicks only.
    NextJiffy,
}

impl Choice for KickNextBalance {
    const NAMES: &'static [(&'static str, Self)] =
        &[("increment", Self::Increment), ("next_jiffy", Self::NextJiffy)];
}

/// When an idle CPU without a cpuidle governor stops its tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickStop {
    /// At idle entry.
    IdleEntry,
    /// Only once a tick came while idle (6.1.192).
    AfterIdleTick,
}

impl Choice for TickStop {
    const NAMES: &'static [(&'static str, Self)] =
        &[("idle_entry", Self::IdleEntry), ("after_idle_tick", Self::AfterIdleTick)];
}

/// How an idle CPU is sought around the target of a wake-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleSearch {
    /// An idle core, then a bounded scan from the target, then the target's siblings (4.19).
    ThreeSearches,
    /// The siblings of the last CPU, then one scan from the CPU after the target (6.1 and later).
    OneScan,
}

impl Choice for IdleSearch {
    const NAMES: &'static [(&'static str, Self)] =
        &[("three_searches", Self::ThreeSearches), ("one_scan", Self::OneScan)];
}

/// What bounds that scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanLimit {
    /// The waker's `avg_idle` over the cost of earlier scans (SIS_PROP, 4.19).
    Prop,
    /// The utilization of the cache's CPUs at the last periodic pass (SIS_UTIL, 6.0 and later).
    Util,
    /// Nothing.
    None,
}

impl Choice for ScanLimit {
    const NAMES: &'static [(&'static str, Self)] =
        &[("sis_prop", Self::Prop), ("sis_util", Self::Util), ("none", Self::None)];
}

/// How the slow path compares groups for a new task, or one that execs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowPath {
    /// Runnable loads with a margin, spare capacity for exec (4.19).
    Load,
    /// Group types (5.5 and later).
    GroupType,
}

impl Choice for SlowPath {
    const NAMES: &'static [(&'static str, Self)] = &[("load", Self::Load), ("group_type", Self::GroupType)];
}
