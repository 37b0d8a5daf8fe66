//! The world's state beside tasks: CPUs, domain objects, nohz, the serialise lock.

use super::event::Ticket;
use super::task::NONE;
use super::timers::Timers;
use crate::balance::avg_load_scheme::LoadHistory;
use crate::balance::nohz::Kick;
use crate::balance::{AvgIdle, CostSum, IdleType};
use crate::observe::{Activity, Kind, Outcome};
use crate::sched::clock::PeltClock;
use crate::sched::pelt::Avg;
use crate::sched::runqueue::Runqueue;
use crate::sched::schedutil::Governor;
use crate::topology::CpuMask;
use crate::wakeup::Flips;

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
    /// The last CPUs of the nohz mask are gone through.
    Collate,
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
    /// New-idle: cost so far.
    pub cost: u64,
    /// New-idle: what a success at this level counts.
    pub weight: u32,
    /// Periodic: sum of `max_newidle_lb_cost`.
    pub sum: CostSum,
    /// Periodic: idle or busy.
    pub idle: IdleType,
    /// Periodic: intervals are those of a busy CPU, as found when the pass began or last moved something.
    pub busy: bool,
    /// `next_balance` as found so far, jiffies.
    pub next: u64,
    /// Whether a visited level set `next` (periodic).
    pub update_next: bool,
    /// Tasks moved at this level.
    pub moved: u32,
    /// The pass at this level holds the serialise lock.
    pub holds_lock: bool,
    /// Periodic: an earlier level said "not the designated balancer".
    pub stopped: bool,
    /// Outcome of the level, once decided.
    pub outcome: Outcome,
    /// New-idle: `should_we_balance` refused at this level.
    pub refused: bool,
    /// The softirq serves others: the place in their order of the next CPU to look at.
    pub ilb_next: u32,
    /// Least `next_balance` of those visited, jiffies.
    pub ilb_min: u64,
    /// The next stage belongs to a nohz pass that is under way.
    pub ilb_started: bool,
    /// What the softirq was kicked for.
    pub ilb_kick: Kick,
    /// What going through the mask has cost since the last stage, ns.
    pub ilb_cost: u64,
    /// It was left before its end.
    pub ilb_aborted: bool,
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
            weight: 1,
            sum: CostSum::default(),
            idle: IdleType::Idle,
            busy: false,
            next: 0,
            update_next: false,
            moved: 0,
            holds_lock: false,
            stopped: false,
            outcome: Outcome::Balanced,
            refused: false,
            ilb_next: 0,
            ilb_min: 0,
            ilb_started: false,
            ilb_kick: Kick::NONE,
            ilb_cost: 0,
            ilb_aborted: false,
        }
    }
}

