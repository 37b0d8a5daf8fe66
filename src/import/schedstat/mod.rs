//! `/proc/schedstat`, versions 12 to 17, one or more snapshots.

mod diff;
mod facts;
mod fields;
mod reader;

pub(super) use diff::difference;
pub(super) use facts::{facts, spans};
pub(super) use reader::Reader;

use super::spans::Span;
use fields::{CpuCounts, DomainCounts};
use std::collections::BTreeMap;

/// One snapshot.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    /// Where it begins.
    pub(super) line: usize,
    /// The version it states.
    pub(super) version: Option<u32>,
    /// Jiffies.
    pub(super) timestamp: Option<u64>,
    /// By CPU number.
    cpus: BTreeMap<u32, CpuRow>,
}

/// A CPU's line and those of its domains.
#[derive(Clone, Debug, Default)]
struct CpuRow {
    line: usize,
    counts: Option<CpuCounts>,
    domains: Vec<DomainRow>,
}

/// A domain's line.
#[derive(Clone, Debug)]
struct DomainRow {
    line: usize,
    index: u32,
    name: Option<String>,
    /// CPUs of the mask, ascending; empty where it could not be read.
    span: Span,
    counts: Option<DomainCounts>,
}

impl Snapshot {
    /// Whether it says anything.
    pub(super) fn is_filled(&self) -> bool {
        !self.cpus.is_empty()
    }

    fn cpu_ids(&self) -> Vec<u32> {
        self.cpus.keys().copied().collect()
    }

    /// Each domain row with its CPU.
    fn domains(&self) -> impl Iterator<Item = (u32, &DomainRow)> {
        self.cpus.iter().flat_map(|(cpu, row)| row.domains.iter().map(|d| (*cpu, d)))
    }

    /// The highest domain index, plus one.
    fn depth(&self) -> u32 {
        self.domains().map(|(_, d)| d.index + 1).max().unwrap_or(0)
    }
}
