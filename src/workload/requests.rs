//! Open-loop requests: arrivals do not wait for answers, so a slow system shows as queueing and not as fewer
//! arrivals. A response time counts from the arrival, so waiting for a worker is in it and nothing is omitted. A
//! request may pass through several workers, each of which wakes the next. Left out: connections, locks, garbage
//! collection, network time.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream, Wake, Waker};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug)]
struct Request {
    arrived: u64,
    /// Work of each worker it passes through.
    work: u64,
    /// Workers after the present one.
    hops: u64,
}

/// A source, a queue of requests and a pool of workers.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    source: Stream,
    demands: Stream,
    service: u64,
    /// Workers of a request after the first.
    hops: u64,
    /// Requests a second at load 1; 0: as many as the capacity can serve.
    rate: u64,
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
    /// What another worker has handed to one that it woke.
    handed: Vec<Option<Request>>,
}

impl Requests {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let workers =
            (params.get("workers") * u64::from(size.cpus)).min(super::Workload::MAX_TASKS + 1) as usize;
        let mut model = Self {
            source: Stream::new(seed, u64::MAX),
            demands: Stream::new(seed, u64::MAX - 1),
            service: params.get("service"),
            hops: params.get("hops"),
            rate: params.get("rate"),
            capacity: size.capacity,
            gap: None,
            next_arrival: None,
            arrivals: 0,
            waiting: VecDeque::new(),
            free: VecDeque::new(),
            is_free: vec![false; workers],
            serving: vec![None; workers],
            handed: vec![None; workers],
        };
        model.set_load(load, 0);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.serving.len() as u64
    }

    /// Mean gap so that arrivals times mean work is `load` thousandths of the capacity, or that share of the given
    /// rate comes.
    pub(super) fn set_load(&mut self, load: u32, now: u64) {
        let gap = match self.rate {
            0 => {
                let offered = u128::from(load) * u128::from(self.capacity);
                (u128::from(self.service) * 1_000 * 1_024).checked_div(offered)
            }
            rate => 1_000_000_000_000_u128.checked_div(u128::from(load) * u128::from(rate)),
        };
        self.gap = gap.map(|gap| (gap as u64).max(1));
        self.next_arrival = self.gap.map(|gap| now + self.source.exponential(gap));
    }

    pub(super) fn next_arrival(&self) -> Option<u64> {
        self.next_arrival
    }

    /// Requests that have arrived so far.
    pub(super) fn arrived(&self) -> u64 {
        self.arrivals
    }

    pub(super) fn arrive(&mut self, now: u64, effects: &mut Effects) {
        self.next_arrival = self.gap.map(|gap| now + self.source.exponential(gap));
        let work = (self.demands.exponential(self.service) / (self.hops + 1)).max(1);
        self.waiting.push_back(Request { arrived: now, work, hops: self.hops });
        if let Some(task) = self.free.pop_front() {
            self.is_free[task as usize] = false;
            effects.wake.push(Wake { task, waker: Waker::Irq(self.arrivals as u32) });
        }
        self.arrivals += 1;
    }

    /// Gives a request to the worker that is idle longest, or lets it wait for one.
    fn hand(&mut self, request: Request, effects: &mut Effects) {
        let Some(task) = self.free.pop_front() else {
            self.waiting.push_back(request);
            return;
        };
        self.is_free[task as usize] = false;
        self.handed[task as usize] = Some(request);
        effects.wake.push(Wake { task, waker: Waker::Task { sync: false } });
    }

    pub(super) fn next(&mut self, task: u32, effects: &mut Effects, now: u64) -> Step {
        let at = task as usize;
        if let Some(mut request) = self.serving[at].take() {
            if let Some(left) = request.hops.checked_sub(1) {
                request.hops = left;
                self.hand(request, effects);
            } else {
                effects.done += 1;
                effects.response_ns.push(now - request.arrived);
            }
        }
        if let Some(request) = self.handed[at].take().or_else(|| self.waiting.pop_front()) {
            self.serving[at] = Some(request);
            return Step::Run(request.work);
        }
        if !std::mem::replace(&mut self.is_free[at], true) {
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
            sink(request.hops);
        }
        self.free.iter().for_each(|&task| sink(u64::from(task)));
        for request in self.serving.iter().chain(&self.handed) {
            sink(request.map_or(u64::MAX, |r| r.arrived));
            sink(request.map_or(u64::MAX, |r| r.work));
            sink(request.map_or(u64::MAX, |r| r.hops));
        }
    }
}
