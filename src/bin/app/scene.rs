//! What stands still while a world runs: the machine and its domain tree; and what of it is selected.

use balancescope::scenario::Scenario;
use balancescope::topology::{DomainTree, Machine};

/// A machine and its tree, as the release of the scenario builds it. A new scene means a new world.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The machine.
    pub machine: Machine,
    /// Its domains.
    pub tree: DomainTree,
}

impl Scene {
    /// The scene of a scenario. The error is a sentence for a person.
    pub fn of(scenario: &Scenario) -> Result<Self, String> {
        let machine = scenario.machine()?;
        let tree = DomainTree::build(&machine, &scenario.rules().topology)?;
        Ok(Self { machine, tree })
    }
}

/// What the person is looking at. CPU numbers are indices; `slot` counts in [`DomainTree::levels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// A CPU.
    Cpu(usize),
    /// A task.
    Task(u32),
    /// The domain of a CPU at a level.
    Domain {
        /// The CPU as whose domain it is seen.
        cpu: usize,
        /// Its level.
        slot: usize,
    },
    /// A balance attempt by its number in the run.
    Attempt(u64),
}
