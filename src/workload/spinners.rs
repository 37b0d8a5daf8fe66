//! A given number of threads that each spin for some of their own CPU time and then sleep, and hogs beside them:
//! the plain load under which a kernel's rates were recorded (`balancescope check rates`). What they offer
//! follows from their own times, so the load level says how many of the threads take part. All exist from the
//! start, or a parent creates one after the other, hogs first, as a test program does: then each is placed among those
//! that run already, and the parent ends by waiting for them. Left out: what the system calls of a real thread cost,
//! and how late a real timer is; both can be put into the times.

use super::kinds::Values;
use super::{Effects, Fork, Step, Stream, Wake, Waker};

/// How much a hog does before it is counted and asked again, ns of work.
const HOG_SLICE: u64 = 1_000_000;

#[derive(Clone, Debug)]
struct Spinner {
    stream: Stream,
    spins_next: bool,
}

/// Spinners, after them the hogs, and after those the parent, if there is one.
#[derive(Clone, Debug)]
pub(super) struct Spinners {
    spinners: Vec<Spinner>,
    /// Those numbered below take part.
    active: u64,
    hogs: u64,
    run: (u64, u64),
    sleep: (u64, u64),
    /// What the parent works before it creates each of the others, ns; 0: there is none.
    create: u64,
    /// Tasks that exist; all of them without a parent.
    created: u64,
}

impl Spinners {
    pub(super) fn new(params: &Values, load: u32, seed: u64) -> Self {
        let count = params.get("threads");
        let spinners =
            (0..count).map(|t| Spinner { stream: Stream::new(seed, t), spins_next: true }).collect();
        // The ends of a range may be given in either order.
        let range =
            |low, high| (params.get(low).min(params.get(high)), params.get(low).max(params.get(high)));
        let mut model = Self {
            spinners,
            active: 0,
            hogs: params.get("hogs"),
            run: range("run_min", "run_max"),
            sleep: range("sleep_min", "sleep_max"),
            create: params.get("create"),
            created: 0,
        };
        model.active = model.wanted(load);
        model
    }

    pub(super) fn tasks(&self) -> u64 {
        self.others() + u64::from(self.create > 0)
    }

    /// All but the parent.
    fn others(&self) -> u64 {
        self.spinners.len() as u64 + self.hogs
    }

    /// Load x threads, to the nearest, at most all.
    fn wanted(&self, load: u32) -> u64 {
        super::share(load, self.spinners.len() as u64)
    }

    pub(super) fn set_load(&mut self, load: u32, effects: &mut Effects) {
        let before = self.active;
        self.active = self.wanted(load);
        for task in before..self.active {
            effects.wake.push(Wake { task: task as u32, waker: Waker::Irq(task as u32) });
        }
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        if self.create > 0 {
            if u64::from(task) == self.others() {
                return self.parent(now, effects);
            }
            // At the start nobody has been created.
            if now == 0 {
                return Step::Exit;
            }
        }
        self.other(task, now, effects)
    }

    /// The parent was asked first at time 0, and since then whenever it is ready to create one more.
    fn parent(&mut self, now: u64, effects: &mut Effects) -> Step {
        if now > 0 && self.created < self.others() {
            // The hogs are the ground on which the others start.
            let (created, spinners) = (self.created, self.spinners.len() as u64);
            let task = if created < self.hogs { spinners + created } else { created - self.hogs } as u32;
            self.created += 1;
            // One that does not take part learns that when it runs.
            let first = match self.other(task, now, &mut Effects::default()) {
                Step::Run(work) => work,
                _ => 1,
            };
            effects.forks.push(Fork { task, work: first });
        }
        if self.created < self.others() { Step::Run(self.create) } else { Step::Block }
    }

    fn other(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        let Some(spinner) = self.spinners.get_mut(task as usize) else {
            effects.done += u32::from(now > 0);
            return Step::Run(HOG_SLICE);
        };
        if u64::from(task) >= self.active {
            spinner.spins_next = true;
            return Step::Block;
        }
        if std::mem::replace(&mut spinner.spins_next, false) {
            return Step::Run(spinner.stream.uniform(self.run.0, self.run.1).max(1));
        }
        spinner.spins_next = true;
        effects.done += 1;
        Step::SleepUntil(now + spinner.stream.uniform(self.sleep.0, self.sleep.1))
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(self.active);
        sink(self.created);
        for spinner in &self.spinners {
            sink(spinner.stream.draws());
            sink(u64::from(spinner.spins_next));
        }
    }
}
