//! What a piece of text says, before anything is assumed or counted.

use super::Kind;
use std::collections::BTreeMap;

/// Names of the caches that are kept, in the order of [`CpuRow::caches`].
pub(super) const CACHES: [&str; 5] = ["L1d", "L1i", "L2", "L3", "L4"];
/// Index of the first-level data cache.
pub(super) const L1D: usize = 0;
/// Index of the second-level cache.
pub(super) const L2: usize = 2;
/// Index of the third-level cache.
pub(super) const L3: usize = 3;
/// Index of the fourth-level cache. Linux balances within the third level where both exist.
pub(super) const L4: usize = 4;

/// The index in [`CACHES`] of a cache's name in any case; s390's `L2d` counts as its second level.
pub(super) fn cache_index(name: &str) -> Option<usize> {
    let name = if name.eq_ignore_ascii_case("L2d") { "L2" } else { name };
    CACHES.iter().position(|c| c.eq_ignore_ascii_case(name))
}

/// One CPU as a table or an XML tree describes it. Numbers of cores, packages and caches are the text's own
/// and may restart from place to place; `None` where the text says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CpuRow {
    pub(super) line: usize,
    pub(super) cpu: u32,
    pub(super) core: Option<u32>,
    /// Whether the core number is unique in the whole machine.
    pub(super) core_is_unique: bool,
    pub(super) package: Option<u32>,
    pub(super) node: Option<u32>,
    pub(super) cluster: Option<u32>,
    pub(super) caches: [Option<u32>; CACHES.len()],
    pub(super) online: Option<bool>,
    /// Whether the row ends early, so that caches which it does not name may exist all the same.
    pub(super) cut: bool,
    /// Highest frequency in kHz.
    pub(super) max_khz: Option<u64>,
    pub(super) model: Option<String>,
    /// Linux's capacity.
    pub(super) capacity: Option<u32>,
}

impl CpuRow {
    /// Which cache is this CPU's last-level cache, as (level index, number).
    pub(super) fn llc(&self) -> Option<(usize, u32)> {
        if self.cut {
            return None;
        }
        [L3, L2, L4, L1D].into_iter().find_map(|level| self.caches[level].map(|id| (level, id)))
    }
}

/// A distance matrix with the node number of each row and column. Square, but otherwise unchecked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Distances {
    pub(super) line: usize,
    pub(super) ids: Vec<u32>,
    pub(super) rows: Vec<Vec<u32>>,
}

/// The counts of one CPU model in an lscpu summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) name: Option<String>,
    pub(super) threads_per_core: Option<u32>,
    pub(super) cores_per_socket: Option<u32>,
    pub(super) sockets: Option<u32>,
    /// Printed instead of sockets on Arm machines whose firmware does not name packages.
    pub(super) clusters: Option<u32>,
}

impl Model {
    /// How many cores the counts make.
    pub(super) fn cores(&self) -> Option<u32> {
        self.cores_per_socket?.checked_mul(self.sockets.or(self.clusters)?).filter(|n| *n > 0)
    }
}

/// A node as the text describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeRow {
    /// `None` where the text names the node but not its CPUs.
    pub(super) cpus: Option<Vec<u32>>,
}

/// What one section of a text, or all of them together, say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// Where the section begins.
    pub(super) line: usize,
    /// Ascending by CPU number, each once.
    pub(super) rows: Vec<CpuRow>,
    pub(super) cpu_count: Option<u32>,
    pub(super) online: Option<Vec<u32>>,
    pub(super) offline: Option<Vec<u32>>,
    pub(super) models: Vec<Model>,
    pub(super) node_count: Option<u32>,
    pub(super) nodes: BTreeMap<u32, NodeRow>,
    pub(super) distances: Option<Distances>,
    /// How many caches of each level there are; `None` where a cache is named but not counted.
    pub(super) cache_counts: [Option<Option<u32>>; CACHES.len()],
    pub(super) architecture: Option<String>,
    pub(super) vendor: Option<String>,
    pub(super) family: Option<u32>,
    /// x86 model number.
    pub(super) model: Option<u32>,
    pub(super) hwloc_version: Option<String>,
    /// Whether the text itself says that the machine has several kinds of x86 cores.
    pub(super) hybrid: Option<bool>,
}

impl Found {
    /// Nothing found yet.
    pub(super) fn new(kind: Kind, line: usize) -> Self {
        Self {
            kind,
            line,
            rows: Vec::new(),
            cpu_count: None,
            online: None,
            offline: None,
            models: Vec::new(),
            node_count: None,
            nodes: BTreeMap::new(),
            distances: None,
            cache_counts: [None; CACHES.len()],
            architecture: None,
            vendor: None,
            family: None,
            model: None,
            hwloc_version: None,
            hybrid: None,
        }
    }

    /// Numbers of the online CPUs, from the best source there is; `None` where none is named.
    pub(super) fn cpu_ids(&self) -> Option<Vec<u32>> {
        if !self.rows.is_empty() {
            let offline = self.offline.as_deref().unwrap_or_default();
            let online = |row: &&CpuRow| row.online.unwrap_or(!offline.contains(&row.cpu));
            return Some(self.rows.iter().filter(online).map(|row| row.cpu).collect());
        }
        if let Some(online) = &self.online {
            return Some(online.clone());
        }
        let mut ids: Vec<u32> =
            self.nodes.values().filter_map(|n| n.cpus.as_ref()).flatten().copied().collect();
        ids.sort_unstable();
        ids.dedup();
        (!ids.is_empty()).then_some(ids)
    }

    /// Whether anything was found from which a machine's shape can be told.
    pub(super) fn has_topology(&self) -> bool {
        self.cpu_ids().is_some() || self.cpu_count.is_some()
    }

    /// The model names, each once, in order.
    pub(super) fn model_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let of_rows = self.rows.iter().filter_map(|r| r.model.as_deref());
        for name in self.models.iter().filter_map(|m| m.name.as_deref()).chain(of_rows) {
            if !names.contains(&name) && names.len() < 8 {
                names.push(name);
            }
        }
        names
    }
}
