//! Each CPU's chain of domains before groups are built and levels removed (`build_sched_domain`, `sd_init`).

use super::levels::TopologyLevel;
use super::spans::{SpanId, Spans};
use crate::topology::{AsymPackingPackage, CpuMask, LevelName, Machine, SdFlags, TopologyRules};
use std::collections::HashMap;

/// A domain under construction. Its place in the chain is its level until removal.
#[derive(Clone)]
pub struct Proto {
    /// Level number.
    pub level: u32,
    /// Its CPUs.
    pub span: SpanId,
    /// Flags so far.
    pub flags: SdFlags,
    /// Weight of the level's mask before isolated CPUs are taken out.
    pub weight: u32,
    /// `imbalance_pct`.
    pub imbalance_pct: u32,
    /// `cache_nice_tries`.
    pub cache_nice_tries: u32,
    /// `imb_numa_nr`.
    pub imb_numa_nr: u32,
    /// Group states in the CPU's own order.
    pub groups: Vec<u32>,
    /// Flags of the groups, where the list is the CPU's own (NUMA levels); elsewhere the objects are shared.
    pub own_flags: Vec<SdFlags>,
}

/// What all chains have in common.
pub struct Context<'a> {
    pub machine: &'a Machine,
    pub rules: &'a TopologyRules,
    pub levels: &'a [TopologyLevel],
    /// The active CPUs (`cpu_map`).
    pub cpu_map: SpanId,
}

/// All chains; an inactive CPU has none. The error is a sentence.
pub fn chains(context: &Context<'_>, spans: &mut Spans) -> Result<Vec<Vec<Proto>>, String> {
    let mut asymmetry = Asymmetry::new(context, spans);
    let mut chains: Vec<Vec<Proto>> = vec![Vec::new(); context.machine.cpus.len()];
    for (number, level) in context.levels.iter().enumerate() {
        let reaching: Vec<usize> = spans
            .mask(context.cpu_map)
            .iter()
            .filter(|&cpu| chains[cpu].last().is_none_or(|sd: &Proto| sd.span != context.cpu_map))
            .collect();
        if level.name != LevelName::Numa {
            check_sane(context, level, &reaching, spans)?;
        }
        for cpu in reaching {
            let flags = asymmetry.classify(level.masks[cpu], spans);
            add_domain(context, number, level, cpu, flags, &mut chains[cpu], spans);
        }
    }
    Ok(chains)
}

/// Sets of one level must be equal or apart, unless it is a NUMA level (`topology_span_sane`).
fn check_sane(
    context: &Context<'_>,
    level: &TopologyLevel,
    reaching: &[usize],
    spans: &Spans,
) -> Result<(), String> {
    let active = spans.mask(context.cpu_map);
    let reached = Spans::distinct(reaching.iter().map(|&cpu| level.masks[cpu]));
    let mut owners: Vec<Option<SpanId>> = vec![None; context.machine.cpus.len()];
    let mut overlap: Option<(SpanId, SpanId)> = None;
    for span in Spans::distinct(active.iter().map(|cpu| level.masks[cpu])) {
        for cpu in spans.mask(span).iter() {
            match owners[cpu] {
                Some(other) if reached.contains(&other) || reached.contains(&span) => {
                    let found = (other, span);
                    overlap = Some(overlap.map_or(found, |least| least.min(found)));
                }
                Some(_) => {}
                None => owners[cpu] = Some(span),
            }
        }
    }
    match overlap {
        None => Ok(()),
        Some((a, b)) => Err(format!(
            "Level {} of this machine has groups of CPUs that partly overlap (CPUs {} and CPUs {}), so the kernel would build no domains.",
            level.name.as_str(),
            context.machine.list(spans.mask(a)),
            context.machine.list(spans.mask(b)),
        )),
    }
}

/// Adds the CPU's domain of a level on top of its chain.
fn add_domain(
    context: &Context<'_>,
    number: usize,
    level: &TopologyLevel,
    cpu: usize,
    asymmetry: SdFlags,
    chain: &mut Vec<Proto>,
    spans: &mut Spans,
) {
    let mut span = spans.intersection(level.masks[cpu], context.cpu_map);
    if let Some(child) = chain.last_mut() {
        if asymmetry.contains(SdFlags::ASYM_CPUCAPACITY) {
            child.flags -= SdFlags::PREFER_SIBLING;
        }
        if !spans.is_subset(child.span, span) {
            span = spans.union(child.span, span);
        }
    }
    let values = Values::of(level, context.machine, context.rules);
    let mut flags = values.flags | asymmetry;
    if relaxed(number as u32, context.rules) {
        flags -= SdFlags::BALANCE_NEWIDLE | SdFlags::BALANCE_WAKE;
    }
    chain.push(Proto {
        level: number as u32,
        span,
        flags,
        weight: spans.weight(level.masks[cpu]),
        imbalance_pct: values.imbalance_pct,
        cache_nice_tries: values.cache_nice_tries,
        imb_numa_nr: 0,
        groups: Vec::new(),
        own_flags: Vec::new(),
    });
}

