//! The named machines.

use super::Entry;
use super::shape::{Numbering, Shape};
use crate::topology::Machine;

/// All named machines, small ones first.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "laptop-4x2",
        title: "Laptop, 4 cores of 2 threads",
        source: "Assumed: one last-level cache, siblings n and n + 4 as on Intel's four-core laptops.",
        build: || Shape { cores_per_llc: 4, threads: 2, ..Shape::GRID }.machine(),
    },
    Entry {
        name: "biglittle-4p4",
        title: "Arm big.LITTLE, 4 small and 4 big cores",
        source: "Assumed: a second-level cache for each four cores and nothing above; capacities 446 and 1024 as on early development boards.",
        build: big_little,
    },
    Entry {
        name: "dynamiq-4p3p1",
        title: "Arm DynamIQ phone, 4 + 3 + 1 cores",
        source: "Assumed: one shared third-level cache; capacities 325, 850 and 1024.",
        build: dynamiq,
    },
    Entry {
        name: "ring-4x2",
        title: "Ring of 4 nodes, 2 cores each",
        source: "The kernel's own example of a four-node ring: distances 10, 20, 30, 20.",
        build: ring,
    },
    Entry {
        name: "hybrid-8p8e",
        title: "Desktop hybrid, 8 P-cores of 2 threads and 8 E-cores",
        source: "Assumed from Intel's 12th to 14th generation: one last-level cache, each four E-cores share a second-level cache; favoured-core scheduling off.",
        build: hybrid,
    },
    Entry {
        name: "2x24x2",
        title: "Two packages of 24 cores of 2 threads",
        source: "Assumed: one node and one last-level cache a package, distance 21.",
        build: || Shape { packages: 2, cores_per_llc: 24, threads: 2, ..Shape::GRID }.machine(),
    },
    Entry {
        name: "kunpeng-920",
        title: "Arm server, Kunpeng 920, 2 packages of 48 cores",
        source: "Kernel mailing list: the D06 board's distances (2019) and clusters of four cores (2021).",
        build: kunpeng,
    },
    Entry {
        name: "epyc-1x64x2",
        title: "AMD EPYC, 64 cores of 2 threads",
        source: "Caches of eight cores as on the third and fourth generation; one node a package.",
        build: || epyc(1, 1),
    },
    Entry {
        name: "epyc-1x64x2-nps4",
        title: "AMD EPYC, 64 cores of 2 threads, four nodes",
        source: "As epyc-1x64x2; distance 12 between the nodes, from public numactl output.",
        build: || epyc(1, 4),
    },
    Entry {
        name: "spr-2x56x2",
        title: "Intel Sapphire Rapids, 2 x 56 cores of 2 threads",
        source: "One node a package, distance 21, from public numactl output.",
        build: || spr(1),
    },
    Entry {
        name: "spr-2x56x2-snc4",
        title: "Intel Sapphire Rapids, 2 x 56 cores of 2 threads, SNC4",
        source: "Four nodes a package, distances 12 and 21, from public numactl output.",
        build: || spr(4),
    },
    Entry {
        name: "epyc-2x64x2",
        title: "AMD EPYC, 2 x 64 cores of 2 threads",
        source: "Caches of eight cores; one node a package; distance 32 assumed.",
        build: || epyc(2, 1),
    },
    Entry {
        name: "epyc-2x64x2-nps4",
        title: "AMD EPYC, 2 x 64 cores of 2 threads, four nodes a package",
        source: "Caches of eight cores; distances 12 and 32, from public numactl output.",
        build: || epyc(2, 4),
    },
    Entry {
        name: "power-4x10x8",
        title: "IBM POWER, 4 nodes of 10 cores of 8 threads",
        source: "Assumed: the cache of a core is its own, distance 40, reclaim distance 10 as powerpc sets it.",
        build: power,
    },
    Entry {
        name: "gnr-2x96x2-snc3",
        title: "Intel Granite Rapids, 2 x 96 cores of 2 threads, SNC3",
        source: "Distances from the kernel patch that evens them out for domain building; 32 cores a node.",
        build: granite_rapids,
    },
];

