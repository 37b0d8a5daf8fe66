//! Tasks that never sleep. The load level says how many of them run: load 0.5 is one for every second CPU.

use super::kinds::Values;
use super::{Effects, Size, Step, Wake, Waker};
use crate::scenario::{Op, Script, ScriptTask};

/// How much a hog does before it is counted and asked again, ns of work.
const SLICE: u64 = 1_000_000;

/// All hogs; those numbered below `active` run.
#[derive(Clone, Debug)]
pub(super) struct Hogs {
    cpus: u64,
    active: u64,
    started: Vec<bool>,
}

impl Hogs {
    pub(super) fn new(params: &Values, load: u32, size: Size) -> Self {
        let cpus = u64::from(size.cpus);
        let count = (params.get("max") * cpus).min(super::Workload::MAX_TASKS + 1);
        let mut model = Self { cpus, active: 0, started: vec![false; count as usize] };
        model.active = model.wanted(load);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.started.len() as u64
    }

    /// Running hogs at a load: load x CPUs, to the nearest, at most all.
    fn wanted(&self, load: u32) -> u64 {
        ((u64::from(load) * self.cpus + 500) / 1_000).min(self.started.len() as u64)
    }

    pub(super) fn set_load(&mut self, load: u32, effects: &mut Effects) {
        let before = self.active;
        self.active = self.wanted(load);
        for task in before..self.active {
            effects.wake.push(Wake { task: task as u32, waker: Waker::Irq(task as u32) });
        }
    }

    pub(super) fn next(&mut self, task: u32, effects: &mut Effects) -> Step {
        let started = &mut self.started[task as usize];
        effects.done += u32::from(*started);
        *started = u64::from(task) < self.active;
        if *started { Step::Run(SLICE) } else { Step::Block }
    }

    /// Those that run at the load.
    pub(super) fn script(&self) -> Result<Script, String> {
        let hog = ScriptTask { ops: vec![Op::Run(SLICE)], ..ScriptTask::default() };
        let script = Script { length_ns: 0, tasks: vec![hog; self.active as usize] };
        script.check().map(|()| script)
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.active);
        self.started.iter().for_each(|&s| sink(u64::from(s)));
    }
}