/// Whether `relax_domain_level` takes new-idle balancing from the level (`set_domain_attribute`). The lowest
/// level is numbered 0.
fn relaxed(level: u32, rules: &TopologyRules) -> bool {
    rules.relax_domain_level.is_some_and(|r| if rules.relax_inclusive { level >= r } else { level > r })
}

/// What depends on the level alone (`sd_init`).
struct Values {
    flags: SdFlags,
    imbalance_pct: u32,
    cache_nice_tries: u32,
}

impl Values {
    fn of(level: &TopologyLevel, machine: &Machine, rules: &TopologyRules) -> Self {
        let mut flags = topology_flags(level.name, machine, rules)
            | SdFlags::BALANCE_NEWIDLE
            | SdFlags::BALANCE_EXEC
            | SdFlags::BALANCE_FORK
            | SdFlags::WAKE_AFFINE
            | SdFlags::PREFER_SIBLING;
        flags.set(SdFlags::LOAD_BALANCE, rules.load_balance_flag);
        if level.name == LevelName::Numa {
            flags -= SdFlags::PREFER_SIBLING;
            flags |= SdFlags::SERIALIZE;
            flags.set(SdFlags::OVERLAP, rules.overlap_flag);
            if level.distance.is_some_and(|d| d > reclaim_distance(machine, rules)) {
                flags -= SdFlags::BALANCE_EXEC | SdFlags::BALANCE_FORK | SdFlags::WAKE_AFFINE;
            }
        }
        let (imbalance_pct, cache_nice_tries) = match level.name {
            LevelName::Smt => (rules.imbalance_pct_smt, 0),
            LevelName::Cls | LevelName::Mc => (rules.imbalance_pct_llc, 1),
            LevelName::Die | LevelName::Pkg | LevelName::Node => (rules.imbalance_pct_other, 1),
            LevelName::Numa => (rules.imbalance_pct_other, 2),
        };
        Self { flags, imbalance_pct, cache_nice_tries }
    }
}

fn reclaim_distance(machine: &Machine, rules: &TopologyRules) -> u32 {
    rules
        .reclaim_distance_cap
        .map_or(machine.node_reclaim_distance, |cap| cap.min(machine.node_reclaim_distance))
}

/// The flags that a level's place in the machine gives it.
fn topology_flags(name: LevelName, machine: &Machine, rules: &TopologyRules) -> SdFlags {
    let (mut flags, packing) = match name {
        LevelName::Smt => (SdFlags::SHARE_CPUCAPACITY | SdFlags::LLC, rules.asym_packing_smt),
        LevelName::Cls => (SdFlags::LLC, true),
        LevelName::Mc => (SdFlags::LLC, true),
        LevelName::Die | LevelName::Pkg => (SdFlags::empty(), package_packing(machine, rules)),
        LevelName::Node => (SdFlags::empty(), false),
        LevelName::Numa => (SdFlags::NUMA, false),
    };
    flags.set(SdFlags::CLUSTER, name == LevelName::Cls && rules.cluster_flag);
    flags.set(SdFlags::ASYM_PACKING, packing && machine.x86 && machine.itmt);
    flags
}

fn package_packing(machine: &Machine, rules: &TopologyRules) -> bool {
    match rules.asym_packing_package {
        AsymPackingPackage::Never => false,
        AsymPackingPackage::Hybrid => machine.hybrid,
        AsymPackingPackage::Always => true,
    }
}

/// Which spans hold CPUs of unequal capacity (`asym_cpu_capacity_classify`).
struct Asymmetry {
    /// The active CPUs of each capacity; empty if the release does not look.
    classes: Vec<CpuMask>,
    known: HashMap<SpanId, SdFlags>,
}

impl Asymmetry {
    fn new(context: &Context<'_>, spans: &Spans) -> Self {
        let mut capacities: Vec<u32> = Vec::new();
        let mut classes: Vec<CpuMask> = Vec::new();
        for cpu in spans.mask(context.cpu_map).iter().filter(|_| context.rules.asym_capacity) {
            let capacity = context.machine.cpus[cpu].capacity;
            match capacities.iter().position(|&c| c == capacity) {
                Some(class) => classes[class].insert(cpu),
                None => {
                    capacities.push(capacity);
                    classes.push(CpuMask::from_cpus([cpu]));
                }
            }
        }
        Self { classes, known: HashMap::new() }
    }

    fn classify(&mut self, mask: SpanId, spans: &Spans) -> SdFlags {
        if self.classes.len() < 2 {
            return SdFlags::empty();
        }
        let classes = &self.classes;
        *self.known.entry(mask).or_insert_with(|| {
            let present = classes.iter().filter(|class| class.intersects(spans.mask(mask))).count();
            match present {
                0 | 1 => SdFlags::empty(),
                n if n < classes.len() => SdFlags::ASYM_CPUCAPACITY,
                _ => SdFlags::ASYM_CPUCAPACITY | SdFlags::ASYM_CPUCAPACITY_FULL,
            }
        })
    }
}
