//! What placement reads.

use crate::balance::GroupStats;
use crate::topology::{DomainTree, GroupId};

/// The world as placement reads it. CPUs are numbered as in the domain tree.
pub trait View {
    /// `idle_cpu`: the idle task is current, nothing is queued, no wake-up is on its way.
    fn idle(&self, cpu: usize) -> bool;
    /// `sched_idle_cpu`: all that runs or waits there is SCHED_IDLE, and there is something.
    fn only_sched_idle(&self, cpu: usize) -> bool;
    /// `idle_cpu_without`: idle but for the task that is placed, if it runs there; queues are not looked at.
    fn idle_without_task(&self, cpu: usize) -> bool;
    /// Tasks of all classes on a runqueue.
    fn nr_running(&self, cpu: usize) -> u32;
    /// CFS tasks on it.
    fn h_nr_running(&self, cpu: usize) -> u32;
    /// `cpu_load`: from 6.1 `load_avg` of the queue, in 4.19 the load of its runnable tasks.
    fn load(&self, cpu: usize) -> u64;
    /// `load_avg` of the queue, sleepers included.
    fn load_avg(&self, cpu: usize) -> u64;
    /// `util_avg` of the queue.
    fn util_avg(&self, cpu: usize) -> u64;
    /// `util_est` of the queued tasks.
    fn util_est(&self, cpu: usize) -> u64;
    /// `runnable_avg` of the queue.
    fn runnable(&self, cpu: usize) -> u64;
    /// `capacity_of`: 1024 for the biggest kind of CPU.
    fn capacity(&self, cpu: usize) -> u64;
    /// `rq->idle_stamp`, ns; 0 for none.
    fn idle_stamp(&self, cpu: usize) -> u64;
    /// `rq->avg_idle`, ns.
    fn avg_idle(&self, cpu: usize) -> u64;
    /// `avg_scan_cost` of the CPU's cache domain, ns.
    fn avg_scan_cost(&self, cpu: usize) -> u64;
    /// What it takes CPU `from` to look at `cpu`, ns.
    fn look_ns(&self, from: usize, cpu: usize) -> u64;

    /// The domains.
    fn tree(&self) -> &DomainTree;
    /// Fixed fields of a group's statistics: weight and capacities.
    fn group(&self, id: GroupId) -> &GroupStats;
    /// A group's imbalance flag.
    fn imbalanced(&self, id: GroupId) -> bool;
    /// CPUs of a group, ascending.
    fn group_cpus(&self, id: GroupId) -> &[u32];
    /// CPUs of a CPU's last-level cache domain, ascending; a CPU without such a domain is alone.
    fn llc(&self, cpu: usize) -> &[u32];
    /// Whether two CPUs share the last-level cache domain.
    fn shares_cache(&self, a: usize, b: usize) -> bool;
    /// CPUs of a CPU's core, itself included, ascending.
    fn siblings(&self, cpu: usize) -> &[u32];
    /// Some core has more than one thread (`sched_smt_present`).
    fn smt(&self) -> bool;
    /// Capacities differ (`sched_asym_cpucapacity`).
    fn asym(&self) -> bool;
    /// Capacity of the biggest CPU (`rd->max_cpu_capacity`).
    fn max_capacity(&self) -> u64;
    /// Node of a CPU.
    fn node(&self, cpu: usize) -> u32;
    /// `has_idle_cores` of the CPU's cache.
    fn has_idle_cores(&self, cpu: usize) -> bool;
    /// `nr_idle_scan` of the CPU's cache.
    fn nr_idle_scan(&self, cpu: usize) -> u32;
    /// `load_avg` of what runs on a CPU; 0 for the idle task.
    fn current_load(&self, cpu: usize) -> u64;

    /// Whether the task may run there: its affinity, and the CPU being active.
    fn allowed(&self, cpu: usize) -> bool;
    /// How many CPUs the task's affinity names.
    fn nr_allowed(&self) -> usize;
}

/// The task that is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// `load_avg`.
    pub load: u64,
    /// `util_avg`.
    pub util: u64,
    /// `util_est`.
    pub util_est: u64,
    /// `runnable_avg`.
    pub runnable: u64,
    /// `recent_used_cpu`.
    pub recent: Option<usize>,
    /// The CPU whose averages it is part of; a new task is part of none.
    pub counted_on: Option<usize>,
    /// The CPU on which it runs, when it execs.
    pub running_on: Option<usize>,
}

impl Task {
    /// `task_util_est`.
    pub fn util_or_est(&self) -> u64 {
        self.util.max(self.util_est)
    }
}
