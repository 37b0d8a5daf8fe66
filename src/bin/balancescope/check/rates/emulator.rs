//! A row's scenario: its machine, gate and workload, and what the emulator made of time.
//!
//! Four things are the emulator's and are set from the row, by the same rule for every row:
//! - what a balance pass costs: the row's own time over calls (its README asks for that), with a tail;
//! - what a thread's round costs beyond its spin: CPU time over rounds, less the mean spin;
//! - how late its timers are: the mean lateness of a wake-up, less the mean wait for a CPU and less that part
//!   of a round's extra cost that comes before the thread reads the clock (all of it is taken); from that mean follow a busy CPU's and an idle CPU's;
//! - how long an interrupt takes to another CPU: a part of a round's extra cost.
//!
//! What is not in the row is assumed, or fitted to the 39 rows together; each constant says which.

use super::row::{Balanced, Row};
use balancescope::scenario::Scenario;
use balancescope::topology::Release;

/// Longest time of a row.
const MOST_SECONDS: u64 = 600;

/// Hogs spin beside the threads, so the extra cost of a round cannot be told from theirs. Assumed then, ns: what
/// the rows of busy machines without hogs show (41 to 83 us).
const EXTRA_BESIDE_HOGS: u64 = 50_000;

/// What the test program works before it creates each thread, ns. Assumed: as much as a round costs beside its
/// spin, since both are a few system calls.
const CREATE: u64 = 50_000;

/// The cost of a pass has a tail: "rare passes of 800 us beside 20 us on average" (the rows' README). The mean is
/// taken from that sentence; how rare they are it does not say, so the share, of a thousand, is assumed. With 20
/// instead of 5 one row more holds.
const TAIL_PERMILLE: u64 = 5;
const TAIL: u64 = 800_000;

/// A timer interrupt of a busy virtual CPU waits for the emulator's own thread, which wins once that CPU goes idle.
/// The row's lateness is a mean over both; of it a busy CPU's has this multiple, cut short by going idle, and an
/// idle CPU's this part. Both are fitted to the 39 rows together.
const LATE_BUSY: (u64, u64) = (17, 10);
const LATE_IDLE_PART: u64 = 2;

/// An interrupt to another virtual CPU takes this part of a round's extra cost: both are a few system calls. Fitted
/// together with the above; from the waits of rows with many remote wake-ups it is about as much.
const IPI_PART: u64 = 2;

/// Now and then no timer comes on any CPU, ns: in `over` both CPUs are found idle at the same moment, which
/// independent queues are not. Length and gap are fitted to the rows together.
const STALL: u64 = 3_000_000;
const STALL_GAP: u64 = 50_000_000;

/// The scenario of a row. The error is the end of a sentence about its line.
pub fn scenario(row: &Row, release: Release) -> Result<Scenario, String> {
    if !(1..=MOST_SECONDS).contains(&row.seconds) {
        return Err(format!("lasts {} s; 1 to {MOST_SECONDS} can be simulated.", row.seconds));
    }
    let machine = machine(&row.machine)?;
    let gate = gate(&row.gate)?;
    let extra = extra_ns(row);
    let run = row.run_us;
    let run = (us(run.0).saturating_add(extra), us(run.1).saturating_add(extra));
    let sleep = (us(row.sleep_us.0), us(row.sleep_us.1));
    let link = format!(
        "release={}&machine={machine}&{gate}&preempt=none&hz=1000&ticks=together&load=1&workload=spinners\
         &spinners.threads={}&spinners.hogs={}&spinners.run_min={}ns&spinners.run_max={}ns\
         &spinners.sleep_min={}ns&spinners.sleep_max={}ns&spinners.create={CREATE}ns&{}{}",
        release.name(),
        row.threads,
        row.hogs,
        run.0,
        run.1,
        sleep.0,
        sleep.1,
        costs(row),
        interrupts(row)
    );
    let (scenario, warnings) = Scenario::parse(&link);
    match warnings.into_iter().next() {
        None => Ok(scenario),
        Some(warning) => Err(format!("cannot be simulated: {}", warning.text)),
    }
}

/// What the emulator's threads do to interrupts.
fn interrupts(row: &Row) -> String {
    let late = late_ns(row);
    format!(
        "&cost.timer_late={}ns&cost.timer_idle={}ns&cost.timer_stall={STALL}ns&cost.timer_stall_gap={STALL_GAP}ns\
         &cost.ipi={}ns",
        late.saturating_mul(LATE_BUSY.0) / LATE_BUSY.1,
        late / LATE_IDLE_PART,
        (extra_ns(row) / IPI_PART).max(1_000)
    )
}

fn us(us: u64) -> u64 {
    us.saturating_mul(1_000)
}

/// `mc2`: cores with one last-level cache; `numa2`: nodes of one CPU; `smt2x2`: cores x threads.
fn machine(name: &str) -> Result<String, String> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=64).contains(n));
    let grid = |prefix: &str| name.strip_prefix(prefix);
    let found = if let Some(cores) = grid("mc").and_then(number) {
        Some(format!("1x{cores}x1"))
    } else if let Some(nodes) = grid("numa").and_then(number) {
        Some(format!("{nodes}x1x1"))
    } else {
        let parts = grid("smt").and_then(|rest| rest.split_once('x'));
        parts.and_then(|(c, t)| Some(format!("1x{}x{}", number(c)?, number(t)?)))
    };
    found.ok_or_else(|| format!("has the machine {name:?}; mc2, numa2 and smt2x2 and their like are known."))
}

/// The gate's switches.
fn gate(name: &str) -> Result<&'static str, String> {
    match name {
        "6.6" => Ok("newidle_gate=domain_cost&ni_random=off"),
        "6.6 + migration_cost" => Ok("newidle_gate=both&ni_random=off"),
        "6.1.192" => Ok("newidle_gate=domain_cost&ni_random=on"),
        _ => Err(format!("has the gate {name:?}; 6.6, 6.6 + migration_cost and 6.1.192 are known.")),
    }
}

/// What a round costs beyond its spin, ns.
fn extra_ns(row: &Row) -> u64 {
    if row.hogs > 0 {
        return EXTRA_BESIDE_HOGS;
    }
    let mean = us(row.run_us.0).saturating_add(us(row.run_us.1)) / 2;
    row.cpu_ns.checked_div(row.loops).map_or(0, |round| round.saturating_sub(mean))
}

/// How late timers are, ns.
fn late_ns(row: &Row) -> u64 {
    let wait = row.system.wait_ns.checked_div(row.system.slices).unwrap_or(0);
    row.wake_late_avg_ns.saturating_sub(wait).saturating_sub(extra_ns(row))
}

/// Every pass costs the row's mean; what a pass scans costs nothing beside it.
fn costs(row: &Row) -> String {
    let passes: Vec<&Balanced> =
        row.levels.values().flat_map(|level| [&level.idle, &level.newidle]).collect();
    let sum = |of: fn(&Balanced) -> u64| passes.iter().map(|p| of(p)).fold(0, u64::saturating_add);
    let mean = sum(|p| p.time_ns).checked_div(sum(|p| p.calls)).unwrap_or(0);
    let fixed = mean.saturating_sub(TAIL * TAIL_PERMILLE / 1_000);
    format!(
        "cost.newidle_fixed=0&cost.blocked_update=0&cost.pass_fixed={fixed}ns&cost.scan_core=0\
         &cost.scan_llc=0&cost.scan_node=0&cost.scan_remote=0\
         &cost.tail_permille={TAIL_PERMILLE}&cost.tail={TAIL}ns"
    )
}
