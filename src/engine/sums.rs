//! Running sums of every group's statistics, so that a pass reads groups and not their CPUs.
//!
//! What a pass pays for in simulated time is unchanged: this only spares the simulator the walk. CPUs that an
//! event touched are marked; before a pass reads, what changed in them is carried over to their groups.

use super::World;
use super::setup::Setup;
use super::stats::Look;
use crate::balance::{CpuView, DomainView, IdleType, KeptGroups, cfs_tasks};
use crate::topology::GroupId;

/// Averages of idle queues are brought up to date once in so many ns, as a power of two: a PELT period.
const WINDOW_BITS: u32 = 20;

/// What one CPU adds to the statistics of each of its groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    load: u64,
    util: u64,
    runnable: u64,
    nr_running: u32,
    h_nr_running: u32,
    idle_cpus: u32,
    /// 1 if the CPU makes the root domain overloaded.
    overloading: u32,
}

/// The sums, and which CPUs changed since.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    cpus: Vec<Share>,
    /// Statistics of each group as any pass sees them.
    pub groups: KeptGroups,
    /// CPUs of each group that make the root domain overloaded.
    overloading: Vec<u32>,
    marked: Vec<bool>,
    list: Vec<u32>,
    /// The window in which idle queues were updated last.
    pub window: u64,
}

impl Sums {
    pub(super) fn new(setup: &Setup) -> Self {
        let cpus = setup.cpus();
        Self {
            cpus: vec![Share::default(); cpus],
            groups: KeptGroups::new(setup.group_stats.clone()),
            overloading: vec![0; setup.group_stats.len()],
            marked: vec![true; cpus],
            list: (0..cpus as u32).collect(),
            window: 0,
        }
    }

    /// Says that a CPU may have changed.
    #[inline]
    pub(super) fn mark(&mut self, c: usize) {
        if !std::mem::replace(&mut self.marked[c], true) {
            self.list.push(c as u32);
        }
    }

    /// Whether a CPU of a group makes the root domain overloaded, as of the last [`World::carry_over`].
    pub(super) fn overloads(&self, id: GroupId) -> bool {
        self.overloading[id.0 as usize] > 0
    }

    /// Replaces one CPU's part of a group's sums.
    fn replace(&mut self, id: GroupId, old: &Share, new: &Share) {
        let group = self.groups.change(id);
        group.load = group.load.wrapping_sub(old.load).wrapping_add(new.load);
        group.util = group.util.wrapping_sub(old.util).wrapping_add(new.util);
        group.runnable = group.runnable.wrapping_sub(old.runnable).wrapping_add(new.runnable);
        group.nr_running = group.nr_running.wrapping_sub(old.nr_running).wrapping_add(new.nr_running);
        group.h_nr_running = group.h_nr_running.wrapping_sub(old.h_nr_running).wrapping_add(new.h_nr_running);
        group.idle_cpus = group.idle_cpus.wrapping_sub(old.idle_cpus).wrapping_add(new.idle_cpus);
        let overloading = &mut self.overloading[id.0 as usize];
        *overloading = overloading.wrapping_sub(old.overloading).wrapping_add(new.overloading);
    }
}

impl World {
    /// Brings the sums up to date.
    pub(super) fn carry_over(&mut self) {
        self.refresh_idle_queues();
        while let Some(c) = self.sums.list.pop() {
            let c = c as usize;
            self.sums.marked[c] = false;
            let new = self.share(c);
            let old = std::mem::replace(&mut self.sums.cpus[c], new);
            if old != new {
                for &id in &self.setup.groups_of[c] {
                    self.sums.replace(id, &old, &new);
                }
            }
        }
    }

    /// An idle queue only decays, so its averages are brought up to date once a window. A busy one was updated at
    /// its last tick or change and is read as it stands, as the kernel does.
    pub(super) fn refresh_idle_queues(&mut self) {
        let window = self.now >> WINDOW_BITS;
        if std::mem::replace(&mut self.sums.window, window) == window {
            return;
        }
        for c in 0..self.cpus.len() {
            if self.cpus[c].rq.nr_running() == 0 {
                self.update_queue(c);
            }
        }
    }

    /// What one CPU adds by [`crate::balance::GroupStats::add`]. Misfit tasks, which depend on the pass and are no sum, are for
    /// [`World::gather`] to look for.
    fn share(&self, c: usize) -> Share {
        let cpu = Look(self).stats(c);
        Share {
            load: cpu.load,
            util: cpu.util(),
            runnable: cpu.runnable,
            nr_running: cpu.nr_running,
            h_nr_running: cfs_tasks(&self.setup.rules, &cpu),
            idle_cpus: u32::from(cpu.nr_running == 0 && cpu.idle),
            overloading: u32::from(cpu.nr_running > 1),
        }
    }

    /// Sets or clears the imbalance flag that groups of one level and balance CPU share.
    pub(super) fn set_imbalance_flag(&mut self, state: usize, set: bool) {
        if std::mem::replace(&mut self.groups[state].imbalance, set) != set {
            for &id in &self.setup.groups_of_state[state] {
                self.sums.groups.change(id).imbalance_flag = set;
            }
        }
    }

    /// Every group whose statistics differ from a plain walk over its CPUs, as a sentence. CPUs that changed since
    /// the last pass are as that pass saw them.
    pub(super) fn check_sums(&self, broken: &mut Vec<String>) {
        for c in (0..self.cpus.len()).filter(|&c| !self.sums.marked[c]) {
            if self.sums.cpus[c] != self.share(c) {
                broken.push(format!("CPU {c} changed without a mark."));
            }
        }
        for (id, cpus) in (0..).map(GroupId).zip(&self.setup.group_cpus) {
            if let Some(why) = self.check_group(id, cpus) {
                broken.push(format!("The {why} of group {} differs from that of its CPUs.", id.0));
            }
        }
    }

    /// What is wrong with a group's sums, if none of its CPUs changed since the last pass.
    fn check_group(&self, id: GroupId, cpus: &[u32]) -> Option<&'static str> {
        if cpus.iter().any(|&c| self.sums.marked[c as usize]) {
            return None;
        }
        let kept = self.sums.groups.get(id);
        let mut plain = self.setup.group_stats[id.0 as usize].clone();
        plain.imbalance_flag = self.groups[self.setup.tree.group(id).state].imbalance;
        (plain.group_type, plain.avg_load) = (kept.group_type, kept.avg_load);
        let mut overloaded = false;
        for &c in cpus {
            overloaded |= plain.add(&self.setup.rules, &ANY_PASS, &Look(self).stats(c as usize));
        }
        if plain != *kept {
            return Some("sum");
        }
        (overloaded != self.sums.overloads(id)).then_some("overload")
    }
}

/// A pass whose particulars do not matter to the sums.
const ANY_PASS: DomainView = DomainView {
    idle: IdleType::Busy,
    imbalance_pct: 100,
    child_prefer_sibling: false,
    imb_numa_nr: 0,
    numa: false,
    share_llc: false,
    smt: false,
    asym_capacity: false,
    asym_packing: false,
    dst_capacity: 0,
    dst_core_idle: false,
    dst_priority: 0,
    energy_aware: false,
};
