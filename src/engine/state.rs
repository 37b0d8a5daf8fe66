//! The world's state beside tasks: CPUs, domain objects, nohz, the serialise lock.

use super::task::NONE;
use crate::observe::{Activity, Kind};
use crate::sched::pelt::Avg;
use crate::sched::runqueue::Runqueue;

/// What a CPU is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    User,
    /// A new-idle pass, before the idle task takes over.
    Newidle,
    /// The balancing softirq, on top of the running task or of the idle task.
    Softirq,
    /// The stopper pushes a task away.
    Stopper,
}

/// The part of a balance pass that a CPU is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Entering: blocked averages are brought up to date.
    Enter,
    /// The contended line of the serialise lock travels.
    Lock,
    /// Group statistics are read.
    Scan,
    /// Tasks are looked at and moved.
    Detach,
}

/// A balance pass over the domains of one CPU, between its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub kind: Kind,
    /// Whose domains (another CPU's in a nohz pass).
    pub cpu: u32,
    /// Place in that CPU's chain.
    pub level: u8,
    pub stage: Stage,
    /// When the work at this level began.
    pub began: u64,
    /// New-idle: clock at the end of the level before.
    pub t0: u64,
    /// New-idle: cost so far. Periodic: sum of `max_newidle_lb_cost`.
    pub cost: u64,
    /// `next_balance` as found so far, jiffies.
    pub next: u64,
    /// Whether a visited level set `next` (periodic).
    pub update_next: bool,
    /// Tasks moved at this level, and in the whole pass.
    pub moved: u32,
    pub pulled: u32,
    /// The pass at this level holds the serialise lock.
    pub holds_lock: bool,
    /// Periodic: an earlier level said "not the designated balancer".
    pub stopped: bool,
    /// Periodic: decay flag of `max_idle_balance_cost`.
    pub decayed: bool,
    /// Outcome of the level, once decided.
    pub outcome: crate::observe::Outcome,
    /// New-idle: `should_we_balance` refused at this level.
    pub refused: bool,
    /// The softirq serves others: next CPU to look at, counted from the balancer, and how many are left.
    pub ilb_next: u32,
    pub ilb_left: u32,
    pub ilb_min: u64,
}

impl Pass {
    pub(super) fn new(kind: Kind, cpu: u32, now: u64) -> Self {
        Self {
            kind,
            cpu,
            level: 0,
            stage: Stage::Enter,
            began: now,
            t0: now,
            cost: 0,
            next: 0,
            update_next: false,
            moved: 0,
            pulled: 0,
            holds_lock: false,
            stopped: false,
            decayed: false,
            outcome: crate::observe::Outcome::Balanced,
            refused: false,
            ilb_next: 0,
            ilb_left: 0,
            ilb_min: 0,
        }
    }
}

/// One CPU.
#[derive(Clone, Debug)]
pub(super) struct Cpu {
    pub phase: Phase,
    pub activity: Activity,
    /// Up to here the time of the phase is accounted, ns.
    pub since: u64,
    /// When the current activity began, ns.
    pub activity_since: u64,
    /// System time (ticks, switches, interrupts) that the CPU still has to give, ns.
    pub debt: u64,
    /// What is left of a kernel phase, ns.
    pub left: u64,
    /// Generation of the phase; an event of another one is stale.
    pub era: u32,
    /// ns by [`Activity`].
    pub times: [u64; 5],
    pub rq: Runqueue,
    /// The running task, or `NONE`: then the idle task or none is current.
    pub current: u32,
    /// Who ran last, for the cost of a switch.
    pub last: u32,
    /// The idle task is current.
    pub idle_task: bool,
    pub need_resched: bool,
    pub avg: Avg,
    /// First and last of the balancer's task list: just queued or picked first.
    pub head: u32,
    pub tail: u32,
    /// Woken tasks on their way here, oldest first.
    pub pending_head: u32,
    pub pending_tail: u32,
    pub pending: u32,
    pub pass: Pass,
    /// Jiffies.
    pub next_balance: u64,
    pub avg_idle: u64,
    /// 0 means none.
    pub idle_stamp: u64,
    pub max_idle_balance_cost: u64,
    pub idle_balance: bool,
    /// The balancing softirq is raised.
    pub softirq: bool,
    /// A nohz request waits here.
    pub kicked: bool,
    /// This CPU is the source of an active balance that is under way.
    pub active_balance: bool,
    pub push_cpu: u32,
    /// The stopper waits to run.
    pub stop_pending: bool,
    pub tick_on: bool,
    /// A tick event lies in the queue.
    pub tick_armed: bool,
    /// In `nohz.idle_cpus_mask`.
    pub in_mask: bool,
    /// Ticks taken since the CPU last went idle.
    pub idle_ticks: u32,
}

impl Cpu {
    pub(super) fn new(max_idle_balance_cost: u64, now: u64) -> Self {
        Self {
            phase: Phase::Idle,
            activity: Activity::Idle,
            since: now,
            activity_since: now,
            debt: 0,
            left: 0,
            era: 0,
            times: [0; 5],
            rq: Runqueue::default(),
            current: NONE,
            last: NONE,
            idle_task: true,
            need_resched: false,
            avg: Avg::default(),
            head: NONE,
            tail: NONE,
            pending_head: NONE,
            pending_tail: NONE,
            pending: 0,
            pass: Pass::new(Kind::Newidle, 0, now),
            next_balance: 0,
            avg_idle: 2 * max_idle_balance_cost,
            idle_stamp: 0,
            max_idle_balance_cost,
            idle_balance: false,
            softirq: false,
            kicked: false,
            active_balance: false,
            push_cpu: NONE,
            stop_pending: false,
            tick_on: false,
            tick_armed: false,
            in_mask: false,
            idle_ticks: 0,
        }
    }

    /// `nr_running` of all classes: the stopper counts.
    pub(super) fn nr_running(&self) -> u32 {
        self.rq.nr_running() + u32::from(self.phase == Phase::Stopper)
    }

    /// `idle_cpu`: the idle task is current, nothing is queued, no wake-up is on its way.
    pub(super) fn is_idle(&self) -> bool {
        self.idle_task && self.pending == 0 && self.rq.nr_running() == 0
    }
}

/// What is shared by the groups of one (level, balance CPU).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupState {
    /// Some tasks were pinned.
    pub imbalance: bool,
    /// When capacity is refreshed again, jiffies.
    pub next_update: u64,
}

/// One last-level cache.
#[derive(Clone, Debug, Default)]
pub(super) struct Llc {
    /// CPUs that did not stop their tick (`nr_busy_cpus`).
    pub nr_busy: u32,
    /// `nr_idle_scan`.
    pub nr_idle_scan: u32,
    pub has_idle_cores: bool,
}

/// The system's nohz state.
#[derive(Clone, Debug, Default)]
pub(super) struct Nohz {
    /// How many CPUs are in the mask (each CPU knows whether it is).
    pub in_mask: u32,
    /// Jiffies.
    pub next_balance: u64,
    pub needs_update: bool,
}

/// The system-wide try-lock of SD_SERIALIZE levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct SerialiseLock {
    /// Who holds it, or `NONE`.
    pub holder: u32,
    /// Where its cache line is.
    pub line_at: u32,
    /// Until when the line is on its way, ns.
    pub line_free_at: u64,
}
