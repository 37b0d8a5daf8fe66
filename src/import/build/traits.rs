//! What kind of machine it is: architecture, capacities, hybrid cores, reclaim distance.

use super::Plan;
use crate::import::found::Found;
use crate::import::notes::Notes;
use std::collections::{BTreeMap, BTreeSet};

/// x86 vendors as CPUID spells them.
const X86_VENDORS: [&str; 5] = ["GenuineIntel", "AuthenticAMD", "HygonGenuine", "CentaurHauls", "Shanghai"];
/// Arm vendors as lscpu prints them.
const ARM_VENDORS: [&str; 11] = [
    "ARM",
    "HiSilicon",
    "Cavium",
    "Marvell",
    "Ampere",
    "APM",
    "Apple",
    "Qualcomm",
    "NVIDIA",
    "FUJITSU",
    "Phytium",
];

/// Names by which models of other architectures are known, in lower case.
const OTHER_MODELS: [&str; 6] = ["sparc", "power", "ppc", "riscv", "risc-v", "loongson"];

/// Family 23 is the first Zen.
const FIRST_ZEN: u32 = 23;

/// Tells x86 and Arm from the file's own fields; x86 is assumed where there are none.
pub(super) fn architecture(plan: &mut Plan<'_>, notes: &mut Notes) {
    if let Some(name) = &plan.found.architecture {
        let name = name.to_ascii_lowercase();
        plan.x86 =
            name.starts_with("x86") || matches!(name.as_str(), "i386" | "i486" | "i586" | "i686" | "amd64");
        plan.arm = name.starts_with("aarch64") || name.starts_with("arm");
        return;
    }
    let vendor = plan.found.vendor.as_deref().unwrap_or_default().trim();
    plan.x86 = X86_VENDORS.contains(&vendor);
    plan.arm = ARM_VENDORS.iter().any(|v| v.eq_ignore_ascii_case(vendor));
    if plan.x86 || plan.arm {
        let name = if plan.x86 { "x86" } else { "Arm" };
        return notes.assume(format!("architecture assumed: {name}, from the vendor {vendor}"));
    }
    let models = plan.found.model_names().join(" ").to_ascii_lowercase();
    if OTHER_MODELS.iter().any(|name| models.contains(name)) {
        return notes.assume("architecture assumed: neither x86 nor Arm, from the model name");
    }
    plan.x86 = true;
    notes.assume("architecture assumed: x86; the file does not name it");
}

/// Capacities: Linux's own where the file has them; from frequencies only where they alone decide, which is
/// among CPUs of one model on Arm (`topology_normalize_cpu_scale`); 1024 otherwise.
pub(super) fn capacities(plan: &Plan<'_>, notes: &mut Notes) -> Vec<u32> {
    if let Some(capacities) = plan.of_rows(|r| r.capacity) {
        return capacities;
    }
    let khz = plan.of_rows(|r| r.max_khz);
    let differ = khz.as_ref().is_some_and(|k| k.iter().collect::<BTreeSet<_>>().len() > 1);
    let names = plan.found.model_names();
    let of_one_model = names.len() == 1 && plan.rows.iter().flatten().all(|r| r.model.is_some());
    if let (Some(khz), true, true, true) = (khz, differ, plan.arm, of_one_model) {
        let max = khz.iter().copied().max().unwrap_or(1).max(1);
        notes.assume("capacities computed from the highest frequencies: all CPUs are of one model");
        return khz
            .iter()
            .map(|k| (u128::from(*k) * 1024 / u128::from(max)) as u32)
            .map(|c| c.max(1))
            .collect();
    }
    let kinds = differ || names.len() > 1;
    notes.assume(if kinds {
        "capacities assumed: 1024 for every CPU; the CPUs differ, but models and frequencies alone do not give \
         Linux's capacities"
    } else {
        "capacities assumed: 1024 for every CPU; the file does not give them"
    });
    vec![1024; plan.len()]
}

/// An x86 machine with two kinds of cores: said by the file, or told from what only such machines have, single
/// threads that share a second-level cache beside cores of two threads that do not.
pub(super) fn hybrid(plan: &Plan<'_>, notes: &mut Notes) -> bool {
    if let Some(hybrid) = plan.found.hybrid {
        return hybrid && plan.x86;
    }
    if !plan.x86 || plan.cluster.iter().any(Option::is_none) {
        return false;
    }
    let mut threads: BTreeMap<u32, u32> = BTreeMap::new();
    for core in &plan.core {
        *threads.entry(*core).or_default() += 1;
    }
    let mut cores_of: BTreeMap<Option<u32>, BTreeSet<u32>> = BTreeMap::new();
    for (cluster, core) in plan.cluster.iter().zip(&plan.core) {
        cores_of.entry(*cluster).or_default().insert(*core);
    }
    let single = |cores: &BTreeSet<u32>| cores.iter().all(|core| threads.get(core) == Some(&1));
    let small = cores_of.values().any(|cores| cores.len() > 1 && single(cores));
    let big = cores_of.values().any(|cores| cores.len() == 1 && !single(cores));
    if small && big {
        notes.assume(
            "hybrid assumed: single threads that share a second-level cache stand beside cores of two threads",
        );
    }
    small && big
}

/// 30; 10 on powerpc; 32 on AMD Zen (`init_amd_zn`). No file carries it.
pub(super) fn reclaim_distance(plan: &Plan<'_>, notes: &mut Notes) -> u32 {
    let zen = is_zen(plan);
    let powerpc =
        plan.found.architecture.as_deref().is_some_and(|a| a.to_ascii_lowercase().starts_with("ppc"));
    let (distance, why) = match (zen, powerpc) {
        (true, _) => (32, "the CPU is an AMD Zen"),
        (_, true) => (10, "the machine is a powerpc"),
        _ => (30, "no file carries it, and 30 is the kernel's default"),
    };
    if plan.nodes_with_cpus() > 1 {
        notes.assume(format!("node_reclaim_distance assumed: {distance}; {why}"));
    }
    distance
}

/// Granite Rapids (two models) and Clearwater Forest of Intel's family 6.
const GRANITE_RAPIDS: [u32; 3] = [173, 174, 221];

/// Whether the file says that this is Granite Rapids or Clearwater Forest (`arch_sched_node_distance`).
pub(super) fn granite_rapids(found: &Found) -> bool {
    found.vendor.as_deref() == Some("GenuineIntel")
        && found.family == Some(6)
        && found.model.is_some_and(|model| GRANITE_RAPIDS.contains(&model))
}

/// Whether the file says that this is an AMD Zen.
pub(super) fn is_zen(plan: &Plan<'_>) -> bool {
    plan.found.vendor.as_deref() == Some("AuthenticAMD") && plan.found.family.is_some_and(|f| f >= FIRST_ZEN)
}
