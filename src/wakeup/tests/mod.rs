//! Placement on small machines whose state is written out, and against a plain restatement.

mod affine;
mod queue;
mod restated;
mod sibling;
mod slow;

use super::{Task, View, Waking};
use crate::balance::{GroupStats, Rules};
use crate::topology::{CpuMask, Domain, DomainTree, GroupId, Machine, Release, SdFlags, library};

/// One CPU's state as placement sees it.
#[derive(Clone, Debug)]
struct Cpu {
    idle: bool,
    sched_idle: bool,
    nr: u32,
    load: u64,
    util: u64,
    util_est: u64,
    runnable: u64,
    stamp: u64,
    current_load: u64,
    avg_idle: u64,
    scan_cost: u64,
}

const IDLE: Cpu = Cpu {
    idle: true,
    sched_idle: false,
    nr: 0,
    load: 0,
    util: 0,
    util_est: 0,
    runnable: 0,
    stamp: 1,
    current_load: 0,
    avg_idle: 1_000_000,
    scan_cost: 0,
};

/// A machine with every CPU's state.
#[derive(Clone, Debug)]
struct Mock {
    rules: Rules,
    machine: Machine,
    tree: DomainTree,
    fixed: Vec<GroupStats>,
    group_cpus: Vec<Vec<u32>>,
    llc: Vec<Vec<u32>>,
    siblings: Vec<Vec<u32>>,
    cpus: Vec<Cpu>,
    allowed: CpuMask,
    running_on: Option<usize>,
    idle_cores: Vec<bool>,
    nr_idle_scan: u32,
}

impl Mock {
    /// A machine of the library or a grid, all idle, with the rules of a release.
    fn new(name: &str, release: Release) -> Self {
        let rules = Rules::of(release);
        let machine = library::machine(name).unwrap();
        let tree = DomainTree::build(&machine, &rules.topology).unwrap();
        let cpus = machine.cpus.len();
        let capacity = |c: usize| u64::from(machine.cpus[c].capacity);
        let fixed = tree.groups.iter().map(|g| GroupStats {
            weight: g.span.weight() as u32,
            capacity: g.capacity,
            min_capacity: g.span.iter().map(capacity).min().unwrap(),
            max_capacity: g.span.iter().map(capacity).max().unwrap(),
            ..GroupStats::default()
        });
        let llc = |c: usize| {
            let domain = tree.chains[c].iter().rev().find(|d| d.flags.contains(SdFlags::LLC));
            domain.map_or_else(|| vec![c as u32], |d| d.span.iter().map(|c| c as u32).collect())
        };
        let core = |c: usize| {
            let same = (0..cpus).filter(|&o| machine.cpus[o].core == machine.cpus[c].core);
            same.map(|c| c as u32).collect()
        };
        Self {
            fixed: fixed.collect(),
            group_cpus: tree.groups.iter().map(|g| g.span.iter().map(|c| c as u32).collect()).collect(),
            llc: (0..cpus).map(llc).collect(),
            siblings: (0..cpus).map(core).collect(),
            cpus: vec![IDLE; cpus],
            allowed: (0..cpus).collect(),
            running_on: None,
            idle_cores: vec![false; cpus],
            nr_idle_scan: 1_000,
            rules,
            machine,
            tree,
        }
    }

    /// One busy task of this load on each of these CPUs.
    fn busy(mut self, cpus: impl IntoIterator<Item = usize>, load: u64) -> Self {
        for c in cpus {
            let util = load.min(1_024);
            let cpu = Cpu { idle: false, nr: 1, load, util, runnable: util, current_load: load, ..IDLE };
            self.cpus[c] = cpu;
        }
        self
    }

    /// The flag of every cache says that it has an idle core.
    fn promising(mut self) -> Self {
        self.idle_cores.fill(true);
        self
    }

    fn only(mut self, cpus: impl IntoIterator<Item = usize>) -> Self {
        self.allowed = cpus.into_iter().collect();
        self
    }

