//! Machines to lay out. The trees hold spans only, which is all that a layout reads; small and by hand, so
//! that these tests hold the picture and not the domain builder.

use balancescope::topology::{
    Cpu, CpuMask, Domain, DomainTree, Level, LevelName, Machine, Node, Release, SdFlags, TopologyRules,
    library,
};

/// packages x nodes a package x LLCs a node x cores an LLC x threads a core, numbered as x86 firmware does:
/// first threads first.
pub struct Grid(pub usize, pub usize, pub usize, pub usize, pub usize);

impl Grid {
    pub fn machine(&self) -> Machine {
        let &Grid(packages, nodes, llcs, cores, threads) = self;
        let all_cores = packages * nodes * llcs * cores;
        let cpus = (0..all_cores * threads)
            .map(|id| {
                let core = id % all_cores;
                let llc = core / cores;
                let node = llc / llcs;
                Cpu {
                    id: id as u32,
                    core: core as u32,
                    cluster: None,
                    llc: llc as u32,
                    package: (node / nodes) as u32,
                    node: node as u32,
                    capacity: 1024,
                    active: true,
                }
            })
            .collect();
        let count = packages * nodes;
        let distance = |a: usize, b: usize| match (a == b, a / nodes == b / nodes) {
            (true, _) => 10,
            (_, true) => 10 + 2 * a.abs_diff(b) as u32,
            _ => 21 + 2 * (a % nodes).abs_diff(b % nodes) as u32,
        };
        Machine {
            name: "grid".to_owned(),
            cpus,
            nodes: (0..count).map(|id| Node { id: id as u32 }).collect(),
            distances: (0..count).map(|a| (0..count).map(|b| distance(a, b)).collect()).collect(),
            hybrid: false,
            x86: true,
            granite_rapids: false,
            itmt: false,
            node_reclaim_distance: 30,
        }
    }
}

/// The nested spans of every CPU, without levels that add nothing.
pub fn tree(machine: &Machine) -> DomainTree {
    let n = machine.cpus.len();
    let mut seen: Vec<u32> = machine.distances.iter().flatten().copied().collect();
    seen.sort_unstable();
    seen.dedup();
    let mut levels = vec![LevelName::Smt, LevelName::Mc, LevelName::Pkg];
    levels.extend(seen.iter().skip(1).map(|_| LevelName::Numa));
    let spans = |cpu: usize| -> Vec<CpuMask> {
        let me = &machine.cpus[cpu];
        let of =
            |same: &dyn Fn(&Cpu) -> bool| (0..n).filter(|&c| same(&machine.cpus[c])).collect::<CpuMask>();
        let mut spans =
            vec![of(&|c| c.core == me.core), of(&|c| c.llc == me.llc), of(&|c| c.node == me.node)];
        for far in seen.iter().skip(1) {
            spans.push(of(&|c| machine.distances[me.node as usize][c.node as usize] <= *far));
        }
        spans
    };
    let chains: Vec<Vec<Domain>> = (0..n)
        .map(|cpu| {
            let mut below = 1;
            let mut chain = Vec::new();
            for (level, span) in spans(cpu).into_iter().enumerate() {
                if span.weight() > below {
                    below = span.weight();
                    chain.push(domain(level, levels[level], span));
                }
            }
            chain
        })
        .collect();
    let used: Vec<usize> =
        (0..levels.len()).filter(|&l| chains.iter().flatten().any(|d| d.level == l as u32)).collect();
    let mut chains = chains;
    for d in chains.iter_mut().flatten() {
        // Every level of a chain is among those used: no match would show as an index out of bounds.
        d.slot = used.iter().position(|&l| l as u32 == d.level).unwrap_or(usize::MAX);
    }
    DomainTree {
        levels: used.iter().map(|&l| Level { level: l as u32, name: levels[l] }).collect(),
        chains,
        groups: Vec::new(),
        group_states: 0,
    }
}

fn domain(level: usize, name: LevelName, span: CpuMask) -> Domain {
    Domain {
        slot: 0,
        level: level as u32,
        name,
        span,
        flags: SdFlags::empty(),
        min_interval: 0,
        max_interval: 0,
        busy_factor: 16,
        imbalance_pct: 117,
        cache_nice_tries: 1,
        imb_numa_nr: 0,
        groups: Vec::new(),
    }
}

/// A name, and a machine with its tree.
pub type Named = (&'static str, Machine, DomainTree);

pub fn all() -> Vec<Named> {
    let grids = [
        ("laptop", Grid(1, 1, 1, 4, 2)),
        ("four", Grid(1, 1, 1, 4, 1)),
        ("one", Grid(1, 1, 1, 1, 1)),
        ("desk", Grid(2, 1, 1, 4, 2)),
        ("2x24x2", Grid(2, 1, 1, 24, 2)),
        ("epyc", Grid(1, 1, 8, 8, 2)),
        ("epyc-nps4", Grid(2, 4, 4, 4, 2)),
        ("spr", Grid(2, 1, 1, 56, 2)),
        ("spr-snc4", Grid(2, 4, 1, 14, 2)),
        ("gnr-snc3", Grid(2, 3, 1, 32, 2)),
        ("kunpeng", Grid(2, 2, 1, 32, 1)),
        ("power", Grid(4, 1, 10, 1, 8)),
        ("biglittle", Grid(1, 1, 2, 4, 1)),
        ("three", Grid(3, 1, 1, 4, 2)),
        ("glueless", Grid(8, 1, 1, 8, 2)),
        ("thousand", Grid(4, 4, 4, 8, 2)),
        ("lone-cpus", Grid(4, 1, 1, 1, 1)),
    ];
    let mut all: Vec<Named> = grids
        .into_iter()
        .map(|(name, grid)| {
            let machine = grid.machine();
            let tree = tree(&machine);
            (name, machine, tree)
        })
        .collect();
    let mut hybrid = Grid(1, 1, 1, 8, 2).machine();
    for i in 0..8 {
        let id = hybrid.cpus.len() as u32;
        hybrid.cpus.push(Cpu { id, core: 8 + i, capacity: 640, ..hybrid.cpus[0].clone() });
    }
    let hybrid_tree = tree(&hybrid);
    all.push(("hybrid", hybrid, hybrid_tree));
    let mut isolated = Grid(2, 1, 1, 4, 2).machine();
    isolated.name = "isolated".to_owned();
    let mut isolated_tree = tree(&isolated);
    isolated_tree.chains[3].clear();
    isolated_tree.chains.iter_mut().flatten().for_each(|d| d.span.remove(3));
    all.push(("isolated", isolated, isolated_tree));
    all
}

/// The named machines of the library, with the trees that 6.6 builds for them.
pub fn library() -> Vec<Named> {
    let rules = TopologyRules::of(Release::V6_6);
    let named = |name: &'static str| {
        let machine = library::named(name)?;
        let tree = DomainTree::build(&machine, &rules).ok()?;
        Some((name, machine, tree))
    };
    let all: Vec<Named> = library::names().into_iter().filter_map(named).collect();
    assert_eq!(all.len(), library::names().len(), "every named machine has a tree");
    all
}
