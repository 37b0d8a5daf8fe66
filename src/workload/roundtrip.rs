//! Clients that send a request to a server of their own and wait for its answer, one at a time, as netperf's
//! TCP_RR and UDP_RR and as tbench do over loopback: a closed loop, so a slower system shows as fewer round trips
//! and never as a queue. The sender wakes the other end from the network's softirq on its own CPU, and says that it
//! is about to sleep. Source: the manuals of netperf and dbench. Left out: the softirq as work of its own, sizes of
//! messages, and TCP against UDP, which is a matter of `client` and `server` alone.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream, Wake, Waker};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Takes no part yet, or no more.
    Out,
    /// Waits for the other end.
    Waiting,
    Working,
}

#[derive(Clone, Debug)]
struct End {
    stream: Stream,
    state: State,
    /// Clients: when the round trip began, ns.
    began: u64,
}

/// Ends 2i and 2i + 1 are a client and its server.
#[derive(Clone, Debug)]
pub(super) struct Roundtrip {
    ends: Vec<End>,
    /// Pairs numbered below take part.
    active: u64,
    /// Work of the client and of the server, ns.
    work: [u64; 2],
    count: u64,
}

impl Roundtrip {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let pairs = match params.get("pairs") {
            0 => u64::from(size.cpus),
            pairs => pairs,
        };
        let kept = (2 * pairs).min(super::Workload::MAX_TASKS + 1);
        let end = |t| End { stream: Stream::new(seed, t), state: State::Out, began: 0 };
        Self {
            ends: (0..kept).map(end).collect(),
            active: super::share(load, pairs),
            work: [params.get("client"), params.get("server")],
            count: 2 * pairs,
        }
    }

    pub(super) fn tasks(&self) -> u64 {
        self.count
    }

    pub(super) fn set_load(&mut self, load: u32, effects: &mut Effects) {
        let before = self.active;
        self.active = super::share(load, self.count / 2);
        for pair in before..self.active {
            let task = 2 * pair as u32;
            effects.wake.push(Wake { task, waker: Waker::Irq(task) });
        }
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        let (at, server) = (task as usize, task % 2);
        let taking_part = u64::from(task / 2) < self.active;
        let work = self.work[server as usize];
        let end = &mut self.ends[at];
        match end.state {
            State::Working => {
                end.state = State::Waiting;
                effects.wake.push(Wake { task: task ^ 1, waker: Waker::Task { sync: true } });
                return Step::Block;
            }
            // A server waits for its first request.
            State::Out if server == 1 => {
                end.state = State::Waiting;
                return Step::Block;
            }
            State::Waiting if server == 0 => {
                effects.done += 1;
                effects.response_ns.push(now - end.began);
            }
            State::Out | State::Waiting => {}
        }
        if server == 0 {
            if !taking_part {
                end.state = State::Out;
                return Step::Block;
            }
            end.began = now;
        }
        end.state = State::Working;
        Step::Run(end.stream.uniform(work / 2, work / 2 + work).max(1))
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.active);
        for end in &self.ends {
            sink(end.stream.draws());
            sink(end.state as u64);
            sink(end.began);
        }
    }
}
