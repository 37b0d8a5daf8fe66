//! The groups of every domain (`build_sched_groups`, `build_overlap_sched_groups`), on the full chains.

use super::chain::Proto;
use super::spans::{SpanId, Spans};
use crate::topology::{CpuMask, GroupFlags, LevelName, Machine, SdFlags, TopologyRules};
use std::collections::HashMap;

/// What all lists share that reach the same level and balance CPU (`sched_group_capacity`). The span follows
/// from the two: it is the balance CPU's child domain at that level.
pub struct State {
    /// CPUs of the group.
    pub span: SpanId,
    /// The same, ascending.
    cpus: Vec<u32>,
    /// CPUs that may balance for it.
    pub mask: CpuMask,
    /// First CPU of the mask.
    pub balance_cpu: usize,
    /// Sum of capacities.
    pub capacity: u64,
    /// Flags of the one group object that non-NUMA lists share, if there is one.
    pub shared_flags: Option<SdFlags>,
}

/// Fills in the groups of every domain and returns the states they refer to. The error is a sentence.
pub fn build_groups(
    machine: &Machine,
    rules: &TopologyRules,
    names: &[LevelName],
    spans: &mut Spans,
    chains: &mut [Vec<Proto>],
) -> Result<Vec<State>, String> {
    let mut builder = Builder {
        machine,
        rules,
        spans,
        states: Vec::new(),
        known: HashMap::new(),
        covered: Covered { list: 0, by: vec![0; chains.len()] },
    };
    for (level, &name) in names.iter().enumerate() {
        let mut of_cpu = vec![None; chains.len()];
        for cpu in 0..chains.len() {
            if chains[cpu].len() <= level {
                continue;
            }
            let list = match name {
                LevelName::Numa => builder.overlapping(chains, cpu, level)?,
                _ => builder.plain(chains, cpu, level, &mut of_cpu),
            };
            let sd = &mut chains[cpu][level];
            sd.groups = list.states;
            sd.own_flags = list.flags;
        }
    }
    Ok(builder.states)
}

struct Builder<'a> {
    machine: &'a Machine,
    rules: &'a TopologyRules,
    spans: &'a mut Spans,
    states: Vec<State>,
    /// States by level and span.
    known: HashMap<(usize, SpanId), u32>,
    covered: Covered,
}

/// The CPUs that the list being built has covered: those marked with the list's number. Nothing needs to be
/// cleared between lists, which matters on machines where every CPU lists every other.
struct Covered {
    list: u32,
    by: Vec<u32>,
}

impl Covered {
    fn start_list(&mut self) {
        self.list += 1;
    }

    fn contains(&self, cpu: usize) -> bool {
        self.by[cpu] == self.list
    }

    fn add(&mut self, cpus: &[u32]) {
        for &cpu in cpus {
            self.by[cpu as usize] = self.list;
        }
    }
}

/// One CPU's list at one level.
#[derive(Default)]
struct List {
    states: Vec<u32>,
    flags: Vec<SdFlags>,
}

impl Builder<'_> {
    /// Groups that lie side by side: each uncovered CPU adds its child domain, or itself alone. `of_cpu`
    /// remembers the state that a CPU adds at this level.
    fn plain(&mut self, chains: &[Vec<Proto>], cpu: usize, level: usize, of_cpu: &mut [Option<u32>]) -> List {
        self.covered.start_list();
        let mut list = List::default();
        for i in self.spans.mask(chains[cpu][level].span).clone().iter_from(cpu) {
            if self.covered.contains(i) {
                continue;
            }
            let state = *of_cpu[i].get_or_insert_with(|| self.child_state(&chains[i], level, i));
            self.covered.add(&self.states[state as usize].cpus);
            list.states.push(state);
        }
        list
    }

    fn child_state(&mut self, chain: &[Proto], level: usize, cpu: usize) -> u32 {
        let child = level.checked_sub(1).and_then(|below| chain.get(below));
        let (span, flags) = match child {
            Some(child) => (child.span, child.flags),
            None => (self.spans.id(CpuMask::from_cpus([cpu])), SdFlags::empty()),
        };
        self.shared_state(level, span, cpu, flags)
    }

    /// Groups of a NUMA domain, which may overlap.
    fn overlapping(&mut self, chains: &[Vec<Proto>], cpu: usize, level: usize) -> Result<List, String> {
        let span = chains[cpu][level].span;
        self.covered.start_list();
        let mut list = List::default();
        for i in self.spans.mask(span).clone().iter_from(cpu) {
            if self.covered.contains(i) || chains[i].len() <= level {
                continue;
            }
            let (found, group, flags) = self.descended(&chains[i], level, span);
            let state = self.overlapping_state(chains, found, group)?;
            self.covered.add(&self.states[state as usize].cpus);
            list.states.push(state);
            list.flags.push(self.built_flags(flags));
        }
        Ok(list)
    }

    /// The level from whose child the group is made, the group's span and its flags.
    fn descended(&self, chain: &[Proto], level: usize, span: SpanId) -> (usize, SpanId, SdFlags) {
        let mut at = level;
        while self.rules.group_descent && at > 0 && !self.spans.is_subset(chain[at - 1].span, span) {
            at -= 1;
        }
        match at.checked_sub(1) {
            Some(child) => (at, chain[child].span, chain[child].flags),
            None => (at, chain[at].span, SdFlags::empty()),
        }
    }

    /// The state of an overlapping group; its mask holds the CPUs whose own domain at the level has a child
    /// of exactly the group's span (`build_balance_mask`).
    fn overlapping_state(
        &mut self,
        chains: &[Vec<Proto>],
        level: usize,
        group: SpanId,
    ) -> Result<u32, String> {
        if let Some(&state) = self.known.get(&(level, group)) {
            return Ok(state);
        }
        let ends_here =
            |&k: &usize| level > 0 && chains[k].len() > level && chains[k][level - 1].span == group;
        let mask: CpuMask = self.spans.mask(group).iter().filter(ends_here).collect();
        match mask.first() {
            Some(balance_cpu) => Ok(self.add(level, group, mask, balance_cpu)),
            None => Err(format!(
                "On this machine the kernel would find no CPU to balance for the group of CPUs {}.",
                self.machine.list(self.spans.mask(group))
            )),
        }
    }

    /// The state of a group object that non-NUMA lists share (`get_group`). Its flags come from the first
    /// list that reaches it.
    fn shared_state(&mut self, level: usize, span: SpanId, cpu: usize, flags: SdFlags) -> u32 {
        let state = match self.known.get(&(level, span)) {
            Some(&state) => state,
            None => {
                let mask = self.spans.mask(span).clone();
                let first = mask.first().unwrap_or(cpu);
                self.add(level, span, mask, first)
            }
        };
        let flags = self.built_flags(flags);
        self.states[state as usize].shared_flags.get_or_insert(flags);
        state
    }

    fn add(&mut self, level: usize, span: SpanId, mask: CpuMask, balance_cpu: usize) -> u32 {
        let state = self.states.len() as u32;
        let capacity = 1024 * u64::from(self.spans.weight(span));
        let cpus = self.spans.mask(span).iter().map(|cpu| cpu as u32).collect();
        self.states.push(State { span, cpus, mask, balance_cpu, capacity, shared_flags: None });
        self.known.insert((level, span), state);
        state
    }

    fn built_flags(&self, child: SdFlags) -> SdFlags {
        if self.rules.group_flags == GroupFlags::None { SdFlags::empty() } else { child }
    }
}
