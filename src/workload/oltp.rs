//! Clients of a database, each with one transaction at a time: it thinks, then works in steps with an IO wait after
//! each, and at the end holds one of some locks for a moment: a closed loop. Locks are mutexes that are handed on in
//! order of arrival. Source: what is common to sysbench's and other OLTP loads; no number is of any one of them.
//! Left out: log writes in groups, checkpoints, network, buffer misses that depend on the data.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream, Wake, Waker};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Takes no part yet, or no more.
    Out,
    Thinking,
    Working,
    /// Waits for the disk.
    Io,
    /// Waits for its lock.
    Waiting,
    Holding,
}

#[derive(Clone, Debug)]
struct Client {
    stream: Stream,
    state: State,
    /// Steps left.
    steps: u64,
    /// The lock it waits for or holds.
    lock: u32,
    /// When its transaction began, ns.
    began: u64,
}

#[derive(Clone, Debug, Default)]
struct Lock {
    held: bool,
    queue: VecDeque<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Oltp {
    clients: Vec<Client>,
    locks: Vec<Lock>,
    /// Clients numbered below take part.
    active: u64,
    think: u64,
    work: u64,
    steps: u64,
    io: u64,
    hold: u64,
    count: u64,
}

impl Oltp {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let count = params.get("clients") * u64::from(size.cpus);
        let client =
            |t| Client { stream: Stream::new(seed, t), state: State::Out, steps: 0, lock: 0, began: 0 };
        Self {
            clients: (0..count.min(super::Workload::MAX_TASKS + 1)).map(client).collect(),
            locks: vec![Lock::default(); params.get("locks") as usize],
            active: super::share(load, count),
            think: params.get("think"),
            work: params.get("work"),
            steps: params.get("steps"),
            io: params.get("io"),
            hold: params.get("hold"),
            count,
        }
    }

    pub(super) fn tasks(&self) -> u64 {
        self.count
    }

    pub(super) fn set_load(&mut self, load: u32, effects: &mut Effects) {
        let before = self.active;
        self.active = super::share(load, self.count);
        for task in before..self.active {
            effects.wake.push(Wake { task: task as u32, waker: Waker::Irq(task as u32) });
        }
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        let state = self.clients[task as usize].state;
        match state {
            State::Out => self.think(task, now),
            State::Thinking => self.begin(task, now),
            State::Working => self.worked(task, now),
            State::Io => self.step(task),
            State::Waiting => self.hold(task),
            State::Holding => {
                self.release(task, effects);
                let client = &self.clients[task as usize];
                effects.done += 1;
                effects.response_ns.push(now - client.began);
                self.think(task, now)
            }
        }
    }

    fn think(&mut self, task: u32, now: u64) -> Step {
        let client = &mut self.clients[task as usize];
        if u64::from(task) >= self.active {
            client.state = State::Out;
            return Step::Block;
        }
        if self.think == 0 && now > 0 {
            return self.begin(task, now);
        }
        client.state = State::Thinking;
        // At the start clients come one by one within the time of one transaction's work.
        let mean = if self.think == 0 { self.work } else { self.think };
        Step::SleepUntil(now + client.stream.exponential(mean))
    }

    fn begin(&mut self, task: u32, now: u64) -> Step {
        let client = &mut self.clients[task as usize];
        client.began = now;
        client.steps = self.steps;
        self.step(task)
    }

    /// One more step, or the lock after the last.
    fn step(&mut self, task: u32) -> Step {
        let locks = self.locks.len() as u64;
        let client = &mut self.clients[task as usize];
        if client.steps > 0 {
            client.steps -= 1;
            client.state = State::Working;
            return Step::Run(client.stream.exponential((self.work / self.steps.max(1)).max(1)));
        }
        client.lock = client.stream.uniform(0, locks.saturating_sub(1)) as u32;
        client.state = State::Waiting;
        let lock = &mut self.locks[client.lock as usize];
        if lock.held {
            lock.queue.push_back(task);
            return Step::Block;
        }
        lock.held = true;
        self.hold(task)
    }

    fn worked(&mut self, task: u32, now: u64) -> Step {
        if self.io == 0 {
            return self.step(task);
        }
        let client = &mut self.clients[task as usize];
        client.state = State::Io;
        Step::SleepUntil(now + client.stream.exponential(self.io))
    }

    /// The client has the lock.
    fn hold(&mut self, task: u32) -> Step {
        let client = &mut self.clients[task as usize];
        client.state = State::Holding;
        Step::Run(self.hold.max(1))
    }

    /// Hands the lock to whoever waits longest.
    fn release(&mut self, task: u32, effects: &mut Effects) {
        let lock = &mut self.locks[self.clients[task as usize].lock as usize];
        match lock.queue.pop_front() {
            Some(next) => effects.wake.push(Wake { task: next, waker: Waker::Task { sync: false } }),
            None => lock.held = false,
        }
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.active);
        for client in &self.clients {
            sink(client.stream.draws());
            sink(client.state as u64);
            sink(client.steps << 32 | u64::from(client.lock));
            sink(client.began);
        }
        for lock in &self.locks {
            sink(u64::from(lock.held));
            lock.queue.iter().for_each(|&client| sink(u64::from(client)));
        }
    }
}
