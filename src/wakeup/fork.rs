//! Placement of a new task: down the tree, at each level into the idlest group.

use super::View;
use crate::topology::{Domain, DomainTree, Group, SdFlags};

/// What a group offers a new task: more idle CPUs is better, then fewer tasks a capacity, then less use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offer {
    idle: usize,
    nr_running: u32,
    capacity: u64,
    util: u64,
}

impl Offer {
    fn beats(&self, other: &Self) -> bool {
        if self.idle != other.idle {
            return self.idle > other.idle;
        }
        let mine = u64::from(self.nr_running) * other.capacity;
        let theirs = u64::from(other.nr_running) * self.capacity;
        if self.idle == 0 && mine != theirs {
            return mine < theirs;
        }
        self.util * other.capacity < other.util * self.capacity
    }
}

/// The CPU for a new task that is forked on CPU `this` (`find_idlest_cpu`).
pub fn idlest(view: &impl View, tree: &DomainTree, this: usize) -> usize {
    let fork = |d: &&Domain| d.flags.contains(SdFlags::BALANCE_FORK);
    let mut width = tree.chains[this].iter().take_while(fork).last().map_or(0, |d| d.span.weight() + 1);
    let mut cpu = this;
    let below = |cpu: usize, width| {
        tree.chains[cpu].iter().take_while(fork).filter(|d| d.span.weight() < width).last()
    };
    while let Some(domain) = below(cpu, width) {
        width = domain.span.weight();
        if let Some(group) = idlest_group(view, tree, domain) {
            cpu = idlest_cpu(view, group).unwrap_or(cpu);
        }
    }
    if view.allowed(cpu) { cpu } else { first_allowed(view, tree.chains.len()).unwrap_or(cpu) }
}

fn first_allowed(view: &impl View, cpus: usize) -> Option<usize> {
    (0..cpus).find(|&c| view.allowed(c))
}

/// The best group; the local one, which comes first, unless another is strictly better.
fn idlest_group<'a>(view: &impl View, tree: &'a DomainTree, domain: &Domain) -> Option<&'a Group> {
    let mut best: Option<(&Group, Offer)> = None;
    for &id in &domain.groups {
        let group = tree.group(id);
        let Some(offer) = offer(view, group) else { continue };
        if best.is_none_or(|(_, b)| offer.beats(&b)) {
            best = Some((group, offer));
        }
    }
    best.map(|(group, _)| group)
}

fn offer(view: &impl View, group: &Group) -> Option<Offer> {
    let mut offer = Offer { idle: 0, nr_running: 0, capacity: group.capacity.max(1), util: 0 };
    let mut any = false;
    for cpu in group.span.iter().filter(|&c| view.allowed(c)) {
        any = true;
        offer.idle += usize::from(view.idle(cpu));
        offer.nr_running += view.nr_running(cpu);
        offer.util += view.util(cpu);
    }
    any.then_some(offer)
}

/// An idle CPU of the group, the first; else the one with the least load.
fn idlest_cpu(view: &impl View, group: &Group) -> Option<usize> {
    let allowed = || group.span.iter().filter(|&c| view.allowed(c));
    allowed()
        .find(|&c| view.idle(c))
        .or_else(|| allowed().min_by_key(|&c| (view.nr_running(c), view.load(c))))
}
