//! The world as placement reads it.

use super::World;
use super::task::NONE;
use crate::balance::rules::GroupScheme;
use crate::balance::{CpuView, GroupStats};
use crate::topology::{DomainTree, GroupId};
use crate::wakeup::{Task, View};

/// What placement may look at: the world, and the task that is placed.
pub(super) struct Placement<'a> {
    pub world: &'a World,
    pub task: u32,
}

impl Placement<'_> {
    /// The task as placement reads it. A new one has its weight for a load and no utilization yet.
    pub(super) fn task(&self, new: bool) -> Task {
        let task = &self.world.tasks[self.task as usize];
        let recent = (task.recent_cpu != NONE).then_some(task.recent_cpu as usize);
        if new {
            return Task { load: u64::from(task.weight), recent, ..Task::default() };
        }
        let cpu = task.cpu as usize;
        Task {
            load: task.avg.load_avg,
            util: task.avg.util_avg,
            util_est: task.util_est.value(),
            runnable: task.avg.runnable_avg,
            recent,
            counted_on: Some(cpu),
            running_on: (self.world.cpus[cpu].current == self.task).then_some(cpu),
        }
    }
}

impl View for Placement<'_> {
    fn idle(&self, cpu: usize) -> bool {
        self.world.cpus[cpu].is_idle()
    }

    fn only_sched_idle(&self, cpu: usize) -> bool {
        self.world.cpus[cpu].only_sched_idle()
    }

    fn idle_without_task(&self, cpu: usize) -> bool {
        let cpu = &self.world.cpus[cpu];
        (cpu.idle_task || cpu.current == self.task) && cpu.pending == 0
    }

    fn nr_running(&self, cpu: usize) -> u32 {
        self.world.cpus[cpu].nr_running()
    }

    fn h_nr_running(&self, cpu: usize) -> u32 {
        let rq = &self.world.cpus[cpu].rq;
        if self.world.setup.rules.groups.h_nr_runnable { rq.nr_runnable() } else { rq.nr_running() }
    }

    fn load(&self, cpu: usize) -> u64 {
        match self.world.setup.rules.groups.scheme {
            GroupScheme::GroupType => self.world.cpus[cpu].avg.load_avg,
            GroupScheme::AvgLoad => super::stats::Look(self.world).stats(cpu).load,
        }
    }

    fn load_avg(&self, cpu: usize) -> u64 {
        self.world.cpus[cpu].avg.load_avg
    }

    fn util_avg(&self, cpu: usize) -> u64 {
        self.world.cpus[cpu].avg.util_avg
    }

    fn util_est(&self, cpu: usize) -> u64 {
        self.world.cpus[cpu].util_est
    }

    fn runnable(&self, cpu: usize) -> u64 {
        self.world.cpus[cpu].avg.runnable_avg
    }

    fn capacity(&self, cpu: usize) -> u64 {
        self.world.setup.capacity(cpu)
    }

    fn idle_stamp(&self, cpu: usize) -> u64 {
        self.world.cpus[cpu].idle.idle_stamp
    }

    fn avg_idle(&self, cpu: usize) -> u64 {
        self.world.cpus[cpu].idle.avg_idle
    }

    fn avg_scan_cost(&self, cpu: usize) -> u64 {
        self.world.cpus[cpu].avg_scan_cost
    }

    fn look_ns(&self, from: usize, cpu: usize) -> u64 {
        self.world.setup.costs.scan[self.world.setup.distance(from, cpu) as usize]
    }

    fn tree(&self) -> &DomainTree {
        &self.world.setup.tree
    }

    fn group(&self, id: GroupId) -> &GroupStats {
        &self.world.setup.group_stats[id.0 as usize]
    }

    fn imbalanced(&self, id: GroupId) -> bool {
        self.world.groups[self.world.setup.tree.group(id).state].imbalance
    }

    fn group_cpus(&self, id: GroupId) -> &[u32] {
        &self.world.setup.group_cpus[id.0 as usize]
    }

    fn llc(&self, cpu: usize) -> &[u32] {
        &self.world.setup.llc_cpus[self.world.setup.llc[cpu] as usize]
    }

    fn shares_cache(&self, a: usize, b: usize) -> bool {
        self.world.setup.shares_cache(a, b)
    }

    fn siblings(&self, cpu: usize) -> &[u32] {
        &self.world.setup.siblings[cpu]
    }

    fn smt(&self) -> bool {
        self.world.setup.smt
    }

    fn asym(&self) -> bool {
        self.world.setup.asym
    }

    fn max_capacity(&self) -> u64 {
        self.world.setup.max_capacity
    }

    fn node(&self, cpu: usize) -> u32 {
        self.world.setup.machine.cpus[cpu].node
    }

    fn has_idle_cores(&self, cpu: usize) -> bool {
        self.world.llcs[self.world.setup.llc[cpu] as usize].has_idle_cores
    }

    fn nr_idle_scan(&self, cpu: usize) -> u32 {
        self.world.llcs[self.world.setup.llc[cpu] as usize].nr_idle_scan
    }

    fn current_load(&self, cpu: usize) -> u64 {
        let current = self.world.cpus[cpu].current;
        if current == NONE { 0 } else { self.world.tasks[current as usize].avg.load_avg }
    }

    fn allowed(&self, cpu: usize) -> bool {
        let task = &self.world.tasks[self.task as usize];
        match &task.allowed {
            Some(mask) => mask.contains(cpu),
            // An isolated CPU takes only tasks that ask for it.
            None => {
                let setup = &self.world.setup;
                setup.all_active || setup.machine.cpus[cpu].active || task.cpu as usize == cpu
            }
        }
    }

    fn nr_allowed(&self) -> usize {
        let task = &self.world.tasks[self.task as usize];
        task.allowed.as_ref().map_or(self.world.cpus.len(), |mask| mask.weight())
    }
}
