//! New-idle calls with one gate and another.

use crate::experiment::published::case::{Case, Given, falls, mean, plan, within_factor};
use crate::experiment::{Measured, Plan, Spread, trial::ratio};
use crate::observe::{Activity, Kind};

pub(super) const CASES: &[Case] = &[
    Case {
        id: "ateme-newidle-calls",
        assumed: "1x64x2 with a cache for each 4 cores; 6.12's rules. 400 threads that run 0.1 to 2 ms and sleep so \
            that the machine is 70 % busy. Restored: the migration_cost condition on top of 6.12's.",
        fitted: "",
        plans: || {
            let link = |gate| {
                let times = "spinners.run_min=100us&spinners.run_max=2ms&spinners.sleep_min=1ms&spinners.sleep_max=6.28ms";
                let workload = format!("workload=spinners&spinners.threads=400&{times}&load=1");
                format!("release=6.12&machine=1x64x2-llc4&{workload}&newidle_gate={gate}")
            };
            ["domain_cost", "both"].map(|gate| plan(link(gate), 300, 700)).to_vec()
        },
        values: |runs| {
            let calls = |run: &Measured, level| run.level(level, Kind::Newidle).calls as f64;
            let levels = ["SMT", "MC", "PKG"];
            let more = levels.map(|level| ratio(calls(&runs[0], level), calls(&runs[1], level)));
            let success = levels.map(|level| {
                ratio(runs[0].level(level, Kind::Newidle).moved_calls as f64, calls(&runs[0], level))
            });
            more.into_iter().chain(success).collect()
        },
        shown_by: |_| 0,
        holds: |given, ours| {
            let mut holds = given.each(ours, |published, ours| within_factor(published, ours, 2.0));
            holds[2] &= mean(&ours[2]) < mean(&ours[0]) && mean(&ours[2]) < mean(&ours[1]);
            holds
        },
        missed: "The restored gate refuses CPUs that expect to be idle for less than 500 us. With runs spread evenly \
            from 0.1 to 2 ms the mean idle time at 70 % is 460 us and varies, so the gate refuses a fifth of the \
            passes and not nine tenths. A ratio near 10 needs idle times well below 500 us: shorter or more \
            uneven runs than the report's words say. The success rates are of the published size.",
    },
    Case {
        id: "mason-newidle-calls",
        assumed: MASON,
        fitted: "",
        plans: schbench,
        values: |runs| {
            let ten_seconds = |run: &Measured| run.sum(&[Kind::Newidle], |c| c.calls) * 10.0 / run.seconds;
            runs.iter().map(ten_seconds).collect()
        },
        shown_by: |value| value,
        // The order, and how many times the first is in each of the others.
        holds: |given, ours| {
            let ours: Vec<f64> = ours.iter().map(mean).collect();
            let order = falls(&[ours[1], ours[2], ours[0]]);
            let holds = |at: usize| {
                let published = given.published[1] / given.published[at];
                order && within_factor(published, ours[1] / ours[at], 3.0)
            };
            vec![holds(0), order, holds(2)]
        },
        missed: "Without the bump by far the most passes run, as published, and with it none does in our window, \
            since idle times near 90 us stay below a bumped cost of up to 500 us; on the machine some CPUs idle \
            longer. With NI_RANDOM ours end at none as well: a request costs our workers 2 us and no more, so \
            they use 3 % of the CPUs, hardly any CPU ever has a second task, and once the first passes have \
            cleared the overload flag it refuses the rest. What schbench's workers do beside their messages on \
            252 CPUs is not published.",
    },
    Case {
        id: "mason-schbench-rps",
        assumed: "As mason-newidle-calls, with 6.6's rules: the gate restored on top, and removed.",
        fitted: "",
        plans: || {
            ["both", "domain_cost"]
                .map(|gate| messages(&format!("release=6.6&newidle_gate={gate}"), 100))
                .to_vec()
        },
        values: |runs| {
            let share = ratio(runs[1].share(Activity::Balance), runs[1].busy());
            vec![ratio(runs[0].throughput(), runs[1].throughput()), share]
        },
        shown_by: |_| 1,
        holds: |given, ours| {
            let gain = within_factor(given.published[0] - 1.0, mean(&ours[0]) - 1.0, 2.0);
            vec![gain, (0.10..=0.40).contains(&mean(&ours[1]))]
        },
        missed: "Requests a second are set here by the four message threads, which wake about 0.66 million workers a \
            second each, near the rate of the machine. There what they wake is slowed by new-idle passes through \
            the run queue's lock and through the cache lines that a pass over 252 CPUs takes from everybody. \
            Neither is in the model, where a pass costs only the CPU that makes it, so the gain is missed.",
    },
    Case {
        id: "proportional-rps",
        assumed: MASON,
        fitted: "",
        plans: schbench,
        values: |runs| runs.iter().map(|run| run.throughput() / 1e6).collect(),
        shown_by: |value| value,
        holds: |_: &Given, ours: &[Spread]| {
            let ours: Vec<f64> = ours.iter().map(mean).collect();
            let order = falls(&[ours[0], ours[2], ours[1]]);
            let below = |at: usize| 1.0 - ours[at] / ours[0];
            vec![order, order && (0.04..=0.16).contains(&below(1)), order && below(2) <= 0.04]
        },
        missed: "As mason-schbench-rps: the message threads are the bottleneck, at a rate near the published one, and \
            passes of other CPUs do not slow them down here.",
    },
    Case {
        id: "newidle-too-rare",
        assumed: "2x16x2. Shell scripts as forks: 64 parents that fork 8 children of 1 ms each and wait, offered 1.2 of \
            the machine. 6.17 with its cost bump, against 6.17 without.",
        fitted: "",
        plans: || {
            let link = |bump| {
                format!(
                    "release=6.17&machine=2x16x2&workload=forks&forks.burst=8&forks.work=1ms&load=1.2&newidle_cost_bump={bump}"
                )
            };
            ["off", "on"].map(|bump| plan(link(bump), 500, 1_500)).to_vec()
        },
        values: |runs| {
            let idle = (runs[1].share(Activity::Idle) - runs[0].share(Activity::Idle)) * 100.0;
            vec![ratio(runs[1].throughput(), runs[0].throughput()) - 1.0, idle]
        },
        shown_by: |_| 1,
        holds: |given, ours| given.each(ours, |published, ours| within_factor(published, ours, 2.0)),
        missed: "The published loss comes from CPUs that stay idle while others have waiting tasks. Here forks are \
            placed on idle CPUs by the slow path at once, parents and children live for milliseconds, and hardly \
            a task waits where it was put, so it is no matter whether new-idle balancing runs. The pipelines of \
            shell1, which wake each other through pipes and the page cache, are not in the model of forks.",
    },
];

const MASON: &str = "2x63x2 (252 CPUs). schbench with 4 message threads, 256 workers each, no sleep and no work but 2 us. \
    6.17; 6.17 without the bump; 6.19.";

fn messages(rules: &str, warm_ms: u64) -> Plan {
    let workload = "workload=schbench&schbench.messengers=4&schbench.workers=256&schbench.think=0&schbench.work=2us&load=1";
    plan(format!("{rules}&machine=2x63x2&{workload}"), warm_ms, 200)
}

/// NI_RANDOM needs some seconds until its ratios have settled: a domain sets its own once in 1024 calls.
fn schbench() -> Vec<Plan> {
    [("release=6.17", 100), ("release=6.17&newidle_cost_bump=off", 100), ("release=6.19", 2_500)]
        .map(|(rules, warm_ms)| messages(rules, warm_ms))
        .to_vec()
}
