//! Running sums of every group's statistics, so that a pass reads groups and not their CPUs.
//!
//! What a pass pays for in simulated time is unchanged: this only spares the simulator the walk. CPUs that an
//! event touched are marked; before a pass reads, what changed in them is carried over to their groups.

use super::World;
use super::setup::Setup;
use super::stats::Look;
use crate::balance::{CpuView, DomainView, GroupStats, IdleType};

/// Averages of idle queues are brought up to date once in so many ns, as a power of two: a PELT period.
const WINDOW_BITS: u32 = 20;

/// What one CPU, or all CPUs of a group, add to the statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    load: u64,
    util: u64,
    runnable: u64,
    // Counts are as wide as the rest, so that a share is copied in equal pieces.
    nr_running: u64,
    h_nr_running: u64,
    idle_cpus: u64,
    /// CPUs that make the root domain overloaded.
    pub overloading: u64,
}

impl Share {
    /// Replaces one CPU's part of the sum.
    fn replace(&mut self, old: &Self, new: &Self) {
        self.load = self.load.wrapping_sub(old.load).wrapping_add(new.load);
        self.util = self.util.wrapping_sub(old.util).wrapping_add(new.util);
        self.runnable = self.runnable.wrapping_sub(old.runnable).wrapping_add(new.runnable);
        self.nr_running = self.nr_running.wrapping_sub(old.nr_running).wrapping_add(new.nr_running);
        self.h_nr_running = self.h_nr_running.wrapping_sub(old.h_nr_running).wrapping_add(new.h_nr_running);
        self.idle_cpus = self.idle_cpus.wrapping_sub(old.idle_cpus).wrapping_add(new.idle_cpus);
        self.overloading = self.overloading.wrapping_sub(old.overloading).wrapping_add(new.overloading);
    }

    /// Fills a group's statistics in.
    pub(super) fn fill(&self, stats: &mut GroupStats) {
        stats.load = self.load;
        stats.util = self.util;
        stats.runnable = self.runnable;
        stats.nr_running = self.nr_running as u32;
        stats.h_nr_running = self.h_nr_running as u32;
        stats.idle_cpus = self.idle_cpus as u32;
    }
}

/// The sums, and which CPUs changed since.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    cpus: Vec<Share>,
    groups: Vec<Share>,
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
            groups: vec![Share::default(); setup.group_cpus.len()],
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

    /// The sum of a group, as of the last [`World::carry_over`].
    pub(super) fn group(&self, id: u32) -> &Share {
        &self.groups[id as usize]
    }
}

impl World {
    /// Brings the sums up to date.
    pub(super) fn carry_over(&mut self) {
        self.refresh_idle_queues();
        let mut sums = std::mem::take(&mut self.sums.list);
        for c in sums.drain(..) {
            let c = c as usize;
            self.sums.marked[c] = false;
            let new = self.share(c);
            let old = std::mem::replace(&mut self.sums.cpus[c], new);
            if old != new {
                for &id in &self.setup.groups_of[c] {
                    self.sums.groups[id as usize].replace(&old, &new);
                }
            }
        }
        self.sums.list = sums;
    }

    /// An idle queue only decays, so its averages are brought up to date once a window. A busy one was updated at
    /// its last tick or change and is read as it stands, as the kernel does.
    fn refresh_idle_queues(&mut self) {
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

    /// What one CPU adds: the rule of the statistics themselves, applied to a group of this CPU alone. Misfit tasks
    /// and reduced capacities, which would depend on the pass, do not occur.
    fn share(&self, c: usize) -> Share {
        let mut one = GroupStats { local: true, ..GroupStats::default() };
        let overloads = one.add(&self.setup.rules, &ANY_PASS, &Look(self).stats(c));
        Share {
            load: one.load,
            util: one.util,
            runnable: one.runnable,
            nr_running: u64::from(one.nr_running),
            h_nr_running: u64::from(one.h_nr_running),
            idle_cpus: u64::from(one.idle_cpus),
            overloading: u64::from(overloads),
        }
    }

    /// Every group whose sum differs from its CPUs', as a sentence. CPUs that changed since the last pass are as
    /// that pass saw them.
    pub(super) fn check_sums(&self, broken: &mut Vec<String>) {
        for c in (0..self.cpus.len()).filter(|&c| !self.sums.marked[c]) {
            if self.sums.cpus[c] != self.share(c) {
                broken.push(format!("CPU {c} changed without a mark."));
            }
        }
        for (id, cpus) in self.setup.group_cpus.iter().enumerate() {
            let mut sum = Share::default();
            cpus.iter().for_each(|&c| sum.replace(&Share::default(), &self.sums.cpus[c as usize]));
            if sum != self.sums.groups[id] {
                broken.push(format!("The statistics of group {id} differ from those of its CPUs."));
            }
        }
    }
}

/// A pass whose particulars do not matter to a CPU's share.
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