    /// A nice-0 task of load 512 that waked last on `prev` is woken from `this`.
    fn wake(&self, this: usize, prev: usize) -> super::Choice {
        self.wake_as(&Task { load: 512, util: 100, ..Task::default() }, &plain(this, prev))
    }

    fn wake_as(&self, task: &Task, wake: &Waking) -> super::Choice {
        super::select(&self.rules, self, task, wake, &mut ())
    }

    fn domain(&self, cpu: usize, level: usize) -> &Domain {
        &self.tree.chains[cpu][level]
    }
}

fn plain(this: usize, prev: usize) -> Waking {
    Waking { this, prev, sync: false, waker_flips: 0, wakee_flips: 0 }
}

impl View for Mock {
    fn idle(&self, cpu: usize) -> bool {
        self.cpus[cpu].idle
    }
    fn only_sched_idle(&self, cpu: usize) -> bool {
        self.cpus[cpu].sched_idle
    }
    fn idle_without_task(&self, cpu: usize) -> bool {
        self.cpus[cpu].idle || self.running_on == Some(cpu)
    }
    fn nr_running(&self, cpu: usize) -> u32 {
        self.cpus[cpu].nr
    }
    fn h_nr_running(&self, cpu: usize) -> u32 {
        self.cpus[cpu].nr
    }
    fn load(&self, cpu: usize) -> u64 {
        self.cpus[cpu].load
    }
    fn load_avg(&self, cpu: usize) -> u64 {
        self.cpus[cpu].load
    }
    fn util_avg(&self, cpu: usize) -> u64 {
        self.cpus[cpu].util
    }
    fn util_est(&self, cpu: usize) -> u64 {
        self.cpus[cpu].util_est
    }
    fn runnable(&self, cpu: usize) -> u64 {
        self.cpus[cpu].runnable
    }
    fn capacity(&self, cpu: usize) -> u64 {
        u64::from(self.machine.cpus[cpu].capacity)
    }
    fn idle_stamp(&self, cpu: usize) -> u64 {
        self.cpus[cpu].stamp
    }
    fn avg_idle(&self, cpu: usize) -> u64 {
        self.cpus[cpu].avg_idle
    }
    fn avg_scan_cost(&self, cpu: usize) -> u64 {
        self.cpus[cpu].scan_cost
    }
    fn look_ns(&self, _: usize, _: usize) -> u64 {
        30
    }
    fn tree(&self) -> &DomainTree {
        &self.tree
    }
    fn group(&self, id: GroupId) -> &GroupStats {
        &self.fixed[id.0 as usize]
    }
    fn imbalanced(&self, _: GroupId) -> bool {
        false
    }
    fn group_cpus(&self, id: GroupId) -> &[u32] {
        &self.group_cpus[id.0 as usize]
    }
    fn llc(&self, cpu: usize) -> &[u32] {
        &self.llc[cpu]
    }
    fn shares_cache(&self, a: usize, b: usize) -> bool {
        self.llc[a] == self.llc[b]
    }
    fn siblings(&self, cpu: usize) -> &[u32] {
        &self.siblings[cpu]
    }
    fn smt(&self) -> bool {
        self.siblings.iter().any(|s| s.len() > 1)
    }
    fn asym(&self) -> bool {
        (0..self.cpus.len()).any(|c| self.capacity(c) != self.max_capacity())
    }
    fn max_capacity(&self) -> u64 {
        (0..self.cpus.len()).map(|c| self.capacity(c)).max().unwrap()
    }
    fn node(&self, cpu: usize) -> u32 {
        self.machine.cpus[cpu].node
    }
    fn has_idle_cores(&self, cpu: usize) -> bool {
        self.idle_cores[cpu]
    }
    fn nr_idle_scan(&self, _: usize) -> u32 {
        self.nr_idle_scan
    }
    fn current_load(&self, cpu: usize) -> u64 {
        self.cpus[cpu].current_load
    }
    fn allowed(&self, cpu: usize) -> bool {
        self.allowed.contains(cpu)
    }
    fn nr_allowed(&self) -> usize {
        self.allowed.weight()
    }
}
