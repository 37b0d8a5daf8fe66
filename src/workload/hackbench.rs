//! Groups of senders and receivers, as hackbench's: every sender of a group writes one message to each receiver in
//! turn, again and again, and a receiver reads whatever comes through its own pipe or socket. A receiver sleeps
//! while that is empty, a sender while it is full. Source: hackbench and `perf bench sched messaging` (20 of each,
//! 100 bytes). Left out: an end (the figure is messages a second; hackbench's run time is its inverse), the copying
//! of data, and the locks of pipes and sockets.

use super::kinds::Values;
use super::{Effects, Step, Stream, Wake, Waker};
use std::collections::VecDeque;

/// What a pipe or a socket holds, in messages, and from where on a sender that found it full is woken.
#[derive(Clone, Copy, Debug)]
struct Buffer {
    most: u32,
    space: u32,
    /// All who wait are woken, not one after another.
    all: bool,
}

/// 16 pages, and 40 messages of 100 bytes in each: there is space once a page has been read.
const PIPE: Buffer = Buffer { most: 640, space: 600, all: false };
/// A send buffer of 208 KiB, and 768 bytes for each message with its head: there is space at a quarter.
const SOCKET: Buffer = Buffer { most: 277, space: 69, all: true };

#[derive(Clone, Debug)]
struct Sender {
    stream: Stream,
    /// The receiver of its group that it writes to.
    to: u32,
    writing: bool,
}

#[derive(Clone, Debug)]
struct Receiver {
    stream: Stream,
    /// Messages in its pipe.
    held: u32,
    /// Senders that found it full.
    full: VecDeque<u32>,
    reading: bool,
    empty: bool,
}

/// Group by group, senders and then receivers.
#[derive(Clone, Debug)]
pub(super) struct Hackbench {
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    fan: usize,
    groups: u64,
    /// Groups numbered below take part.
    active: u64,
    send: u64,
    receive: u64,
    buffer: Buffer,
}

impl Hackbench {
    pub(super) fn new(params: &Values, load: u32, seed: u64) -> Self {
        let (groups, fan) = (params.get("groups"), params.get("fan"));
        let kept = (groups * fan).min(super::Workload::MAX_TASKS + 1);
        let sender = |t| Sender { stream: Stream::new(seed, 2 * t), to: (t % fan) as u32, writing: false };
        let receiver = |t| Receiver {
            stream: Stream::new(seed, 2 * t + 1),
            held: 0,
            full: VecDeque::new(),
            reading: false,
            empty: false,
        };
        Self {
            senders: (0..kept).map(sender).collect(),
            receivers: (0..kept).map(receiver).collect(),
            fan: fan as usize,
            groups,
            active: super::share(load, groups),
            send: params.get("send"),
            receive: params.get("receive"),
            buffer: if params.get("socket") == 1 { SOCKET } else { PIPE },
        }
    }

    pub(super) fn tasks(&self) -> u64 {
        2 * self.senders.len() as u64
    }

    pub(super) fn set_load(&mut self, load: u32, effects: &mut Effects) {
        let before = self.active;
        self.active = super::share(load, self.groups);
        let fan = self.fan as u64;
        for group in before..self.active {
            for task in 2 * fan * group..2 * fan * group + fan {
                effects.wake.push(Wake { task: task as u32, waker: Waker::Irq(task as u32) });
            }
        }
    }

    pub(super) fn next(&mut self, task: u32, effects: &mut Effects) -> Step {
        let (group, within) = (task as usize / (2 * self.fan), task as usize % (2 * self.fan));
        let first = group * self.fan;
        match within.checked_sub(self.fan) {
            None => self.sender(first, within, effects),
            Some(receiver) => self.receiver(first, receiver, effects),
        }
    }

    /// The number of a task of the group whose first sender and receiver are these.
    fn task(&self, first: usize, within: usize) -> u32 {
        (2 * first + within) as u32
    }

    fn sender(&mut self, first: usize, within: usize, effects: &mut Effects) -> Step {
        let waker = Waker::Task { sync: true };
        let to = self.senders[first + within].to as usize;
        if std::mem::replace(&mut self.senders[first + within].writing, false) {
            let reader = self.task(first, self.fan + to);
            let receiver = &mut self.receivers[first + to];
            receiver.held += 1;
            if std::mem::replace(&mut receiver.empty, false) {
                effects.wake.push(Wake { task: reader, waker });
            }
            // One who still finds space lets the next one in.
            let next = if receiver.held < self.buffer.most { receiver.full.pop_front() } else { None };
            if let Some(next) = next {
                effects.wake.push(Wake { task: self.task(first, next as usize), waker });
            }
            self.senders[first + within].to = ((to + 1) % self.fan) as u32;
        }
        if (first / self.fan) as u64 >= self.active {
            return Step::Block;
        }
        let to = self.senders[first + within].to as usize;
        let receiver = &mut self.receivers[first + to];
        if receiver.held >= self.buffer.most {
            if !receiver.full.contains(&(within as u32)) {
                receiver.full.push_back(within as u32);
            }
            return Step::Block;
        }
        let sender = &mut self.senders[first + within];
        sender.writing = true;
        Step::Run(sender.stream.uniform(self.send / 2, self.send / 2 + self.send).max(1))
    }

    fn receiver(&mut self, first: usize, at: usize, effects: &mut Effects) -> Step {
        let receiver = &mut self.receivers[first + at];
        if std::mem::replace(&mut receiver.reading, false) {
            receiver.held = receiver.held.saturating_sub(1);
            effects.done += 1;
            if receiver.held <= self.buffer.space {
                let woken = if self.buffer.all { receiver.full.len() } else { 1 };
                let woken = woken.min(receiver.full.len());
                for within in receiver.full.drain(..woken) {
                    let task = (2 * first) as u32 + within;
                    effects.wake.push(Wake { task, waker: Waker::Task { sync: true } });
                }
            }
        }
        receiver.empty = receiver.held == 0;
        if receiver.empty {
            return Step::Block;
        }
        receiver.reading = true;
        Step::Run(receiver.stream.uniform(self.receive / 2, self.receive / 2 + self.receive).max(1))
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.active);
        for sender in &self.senders {
            sink(sender.stream.draws());
            sink(u64::from(sender.to) << 1 | u64::from(sender.writing));
        }
        for receiver in &self.receivers {
            sink(receiver.stream.draws());
            sink(
                u64::from(receiver.held) << 2 | u64::from(receiver.reading) << 1 | u64::from(receiver.empty),
            );
            sink(receiver.full.len() as u64);
            receiver.full.iter().for_each(|&sender| sink(u64::from(sender)));
        }
    }
}
