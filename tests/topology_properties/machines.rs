//! Machines of all sorts, most of them odder than any that was built.

use balancescope::topology::{Cpu, Machine, Node};
use proptest::collection::vec;
use proptest::prelude::*;

/// The numbers that give a machine its shape.
#[derive(Clone, Debug)]
struct Plan {
    packages: u32,
    nodes_per_package: u32,
    llcs_per_node: u32,
    cores_per_llc: u32,
    threads: u32,
    cores_per_cluster: Option<u32>,
    interleaved: bool,
    x86: bool,
    hybrid: bool,
    granite_rapids: bool,
    itmt: bool,
}

fn plans() -> impl Strategy<Value = Plan> {
    let counts = (1..=3u32, 1..=3u32, 1..=2u32, 1..=3u32, 1..=2u32);
    let kinds = (proptest::option::of(1..=3u32), any::<[bool; 5]>());
    (counts, kinds).prop_map(|(counts, (cores_per_cluster, flags))| Plan {
        packages: counts.0,
        nodes_per_package: counts.1,
        llcs_per_node: counts.2,
        cores_per_llc: counts.3,
        threads: counts.4,
        cores_per_cluster,
        interleaved: flags[0],
        x86: flags[1],
        hybrid: flags[2],
        granite_rapids: flags[3],
        itmt: flags[4],
    })
}

/// A machine of at most 108 CPUs, with distances of a few kinds, some CPUs isolated and some small, and
/// perhaps a node without CPUs.
pub fn machines() -> impl Strategy<Value = Machine> {
    let far = prop_oneof![Just(12u32), Just(15), Just(17), Just(20), Just(21), Just(28), Just(32)];
    let distances = (vec(far, 100), any::<bool>());
    let odd_cpus = (vec(prop::bool::weighted(0.1), 108), vec(prop::bool::weighted(0.2), 108));
    (plans(), distances, odd_cpus, any::<bool>(), any::<bool>()).prop_map(
        |(plan, (far, symmetric), (isolated, small), some_small, memory_node)| {
            let mut machine = regular(&plan, memory_node);
            for (i, cpu) in machine.cpus.iter_mut().enumerate() {
                cpu.active = !isolated[i];
                cpu.capacity = if some_small && small[i] { 512 } else { 1024 };
            }
            for a in 0..machine.nodes.len() {
                for b in 0..machine.nodes.len() {
                    let (row, column) = if symmetric && a > b { (b, a) } else { (a, b) };
                    machine.distances[a][b] = if a == b { 10 } else { far[row * 10 + column] };
                }
            }
            machine
        },
    )
}

fn regular(plan: &Plan, memory_node: bool) -> Machine {
    let nodes = plan.packages * plan.nodes_per_package;
    let cores_per_node = plan.llcs_per_node * plan.cores_per_llc;
    let cores = nodes * cores_per_node;
    let cpu = |id: u32| {
        let core = if plan.interleaved { id % cores } else { id / plan.threads };
        let node = core / cores_per_node;
        Cpu {
            id,
            core,
            // Clusters do not cross last-level caches, as on real machines.
            cluster: plan
                .cores_per_cluster
                .map(|n| core / plan.cores_per_llc * plan.cores_per_llc + core % plan.cores_per_llc / n),
            llc: core / plan.cores_per_llc,
            package: node / plan.nodes_per_package,
            node,
            capacity: 1024,
            active: true,
        }
    };
    let all_nodes = nodes + u32::from(memory_node);
    Machine {
        name: "random".to_owned(),
        cpus: (0..cores * plan.threads).map(cpu).collect(),
        nodes: (0..all_nodes).map(|id| Node { id }).collect(),
        distances: vec![vec![10; all_nodes as usize]; all_nodes as usize],
        hybrid: plan.hybrid,
        x86: plan.x86,
        itmt: plan.itmt,
        granite_rapids: plan.granite_rapids,
        node_reclaim_distance: 30,
    }
}
