//! A machine from the spans of its scheduling domains: where a text names no core, cache or node, the levels of
//! its domains tell them.

mod compare;
mod groups;
mod names;

pub(super) use compare::compare;
pub(super) use names::named;

use super::notes::Notes;
use crate::topology::{Cpu, LevelName, MAX_CPUS, Machine, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// CPUs of a span, ascending. Domains of many CPUs share one.
pub(super) type Span = Rc<[u32]>;
/// Every CPU's domains, bottom up: the stated name and the CPUs of the span.
pub(super) type CpuSpans = BTreeMap<u32, Vec<(Option<String>, Span)>>;
/// The same with every level named.
pub(super) type NamedSpans = BTreeMap<u32, Vec<(LevelName, Span)>>;

/// More CPU numbers than all different spans of a large machine hold.
const MAX_NUMBERS: usize = 1 << 22;

/// Keeps each different span of a text once.
#[derive(Default)]
pub(super) struct SpanStore {
    known: BTreeMap<String, Span>,
    numbers: usize,
}

impl SpanStore {
    /// The span that `parse` reads from the text, or the one that was read from it before.
    pub(super) fn get(
        &mut self,
        text: &str,
        parse: impl Fn(&str) -> Result<Vec<u32>, String>,
    ) -> Result<Span, String> {
        if let Some(span) = self.known.get(text) {
            return Ok(span.clone());
        }
        let span: Span = parse(text)?.into();
        self.numbers += span.len();
        if self.numbers > MAX_NUMBERS {
            return Err("There are more different spans than any machine has.".to_owned());
        }
        self.known.insert(text.to_owned(), span.clone());
        Ok(span)
    }
}

/// Builds the machine; `None`, with a word, where the spans do not suffice.
pub(super) fn machine(spans: &CpuSpans, what: &str, notes: &mut Notes) -> Option<Machine> {
    let ids: Vec<u32> = spans.keys().copied().collect();
    if ids.is_empty() {
        return None;
    }
    if ids.len() > MAX_CPUS {
        notes.warn(
            None,
            format!("No machine was made: it has {} CPUs and at most {MAX_CPUS} can be shown.", ids.len()),
        );
        return None;
    }
    if ids.len() > 1 && spans.values().all(Vec::is_empty) {
        notes.warn(None, "No machine was made: no domain says which CPUs belong together.");
        return None;
    }
    let stated = spans.values().flatten().any(|(name, _)| name.is_some());
    let chains = names::named(within(spans, notes));
    if !stated {
        say_names(&chains, notes);
    }
    let tops = chains.values().filter_map(|chain| chain.last());
    let in_a_span: BTreeSet<u32> = tops.flat_map(|(_, span)| span.iter().copied()).collect();
    let plan: BTreeMap<u32, groups::Place> =
        chains.iter().map(|(cpu, chain)| (*cpu, groups::place(*cpu, chain))).collect();
    let node_ids = groups::firsts(plan.values().map(|p| p.node));
    let index = |of: &[u32], first: u32| of.binary_search(&first).unwrap_or(0) as u32;
    let cpus = plan.iter().map(|(id, place)| Cpu {
        id: *id,
        core: place.core,
        cluster: place.cluster,
        llc: place.llc,
        package: place.package,
        node: index(&node_ids, place.node),
        capacity: 1024,
        active: ids.len() == 1 || in_a_span.contains(id),
    });
    let cpus: Vec<Cpu> = cpus.collect();
    notes
        .assume("x86 assumed, with CPUs of one capacity and the usual reclaim distance: domains do not tell");
    if node_ids.len() > 1 {
        notes.assume(
            "node numbers and distances assumed: levels of domains tell their order and not their size",
        );
    }
    Some(Machine {
        name: format!("{what}, {}", super::notes::count(cpus.len(), "CPU")),
        cpus,
        nodes: (0..node_ids.len() as u32).map(|id| Node { id }).collect(),
        distances: groups::distances(&node_ids, &chains),
        hybrid: false,
        x86: true,
        itmt: false,
        granite_rapids: false,
        node_reclaim_distance: 30,
    })
}

fn say_names(chains: &NamedSpans, notes: &mut Notes) {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in chains.values().flatten() {
        if !names.contains(&name.as_str()) && names.len() < 8 {
            names.push(name.as_str());
        }
    }
    if !names.is_empty() {
        notes.assume(format!(
            "level names assumed ({}): the file does not name its domains, so they were inferred from how many \
             CPUs they span",
            names.join(", ")
        ));
    }
}

/// The spans without CPUs that the text itself does not list.
fn within(spans: &CpuSpans, notes: &mut Notes) -> CpuSpans {
    let mut missing: BTreeSet<u32> = BTreeSet::new();
    let mut out = CpuSpans::new();
    let mut done: BTreeMap<*const u32, Span> = BTreeMap::new();
    for (cpu, chain) in spans {
        let mut kept = Vec::new();
        for (name, span) in chain {
            let have = done.entry(span.as_ptr()).or_insert_with(|| {
                let (have, not): (Vec<u32>, Vec<u32>) = span.iter().partition(|c| spans.contains_key(c));
                missing.extend(not);
                have.into()
            });
            if have.binary_search(cpu).is_ok() {
                kept.push((name.clone(), have.clone()));
            } else {
                notes.warn(None, format!("A domain of CPU {cpu} does not hold it and was left out."));
            }
        }
        out.insert(*cpu, kept);
    }
    let missing: Vec<u32> = missing.into_iter().collect();
    if !missing.is_empty() {
        notes.warn(
            None,
            format!(
                "{} in domains and without a line; left out, since the text may be cut off.",
                super::notes::named("CPU", &missing) + if missing.len() == 1 { " is" } else { " are" }
            ),
        );
    }
    out
}
