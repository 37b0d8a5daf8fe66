//! Periodic tasks with a fixed period and a fixed amount of work in each, as rt-app's. Phases are drawn once
//! a task. A task that misses its period starts the next one at once.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream};
use crate::scenario::{Op, Script, ScriptTask};

/// All tasks of one period.
#[derive(Clone, Debug)]
pub(super) struct Periodic {
    period: u64,
    capacity: u64,
    /// Work a period, ns.
    work: u64,
    /// Next activation of each task, ns.
    due: Vec<u64>,
    running: Vec<bool>,
}

impl Periodic {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let period = params.get("period");
        let count = (params.get("threads") * u64::from(size.cpus)).min(super::Workload::MAX_TASKS + 1);
        let due: Vec<u64> = (0..count).map(|t| Stream::new(seed, t).uniform(0, period - 1)).collect();
        let running = vec![false; due.len()];
        let mut model = Self { period, capacity: size.capacity, work: 0, due, running };
        model.set_load(load);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.due.len() as u64
    }

    /// Work a period so that all tasks together offer `load` thousandths of the capacity.
    pub(super) fn set_load(&mut self, load: u32) {
        let offered = u128::from(load) * u128::from(self.capacity) * u128::from(self.period);
        let share = offered / (self.due.len().max(1) as u128 * 1_000 * 1_024);
        self.work = share as u64;
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        let (due, running) = (&mut self.due[task as usize], &mut self.running[task as usize]);
        if *running {
            effects.done += 1;
            *running = false;
            *due += self.period;
        }
        if now < *due {
            return Step::SleepUntil(*due);
        }
        if self.work == 0 {
            *due = now + self.period;
            return Step::SleepUntil(*due);
        }
        *running = true;
        Step::Run(self.work)
    }

    /// Each task with its own delay to its first period.
    pub(super) fn script(&self) -> Result<Script, String> {
        if self.work == 0 {
            return Err("At this load the tasks never run.".to_owned());
        }
        let task = |due: &u64| ScriptTask {
            delay_ns: *due,
            ops: vec![Op::Run(self.work), Op::Every(self.period)],
            ..ScriptTask::default()
        };
        let script = Script { length_ns: 0, tasks: self.due.iter().map(task).collect() };
        script.check().map(|()| script)
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.work);
        for (due, running) in self.due.iter().zip(&self.running) {
            sink(*due);
            sink(u64::from(*running));
        }
    }
}
