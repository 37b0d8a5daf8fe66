//! From the sums of a trace to facts.

use super::account::Account;
use crate::import::activity::{Activity, Counts, TaskFacts, TraceFacts};

/// How many tasks are told one by one.
const TASKS: usize = 32;

/// Adds what the account says to the facts. Times are left out where the clock's unit is unknown.
pub(super) fn fill(account: &Account, timed: bool, trace: &mut TraceFacts, out: &mut Activity) {
    trace.tasks = account.tasks.len() as u64;
    trace.pids = trace.tasks + u64::from(account.idle_seen);
    trace.migrations = account.migrations;
    trace.cpu_changes = account.tasks.values().map(|t| t.cpu_changes).sum();
    if timed && !account.tasks.is_empty() {
        let sum = |of: fn(&super::account::Task) -> u64| {
            account.tasks.values().map(of).fold(0_u64, u64::saturating_add)
        };
        out.run_ns = Some(sum(|t| t.run));
        out.wait_ns = Some(sum(|t| t.wait));
        trace.latency_ns = latency(account);
        let share = |(cpu, at): (&u32, &super::account::CpuTime)| {
            (at.watched > 0).then(|| (*cpu, at.busy as f64 / at.watched as f64))
        };
        trace.busy_share = account.cpus.iter().filter_map(share).collect();
    }
    trace.task_list = tasks(account);
}

fn latency(account: &Account) -> Counts {
    let times = &account.latency;
    let mut out = Counts::new();
    if times.total() == 0 {
        return out;
    }
    out.insert("count".to_owned(), times.total());
    out.insert("max".to_owned(), times.max());
    for (name, permille) in [("p50", 500), ("p95", 950), ("p99", 990)] {
        out.extend(times.quantile(permille).map(|ns| (name.to_owned(), ns)));
    }
    out
}

/// Those that ran longest, then those that came in most often.
fn tasks(account: &Account) -> Vec<TaskFacts> {
    let mut all: Vec<_> = account.tasks.iter().collect();
    all.sort_by_key(|(pid, t)| (std::cmp::Reverse((t.run, t.switches)), **pid));
    let fact = |(pid, t): (&u32, &super::account::Task)| TaskFacts {
        pid: *pid,
        comm: t.comm.clone(),
        prio: t.prio,
        run_ns: t.run,
        wait_ns: t.wait,
        switches: t.switches,
        // Both events speak of one wake-up where both were traced.
        wakeups: t.woken.max(t.waking),
        migrations: t.migrate_events.max(t.cpu_changes),
    };
    all.into_iter().take(TASKS).map(fact).collect()
}
