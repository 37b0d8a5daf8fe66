//! Walking the tree with arrow keys: up to the parent domain, down to the first child, left and right to
//! the neighbours of the same level.

use super::layout::Layout;
use balancescope::topology::DomainTree;

/// Where the keyboard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Spot {
    Cpu(usize),
    Domain { cpu: usize, slot: usize },
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Step {
    Parent,
    Child,
    Next,
    Previous,
    First,
    Last,
}

impl Spot {
    /// The CPU as which it is seen.
    pub fn cpu(self) -> usize {
        match self {
            Self::Cpu(cpu) | Self::Domain { cpu, .. } => cpu,
        }
    }
}

/// The spot after a step; the same one where there is none in that direction.
pub fn walk(layout: &Layout, tree: &DomainTree, spot: Spot, step: Step) -> Spot {
    let cpu = spot.cpu();
    let slots: Vec<usize> =
        tree.chains.get(cpu).map(|chain| chain.iter().map(|d| d.slot).collect()).unwrap_or_default();
    match (spot, step) {
        (Spot::Cpu(_), Step::Parent) => slots.first().map_or(spot, |&slot| Spot::Domain { cpu, slot }),
        (Spot::Domain { slot, .. }, Step::Parent) => {
            slots.iter().find(|&&s| s > slot).map_or(spot, |&slot| Spot::Domain { cpu, slot })
        }
        (Spot::Cpu(_), Step::Child) => spot,
        (Spot::Domain { slot, .. }, Step::Child) => {
            slots.iter().rev().find(|&&s| s < slot).map_or(Spot::Cpu(cpu), |&slot| Spot::Domain { cpu, slot })
        }
        (Spot::Cpu(_), _) => {
            let order: Vec<usize> = layout.regions.iter().flat_map(|r| r.cpus.iter().copied()).collect();
            beside(&order, cpu, step).map_or(spot, Spot::Cpu)
        }
        (Spot::Domain { slot, .. }, _) => {
            let wires: Vec<usize> =
                (0..layout.wires.len()).filter(|&w| layout.wires[w].slot == slot).collect();
            let here = layout.wire_of(cpu, slot);
            here.and_then(|w| beside(&wires, w, step))
                .filter(|&w| Some(w) != here)
                .map_or(spot, |w| Spot::Domain { cpu: layout.wires[w].seen_by, slot })
        }
    }
}

fn beside(order: &[usize], here: usize, step: Step) -> Option<usize> {
    let i = order.iter().position(|&o| o == here)?;
    match step {
        Step::Next => order.get(i + 1).copied(),
        Step::Previous => i.checked_sub(1).and_then(|i| order.get(i).copied()),
        Step::First => order.first().copied(),
        Step::Last => order.last().copied(),
        Step::Parent | Step::Child => None,
    }
}
