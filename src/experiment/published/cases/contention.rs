//! Whether the busiest queue by utilization should count those that wait (`runnable_avg`).

use crate::experiment::published::case::{Case, Given, mean, plan, within_factor};
use crate::experiment::{Measured, Plan, Spread, trial::ratio};

pub(super) const CASES: &[Case] = &[
    Case {
        id: "contention-busiest",
        assumed: "2x56x2 with 6.6's rules, switch queue_util_boost off and on. schbench with 16 workers a message thread, \
            10 ms of sleep and 10 ms of work, by p99 of its wake-up latency; hackbench by messages a second, processes \
            and threads alike; netperf TCP with 8 us and UDP with 7 us of work at either end; tbench as its defaults.",
        fitted: "",
        plans: || {
            workloads().iter().flat_map(|(link, warm, long)| both(MACHINE, link, *warm, *long)).collect()
        },
        values: |runs| {
            let changes: Vec<f64> = runs
                .chunks_exact(2)
                .zip(workloads())
                .map(|(pair, (link, ..))| 100.0 * change(pair, &link))
                .collect();
            (0..40).map(|value| changes[workload_of(value)]).collect()
        },
        shown_by: |value| 2 * workload_of(value) + 1,
        holds: |given: &Given, ours: &[Spread]| {
            let all = given.published.iter().zip(given.deviations).zip(ours);
            all.enumerate()
                .map(|(at, ((published, deviation), ours))| {
                    let sigma = 2.0 * ours.sd.unwrap_or(0.0).hypot(*deviation);
                    let near = |target: f64| (mean(ours) - target).abs() <= sigma;
                    // tbench's gains are reported and not claimed.
                    at >= TBENCH || near(0.0) || near(*published)
                })
                .collect()
        },
        missed: "Where our value is exactly 0, the rule decided nothing in our runs of some ten ms: netperf and \
            tbench pairs wake each other where they are, and no pass moved by utilization. Values outside two \
            standard deviations are of hackbench, where the boost makes other queues the busiest, with either \
            sign; more seeds narrow our spread, but not the published one.",
    },
    Case {
        id: "contention-sched-messaging",
        assumed: "2x80x1 with 6.6's rules, 1 group over sockets. Run time is the inverse of messages a second.",
        fitted: "",
        plans: || {
            both(
                "release=6.6&machine=2x80x1",
                "workload=hackbench&hackbench.groups=1&hackbench.socket=1",
                20,
                100,
            )
            .to_vec()
        },
        values: |runs| vec![ratio(runs[0].throughput(), runs[1].throughput()) - 1.0],
        shown_by: |_| 1,
        holds: |given, ours| given.each(ours, |published, ours| within_factor(published, ours, 2.0)),
        missed: "With one group on 160 CPUs few passes choose by utilization at all, since most CPUs are idle and \
            migrate by tasks; the published gain of a tenth was later found on this machine alone. Ours is \
            within its own spread of no change.",
    },
];

const MACHINE: &str = "release=6.6&machine=2x56x2";
/// The first row of tbench.
const TBENCH: usize = 32;

/// The switch off and on.
fn both(machine: &str, workload: &str, warm_ms: u64, for_ms: u64) -> [Plan; 2] {
    ["off", "on"]
        .map(|boost| plan(format!("{machine}&queue_util_boost={boost}&load=1&{workload}"), warm_ms, for_ms))
}

/// Each workload once, with its times in ms.
fn workloads() -> Vec<(String, u64, u64)> {
    let mut all = Vec::new();
    for messengers in [1, 2, 4, 8] {
        let link = format!(
            "workload=schbench&schbench.messengers={messengers}&schbench.workers=16&schbench.think=10ms&schbench.work=10ms"
        );
        all.push((link, 200, 1_000));
    }
    for socket in [0, 1] {
        for groups in [1, 2, 4] {
            all.push((
                format!("workload=hackbench&hackbench.groups={groups}&hackbench.socket={socket}"),
                5,
                20,
            ));
        }
    }
    for (kind, work) in [("netperf", "8us"), ("netperf", "7us"), ("tbench", "")] {
        for pairs in (1..=8).map(|n| 56 * n) {
            let own = if work.is_empty() {
                String::new()
            } else {
                format!("&{kind}.client={work}&{kind}.server={work}")
            };
            all.push((format!("workload={kind}&{kind}.pairs={pairs}{own}"), 10, 40));
        }
    }
    all
}

/// Which workload a value of the table is of: processes and threads of hackbench share theirs.
fn workload_of(value: usize) -> usize {
    match value {
        0..=3 => value,
        4..=15 => 4 + (value - 4) % 6,
        _ => value - 6,
    }
}

/// The relative change, better above 0: shorter latencies, more work.
fn change(pair: &[Measured], link: &str) -> f64 {
    if link.starts_with("workload=schbench") {
        let p99 = |run: &Measured| run.latency.quantile(990).unwrap_or(0) as f64;
        return 1.0 - ratio(p99(&pair[1]), p99(&pair[0]));
    }
    ratio(pair[1].throughput(), pair[0].throughput()) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_workload() {
        let all = workloads();
        assert_eq!(all.len(), 34);
        for (value, part) in [
            (0, "schbench.messengers=1&"),
            (4, "socket=0"),
            (7, "socket=1"),
            (10, "socket=0"),
            (15, "groups=4&hackbench.socket=1"),
        ] {
            assert!(all[workload_of(value)].0.contains(part), "{value}");
        }
        assert!(all[workload_of(16)].0.contains("netperf.pairs=56&netperf.client=8us"));
        assert!(all[workload_of(TBENCH)].0.contains("tbench.pairs=56"));
        assert_eq!(workload_of(39), all.len() - 1);
    }
}
