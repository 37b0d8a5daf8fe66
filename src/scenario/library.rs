//! Named scenarios to start from. Each is a link's fragment and a sentence on what to look for.

/// A scenario with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// For links and scripts.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// One sentence: what to look for.
    pub about: &'static str,
    /// The canonical fragment.
    pub fragment: &'static str,
}

/// All of them, those to start with first.
pub const SCENARIOS: &[Named] = &[
    Named {
        name: "first",
        title: "A small server",
        about: "Two packages at 70 % load: watch who moves tasks, and how far.",
        fragment: "",
    },
    Named {
        name: "why-balance",
        title: "Why balance at all",
        about: "Tasks that never sleep, one for every CPU: only balancing can spread those that start together.",
        fragment: "machine=laptop-4x2&workload=hogs&load=1",
    },
    Named {
        name: "newidle-gate-4.19",
        title: "The newidle gate of 4.19",
        about: "A CPU that idles for less than migration_cost does not look for work; turn that knob.",
        fragment: "release=4.19&machine=2x24x2&load=0.9",
    },
    Named {
        name: "newidle-gate-6.6",
        title: "The newidle gate of 6.6",
        about: "The same load without that gate: each domain's own measured cost decides, and many more calls pass.",
        fragment: "machine=2x24x2&load=0.9",
    },
    Named {
        name: "proportional-newidle",
        title: "Newidle in proportion to success",
        about: "6.19 throws dice by how often a level's calls moved something.",
        fragment: "release=6.19&machine=2x24x2&load=0.9",
    },
    Named {
        name: "overload-clear",
        title: "The overload flag held clear",
        about: "No newidle attempt looks anywhere while the flag says that nobody has a second task.",
        fragment: "load=0.9&overload=clear",
    },
    Named {
        name: "overload-set",
        title: "The overload flag held set",
        about: "At low load nobody has work to give, but every CPU that goes idle looks for it.",
        fragment: "load=0.3&overload=set",
    },
    Named {
        name: "serialise-lock",
        title: "The serialise lock on 384 CPUs",
        about: "One lock for all NUMA balancing of a large machine: many CPUs lose it, and in 6.12 they try again at every tick.",
        fragment: "release=6.12&machine=gnr-2x96x2-snc3&load=0.5",
    },
    Named {
        name: "serialise-lock-6.19",
        title: "The serialise lock, taken later",
        about: "6.19 takes the lock only once balancing is due, and newidle passes take it too.",
        fragment: "release=6.19&machine=gnr-2x96x2-snc3&load=0.5",
    },
    Named {
        name: "overlapping-nodes",
        title: "Four nodes in a ring",
        about: "Groups overlap where nodes are two steps apart; each CPU sees its own order.",
        fragment: "machine=ring-4x2&load=0.9",
    },
    Named {
        name: "unequal-cpus",
        title: "Small and big cores",
        about: "Capacities differ, so equal queues are no balance.",
        fragment: "machine=biglittle-4p4&workload=periodic&load=0.6",
    },
    Named {
        name: "many-short-sleeps",
        title: "Many short sleeps",
        about: "Threads that run and sleep for fractions of a millisecond: every sleep is a chance for newidle.",
        fragment: "machine=epyc-1x64x2&workload=sleepers",
    },
    Named {
        name: "wasted-group-imbalance",
        title: "Wasted cores: group imbalance",
        about: "Two heavy tasks make their nodes' average load look high, so 4.19 leaves CPUs beside them idle while light ones queue elsewhere.",
        fragment: "release=4.19&machine=4x8x1&workload=sleepers&sleepers.threads=2&sleepers.hogs=2&sleepers.hog_nice=-20&load=0.95",
    },
    Named {
        name: "wasted-group-construction",
        title: "Wasted cores: pinned to two nodes that overlap",
        about: "Threads pinned to two opposite nodes of a ring start on one of them; in these releases groups differ by CPU, so they spread.",
        fragment: "machine=ring-4x2&workload=sleepers&sleepers.threads=2&sleepers.cpus=2&sleepers.apart=4&sleepers.start=1&load=0.5",
    },
    Named {
        name: "wasted-overload-on-wakeup",
        title: "Wasted cores: overload on wake-up",
        about: "Threads that wake on a busy node stay in its cache, though the other node idles.",
        fragment: "machine=2x8x1&workload=sleepers&sleepers.threads=1&sleepers.hogs=8&sleepers.hog_cpus=8&sleepers.start=1&load=0.3",
    },
    Named {
        name: "wasted-missing-domains",
        title: "Wasted cores: no domains above the node",
        about: "Tasks that start on one node never leave it, as once after a CPU had been taken off line.",
        fragment: "numa_levels=off&machine=2x8x1&workload=sleepers&sleepers.threads=2&sleepers.start=1",
    },
    Named {
        name: "pinned-imbalance",
        title: "Pinned tasks and the imbalance flag",
        about: "Four hogs may use one CPU here and three there; what may not move marks its group, so that the level above acts.",
        fragment: "machine=2x4x1&workload=sleepers&sleepers.threads=0&sleepers.hogs=4&sleepers.hog_from=3&sleepers.hog_cpus=4&sleepers.start=1",
    },
    Named {
        name: "fork-storm",
        title: "A storm of forks",
        about: "Four parents fork bursts of 200 short children: fork and exec spread them, and newidle levels what is left as they exit.",
        fragment: "machine=2x8x2&workload=forks&forks.parents=4&forks.burst=200&load=0.8",
    },
    Named {
        name: "misfit",
        title: "Big tasks on small cores",
        about: "Four tasks that never sleep on four small and four big cores: those on small ones are misfits, and big cores pull them.",
        fragment: "machine=biglittle-4p4&workload=hogs&load=0.5",
    },
];

/// The scenario of that name.
pub fn named(name: &str) -> Option<&'static Named> {
    SCENARIOS.iter().find(|scenario| scenario.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use std::collections::BTreeSet;

    #[test]
    fn every_named_scenario_is_canonical_and_has_a_machine() {
        for named in SCENARIOS {
            let (scenario, warnings) = Scenario::parse(named.fragment);
            assert_eq!(warnings, [], "{}", named.name);
            assert_eq!(scenario.fragment(), named.fragment, "{}", named.name);
            assert!(scenario.machine().is_ok(), "{}", named.name);
            assert!(named.about.ends_with('.'), "{}", named.name);
        }
    }

    #[test]
    fn names_and_links_are_different() {
        let names: BTreeSet<_> = SCENARIOS.iter().map(|s| s.name).collect();
        let links: BTreeSet<_> = SCENARIOS.iter().map(|s| s.fragment).collect();
        assert_eq!((names.len(), links.len()), (SCENARIOS.len(), SCENARIOS.len()));
    }
}
