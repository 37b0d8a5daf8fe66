//! The names a link may use that other rooms own: workloads with their parameters, switches, machines.

use super::units::Unit;
use super::value::Spelling;
use crate::balance::Rules;
use crate::topology::{Cpu, Machine, Node, Release};
use crate::workload::{self, KINDS, Param};

/// The workloads' names.
pub(super) fn workloads() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.name).collect()
}

/// The parameters of a workload, in its fixed order.
pub(super) fn params(kind: &str) -> &'static [Param] {
    workload::kind(kind).map_or(&[], |kind| kind.params)
}

/// How a parameter is written.
pub(super) fn spelling(param: &Param) -> Spelling {
    match param.unit {
        workload::Unit::Time => Spelling::Time(Unit::Us),
        workload::Unit::Count => Spelling::Count,
    }
}

/// A release's switches and their values.
pub(super) fn switches(release: Release) -> Vec<(&'static str, String)> {
    Rules::of(release).switches()
}

/// A machine by name or grid.
pub(super) fn machine(name: &str) -> Result<Machine, String> {
    let parts: Vec<u32> = name.split('x').filter_map(|part| part.parse().ok()).collect();
    let [packages, cores, threads] = parts[..] else {
        return Err(format!("{name} is not a machine."));
    };
    let cpus = (0..packages * cores * threads)
        .map(|id| {
            let core = id % (packages * cores);
            let package = core / cores;
            let capacity = 1024;
            Cpu { id, core, cluster: None, llc: package, package, node: package, capacity, active: true }
        })
        .collect();
    Ok(Machine {
        name: name.to_owned(),
        cpus,
        nodes: (0..packages).map(|id| Node { id }).collect(),
        distances: (0..packages)
            .map(|a| (0..packages).map(|b| if a == b { 10 } else { 21 }).collect())
            .collect(),
        hybrid: false,
        x86: true,
        itmt: false,
        granite_rapids: false,
        node_reclaim_distance: 30,
    })
}
