//! What does not change during a run: the machine and its tree laid out flat, rules, costs, tunables.

use super::cost::Costs;
use crate::balance::{GroupStats, Rules};
use crate::scenario::{Freq, Preempt, Scenario, Ticks};
use crate::sched::rules::Picking;
use crate::sched::tracking::{Invariance, Misfit};
use crate::topology::distinct::distinct;
use crate::topology::{Domain, DomainTree, Group, GroupId, Machine, SdFlags};

/// How far two CPUs are apart: an index into the cost table's distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    Core,
    Llc,
    Node,
    Remote,
}

/// A domain object's fixed facts beside those in [`Domain`].
#[derive(Clone, Debug)]
pub(super) struct DomainFacts {
    /// Cost of reading every CPU of the domain once, ns.
    pub scan: u64,
    /// CPUs in the span.
    pub weight: u32,
    pub newidle: bool,
    pub serialize: bool,
    /// Index into `DomainTree::levels`.
    pub slot: u8,
}

/// Everything fixed.
#[derive(Debug)]
pub(super) struct Setup {
    pub machine: Machine,
    pub tree: DomainTree,
    /// Capacity of each CPU.
    pub capacities: Vec<u64>,
    pub rules: Rules,
    pub costs: Costs,
    pub picking: Picking,
    pub hz: u32,
    pub ticks: Ticks,
    /// `TICK_NSEC`.
    pub tick_ns: u64,
    /// Longest chain of domains: the stride of arrays by (CPU, level).
    pub stride: usize,
    /// By (CPU, level).
    pub facts: Vec<DomainFacts>,
    /// CPUs of each group, by group number.
    pub group_cpus: Vec<Vec<u32>>,
    /// Groups that hold each CPU.
    pub groups_of: Vec<Vec<GroupId>>,
    /// Groups that share one imbalance flag, by number of the state they share.
    pub groups_of_state: Vec<Vec<GroupId>>,
    /// Fixed fields of each group's statistics, by group number.
    pub group_stats: Vec<GroupStats>,
    /// Dense number of each CPU's last-level cache domain.
    pub llc: Vec<u32>,
    /// CPUs of each last-level cache domain.
    pub llc_cpus: Vec<Vec<u32>>,
    /// CPUs of each CPU's core, itself included.
    pub siblings: Vec<Vec<u32>>,
    /// Some core has more than one thread.
    pub smt: bool,
    /// No CPU is isolated.
    pub all_active: bool,
    /// Capacities differ, and this is the largest.
    pub asym: bool,
    pub max_capacity: u64,
    /// The clock of averages differs from real time.
    pub scales_time: bool,
    /// Additions to averages are scaled.
    pub scales_additions: bool,
    /// Running tasks may be marked as misfits.
    pub marks_misfit: bool,
    /// Frequencies follow utilization.
    pub schedutil: bool,
    /// A newly idle CPU stops after one task.
    pub preemption: bool,
    /// A fair task is told to give way at its CPU's next interrupt (lazy preemption).
    pub lazy: bool,
    pub seed: u64,
}

impl Setup {
    pub(super) fn new(scenario: &Scenario) -> Result<Self, String> {
        let machine = scenario.machine()?;
        let rules = scenario.rules();
        let tree = DomainTree::build(&machine, &rules.topology)?;
        let costs = Costs::with(&scenario.costs)?;
        let hz = scenario.knobs.hz.0;
        if !matches!(hz, 100 | 250 | 300 | 1000) {
            return Err(format!("HZ is {hz}; it must be 100, 250, 300 or 1000."));
        }
        let cpus = machine.cpus.len();
        if cpus == 0 {
            return Err("The machine has no CPUs.".to_owned());
        }
        let stride = tree.chains.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let group_cpus = tree.groups.iter().map(|g| g.span.iter().map(|c| c as u32).collect()).collect();
        let mut groups_of = vec![Vec::new(); cpus];
        for (id, group) in (0..).map(GroupId).zip(&tree.groups) {
            group.span.iter().for_each(|c| groups_of[c].push(id));
        }
        let mut groups_of_state = vec![Vec::new(); tree.group_states];
        for (id, group) in (0..).map(GroupId).zip(&tree.groups) {
            groups_of_state[group.state].push(id);
        }
        let group_stats = tree.groups.iter().map(|g| group_stats(&machine, g)).collect();
        let (llc, llc_cpus) = llcs(&tree, cpus);
        let siblings: Vec<Vec<u32>> = (0..cpus).map(|c| siblings(&machine, c)).collect();
        let capacities: Vec<u64> = machine.cpus.iter().map(|c| u64::from(c.capacity)).collect();
        let max_capacity = capacities.iter().copied().max().unwrap_or(0);
        let asym = capacities.iter().any(|&c| c != max_capacity);
        let schedutil = scenario.knobs.freq == Freq::Schedutil;
        let invariance = rules.tracking.invariance;
        let scaled = schedutil || capacities.iter().any(|&c| c != 1024);
        let mut setup = Self {
            scales_time: scaled && invariance == Invariance::Time,
            scales_additions: scaled && invariance == Invariance::Contribution,
            marks_misfit: asym && rules.tracking.misfit != Misfit::None,
            schedutil,
            smt: siblings.iter().any(|s| s.len() > 1),
            all_active: machine.cpus.iter().all(|c| c.active),
            asym,
            max_capacity,
            capacities,
            machine,
            tree,
            picking: Picking::new(rules.pick.clone(), cpus, 1_000_000_000 / u64::from(hz)),
            rules,
            costs,
            hz,
            ticks: scenario.knobs.ticks,
            tick_ns: 1_000_000_000 / u64::from(hz),
            stride,
            facts: Vec::new(),
            groups_of,
            groups_of_state,
            group_cpus,
            group_stats,
            llc,
            llc_cpus,
            siblings,
            lazy: scenario.knobs.preempt == Preempt::Lazy,
            preemption: matches!(scenario.knobs.preempt, Preempt::Full | Preempt::Dynamic | Preempt::Lazy),
            seed: scenario.seed,
        };
        setup.facts = setup.domain_facts();
        Ok(setup)
    }

