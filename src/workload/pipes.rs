//! Pairs of tasks that pass a message back and forth, as two ends of a pipe or socket: the writer wakes the reader
//! and sleeps right after, so at most one of a pair runs. A writer that is ahead of its plan sleeps on a timer
//! until the next round; one that is behind begins at once.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream, Wake, Waker};

/// How often a writer at load 0 looks whether the load has risen, ns.
const LOOK: u64 = 10_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between two rounds.
    Waiting,
    /// Works on a message that it is about to pass on.
    Working,
    /// Has passed it on.
    Passed,
}

#[derive(Clone, Debug)]
struct End {
    stream: Stream,
    state: State,
    /// Writers: when the next round should begin, ns.
    plan: u64,
}

/// All pairs: ends 2i and 2i + 1 are a pair, the even one writes first.
#[derive(Clone, Debug)]
pub(super) struct Pipes {
    ends: Vec<End>,
    work: u64,
    sync: bool,
    capacity: u64,
    /// Mean time from the begin of a round to the next, ns; `None` at load 0.
    round: Option<u64>,
}

impl Pipes {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let ends = (2 * params.get("pairs") * u64::from(size.cpus)).min(super::Workload::MAX_TASKS + 1);
        let ends =
            (0..ends).map(|t| End { stream: Stream::new(seed, t), state: State::Waiting, plan: 0 }).collect();
        let mut model = Self {
            ends,
            work: params.get("work"),
            sync: params.get("sync") == 1,
            capacity: size.capacity,
            round: None,
        };
        model.set_load(load);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Mean length of a round so that all pairs together offer `load` thousandths of the capacity. A round cannot
    /// be shorter than its work, so a pair offers one CPU at most.
    pub(super) fn set_load(&mut self, load: u32) {
        let offered = u128::from(load) * u128::from(self.capacity);
        let work = u128::from(self.work) * self.ends.len() as u128 * 1_000 * 1_024;
        self.round = work.checked_div(offered).map(|round| round as u64);
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        let at = task as usize;
        let Some(round) = self.round else { return self.rest(at, now) };
        let writer = at.is_multiple_of(2);
        let end = &mut self.ends[at];
        match end.state {
            State::Working => {
                end.state = State::Passed;
                effects.done += u32::from(!writer);
                effects.wake.push(Wake { task: task ^ 1, waker: Waker::Task { sync: self.sync } });
                Step::Block
            }
            // The first round begins when its writer does; a reader waits for it.
            State::Waiting if !writer => {
                end.state = State::Passed;
                Step::Block
            }
            State::Passed if writer => {
                end.state = State::Waiting;
                end.plan = end.plan.max(now.saturating_sub(round))
                    + end.stream.uniform(round / 2, round / 2 + round);
                if end.plan > now { Step::SleepUntil(end.plan) } else { self.begin(at) }
            }
            State::Waiting if end.plan == 0 && round > 0 => {
                end.plan = now + end.stream.uniform(1, round);
                Step::SleepUntil(end.plan)
            }
            State::Passed | State::Waiting => self.begin(at),
        }
    }

    fn begin(&mut self, at: usize) -> Step {
        let end = &mut self.ends[at];
        end.state = State::Working;
        Step::Run(end.stream.uniform(self.work / 2, self.work / 2 + self.work).max(1))
    }

    /// At load 0 a writer looks now and then, and a reader waits.
    fn rest(&mut self, at: usize, now: u64) -> Step {
        let end = &mut self.ends[at];
        if !at.is_multiple_of(2) {
            end.state = State::Passed;
            return Step::Block;
        }
        end.state = State::Waiting;
        end.plan = now + LOOK;
        Step::SleepUntil(end.plan)
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.round.unwrap_or(u64::MAX));
        for end in &self.ends {
            sink(end.stream.draws());
            sink(end.state as u64);
            sink(end.plan);
        }
    }
}
