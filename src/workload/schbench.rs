//! Message threads that wake workers, as schbench's do. A worker puts itself on its message thread's list, wakes
//! that thread if it sleeps, and waits; the message thread wakes everybody on its list, one after another. A woken
//! worker sleeps a little, as for a network, does its work, and is back on the list: a closed loop. Source: the
//! description of schbench by its author (versions 0.1 to 1.0: message threads, workers, `-s`, `-n`). Left out:
//! its lock for each CPU, page faults, and what its matrices do to caches. A request's response time is from its
//! wake-up to the end of its work.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream, Wake, Waker};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Takes no part yet, or no more.
    Out,
    /// On a message thread's list, or just taken from it.
    Asked,
    /// Sleeps as for a network.
    Thinking,
    Working,
}

#[derive(Clone, Debug)]
struct Worker {
    stream: Stream,
    state: State,
    /// When its message thread woke it, ns.
    woken: u64,
}

#[derive(Clone, Debug, Default)]
struct Messenger {
    list: VecDeque<u32>,
    /// It works on a wake-up.
    waking: bool,
}

/// Message threads, and after them the workers, which belong to them in turn.
#[derive(Clone, Debug)]
pub(super) struct Schbench {
    messengers: Vec<Messenger>,
    workers: Vec<Worker>,
    /// Workers numbered below take part.
    active: u64,
    think: u64,
    work: u64,
    message: u64,
    count: u64,
}

impl Schbench {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let messengers = params.get("messengers");
        let each = match params.get("workers") {
            0 => u64::from(size.cpus).div_ceil(messengers),
            each => each,
        };
        let count = messengers + messengers * each;
        let kept = (messengers * each).min(super::Workload::MAX_TASKS + 1);
        let worker = |t| Worker { stream: Stream::new(seed, t), state: State::Out, woken: 0 };
        let mut model = Self {
            messengers: vec![Messenger::default(); messengers as usize],
            workers: (0..kept).map(worker).collect(),
            active: 0,
            think: params.get("think"),
            work: params.get("work"),
            message: params.get("message"),
            count,
        };
        model.active = super::share(load, model.workers.len() as u64);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.count
    }

    pub(super) fn set_load(&mut self, load: u32, effects: &mut Effects) {
        let before = self.active;
        self.active = super::share(load, self.workers.len() as u64);
        let first = self.messengers.len() as u64;
        for task in before..self.active {
            let task = (first + task) as u32;
            effects.wake.push(Wake { task, waker: Waker::Irq(task) });
        }
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        match (task as usize).checked_sub(self.messengers.len()) {
            None => self.messenger(task as usize, now, effects),
            Some(worker) => self.worker(worker, now, effects),
        }
    }

    fn messenger(&mut self, at: usize, now: u64, effects: &mut Effects) -> Step {
        let first = self.messengers.len();
        let messenger = &mut self.messengers[at];
        if std::mem::replace(&mut messenger.waking, false)
            && let Some(worker) = messenger.list.pop_front()
        {
            self.workers[worker as usize].woken = now;
            let waker = Waker::Task { sync: false };
            effects.wake.push(Wake { task: first as u32 + worker, waker });
        }
        messenger.waking = !messenger.list.is_empty();
        if messenger.waking { Step::Run(self.message) } else { Step::Block }
    }

    fn worker(&mut self, at: usize, now: u64, effects: &mut Effects) -> Step {
        let worker = &mut self.workers[at];
        match worker.state {
            State::Out => self.ask(at, effects),
            State::Asked if self.think > 0 => {
                worker.state = State::Thinking;
                Step::SleepUntil(now + self.think)
            }
            State::Asked | State::Thinking => {
                worker.state = State::Working;
                Step::Run(worker.stream.uniform(self.work / 2, self.work / 2 + self.work).max(1))
            }
            State::Working => {
                effects.done += 1;
                effects.response_ns.push(now - worker.woken);
                self.ask(at, effects)
            }
        }
    }

    /// Goes on the list and waits.
    fn ask(&mut self, at: usize, effects: &mut Effects) -> Step {
        let worker = &mut self.workers[at];
        if at as u64 >= self.active {
            worker.state = State::Out;
            return Step::Block;
        }
        worker.state = State::Asked;
        let task = at % self.messengers.len();
        self.messengers[task].list.push_back(at as u32);
        effects.wake.push(Wake { task: task as u32, waker: Waker::Task { sync: false } });
        Step::Block
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.active);
        for messenger in &self.messengers {
            sink(u64::from(messenger.waking));
            sink(messenger.list.len() as u64);
            messenger.list.iter().for_each(|&worker| sink(u64::from(worker)));
        }
        for worker in &self.workers {
            sink(worker.stream.draws());
            sink(worker.state as u64);
            sink(worker.woken);
        }
    }
}
