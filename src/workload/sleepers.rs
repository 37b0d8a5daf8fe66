//! Tasks that run and sleep in turn. Each belongs to its own timer, so a late wake-up shortens the sleep and
//! not the plan: deadlines are absolute.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream, TaskSpec};

#[derive(Clone, Debug)]
struct Sleeper {
    stream: Stream,
    /// End of the planned sleep, ns.
    plan: u64,
    ran: bool,
}

/// Sleepers, and after them the hogs.
#[derive(Clone, Debug)]
pub(super) struct Sleepers {
    sleepers: Vec<Sleeper>,
    hogs: u64,
    run: u64,
    capacity: u64,
    /// Mean sleep, ns; `None` at load 0, where nobody runs again.
    sleep: Option<u64>,
}

const HOG_SLICE: u64 = 1_000_000;
/// How often a task at load 0 looks whether the load has risen, ns.
const LOOK: u64 = 10_000_000;

impl Sleepers {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let count = (params.get("threads") * u64::from(size.cpus)).min(super::Workload::MAX_TASKS + 1);
        let sleepers =
            (0..count).map(|t| Sleeper { stream: Stream::new(seed, t), plan: 0, ran: true }).collect();
        let mut model = Self {
            sleepers,
            hogs: params.get("hogs"),
            run: params.get("run"),
            capacity: size.capacity,
            sleep: None,
        };
        model.set_load(load);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.sleepers.len() as u64 + self.hogs
    }

    /// Threads, then hogs, each with its nice level, its policy, its CPUs and where it starts.
    pub(super) fn specs(&self, params: &Values, size: Size) -> Vec<TaskSpec> {
        let most = u64::from(size.cpus);
        let range = |from: u64, cpus: u64| from.min(most) as u32..from.saturating_add(cpus).min(most) as u32;
        let spec = |nice: &str, from: &str, cpus: &str, apart: u64, sched_idle: bool| {
            let (from, cpus) = (params.get(from).min(most.saturating_sub(1)), params.get(cpus));
            let second = if apart > 0 { range(from + apart, cpus) } else { 0..0 };
            let first = from as u32;
            let allowed: Vec<u32> =
                range(from, cpus).chain(second.filter(|c| u64::from(*c) >= from + cpus)).collect();
            let home = (params.get("start") == 1).then_some(if allowed.is_empty() { 0 } else { first });
            TaskSpec { nice: (params.get(nice) as i8).saturating_sub(20), sched_idle, allowed, home }
        };
        let thread = spec("nice", "from", "cpus", params.get("apart"), false);
        let hog = spec("hog_nice", "hog_from", "hog_cpus", 0, params.get("hog_idle") == 1);
        let mut specs = vec![thread; self.sleepers.len()];
        specs.resize(self.tasks() as usize, hog);
        specs
    }

    /// Mean sleep so that all sleepers together offer `load` thousandths of the capacity:
    /// each runs a share u = load x capacity / tasks, and sleeps run x (1 - u) / u.
    pub(super) fn set_load(&mut self, load: u32) {
        let offered = u128::from(load) * u128::from(self.capacity);
        let tasks = self.sleepers.len() as u128 * 1_000 * 1_024;
        self.sleep =
            (u128::from(self.run) * tasks.saturating_sub(offered)).checked_div(offered).map(|s| s as u64);
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        let run = self.run;
        let Some(sleeper) = self.sleepers.get_mut(task as usize) else {
            effects.done += u32::from(now > 0);
            return Step::Run(HOG_SLICE);
        };
        let Some(sleep) = self.sleep else {
            sleeper.ran = true;
            sleeper.plan = now;
            return Step::SleepUntil(now + LOOK);
        };
        if sleeper.ran {
            effects.done += u32::from(now > 0);
            sleeper.ran = false;
            let length = sleeper.stream.uniform(sleep / 2, sleep / 2 + sleep);
            sleeper.plan = now.max(sleeper.plan) + length;
            if length > 0 {
                return Step::SleepUntil(sleeper.plan);
            }
        }
        sleeper.ran = true;
        Step::Run(sleeper.stream.uniform(run / 2, run / 2 + run).max(1))
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.sleep.unwrap_or(u64::MAX));
        for sleeper in &self.sleepers {
            sink(sleeper.stream.draws());
            sink(sleeper.plan);
            sink(u64::from(sleeper.ran));
        }
    }
}
