//! What counters, domain files and traces say: facts beside those of a topology.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts by name.
pub type Counts = BTreeMap<String, u64>;

/// What a machine did, or how its scheduler was set up. What the text does not say is left out, in JSON too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Activity {
    /// Version that `/proc/schedstat` states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedstat_version: Option<u32>,
    /// How many snapshots of `/proc/schedstat` the text holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshots: Option<u32>,
    /// The snapshot's time in jiffies; of two snapshots the first one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<u64>,
    /// Jiffies between two snapshots. The file does not say how long a jiffy is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_jiffies: Option<u64>,
    /// Time that tasks ran, summed over CPUs, ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_ns: Option<u64>,
    /// Time that tasks waited to run, summed over CPUs, ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ns: Option<u64>,
    /// Counters of the CPU lines, summed over CPUs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: Counts,
    /// Shares of the counters, 0 to 1: idle of schedule() calls, local of wake-ups, wait of run time. A share
    /// that a wrapped counter would falsify is left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub shares: BTreeMap<String, f64>,
    /// Whether the balancing counters were collected (kernel.sched_schedstats).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance_counters_collected: Option<bool>,
    /// Tasks gained by load balancing by idle type, summed over CPUs and domains.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gained: Counts,
    /// The levels of domains, bottom up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<DomainFacts>,
    /// Balancing by level and idle type, summed over CPUs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub balance: Vec<BalanceFacts>,
    /// What a trace says.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceFacts>,
}

/// One level of domains, as a text describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DomainFacts {
    /// The M of `domainM`: surviving levels from the bottom.
    pub index: u32,
    /// The level's name where the text states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name that was inferred where the text states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed_name: Option<String>,
    /// Level number that the kernel prints from 6.12 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// CPUs that have a domain like this, as a list.
    pub cpus: String,
    /// The different spans, each a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<String>,
    /// Names of the flags.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<Vec<String>>,
    /// Flags as the number that older kernels print.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags_number: Option<u64>,
    /// Flags of the CPU's own group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups_flags: Option<Vec<String>>,
    /// The groups of the lowest CPU, as the boot log prints them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<String>,
    /// ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_interval: Option<u64>,
    /// ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_interval: Option<u64>,
    /// Factor on the interval of a busy CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_factor: Option<u64>,
    /// Percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imbalance_pct: Option<u64>,
    /// Failed attempts before hot tasks move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_nice_tries: Option<u64>,
    /// ns, one a CPU in the order of `cpus`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub max_newidle_lb_cost: Vec<u64>,
    /// Active balancing and wake-up counters, summed over CPUs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: Counts,
}

/// Balancing at one level by one idle type: sums over CPUs, or their differences between two snapshots.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BalanceFacts {
    /// The M of `domainM`.
    pub index: u32,
    /// The level's name, stated or inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `idle`, `busy` or `newidle`.
    pub kind: String,
    /// The counters by their names: `count`, `balanced`, `failed`, `imbalance` (from version 17 apart by unit),
    /// `gained`, `hot_gained`, `nobusyq`, `nobusyg`.
    #[serde(flatten)]
    pub counters: Counts,
    /// count − balanced − failed, where they agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<u64>,
    /// gained / success.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avg_pulled: Option<f64>,
    /// Jiffies from one call to the next on a CPU, on average; of two snapshots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avg_jiffies: Option<f64>,
    /// Calls a jiffy, all CPUs together; of two snapshots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_jiffy: Option<f64>,
}

/// What a trace says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceFacts {
    /// `ftrace`, `trace-cmd`, `systrace` or `perf script`.
    pub trace_format: String,
    /// Events by name.
    pub events: Counts,
    /// The tracer's name that the header states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracer: Option<String>,
    /// Distinct pids in scheduler events, idle's 0 among them.
    pub pids: u64,
    /// Distinct tasks in scheduler events, without idle.
    pub tasks: u64,
    /// Earliest time, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_timestamp: Option<String>,
    /// Latest time, as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_timestamp: Option<String>,
    /// From the earliest time to the latest, ns; absent where the clock's unit is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ns: Option<u64>,
    /// Changes of CPU: sched_migrate_task events.
    pub migrations: u64,
    /// Changes of CPU seen from where tasks ran.
    pub cpu_changes: u64,
    /// Wake-up to running, ns: `count`, `p50`, `p95`, `p99`, `max`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub latency_ns: Counts,
    /// Share of the trace that each CPU ran a task, by CPU number.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub busy_share: BTreeMap<u32, f64>,
    /// The tasks that ran longest, at most 32.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub task_list: Vec<TaskFacts>,
    /// Events that the tracer says it lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_events: Option<u64>,
}

/// One task of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskFacts {
    /// Thread number.
    pub pid: u32,
    /// Name, as it stood last.
    pub comm: String,
    /// Priority, as it stood last: 100 to 139 are nice −20 to 19, below are real-time and deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prio: Option<i64>,
    /// Time seen running, ns.
    pub run_ns: u64,
    /// Time seen waiting to run, ns.
    pub wait_ns: u64,
    /// Times it was switched to.
    pub switches: u64,
    /// Times it was woken.
    pub wakeups: u64,
    /// Changes of CPU.
    pub migrations: u64,
}