/// One CPU. What balance passes and wake-ups read of other CPUs comes first and lies together, since they read
/// it of many.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Cpu {
    pub avg: Avg,
    pub rq: Runqueue,
    /// Sum of `util_est` of the queued tasks.
    pub util_est: u64,
    /// Load of the running task if it is too big for this CPU, else 0 (`misfit_task_load`).
    pub misfit_load: u64,
    /// Work done a ns, 1024 for the biggest CPU at full frequency.
    pub rate: u64,
    pub governor: Governor,
    /// The time that averages are accounted by.
    pub clock: PeltClock,
    /// How many woken tasks are on their way here.
    pub pending: u32,
    /// The running task, or `NONE`: then the idle task or none is current.
    pub current: u32,
    /// The idle task is current.
    pub idle_task: bool,
    /// The stopper is queued here, from its wake-up until it sleeps again.
    pub stopper: bool,
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
    /// The event at the end of the phase; any other is stale.
    pub phase_end: Ticket,
    /// What the running task has run and is not charged for, ns.
    pub uncharged: u64,
    /// ns by [`Activity`].
    pub times: [u64; 5],
    /// Who ran last, for the cost of a switch.
    pub last: u32,
    pub need_resched: bool,
    /// 4.19's smoothed loads, and the jiffy of the last.
    pub history: LoadHistory,
    pub history_at: u64,
    /// First and last of the balancer's task list: just queued or picked first.
    pub head: u32,
    pub tail: u32,
    /// Woken tasks on their way here, oldest first.
    pub pending_head: u32,
    pub pending_tail: u32,
    pub pass: Pass,
    /// Jiffies.
    pub next_balance: u64,
    pub idle: AvgIdle,
    pub max_idle_balance_cost: u64,
    pub idle_balance: bool,
    /// The balancing softirq is raised.
    pub softirq: bool,
    /// What the kick that is on its way here is for.
    pub kicked: Kick,
    /// What for the softirq is to serve the nohz mask.
    pub nohz_request: Kick,
    /// This CPU is the source of an active balance that is under way.
    pub active_balance: bool,
    pub push_cpu: u32,
    /// The stopper waits to run.
    pub stop_pending: bool,
    /// The interrupt that tells this CPU to pick anew is on its way.
    pub resched_sent: bool,
    pub tick_on: bool,
    /// A tick event lies in the queue.
    pub tick_armed: bool,
    /// A tick came while the idle task ran and its loop has not gone round since (`tick_nohz_idle_got_tick`).
    pub got_tick: bool,
    /// Timers that were armed here.
    pub timers: Timers,
    /// Whom interrupts woke here while the idle task ran.
    pub flips: Flips,
    /// What scans for an idle CPU cost from here (`avg_scan_cost` of the cache's domain, SIS_PROP), ns.
    pub avg_scan_cost: u64,
}

impl Cpu {
    pub(super) fn new(rate: u64) -> Self {
        Self {
            phase: Phase::Idle,
            activity: Activity::Idle,
            since: 0,
            activity_since: 0,
            debt: 0,
            left: 0,
            phase_end: Ticket::NONE,
            uncharged: 0,
            times: [0; 5],
            rq: Runqueue::default(),
            current: NONE,
            last: NONE,
            idle_task: true,
            need_resched: false,
            avg: Avg::default(),
            history: LoadHistory::default(),
            history_at: 0,
            util_est: 0,
            misfit_load: 0,
            rate,
            governor: Governor::default(),
            clock: PeltClock::default(),
            head: NONE,
            tail: NONE,
            pending_head: NONE,
            pending_tail: NONE,
            pending: 0,
            pass: Pass::new(Kind::Newidle, 0, 0),
            next_balance: 0,
            idle: AvgIdle::BOOT,
            max_idle_balance_cost: AvgIdle::BOOT.avg_idle / 2,
            idle_balance: false,
            softirq: false,
            kicked: Kick::NONE,
            nohz_request: Kick::NONE,
            active_balance: false,
            push_cpu: NONE,
            stop_pending: false,
            stopper: false,
            resched_sent: false,
            tick_on: false,
            tick_armed: false,
            got_tick: false,
            timers: Timers::default(),
            flips: Flips::default(),
            avg_scan_cost: 0,
        }
    }

    /// `nr_running` of all classes: the stopper counts.
    #[inline]
    pub(super) fn nr_running(&self) -> u32 {
        self.rq.nr_running() + u32::from(self.stopper)
    }

    /// `sched_idle_cpu`: there are tasks, and all are SCHED_IDLE.
    #[inline]
    pub(super) fn only_sched_idle(&self) -> bool {
        !self.stopper && self.rq.nr_running() > 0 && self.rq.only_idle_policy()
    }

    /// `idle_cpu`: the idle task is current, nothing is queued, no wake-up is on its way.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.idle_task && self.pending == 0 && self.nr_running() == 0
    }
}

/// What is shared by the groups of one (level, balance CPU).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupState {
    /// Some tasks were pinned.
    pub imbalance: bool,
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
    /// `nohz.idle_cpus_mask`.
    pub mask: CpuMask,
    pub in_mask: u32,
    /// Jiffies.
    pub next_balance: u64,
    /// A CPU joined the mask since that was collated.
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
    /// Who let it go needs the line too, and has it only now, ns: until then the others find it taken.
    pub free_at: u64,
    /// How often it was tried, and how often in vain.
    pub tries: u64,
    pub lost: u64,
}
