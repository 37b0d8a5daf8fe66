//! From a machine to its domains, in the kernel's own steps: levels, chains, groups, values, removal.

mod attach;
mod chain;
mod distance;
mod groups;
mod levels;
mod spans;
mod values;

use super::distinct::distinct;
use super::{CpuMask, Domain, DomainTree, Group, GroupId, Level, LevelName, Machine, SdFlags, TopologyRules};
use attach::Attach;
use chain::{Context, Proto};
use groups::State;
use spans::Spans;

/// Builds the tree as that release would. Errors are one sentence for a person.
pub fn build(machine: &Machine, rules: &TopologyRules) -> Result<DomainTree, String> {
    if let Some(sentence) = machine.check().errors.into_iter().next() {
        return Err(sentence);
    }
    let mut spans = Spans::default();
    let levels = levels::levels(machine, rules, &mut spans);
    let names: Vec<LevelName> = levels.iter().map(|level| level.name).collect();
    let active: CpuMask = (0..machine.cpus.len()).filter(|&c| machine.cpus[c].active).collect();
    let cpu_map = spans.id(active);
    let mut chains = chain::chains(&Context { machine, rules, levels: &levels, cpu_map }, &mut spans)?;
    let mut states = groups::build_groups(machine, rules, &names, &mut spans, &mut chains)?;
    values::sum_capacities(machine, &names, &spans, &chains, &mut states);
    let attach = Attach { rules, spans: &spans, several_nodes: several_nodes(machine) };
    for chain in &mut chains {
        if rules.imb_numa_nr {
            values::set_imb_numa_nr(&names, &spans, chain);
        }
        attach.attach(chain, &mut states);
    }
    Ok(Finish::new(rules, &names, &spans, &states, &chains).finish(&chains))
}

/// `nr_node_ids` counts up to the highest node number, with CPUs or not.
fn several_nodes(machine: &Machine) -> bool {
    machine.nodes.iter().any(|node| node.id > 0)
}

/// Turns what was built into the tree that others read: levels without gaps, equal groups kept once.
struct Finish<'a> {
    rules: &'a TopologyRules,
    spans: &'a Spans,
    states: &'a [State],
    levels: Vec<Level>,
    groups: Vec<Group>,
    /// For each state, the groups made of it so far: they differ in their flags.
    made: Vec<Vec<(SdFlags, GroupId)>>,
    /// How many states are in use.
    used: usize,
}

impl<'a> Finish<'a> {
    fn new(
        rules: &'a TopologyRules,
        names: &[LevelName],
        spans: &'a Spans,
        states: &'a [State],
        chains: &[Vec<Proto>],
    ) -> Self {
        let surviving = distinct(chains.iter().flatten().map(|sd| sd.level.into()).collect());
        let level = |&level: &u64| Level { level: level as u32, name: names[level as usize] };
        let levels = surviving.iter().map(level).collect();
        Self {
            rules,
            spans,
            states,
            levels,
            groups: Vec::new(),
            made: vec![Vec::new(); states.len()],
            used: 0,
        }
    }

    fn finish(mut self, chains: &[Vec<Proto>]) -> DomainTree {
        let chains = chains.iter().map(|chain| chain.iter().map(|sd| self.domain(sd)).collect()).collect();
        DomainTree { levels: self.levels, chains, groups: self.groups, group_states: self.used }
    }

    fn domain(&mut self, sd: &Proto) -> Domain {
        let slot = self.levels.partition_point(|level| level.level < sd.level);
        let groups = sd.groups.iter().enumerate().map(|(place, &state)| {
            let shared = self.states[state as usize].shared_flags;
            let flags = sd.own_flags.get(place).copied().or(shared).unwrap_or(SdFlags::empty());
            self.group(state, flags)
        });
        Domain {
            groups: groups.collect(),
            slot,
            level: sd.level,
            name: self.levels[slot].name,
            span: self.spans.mask(sd.span).clone(),
            flags: sd.flags,
            min_interval: sd.weight,
            max_interval: 2 * sd.weight,
            busy_factor: self.rules.busy_factor,
            imbalance_pct: sd.imbalance_pct,
            cache_nice_tries: sd.cache_nice_tries,
            imb_numa_nr: sd.imb_numa_nr,
        }
    }

    fn group(&mut self, state: u32, flags: SdFlags) -> GroupId {
        let made = &mut self.made[state as usize];
        if let Some(&(_, id)) = made.iter().find(|(of, _)| *of == flags) {
            return id;
        }
        let number = match made.first() {
            Some(&(_, alike)) => self.groups[alike.0 as usize].state,
            None => {
                self.used += 1;
                self.used - 1
            }
        };
        let from = &self.states[state as usize];
        let id = GroupId(self.groups.len() as u32);
        self.groups.push(Group {
            span: self.spans.mask(from.span).clone(),
            mask: from.mask.clone(),
            balance_cpu: from.balance_cpu,
            capacity: from.capacity,
            flags,
            state: number,
        });
        made.push((flags, id));
        id
    }
}
