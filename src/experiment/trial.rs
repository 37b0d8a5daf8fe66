//! One run of an experiment, and what is read from it. A trial goes on in pieces, so that a host can show progress,
//! keep its page alive and stop; however it is cut, the result is the same.

use crate::engine::{GateCounts, World};
use crate::observe::{Activity, Histogram, Kind, LevelCounts, Recorder};
use crate::scenario::{Scenario, WorkloadSpec};

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// A link's fragment; the seed is added to it.
    pub fragment: String,
    /// For so long before anything is counted, ns.
    pub warm_ns: u64,
    /// And so long while it is, ns.
    pub for_ns: u64,
    /// The kernel has been up for a while: before the run its domains have learned what a new-idle pass costs, under
    /// requests that take nine tenths of the machine.
    pub learned: bool,
}

/// How long the run before lasts, ns.
const HISTORY_NS: u64 = 200_000_000;

/// What domains remember after such a run.
fn history(scenario: &Scenario) -> Result<Vec<u64>, String> {
    let params = vec![("service".to_owned(), 2_000_000)];
    let workload = WorkloadSpec { kind: "requests".to_owned(), params };
    let mut world = World::new(&Scenario { workload, load: 900, ..scenario.clone() })?;
    world.run_until(HISTORY_NS);
    Ok(world.learned())
}

/// Counters of a world at one moment.
#[derive(Clone, Debug)]
struct Counters {
    seen: Recorder,
    gates: GateCounts,
    times: [u64; 5],
    lock: (u64, u64),
    arrived: u64,
}

impl Counters {
    fn of(world: &World) -> Self {
        Self {
            seen: world.observed().clone(),
            gates: *world.gates(),
            times: world.cpu_times(),
            lock: world.lock_tries(),
            arrived: world.arrived().unwrap_or(0),
        }
    }
}

/// What was read from one run, of the time after its warm-up alone.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Simulated time that was counted, s.
    pub seconds: f64,
    /// Shares of all CPUs' time, in the order of [`Activity`].
    cpu: [f64; 5],
    /// Units of work done, and requests that arrived.
    pub done: u64,
    /// See [`Measured::done`].
    pub arrived: u64,
    /// Arrival to answer, ns.
    pub response: Histogram,
    /// Wake-up to running, ns.
    pub latency: Histogram,
    /// Names of levels, bottom up, and their counts by kind.
    pub levels: Vec<(String, [LevelCounts; 4])>,
    /// What came to the gate of new-idle passes, and what refused there.
    pub gates: GateCounts,
    /// Tries of the serialise lock, and those in vain.
    pub lock: (u64, u64),
    /// Times the overload flag changed.
    pub overload_flips: u64,
}

impl Measured {
    /// The share of all CPUs' time that an activity took.
    pub fn share(&self, activity: Activity) -> f64 {
        self.cpu[activity as usize]
    }

    /// The share of all CPUs' time that was not idle.
    pub fn busy(&self) -> f64 {
        1.0 - self.share(Activity::Idle)
    }

    /// The share of cycles of balance passes, the lock's line included.
    pub fn balance_of_busy(&self) -> f64 {
        ratio(self.share(Activity::Balance) + self.share(Activity::Lock), self.busy())
    }

    /// Units of work a second.
    pub fn throughput(&self) -> f64 {
        self.done as f64 / self.seconds
    }

    /// Counts of a level and kind; zeros where the machine has no such level.
    pub fn level(&self, name: &str, kind: Kind) -> LevelCounts {
        self.levels
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, counts)| counts[kind as usize])
            .unwrap_or_default()
    }

    /// The sum of a count over all levels and these kinds.
    pub fn sum(&self, kinds: &[Kind], of: fn(&LevelCounts) -> u64) -> f64 {
        let all =
            self.levels.iter().flat_map(|(_, counts)| kinds.iter().map(|&kind| of(&counts[kind as usize])));
        all.sum::<u64>() as f64
    }

    /// Mean time of a new-idle call at a level, ns.
    pub fn newidle_ns(&self, level: &str) -> f64 {
        let counts = self.level(level, Kind::Newidle);
        ratio(counts.time_ns as f64, counts.calls as f64)
    }
}

/// A quotient, 0 where there is nothing to divide by.
pub fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// A run under way.
pub struct Trial {
    world: World,
    warm_ns: u64,
    end_ns: u64,
    before: Option<Counters>,
}

