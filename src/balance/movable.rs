//! May this task move? `can_migrate_task` and `task_hot` (spec 4.6).

use super::why::{Op, Test, Why, fact, test};
use super::{MigrationType, Rules};

const CAN: &str = "can_migrate_task";
const HOT: &str = "task_hot";

/// What NUMA placement says of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locality {
    /// Nothing.
    #[default]
    Neutral,
    /// The task would be nearer to its memory: it moves, hot or not.
    Better,
    /// It would be farther: it counts as hot.
    Worse,
}

/// What [`task_hot`] looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HotInput {
    /// The task has policy SCHED_IDLE.
    pub sched_idle: bool,
    /// The domain is siblings of a core.
    pub smt: bool,
    /// The task is its queue's next buddy.
    pub next_buddy: bool,
    /// The task is its queue's last buddy.
    pub last_buddy: bool,
    /// Tasks of all classes on the destination.
    pub dst_nr_running: u32,
    /// ns since `exec_start`, by the source's task clock. `exec_start` is 0 after a migration.
    pub since_exec_start: i64,
    /// `sysctl_sched_migration_cost`, ns; -1 is always hot, 0 never.
    pub migration_cost: i64,
}

/// Whether the task's cache footprint is thought warm.
pub fn task_hot(rules: &Rules, input: &HotInput, why: &mut impl Why) -> bool {
    if fact(why, Test(HOT, "SCHED_IDLE"), input.sched_idle) {
        return false;
    }
    if rules.detach.smt_never_hot && fact(why, Test(HOT, "SD_SHARE_CPUCAPACITY"), input.smt) {
        return false;
    }
    let buddy = input.next_buddy || (input.last_buddy && rules.detach.last_buddy_hot);
    if fact(why, Test(HOT, "buddy"), buddy)
        && test(why, Test(HOT, "dst nr_running > 0"), input.dst_nr_running, Op::Gt, 0)
    {
        return true;
    }
    match input.migration_cost {
        cost if cost < 0 => true,
        0 => false,
        cost => {
            let at = Test(HOT, "now - exec_start < sysctl_sched_migration_cost");
            test(why, at, input.since_exec_start, Op::Lt, cost)
        }
    }
}

/// What [`can_migrate_task`] looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskInput {
    /// Its group or the destination's is throttled.
    pub throttled: bool,
    /// A kernel thread bound to its CPU.
    pub percpu_kthread: bool,
    /// Its affinity allows the destination.
    pub allowed: bool,
    /// It is running.
    pub running: bool,
    /// Its dequeue is delayed.
    pub delayed: bool,
    /// It would not be eligible on the destination's queue.
    pub ineligible: bool,
    /// NUMA placement.
    pub locality: Locality,
    /// For the hotness test.
    pub hot: HotInput,
}

/// The pass for which a task is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveInput {
    /// In what unit the imbalance is counted.
    pub migration_type: MigrationType,
    /// The pass is an active balance.
    pub active: bool,
    /// The level's failure counter.
    pub nr_balance_failed: u32,
    /// `sd->cache_nice_tries`.
    pub cache_nice_tries: u32,
}

/// Whether a task may move, and the first reason why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movable {
    /// It may; `hot` if it is moved although hot.
    Yes {
        /// Counts as `hot_gained` if it is really detached.
        hot: bool,
    },
    /// Its group is throttled.
    Throttled,
    /// It is a per-CPU kernel thread.
    Kthread,
    /// Affinity forbids the destination: sets the "some pinned" flag.
    Pinned,
    /// It is running.
    Running,
    /// Its dequeue is delayed.
    Delayed,
    /// It would not be eligible there.
    Ineligible,
    /// It is hot.
    Hot,
}

impl Movable {
    /// Whether the task lifts "all pinned": it got as far as the test for running.
    pub fn lifts_all_pinned(self) -> bool {
        matches!(self, Self::Yes { .. } | Self::Running | Self::Hot)
    }
}

/// The tests in the kernel's order. Those of 6.12 and later come before affinity, so that a task refused by one of
/// them does not lift "all pinned".
pub fn can_migrate_task(rules: &Rules, pass: &MoveInput, task: &TaskInput, why: &mut impl Why) -> Movable {
    let refusal = delayed(rules, pass, task, why)
        .or_else(|| throttled(task, why))
        .or_else(|| ineligible(rules, pass, task, why))
        .or_else(|| placement(rules, task, why));
    if let Some(refusal) = refusal {
        return refusal;
    }
    if fact(why, Test(CAN, "LBF_ACTIVE_LB"), pass.active) {
        return Movable::Yes { hot: false };
    }
    let hot = match task.locality {
        Locality::Better => false,
        Locality::Worse => true,
        Locality::Neutral => task_hot(rules, &task.hot, why),
    };
    if !fact(why, Test(CAN, "tsk_cache_hot"), hot) {
        return Movable::Yes { hot: false };
    }
    let at = Test(CAN, "nr_balance_failed > cache_nice_tries");
    if test(why, at, pass.nr_balance_failed, Op::Gt, pass.cache_nice_tries) {
        return Movable::Yes { hot: true };
    }
    Movable::Hot
}

fn delayed(rules: &Rules, pass: &MoveInput, task: &TaskInput, why: &mut impl Why) -> Option<Movable> {
    let stays = rules.detach.delayed_stay && pass.migration_type != MigrationType::Load;
    (stays && fact(why, Test(CAN, "sched_delayed"), task.delayed)).then_some(Movable::Delayed)
}

fn throttled(task: &TaskInput, why: &mut impl Why) -> Option<Movable> {
    fact(why, Test(CAN, "throttled_lb_pair"), task.throttled).then_some(Movable::Throttled)
}

fn ineligible(rules: &Rules, pass: &MoveInput, task: &TaskInput, why: &mut impl Why) -> Option<Movable> {
    let first = rules.detach.ineligible_stay && pass.nr_balance_failed == 0 && task.hot.dst_nr_running > 0;
    (first && fact(why, Test(CAN, "task_is_ineligible_on_dst_cpu"), task.ineligible))
        .then_some(Movable::Ineligible)
}

fn placement(rules: &Rules, task: &TaskInput, why: &mut impl Why) -> Option<Movable> {
    if rules.detach.kthreads_stay && fact(why, Test(CAN, "kthread_is_per_cpu"), task.percpu_kthread) {
        return Some(Movable::Kthread);
    }
    if !fact(why, Test(CAN, "dst_cpu in cpus_ptr"), task.allowed) {
        return Some(Movable::Pinned);
    }
    fact(why, Test(CAN, "task_on_cpu"), task.running).then_some(Movable::Running)
}
