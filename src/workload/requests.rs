//! Open-loop requests: arrivals do not wait for answers, so a slow system shows as queueing and not as fewer
//! arrivals. Left out: connections, locks, garbage collection, network time.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream, Wake, Waker};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug)]
struct Request {
    arrived: u64,
    work: u64,
}

/// A source, a queue of requests and a pool of workers.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    source: Stream,
    demands: Stream,
    service: u64,
    capacity: u64,
    /// Mean time between arrivals, ns; `None` at load 0.
    gap: Option<u64>,
    next_arrival: Option<u64>,
    arrivals: u64,
    waiting: VecDeque<Request>,
    /// Workers with nothing to do, longest idle first.
    free: VecDeque<u32>,
    is_free: Vec<bool>,
    serving: Vec<Option<Request>>,
}

impl Requests {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let workers =
            (params.get("workers") * u64::from(size.cpus)).min(super::Workload::MAX_TASKS + 1) as usize;
        let mut model = Self {
            source: Stream::new(seed, u64::MAX),
            demands: Stream::new(seed, u64::MAX - 1),
            service: params.get("service"),
            capacity: size.capacity,
            gap: None,
            next_arrival: None,
            arrivals: 0,
            waiting: VecDeque::new(),
            free: VecDeque::new(),
            is_free: vec![false; workers],
            serving: vec![None; workers],
        };
        model.set_load(load, 0);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.serving.len() as u64
    }

    /// Mean gap so that arrivals times mean work is `load` thousandths of the capacity.
    pub(super) fn set_load(&mut self, load: u32, now: u64) {
        let rate = u128::from(load) * u128::from(self.capacity);
        self.gap =
            (u128::from(self.service) * 1_000 * 1_024).checked_div(rate).map(|gap| (gap as u64).max(1));
        self.next_arrival = self.gap.map(|gap| now + self.source.exponential(gap));
    }

    pub(super) fn next_arrival(&self) -> Option<u64> {
        self.next_arrival
    }

    pub(super) fn arrive(&mut self, now: u64, effects: &mut Effects) {
        self.next_arrival = self.gap.map(|gap| now + self.source.exponential(gap));
        let work = self.demands.exponential(self.service);
        self.waiting.push_back(Request { arrived: now, work });
        if let Some(task) = self.free.pop_front() {
            self.is_free[task as usize] = false;
            effects.wake.push(Wake { task, waker: Waker::Irq(self.arrivals as u32) });
        }
        self.arrivals += 1;
    }

    pub(super) fn next(&mut self, task: u32, effects: &mut Effects, now: u64) -> Step {
        if let Some(request) = self.serving[task as usize].take() {
            effects.done += 1;
            effects.response_ns.push(now - request.arrived);
        }
        if let Some(request) = self.waiting.pop_front() {
            self.serving[task as usize] = Some(request);
            return Step::Run(request.work);
        }
        if !std::mem::replace(&mut self.is_free[task as usize], true) {
            self.free.push_back(task);
        }
        Step::Block
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.source.draws());
        sink(self.demands.draws());
        sink(self.next_arrival.unwrap_or(u64::MAX));
        sink(self.arrivals);
        for request in &self.waiting {
            sink(request.arrived);
            sink(request.work);
        }
        self.free.iter().for_each(|&task| sink(u64::from(task)));
        for request in &self.serving {
            sink(request.map_or(u64::MAX, |r| r.arrived));
            sink(request.map_or(u64::MAX, |r| r.work));
        }
    }
}
