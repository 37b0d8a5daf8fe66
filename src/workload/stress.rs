//! Workers that are busy for a share of their time, as `stress-ng --cpu N --cpu-load P`: each runs a slice, sees how
//! long that took, and sleeps so long that the share is right. The load is that share, at most 1, so a machine with
//! too few CPUs makes the workers sleep longer, not shorter: a closed loop. Source: stress-ng's manual. Left out: what
//! the slice computes.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream};

/// How often a worker at load 0 looks whether the load has risen, ns.
const LOOK: u64 = 10_000_000;

#[derive(Clone, Debug)]
struct Worker {
    /// When its slice began, ns, if one is under way.
    began: Option<u64>,
    started: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Stress {
    workers: Vec<Worker>,
    /// When each runs first, ns.
    phases: Vec<u64>,
    slice: u64,
    /// In thousandths.
    share: u64,
    count: u64,
}

impl Stress {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let count = match params.get("workers") {
            0 => u64::from(size.cpus),
            workers => workers,
        };
        let kept = count.min(super::Workload::MAX_TASKS + 1);
        let slice = params.get("slice");
        Self {
            workers: vec![Worker { began: None, started: false }; kept as usize],
            phases: (0..kept).map(|t| Stream::new(seed, t).uniform(1, slice)).collect(),
            slice,
            share: u64::from(load.min(1_000)),
            count,
        }
    }

    pub(super) fn tasks(&self) -> u64 {
        self.count
    }

    pub(super) fn set_load(&mut self, load: u32) {
        self.share = u64::from(load.min(1_000));
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        let worker = &mut self.workers[task as usize];
        if !std::mem::replace(&mut worker.started, true) {
            return Step::SleepUntil(self.phases[task as usize]);
        }
        let sleep = match worker.began.take() {
            Some(began) => {
                effects.done += 1;
                let took = u128::from(now.saturating_sub(began));
                (took * u128::from(1_000 - self.share)).checked_div(u128::from(self.share))
            }
            None => Some(0),
        };
        if self.share == 0 {
            return Step::SleepUntil(now + LOOK);
        }
        match sleep {
            Some(ns) if ns > 0 => Step::SleepUntil(now.saturating_add(ns as u64)),
            _ => {
                worker.began = Some(now);
                Step::Run(self.slice)
            }
        }
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.share);
        self.phases.iter().for_each(|&phase| sink(phase));
        for worker in &self.workers {
            sink(worker.began.unwrap_or(u64::MAX));
            sink(u64::from(worker.started));
        }
    }
}