fn epyc(packages: u32, nodes_per_package: u32) -> Machine {
    let llcs_per_node = 8 / nodes_per_package;
    let shape = Shape {
        packages,
        nodes_per_package,
        llcs_per_node,
        cores_per_llc: 8,
        threads: 2,
        far: 32,
        ..Shape::GRID
    };
    Machine { node_reclaim_distance: 32, ..shape.machine() }
}

fn spr(nodes_per_package: u32) -> Machine {
    let cores_per_llc = 56 / nodes_per_package;
    Shape { packages: 2, nodes_per_package, cores_per_llc, threads: 2, ..Shape::GRID }.machine()
}

fn granite_rapids() -> Machine {
    let shape = Shape { packages: 2, nodes_per_package: 3, cores_per_llc: 32, threads: 2, ..Shape::GRID };
    let distances = [
        [10, 15, 17, 21, 28, 26],
        [15, 10, 15, 23, 26, 23],
        [17, 15, 10, 26, 23, 21],
        [21, 28, 26, 10, 15, 17],
        [23, 26, 23, 15, 10, 15],
        [26, 23, 21, 17, 15, 10],
    ];
    Machine { distances: rows(distances), granite_rapids: true, ..shape.machine() }
}

fn kunpeng() -> Machine {
    let shape = Shape { packages: 2, nodes_per_package: 2, cores_per_llc: 24, ..Shape::GRID };
    let distances = [[10, 12, 20, 22], [12, 10, 22, 24], [20, 22, 10, 12], [22, 24, 12, 10]];
    let mut machine = Machine { distances: rows(distances), x86: false, ..shape.machine() };
    for cpu in &mut machine.cpus {
        cpu.cluster = Some(cpu.core / 4);
    }
    machine
}

fn power() -> Machine {
    let shape = Shape {
        packages: 4,
        llcs_per_node: 10,
        threads: 8,
        numbering: Numbering::Consecutive,
        far: 40,
        ..Shape::GRID
    };
    Machine { x86: false, node_reclaim_distance: 10, ..shape.machine() }
}

fn ring() -> Machine {
    let shape = Shape { packages: 4, cores_per_llc: 2, ..Shape::GRID };
    let distances = [[10, 20, 30, 20], [20, 10, 20, 30], [30, 20, 10, 20], [20, 30, 20, 10]];
    Machine { distances: rows(distances), ..shape.machine() }
}

fn big_little() -> Machine {
    let mut machine = Machine { x86: false, ..Shape { cores_per_llc: 8, ..Shape::GRID }.machine() };
    for cpu in &mut machine.cpus {
        let big = cpu.id >= 4;
        cpu.llc = u32::from(big);
        cpu.cluster = Some(cpu.llc);
        cpu.capacity = if big { 1024 } else { 446 };
    }
    machine
}

fn dynamiq() -> Machine {
    let mut machine = Machine { x86: false, ..Shape { cores_per_llc: 8, ..Shape::GRID }.machine() };
    for cpu in &mut machine.cpus {
        cpu.cluster = Some(0);
        cpu.capacity = match cpu.id {
            0..=3 => 325,
            4..=6 => 850,
            _ => 1024,
        };
    }
    machine
}

/// CPUs 0 to 15 are the threads of the P-cores, pairwise; 16 to 23 are the E-cores.
fn hybrid() -> Machine {
    let mut machine = Machine { hybrid: true, ..Shape { cores_per_llc: 24, ..Shape::GRID }.machine() };
    for cpu in &mut machine.cpus {
        (cpu.core, cpu.cluster) = match cpu.id {
            0..=15 => (cpu.id / 2, Some(cpu.id / 2)),
            id => (id, Some(8 + (id - 16) / 4)),
        };
    }
    machine
}

fn rows<const N: usize>(distances: [[u32; N]; N]) -> Vec<Vec<u32>> {
    distances.iter().map(|row| row.to_vec()).collect()
}