    fn domain_facts(&self) -> Vec<DomainFacts> {
        let none = DomainFacts { scan: 0, weight: 0, newidle: false, serialize: false, slot: 0 };
        let mut facts = vec![none; self.cpus() * self.stride];
        for (c, chain) in self.tree.chains.iter().enumerate() {
            for (level, domain) in chain.iter().enumerate() {
                facts[c * self.stride + level] = self.facts_of(c, domain);
            }
        }
        facts
    }

    fn facts_of(&self, c: usize, domain: &Domain) -> DomainFacts {
        DomainFacts {
            scan: domain.span.iter().map(|o| self.costs.scan[self.distance(c, o) as usize]).sum(),
            weight: domain.span.weight() as u32,
            newidle: domain.flags.contains(SdFlags::BALANCE_NEWIDLE),
            serialize: domain.flags.contains(SdFlags::SERIALIZE),
            slot: domain.slot as u8,
        }
    }

    pub(super) fn cpus(&self) -> usize {
        self.machine.cpus.len()
    }

    #[inline]
    pub(super) fn capacity(&self, c: usize) -> u64 {
        self.capacities[c]
    }

    /// How many domains a CPU has.
    pub(super) fn depth(&self, c: usize) -> usize {
        self.tree.chains[c].len()
    }

    /// A domain object.
    pub(super) fn domain(&self, c: usize, level: usize) -> &Domain {
        &self.tree.chains[c][level]
    }

    /// A domain object's facts.
    pub(super) fn fact(&self, c: usize, level: usize) -> &DomainFacts {
        &self.facts[c * self.stride + level]
    }

    pub(super) fn distance(&self, a: usize, b: usize) -> Distance {
        let (x, y) = (&self.machine.cpus[a], &self.machine.cpus[b]);
        if x.core == y.core {
            Distance::Core
        } else if x.llc == y.llc {
            Distance::Llc
        } else if x.node == y.node {
            Distance::Node
        } else {
            Distance::Remote
        }
    }

    pub(super) fn shares_cache(&self, a: usize, b: usize) -> bool {
        self.llc[a] == self.llc[b]
    }

    /// Jiffies at a time.
    pub(super) fn jiffies(&self, ns: u64) -> u64 {
        ns / self.tick_ns
    }

    /// The first tick of a CPU after a time.
    pub(super) fn next_tick(&self, c: usize, after: u64) -> u64 {
        let offset = match self.ticks {
            Ticks::Spread => self.tick_ns * c as u64 / self.cpus() as u64,
            Ticks::Together => 0,
        };
        if after < offset {
            return offset;
        }
        offset + ((after - offset) / self.tick_ns + 1) * self.tick_ns
    }

    /// Slot of the lowest domain of `a` that holds `b`.
    pub(super) fn slot_between(&self, a: usize, b: usize) -> Option<u8> {
        self.tree.chains[a].iter().find(|d| d.span.contains(b)).map(|d| d.slot as u8)
    }
}

/// Numbers the highest domains that share a cache (`sd_llc`); a CPU without one is alone.
fn llcs(tree: &DomainTree, cpus: usize) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut of = vec![u32::MAX; cpus];
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for c in 0..cpus {
        if of[c] != u32::MAX {
            continue;
        }
        let llc = tree.chains[c].iter().rev().find(|d| d.flags.contains(SdFlags::LLC));
        let list: Vec<u32> =
            llc.map_or_else(|| vec![c as u32], |d| d.span.iter().map(|c| c as u32).collect());
        for &member in &list {
            of[member as usize] = lists.len() as u32;
        }
        lists.push(list);
    }
    (of, lists)
}

fn siblings(machine: &Machine, c: usize) -> Vec<u32> {
    let core = machine.cpus[c].core;
    (0..machine.cpus.len()).filter(|&o| machine.cpus[o].core == core).map(|o| o as u32).collect()
}

fn group_stats(machine: &Machine, group: &Group) -> GroupStats {
    let capacities = || group.span.iter().map(|c| u64::from(machine.cpus[c].capacity));
    let cores = distinct(group.span.iter().map(|c| machine.cpus[c].core.into()).collect());
    GroupStats {
        weight: group.span.weight() as u32,
        capacity: group.capacity,
        min_capacity: capacities().min().unwrap_or(0),
        max_capacity: capacities().max().unwrap_or(0),
        smt: group.flags.contains(SdFlags::SHARE_CPUCAPACITY),
        prefer_sibling: group.flags.contains(SdFlags::PREFER_SIBLING),
        priority: group.span.first().map_or(0, super::stats::priority),
        cores: cores.len() as u32,
        ..GroupStats::default()
    }
}
