//! Node distances as the scheduler reads them (`sched_init_numa`, `arch_sched_node_distance`).

use crate::topology::distinct::{distinct, first_of, pair};
use crate::topology::{Machine, NumaDistances, SncDistances, TopologyRules};

/// Distances of this and more lead to another package (`REMOTE_DISTANCE`).
const REMOTE: u32 = 20;

/// For each node, whether it has CPUs.
pub fn nodes_with_cpus(machine: &Machine) -> Vec<bool> {
    let mut with = vec![false; machine.nodes.len()];
    for cpu in &machine.cpus {
        with[cpu.node as usize] = true;
    }
    with
}

/// The packages of each node, ascending.
fn packages_of_nodes(machine: &Machine) -> Vec<Vec<u64>> {
    let mut packages = vec![Vec::new(); machine.nodes.len()];
    for cpu in &machine.cpus {
        packages[cpu.node as usize].push(cpu.package.into());
    }
    packages.into_iter().map(distinct).collect()
}

/// Whether a package of an x86 machine holds more than one node (`x86_has_numa_in_package`).
pub fn numa_in_package(machine: &Machine) -> bool {
    machine.x86 && most_nodes_in_package(machine) > 1
}

fn most_nodes_in_package(machine: &Machine) -> usize {
    let pairs = distinct(machine.cpus.iter().map(|c| pair(c.package, c.node)).collect());
    pairs.chunk_by(|a, b| first_of(*a) == first_of(*b)).map(<[u64]>::len).max().unwrap_or(0)
}

/// The distance matrix that the levels are built from.
pub fn scheduler_distances(machine: &Machine, rules: &TopologyRules) -> Vec<Vec<u32>> {
    let packages = distinct(machine.cpus.iter().map(|c| c.package.into()).collect());
    if !machine.granite_rapids || !numa_in_package(machine) || packages.len() < 2 {
        return machine.distances.clone();
    }
    match rules.snc_distances {
        SncDistances::AsGiven => machine.distances.clone(),
        SncDistances::AverageRemote => average_remote(machine),
        SncDistances::AverageBlocks => average_blocks(machine),
    }
}

/// One average over all remote pairs of nodes with CPUs, rounded down.
fn average_remote(machine: &Machine) -> Vec<Vec<u32>> {
    let with = nodes_with_cpus(machine);
    let mut sum = 0;
    let mut count = 0;
    for (a, b, distance) in pairs(machine) {
        if with[a] && with[b] && distance >= REMOTE {
            sum += distance;
            count += 1;
        }
    }
    let average = sum.checked_div(count).unwrap_or(REMOTE);
    let even = |&d: &u32| if d >= REMOTE { average } else { d };
    machine.distances.iter().map(|row| row.iter().map(even).collect()).collect()
}

/// One average for each pair of packages, of both directions, rounded down.
fn average_blocks(machine: &Machine) -> Vec<Vec<u32>> {
    let packages = packages_of_nodes(machine);
    let apart = |a: usize, b: usize| packages[a] != packages[b];
    let symmetric_inside =
        pairs(machine).all(|(a, b, distance)| apart(a, b) || distance == machine.distances[b][a]);
    if most_nodes_in_package(machine) < 3 || !symmetric_inside {
        return machine.distances.clone();
    }
    let with = nodes_with_cpus(machine);
    let mut even = machine.distances.clone();
    for (a, b, _) in pairs(machine).filter(|&(a, b, _)| with[a] && with[b] && apart(a, b)) {
        let between = |i: usize, j: usize| {
            (packages[i] == packages[a] && packages[j] == packages[b])
                || (packages[i] == packages[b] && packages[j] == packages[a])
        };
        let block: Vec<u32> = pairs(machine).filter(|&(i, j, _)| between(i, j)).map(|p| p.2).collect();
        even[a][b] = block.iter().sum::<u32>() / block.len() as u32;
    }
    even
}

/// All ordered pairs of nodes with their distance.
fn pairs(machine: &Machine) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
    machine
        .distances
        .iter()
        .enumerate()
        .flat_map(|(a, row)| row.iter().enumerate().map(move |(b, &d)| (a, b, d)))
}

/// The distances of the NODE level and of each NUMA level above it, ascending.
pub fn level_distances(machine: &Machine, distances: &[Vec<u32>], rules: &TopologyRules) -> Vec<u32> {
    let with = nodes_with_cpus(machine);
    let of_row = |row: &[u32]| {
        let with_cpus = row.iter().zip(&with).filter(|p| *p.1);
        with_cpus.map(|p| u64::from(*p.0)).collect::<Vec<u64>>()
    };
    let all: Vec<u64> = match rules.numa_distances {
        // 4.19 starts from node 0's distance to itself, CPUs or not, and goes upward from there.
        NumaDistances::Node0Row => {
            let local = u64::from(distances[0][0]);
            of_row(&distances[0]).into_iter().filter(|&d| d > local).chain([local]).collect()
        }
        NumaDistances::AllPairs => {
            distances.iter().zip(&with).filter(|p| *p.1).flat_map(|p| of_row(p.0)).collect()
        }
    };
    distinct(all).into_iter().map(|distance| distance as u32).collect()
}