impl Trial {
    /// Builds the world of a plan on a seed. The error is one sentence.
    pub fn new(plan: &Plan, seed: u64) -> Result<Self, String> {
        let (scenario, warnings) = Scenario::parse(&plan.fragment);
        if let Some(warning) = warnings.into_iter().next() {
            return Err(warning.text);
        }
        let scenario = Scenario { seed, ..scenario };
        let mut world = World::new(&scenario)?;
        if plan.learned {
            world.learn(&history(&scenario)?);
        }
        Ok(Self { world, warm_ns: plan.warm_ns, end_ns: plan.warm_ns + plan.for_ns, before: None })
    }

    /// Goes on for about so many events. What was measured, once the end is reached.
    pub fn advance(&mut self, max_events: u64) -> Option<Measured> {
        let Some(before) = &self.before else {
            if self.world.run_budget(self.warm_ns, max_events) {
                self.before = Some(Counters::of(&self.world));
            }
            return None;
        };
        self.world.run_budget(self.end_ns, max_events).then(|| self.measured(before))
    }

    /// Runs to the end.
    pub fn finish(mut self) -> Measured {
        loop {
            if let Some(measured) = self.advance(u64::MAX) {
                return measured;
            }
        }
    }

    /// How much of the simulated time is over, from 0 to 1.
    pub fn progress(&self) -> f64 {
        ratio(self.world.now() as f64, self.end_ns as f64)
    }

    fn measured(&self, before: &Counters) -> Measured {
        let after = Counters::of(&self.world);
        let times: Vec<u64> = after.times.iter().zip(before.times).map(|(a, b)| a - b).collect();
        let total = times.iter().sum::<u64>() as f64;
        let names = self.world.tree().levels.iter().map(|level| level.name.as_str().to_owned());
        let counts = after.seen.totals.levels.iter().zip(&before.seen.totals.levels);
        let counts = counts.map(|(a, b)| [0, 1, 2, 3].map(|kind| difference(&a[kind], &b[kind])));
        let (seen, then) = (&after.seen, &before.seen);
        Measured {
            seconds: (self.end_ns - self.warm_ns) as f64 / 1e9,
            cpu: [0, 1, 2, 3, 4].map(|i| ratio(times[i] as f64, total)),
            done: seen.totals.done - then.totals.done,
            arrived: after.arrived - before.arrived,
            response: seen.response.since(&then.response),
            latency: seen.wakeups.since(&then.wakeups),
            levels: names.zip(counts).collect(),
            gates: after.gates.since(&before.gates),
            lock: (after.lock.0 - before.lock.0, after.lock.1 - before.lock.1),
            overload_flips: seen.totals.overload_flips - then.totals.overload_flips,
        }
    }
}

fn difference(a: &LevelCounts, b: &LevelCounts) -> LevelCounts {
    LevelCounts {
        calls: a.calls - b.calls,
        gated: a.gated - b.gated,
        not_due: a.not_due - b.not_due,
        lock_failed: a.lock_failed - b.lock_failed,
        balanced: a.balanced - b.balanced,
        failed: a.failed - b.failed,
        moved_calls: a.moved_calls - b.moved_calls,
        moved_tasks: a.moved_tasks - b.moved_tasks,
        time_ns: a.time_ns - b.time_ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan { fragment: "load=0.5".to_owned(), warm_ns: 20_000_000, for_ns: 50_000_000, learned: true }
    }

    #[test]
    fn pieces_make_no_difference() {
        let whole = Trial::new(&plan(), 3).unwrap().finish();
        let mut trial = Trial::new(&plan(), 3).unwrap();
        let mut last = 0.0;
        let cut = loop {
            if let Some(measured) = trial.advance(1_000) {
                break measured;
            }
            assert!(trial.progress() >= last);
            last = trial.progress();
        };
        assert_eq!(trial.progress(), 1.0);
        assert_eq!(format!("{whole:?}"), format!("{cut:?}"));
        assert!(whole.arrived > 100 && whole.done > 100 && whole.busy() > 0.3);
    }

    #[test]
    fn the_warm_up_is_not_counted() {
        let all = Trial::new(&Plan { warm_ns: 0, ..plan() }, 3).unwrap().finish();
        let warm = Trial::new(&plan(), 3).unwrap().finish();
        let ticks = |m: &Measured| m.gates.reached;
        assert!(ticks(&warm) > 0 && ticks(&warm) != ticks(&all));
        let sum: f64 = warm.cpu.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_run_is_a_sentence() {
        let plan = Plan { fragment: "machine=0x0".to_owned(), ..plan() };
        assert!(Trial::new(&plan, 1).is_err());
    }
}
