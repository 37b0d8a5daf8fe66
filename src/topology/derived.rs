//! What the scheduler looks up in the finished tree (`update_top_cache_domain`).

use super::{Domain, DomainTree, LevelName, SdFlags};

impl DomainTree {
    /// The highest domain inside one last-level cache (`sd_llc`).
    pub fn llc_domain(&self, cpu: usize) -> Option<&Domain> {
        self.highest(cpu, SdFlags::LLC)
    }

    /// First CPU of the LLC domain, or the CPU itself where there is none (`sd_llc_id`). Two CPUs share cache
    /// exactly if this is equal.
    pub fn llc_id(&self, cpu: usize) -> usize {
        self.llc_domain(cpu).and_then(|sd| sd.span.first()).unwrap_or(cpu)
    }

    /// CPUs in the LLC domain, or 1 (`sd_llc_size`).
    pub fn llc_size(&self, cpu: usize) -> usize {
        self.llc_domain(cpu).map_or(1, |sd| sd.span.weight())
    }

    /// First CPU of the cluster, else [`Self::llc_id`] (`sd_share_id`, from 6.8).
    pub fn share_id(&self, cpu: usize) -> usize {
        let cluster = self.lowest(cpu, SdFlags::CLUSTER);
        cluster.and_then(|sd| sd.span.first()).unwrap_or_else(|| self.llc_id(cpu))
    }

    /// The lowest NUMA domain (`sd_numa`).
    pub fn numa_domain(&self, cpu: usize) -> Option<&Domain> {
        self.lowest(cpu, SdFlags::NUMA)
    }

    /// The highest domain with favoured cores (`sd_asym_packing`).
    pub fn asym_packing_domain(&self, cpu: usize) -> Option<&Domain> {
        self.highest(cpu, SdFlags::ASYM_PACKING)
    }

    /// The lowest domain that holds CPUs of every capacity (`sd_asym_cpucapacity`).
    pub fn asym_capacity_domain(&self, cpu: usize) -> Option<&Domain> {
        self.lowest(cpu, SdFlags::ASYM_CPUCAPACITY_FULL)
    }

    /// The CPU's domain at a surviving level, if it has one there.
    pub fn at_slot(&self, cpu: usize, slot: usize) -> Option<&Domain> {
        self.chain(cpu).iter().find(|sd| sd.slot == slot)
    }

    /// Where a level of that name comes first among the surviving ones.
    pub fn slot_named(&self, name: LevelName) -> Option<usize> {
        self.levels.iter().position(|level| level.name == name)
    }

    fn highest(&self, cpu: usize, flag: SdFlags) -> Option<&Domain> {
        self.chain(cpu).iter().rev().find(|sd| sd.flags.contains(flag))
    }

    fn lowest(&self, cpu: usize, flag: SdFlags) -> Option<&Domain> {
        self.chain(cpu).iter().find(|sd| sd.flags.contains(flag))
    }
}
