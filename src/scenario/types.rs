//! The scenario as plain data.

use super::Script;
use crate::topology::{Machine, Release};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the overload flag of the root domain behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OverloadMode {
    /// As the kernel sets and clears it.
    #[default]
    Auto,
    /// Held set by the user.
    HeldSet,
    /// Held clear by the user.
    HeldClear,
}

impl OverloadMode {
    /// All, in the order of the control.
    pub const ALL: [Self; 3] = [Self::Auto, Self::HeldSet, Self::HeldClear];

    /// As written in a link.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::HeldSet => "set",
            Self::HeldClear => "clear",
        }
    }
}

/// `sysctl_sched_migration_cost`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MigrationCost {
    /// 0: a task is never cache-hot.
    NeverHot,
    /// Nanoseconds, above 0 and up to 10 ms.
    Ns(u64),
    /// -1: a task is always cache-hot.
    AlwaysHot,
}

impl MigrationCost {
    /// The largest in [`MigrationCost::Ns`].
    pub const MOST_NS: u64 = 10_000_000;

    /// The cost of that many nanoseconds; 0 is never hot, and more than [`Self::MOST_NS`] is held there.
    pub fn of_ns(ns: u64) -> Self {
        if ns == 0 { Self::NeverHot } else { Self::Ns(ns.min(Self::MOST_NS)) }
    }
}

impl Default for MigrationCost {
    fn default() -> Self {
        Self::Ns(500_000)
    }
}

/// Kernel preemption model. With `Full`, `Dynamic` or `Lazy` (6.13 and later), newidle stops after one task. With
/// `Lazy`, a task on another CPU that is to give way to a woken one is told by its next interrupt, not by one of its
/// own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Preempt {
    None,
    Voluntary,
    Full,
    #[default]
    Dynamic,
    Lazy,
}

impl Preempt {
    /// All, in the order of the control.
    pub const ALL: [Self; 5] = [Self::None, Self::Voluntary, Self::Full, Self::Dynamic, Self::Lazy];

    /// As written in a link.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Voluntary => "voluntary",
            Self::Full => "full",
            Self::Dynamic => "dynamic",
            Self::Lazy => "lazy",
        }
    }
}

/// What sets the frequency of a CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Freq {
    /// Nothing: every CPU runs at its highest.
    #[default]
    Fixed,
    /// Its utilization.
    Schedutil,
}

impl Freq {
    /// All, in the order of a control.
    pub const ALL: [Self; 2] = [Self::Fixed, Self::Schedutil];

    /// As written in a link.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Schedutil => "schedutil",
        }
    }
}

/// When the ticks of CPUs come within a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ticks {
    /// Spread evenly, as with the boot parameter `skew_tick=1`.
    #[default]
    Spread,
    /// All at once, as the kernel has them without it.
    Together,
}

impl Ticks {
    /// All, in the order of a control.
    pub const ALL: [Self; 2] = [Self::Spread, Self::Together];

    /// As written in a link.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spread => "spread",
            Self::Together => "together",
        }
    }
}

/// Ticks a second: 100, 250, 300 or 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hz(pub u32);

impl Hz {
    /// The choices of the kernel's configuration.
    pub const ALL: [Self; 4] = [Self(100), Self(250), Self(300), Self(1000)];
}

impl Default for Hz {
    fn default() -> Self {
        Self(1000)
    }
}

/// The knobs: those a user may turn while the world runs, and those fixed at its start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knobs {
    /// Turnable while running.
    pub migration_cost: MigrationCost,
    /// Turnable while running.
    pub overload: OverloadMode,
    /// Fixed at start.
    pub hz: Hz,
    /// Fixed at start.
    pub preempt: Preempt,
    /// Fixed at start.
    pub freq: Freq,
    /// Fixed at start.
    #[serde(default)]
    pub ticks: Ticks,
}

/// Which machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineSpec {
    /// A named machine of the library, or a grid such as `2x56x2` (packages x cores x threads).
    Named(String),
    /// A whole machine, packed into the URL.
    Packed(Box<Machine>),
}

/// Which workload, with its own parameters as (name, value) in the workload's fixed order; those left out
/// have the workload's defaults. Times are nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadSpec {
    /// `requests`, `hogs`, `periodic`, …
    pub kind: String,
    /// Overridden parameters.
    pub params: Vec<(String, u64)>,
}

/// A knob turned while the world was running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Simulated time.
    pub at_ns: u64,
    /// What it was turned to.
    pub to: ChangeTo,
}

/// What a [`Change`] sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeTo {
    /// Migration cost.
    MigrationCost(MigrationCost),
    /// Load level in thousandths.
    Load(u32),
    /// Overload flag.
    Overload(OverloadMode),
}

/// Everything a run depends on, and the moment to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Whose rules.
    pub release: Release,
    /// Single switches that differ from the release: (name, value), in the order of `Rules::switches`.
    pub overrides: Vec<(String, String)>,
    /// Which machine.
    pub machine: MachineSpec,
    /// What runs on it.
    pub workload: WorkloadSpec,
    /// The tasks that `workload=replay` plays again.
    pub script: Option<Arc<Script>>,
    /// Offered work over capacity, in thousandths: 900 is 0.9. 0 to 2000.
    pub load: u32,
    /// Knobs.
    pub knobs: Knobs,
    /// Cost overrides: (name of the cost, value), in the order of [`costs::COSTS`](super::costs::COSTS).
    pub costs: Vec<(String, u64)>,
    /// Seed of all random streams.
    pub seed: u64,
    /// Knobs turned on the way, in order of time.
    pub changes: Vec<Change>,
    /// The moment to show, in simulated nanoseconds.
    pub at_ns: Option<u64>,
    /// How a page shows it: no part of the run.
    pub show: Show,
}

/// How a page shows a scenario. A run does not depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Show {
    /// What a person calls it; empty: nothing.
    pub name: String,
    /// The lesson beside it, by the name of its file; empty: none.
    pub lesson: String,
    /// What another scenario has otherwise, to stand beside this one: `key:value` apart by `;`. Empty: nothing.
    pub ab: String,
    /// As little as can be, for a frame in another page.
    pub embed: bool,
}

impl Show {
    /// Most bytes of a name.
    pub const LONGEST_NAME: usize = 80;
    /// Most bytes of what stands beside a scenario.
    pub const LONGEST_AB: usize = 1_000;
}

impl Scenario {
    /// The largest [`Scenario::load`].
    pub const MOST_LOAD: u32 = 2_000;
    /// The latest simulated time that a link may name: an hour.
    pub const LATEST_NS: u64 = 3_600_000_000_000;
    /// Most [`Scenario::changes`] in a link.
    pub const MOST_CHANGES: usize = 256;
}

/// What a link that says nothing opens. A link leaves defaults out, so a change here changes what old links
/// mean: it needs a new format version.
impl Default for Scenario {
    fn default() -> Self {
        Self {
            release: Release::V6_6,
            overrides: Vec::new(),
            machine: MachineSpec::Named("2x4x2".to_owned()),
            workload: WorkloadSpec { kind: "requests".to_owned(), params: Vec::new() },
            script: None,
            load: 700,
            knobs: Knobs::default(),
            costs: Vec::new(),
            seed: 1,
            changes: Vec::new(),
            at_ns: None,
            show: Show::default(),
        }
    }
}

/// One thing in a link or file that could not be used, as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The key it is about, where there is one.
    pub key: Option<String>,
    /// The sentence.
    pub text: String,
}
