//! Streams of frames, each cut into pieces for a pool of threads of its own, as video encoders do it: at every
//! frame the stream's first thread wakes the others, each does a piece of its own length, and the last one done
//! wakes the first. A frame that is late begins as soon as the one before is done; plans are absolute. Source: what
//! the reports on the kernel list say of such loads (hundreds of threads that run for 0.1 to 2 ms and sleep). Left
//! out: frames in flight together, dependencies between pieces, memory traffic.

use super::kinds::Values;
use super::{Effects, Size, Step, Stream as Draws, Wake, Waker};

/// What the first thread works before it wakes the others, ns.
const CUT: u64 = 50_000;
/// How often a stream at load 0 looks whether the load has risen, ns.
const LOOK: u64 = 10_000_000;

#[derive(Clone, Debug)]
struct Stream {
    draws: Draws,
    /// When the present frame should have begun, ns; 0 before the first.
    plan: u64,
    began: u64,
    /// Pieces not done.
    left: u32,
    cutting: bool,
}

/// First threads of all streams, and after them each stream's others.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    streams: Vec<Stream>,
    workers: Vec<(Draws, bool)>,
    threads: usize,
    run: (u64, u64),
    capacity: u64,
    /// Time from frame to frame, ns; `None` at load 0.
    period: Option<u64>,
    count: u64,
}

impl Frames {
    pub(super) fn new(params: &Values, load: u32, size: Size, seed: u64) -> Self {
        let most = super::Workload::MAX_TASKS + 1;
        let wanted = match params.get("streams") {
            0 => u64::from(size.cpus).div_ceil(4),
            streams => streams,
        };
        let threads = params.get("threads");
        let workers = wanted * threads;
        let (low, high) = (params.get("run_min"), params.get("run_max"));
        let stream = |t| Stream { draws: Draws::new(seed, t), plan: 0, began: 0, left: 0, cutting: false };
        let mut model = Self {
            streams: (0..wanted.min(most)).map(stream).collect(),
            workers: (0..workers.min(most)).map(|t| (Draws::new(seed, wanted + t), false)).collect(),
            threads: threads as usize,
            run: (low.min(high), low.max(high)),
            capacity: size.capacity,
            period: None,
            count: wanted + workers,
        };
        model.set_load(load);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.count
    }

    /// Time from frame to frame so that all streams together offer `load` thousandths of the capacity.
    pub(super) fn set_load(&mut self, load: u32) {
        let offered = u128::from(load) * u128::from(self.capacity);
        let piece = u128::from(self.run.0 + self.run.1) / 2;
        let frame = piece * self.threads as u128 + u128::from(CUT);
        let work = frame * self.streams.len() as u128 * 1_000 * 1_024;
        self.period = work.checked_div(offered).map(|period| period as u64);
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        match (task as usize).checked_sub(self.streams.len()) {
            None => self.first(task as usize, now, effects),
            Some(worker) => self.worker(worker, effects),
        }
    }

    fn first(&mut self, at: usize, now: u64, effects: &mut Effects) -> Step {
        let workers = self.streams.len() + at * self.threads;
        let stream = &mut self.streams[at];
        if std::mem::replace(&mut stream.cutting, false) {
            stream.left = self.threads as u32;
            let waker = Waker::Task { sync: false };
            effects.wake.extend((0..self.threads).map(|w| Wake { task: (workers + w) as u32, waker }));
            return Step::Block;
        }
        if stream.left > 0 {
            return Step::Block;
        }
        if std::mem::take(&mut stream.began) > 0 {
            effects.done += 1;
            effects.response_ns.push(now - stream.plan);
            stream.plan += self.period.unwrap_or(0);
        }
        let Some(period) = self.period else {
            stream.plan = now;
            return Step::SleepUntil(now + LOOK);
        };
        if stream.plan == 0 {
            stream.plan = stream.draws.uniform(1, period.max(1));
        }
        if stream.plan > now {
            return Step::SleepUntil(stream.plan);
        }
        stream.began = now.max(1);
        stream.cutting = true;
        Step::Run(CUT)
    }

    fn worker(&mut self, at: usize, effects: &mut Effects) -> Step {
        let of = at / self.threads;
        let (draws, working) = &mut self.workers[at];
        if std::mem::replace(working, false) {
            let stream = &mut self.streams[of];
            stream.left -= 1;
            if stream.left == 0 {
                effects.wake.push(Wake { task: of as u32, waker: Waker::Task { sync: false } });
            }
            return Step::Block;
        }
        if self.streams[of].left == 0 {
            // At the start: no frame is there.
            return Step::Block;
        }
        *working = true;
        Step::Run(draws.uniform(self.run.0, self.run.1).max(1))
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.period.unwrap_or(u64::MAX));
        for stream in &self.streams {
            sink(stream.draws.draws());
            sink(stream.plan);
            sink(stream.began);
            sink(u64::from(stream.left) << 1 | u64::from(stream.cutting));
        }
        for (draws, working) in &self.workers {
            sink(draws.draws());
            sink(u64::from(*working));
        }
    }
}
