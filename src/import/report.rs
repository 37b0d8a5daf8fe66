//! What an import returns.

use super::Kind;
use super::RtAppFacts;
use super::activity::Activity;
use crate::scenario::{MachineSpec, Scenario, Script, WorkloadSpec};
use crate::topology::{MAX_CPUS, Machine};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was read, what was assumed and what could not be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The kind of the first thing found in the text.
    pub kind: Kind,
    /// Every kind found in the text, in its order; each once.
    pub kinds: Vec<Kind>,
    /// What the text holds.
    pub facts: Facts,
    /// What the machine needs and the text does not say: one sentence each.
    pub assumed: Vec<String>,
    /// What could not be used, and what looks wrong.
    pub warnings: Vec<ImportWarning>,
    /// The machine, where the facts name its CPUs.
    pub machine: Option<Machine>,
    /// What recorded tasks did, to be played again.
    pub script: Option<Script>,
}

impl Import {
    /// The default scenario on this machine, or these tasks as recorded, where there is either. Tasks without a machine
    /// get one of as many CPUs as were seen.
    pub fn scenario(&self) -> Option<Scenario> {
        let machine = self.machine.clone().map(|machine| MachineSpec::Packed(Box::new(machine)));
        let Some(script) = &self.script else {
            return machine.map(|machine| Scenario { machine, ..Scenario::default() });
        };
        let flat = |cpus: u32| MachineSpec::Named(format!("1x{}x1", cpus.clamp(1, MAX_CPUS as u32)));
        let otherwise = self.facts.cpus.map_or(Scenario::default().machine, flat);
        Some(Scenario {
            machine: machine.unwrap_or(otherwise),
            workload: WorkloadSpec { kind: "replay".to_owned(), params: Vec::new() },
            script: Some(Arc::new(script.clone())),
            load: 1_000,
            ..Scenario::default()
        })
    }
}

/// One thing in the text that could not be used or looks wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportWarning {
    /// Line of the text, from 1, where there is one.
    pub line: Option<usize>,
    /// A plain sentence.
    pub text: String,
}

/// What a text says about a machine and what it did. What it does not say is left out, in JSON too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// How many CPUs are online.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<u32>,
    /// Numbers of the online CPUs, ascending. Of a trace: of those that appear in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_ids: Option<Vec<u32>>,
    /// Numbers of CPUs that the text says are offline, ascending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offline_cpu_ids: Option<Vec<u32>>,
    /// How many NUMA nodes there are, those without CPUs among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Numbers of the NUMA nodes, ascending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_ids: Option<Vec<u32>>,
    /// CPUs of each node; an empty list for a node that has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_cpus: Option<BTreeMap<u32, Vec<u32>>>,
    /// How many packages (sockets).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packages: Option<u32>,
    /// How many cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Threads per core, where the text states the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads_per_core: Option<u32>,
    /// CPUs of each core that has more than one, where the text lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub siblings: Option<Vec<Vec<u32>>>,
    /// How many last-level caches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llcs: Option<u32>,
    /// How many caches of each name (`L1d`, `L2`, `L3`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub caches: BTreeMap<String, u32>,
    /// Distance from each node of `node_ids` (row) to each (column).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distances: Option<Vec<Vec<u32>>>,
    /// `x86_64`, `aarch64`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// `GenuineIntel`, `AuthenticAMD`, `ARM`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// x86 CPU family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<u32>,
    /// Model name; several models are joined with ` + `.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_name: Option<String>,
    /// Version of hwloc's XML; version 1 does not state it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hwloc_version: Option<String>,
    /// What an rt-app file holds.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub rt_app: Option<RtAppFacts>,
    /// What counters, domain files and traces say.
    #[serde(flatten)]
    pub activity: Activity,
}
