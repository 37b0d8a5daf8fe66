//! Files from real machines give the facts that their list states. They are not part of the repository; where
//! they are absent the tests say so and pass.

// Helpers outside of test functions are held to the rules of production code otherwise.
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

use balancescope::import::{self, Import, Kind};
use balancescope::topology::Machine;
use std::collections::BTreeMap;

fn sample(path: &str) -> Option<Import> {
    let file = std::path::Path::new("../shared/inputs").join(path);
    let Ok(bytes) = std::fs::read(&file) else {
        println!("skipped: {} is absent", file.display());
        return None;
    };
    Some(import::read_bytes(&bytes, None).unwrap_or_else(|error| panic!("{path}: {error}")))
}

fn machine(import: &Import) -> &Machine {
    import.machine.as_ref().expect("a machine")
}

/// The CPUs that share a number, in the order of their first.
fn groups(machine: &Machine, of: fn(&balancescope::topology::Cpu) -> u32) -> Vec<Vec<u32>> {
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for cpu in &machine.cpus {
        groups.entry(of(cpu)).or_default().push(cpu.id);
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort();
    groups
}

#[test]
fn sparc_with_sparse_cpu_numbers() {
    let Some(import) = sample("lscpu/sparc64-sparse-cpu-ids.txt") else { return };
    let facts = &import.facts;
    assert_eq!(import.kinds, [Kind::Lscpu, Kind::LscpuP]);
    assert_eq!(facts.cpu_ids.as_deref(), Some([6, 7, 10, 11, 14, 15].as_slice()));
    assert_eq!((facts.cpus, facts.packages, facts.cores, facts.llcs), (Some(6), Some(6), Some(6), Some(6)));
    assert_eq!((facts.nodes, &facts.node_ids, &facts.distances), (None, &None, &None));
    assert_eq!(facts.siblings, Some(vec![]));
    assert!(import.assumed.iter().any(|a| a.starts_with("one NUMA node assumed")));
    assert!(!machine(&import).x86);
    assert_eq!(groups(machine(&import), |c| c.package).len(), 6);
}

#[test]
fn x7550_with_strided_lists_and_a_node_of_two_packages() {
    let Some(import) = sample("lscpu/x7550-strided-lists-node-gap.txt") else { return };
    let facts = &import.facts;
    assert_eq!((facts.cpus, facts.packages, facts.cores, facts.llcs), (Some(64), Some(4), Some(32), Some(4)));
    assert_eq!(facts.node_ids.as_deref(), Some([0, 2, 3].as_slice()));
    let sizes: Vec<usize> = facts.node_cpus.iter().flatten().map(|(_, cpus)| cpus.len()).collect();
    assert_eq!(sizes, [32, 16, 16]);
    let siblings: Vec<Vec<u32>> = (0..32).map(|n| vec![n, n + 32]).collect();
    assert_eq!(facts.siblings.as_ref(), Some(&siblings));
    let machine = machine(&import);
    assert_eq!(groups(machine, |c| c.core), siblings);
    assert_eq!(groups(machine, |c| c.node).len(), 3);
    let (a, b) = (&machine.cpus[0], &machine.cpus[2]);
    assert!(a.node == b.node && a.package != b.package && a.llc != b.llc);
}

#[test]
fn json_that_does_not_list_siblings() {
    let Some(import) = sample("lscpu/lscpu-J-4cpu.json") else { return };
    let facts = &import.facts;
    assert_eq!(import.kind, Kind::LscpuJson);
    assert_eq!((facts.cpus, facts.cores, facts.packages, facts.nodes), (Some(4), Some(2), Some(1), Some(1)));
    assert_eq!((facts.threads_per_core, facts.llcs, &facts.siblings), (Some(2), None, &None));
    assert!(import.assumed.iter().any(|a| a.starts_with("siblings assumed: the file does not list them")));
    assert_eq!(groups(machine(&import), |c| c.core), [[0, 2], [1, 3]]);
}

#[test]
fn hwloc_1_power9() {
    let Some(import) = sample("topology/hwloc1-power9-128pu.xml") else { return };
    let facts = &import.facts;
    assert_eq!((import.kind, &facts.hwloc_version), (Kind::Hwloc, &None));
    assert_eq!(
        (facts.cpus, facts.packages, facts.cores, facts.llcs),
        (Some(128), Some(2), Some(32), Some(16))
    );
    assert_eq!(facts.node_ids.as_deref(), Some([0, 8, 252, 253, 254, 255].as_slice()));
    let sizes: Vec<usize> = facts.node_cpus.iter().flatten().map(|(_, cpus)| cpus.len()).collect();
    assert_eq!(sizes, [64, 64, 0, 0, 0, 0]);
    let distances = facts.distances.as_ref().expect("distances");
    assert_eq!((distances.len(), &distances[0]), (6, &vec![10, 40, 80, 80, 80, 80]));
    let machine = machine(&import);
    assert_eq!((machine.node_reclaim_distance, machine.x86), (10, false));
    assert!(groups(machine, |c| c.core).iter().all(|core| core.len() == 4));
    assert!(groups(machine, |c| c.llc).iter().all(|llc| llc.len() == 8));
}

#[test]
fn hwloc_3_knights_landing() {
    let Some(import) = sample("topology/hwloc3-knl-256pu-smt4.xml") else { return };
    let facts = &import.facts;
    assert_eq!(facts.hwloc_version.as_deref(), Some("3.0"));
    assert_eq!(
        (facts.cpus, facts.packages, facts.cores, facts.nodes),
        (Some(256), Some(1), Some(64), Some(1))
    );
    assert_eq!((facts.caches.get("L2"), facts.caches.get("L3")), (Some(&32), None));
    let machine = machine(&import);
    assert_eq!(groups(machine, |c| c.core)[5], [5, 69, 133, 197]);
    assert_eq!(groups(machine, |c| c.llc)[0], [0, 1, 64, 65, 128, 129, 192, 193]);
}

#[test]
fn numactl_with_nodes_that_have_no_cpu() {
    let Some(import) = sample("topology/numactl-9nodes-8-without-cpus.txt") else { return };
    let facts = &import.facts;
    assert_eq!((import.kind, facts.cpus, facts.nodes), (Kind::Numactl, Some(72), Some(9)));
    assert_eq!((facts.cores, facts.packages, facts.llcs), (None, None, None));
    assert_eq!(facts.distances.as_ref().map(|d| (d[0][1], d[1][2])), Some((80, 255)));
    let machine = machine(&import);
    assert_eq!((machine.nodes.len(), groups(machine, |c| c.node).len()), (9, 1));
}

#[test]
fn schedstat_of_eight_busy_cpus() {
    let Some(import) = sample("schedstat/v15-8cpu-smt-busy.txt") else { return };
    let (facts, did) = (&import.facts, &import.facts.activity);
    assert_eq!((import.kind, facts.cpus, did.schedstat_version), (Kind::Schedstat, Some(8), Some(15)));
    assert_eq!(did.timestamp, Some(4_676_791_591));
    assert_eq!((did.run_ns, did.wait_ns), (Some(2_226_950_062_568_867), Some(1_313_797_412_712)));
    let gained = [("busy", 1_171), ("idle", 57_997_312), ("newidle", 2_832_144)];
    assert!(did.gained.iter().map(|(k, n)| (k.as_str(), *n)).eq(gained));
    assert_eq!(did.domains[0].spans, ["0,4", "1,5", "2,6", "3,7"]);
    assert_eq!(did.domains[1].spans, ["0-7"]);
    assert!(did.domains.iter().all(|d| d.name.is_none()));
    let assumed: Vec<_> = did.domains.iter().filter_map(|d| d.assumed_name.as_deref()).collect();
    assert_eq!(assumed, ["SMT", "MC"]);
    assert!(import.warnings.iter().any(|w| w.text.contains("close to 2^32")));
    assert_eq!(groups(machine(&import), |c| c.core), [[0, 4], [1, 5], [2, 6], [3, 7]]);
}

#[test]
fn schedstat_without_balancing_counters() {
    let Some(import) = sample("schedstat/v15-2cpu-vm-zero.txt") else { return };
    let did = &import.facts.activity;
    assert_eq!((did.run_ns, did.wait_ns), (Some(112_243_344_505), Some(120_877_284_162)));
    assert_eq!(did.balance_counters_collected, Some(false));
    assert!(import.warnings.iter().any(|w| w.text.contains("not collected")));
    assert!(import.warnings.iter().any(|w| w.text.contains("waited longer")));
}

#[test]
fn schedstat_with_a_wrapped_counter() {
    let Some(import) = sample("schedstat/v15-2cpu-one-domain.txt") else { return };
    let did = &import.facts.activity;
    assert_eq!((did.run_ns, did.wait_ns), (Some(3_950_622_930_755_515), Some(707_903_591_957_602)));
    assert_eq!((did.domains.len(), did.domains[0].spans.as_slice()), (1, ["0-1".to_owned()].as_slice()));
    let gained = [("busy", 1_553_145), ("idle", 1_093_909), ("newidle", 249_293_381)];
    assert!(did.gained.iter().map(|(k, n)| (k.as_str(), *n)).eq(gained));
    assert_eq!(did.shares.get("local_wakeups"), None);
    assert!(did.shares.values().all(|share| *share <= 1.0));
    assert!(import.warnings.iter().any(|w| w.line == Some(5) && w.text.contains("wrapped")));
}

#[test]
fn systrace_of_one_cpu() {
    let Some(import) = sample("trace/android-systrace-1cpu.txt") else { return };
    assert_eq!((import.kind, import.facts.cpu_ids.as_deref()), (Kind::Ftrace, Some([0].as_slice())));
    let trace = import.facts.activity.trace.as_ref().expect("a trace");
    assert_eq!((trace.events["sched_switch"], trace.events["sched_wakeup"], trace.events.len()), (58, 33, 2));
    assert_eq!((trace.pids, trace.tasks), (13, 12));
    assert_eq!(trace.first_timestamp.as_deref(), Some("50260.647576"));
    assert_eq!(trace.last_timestamp.as_deref(), Some("50260.767491"));
    assert_eq!(trace.duration_ns, Some(119_915_000));
    assert!(trace.task_list.iter().any(|t| t.comm == "irq/409-inv_irq" && t.pid == 99));
}

#[test]
fn trace_cmd_with_numbers_for_states() {
    let Some(import) = sample("trace/trace-cmd-unsorted-numeric-state.txt") else { return };
    assert_eq!((import.kind, import.facts.cpus), (Kind::Ftrace, Some(8)));
    assert_eq!(import.facts.cpu_ids.as_deref(), Some([0, 2, 5, 6].as_slice()));
    let trace = import.facts.activity.trace.as_ref().expect("a trace");
    assert_eq!((trace.events["sched_switch"], trace.trace_format.as_str()), (7, "trace-cmd"));
    let at = |text: &str| import.warnings.iter().find(|w| w.text.contains(text)).and_then(|w| w.line);
    assert_eq!(at("the time goes back"), Some(10));
    assert_eq!(at("cut off"), Some(17));
    assert_eq!(at("states are numbers"), Some(3));
}

#[test]
fn domain_files_of_two_threads() {
    let Some(import) = sample("domains/sysctl-sched-domain-2cpu-hyperv.txt") else { return };
    assert_eq!((import.kind, import.facts.cpus), (Kind::SchedDomains, Some(2)));
    let [domain] = import.facts.activity.domains.as_slice() else { panic!("one level") };
    assert_eq!((domain.name.as_deref(), domain.cpus.as_str()), (Some("SMT"), "0-1"));
    assert_eq!(
        (domain.flags_number, domain.imbalance_pct, domain.busy_factor),
        (Some(4783), Some(110), Some(32))
    );
    assert_eq!((domain.min_interval, domain.max_interval), (Some(2), Some(4)));
    assert_eq!(domain.max_newidle_lb_cost, [583_798, 1_908_607]);
    assert!(import.warnings.iter().any(|w| w.text.starts_with("Flags are numbers")));
    assert!(!import.assumed.iter().any(|a| a.starts_with("spans")));
    assert_eq!(groups(machine(&import), |c| c.core), [[0, 1]]);
}
