//! Each decision function on its own: every rule with the values just on either side of it.

mod avg_load_scheme;
mod classify;
mod designated;
mod detach;
mod groups;
mod intervals;
mod movable;
mod newidle;
mod nohz;
mod policies;
mod queue;
mod restated;

use super::*;
use crate::topology::Release;

fn rules(release: Release) -> Rules {
    Rules::of(release)
}

fn with(release: Release, switch: &str, value: &str) -> Rules {
    let mut rules = Rules::of(release);
    rules.set(switch, value).unwrap();
    rules
}

/// A domain of equal CPUs outside any cache, as an idle CPU sees it.
fn domain() -> DomainView {
    DomainView {
        idle: IdleType::Idle,
        imbalance_pct: 117,
        child_prefer_sibling: false,
        imb_numa_nr: 0,
        numa: false,
        share_llc: false,
        smt: false,
        asym_capacity: false,
        asym_packing: false,
        dst_capacity: 1024,
        dst_core_idle: true,
        dst_priority: 0,
        energy_aware: false,
    }
}

/// A group of four idle CPUs.
fn group() -> GroupStats {
    GroupStats {
        weight: 4,
        idle_cpus: 4,
        cores: 4,
        capacity: 4096,
        min_capacity: 1024,
        max_capacity: 1024,
        ..GroupStats::default()
    }
}

fn local() -> GroupStats {
    GroupStats { local: true, ..group() }
}

/// A group with that many tasks of load 1024 that have always been runnable.
fn busy_group(tasks: u32) -> GroupStats {
    let idle = 4_u32.saturating_sub(tasks);
    let util = u64::from(4 - idle) * 1024;
    let load = u64::from(tasks) * 1024;
    GroupStats {
        load,
        util,
        runnable: load,
        nr_running: tasks,
        h_nr_running: tasks,
        idle_cpus: idle,
        ..group()
    }
}

/// CPUs by index: (idle, siblings idle).
struct Cpus(Vec<(bool, bool)>);

impl CpuView for Cpus {
    fn stats(&self, _: usize) -> CpuStats {
        CpuStats::default()
    }

    fn idle(&self, cpu: usize) -> bool {
        self.0[cpu].0
    }

    fn siblings_idle(&self, cpu: usize) -> bool {
        self.0[cpu].1
    }
}
