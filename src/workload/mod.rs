//! What tasks do. A workload says what each task wants next and which tasks it wakes; it knows no CPU, no
//! queue and no clock of its own. Work is drawn from streams that belong to a task or a source, so that both
//! sides of a comparison face the same arrivals and the same demands.

mod forks;
mod frames;
mod hackbench;
mod hogs;
mod kinds;
mod oltp;
mod periodic;
mod pipes;
mod replay;
mod requests;
mod roundtrip;
mod schbench;
mod sleepers;
mod spinners;
mod stream;
mod stress;

pub use kinds::{KINDS, Kind, Param, REPLAY, Unit, kind};
pub use stream::Stream;

use crate::scenario::{Scenario, Script, WorkloadSpec};

/// A task as it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSpec {
    /// -20 to 19.
    pub nice: i8,
    /// Its policy is SCHED_IDLE.
    pub sched_idle: bool,
    /// CPUs the task may use, counted node by node and core by core; empty: all.
    pub allowed: Vec<u32>,
    /// The CPU on which it is forked, counted likewise; `None`: the tasks are spread.
    pub home: Option<u32>,
}

impl TaskSpec {
    /// A task of nice 0 that may run anywhere.
    pub const PLAIN: Self = Self { nice: 0, sched_idle: false, allowed: Vec::new(), home: None };
}

/// What a task wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To do this much work: ns on a CPU of capacity 1024. At least 1.
    Run(u64),
    /// To sleep on a timer until this simulated time, ns.
    SleepUntil(u64),
    /// To wait until it is woken.
    Block,
    /// To exec a program and then do this much work, as in [`Step::Run`].
    Exec(u64),
    /// To exit. At the start: not to exist until it is forked.
    Exit,
}

/// Who wakes a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waker {
    /// The task that was asked. `sync`: it is about to sleep (WF_SYNC).
    Task {
        /// It is about to sleep.
        sync: bool,
    },
    /// An interrupt on the CPU with this number modulo the number of CPUs.
    Irq(u32),
}

/// A wake-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Whom.
    pub task: u32,
    /// Who does it.
    pub waker: Waker,
}

/// A fork by the task that was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The new task; it must not exist yet, or have exited.
    pub task: u32,
    /// Its first piece of work, as in [`Step::Run`].
    pub work: u64,
}

/// What follows from a step, for the engine to carry out. The engine clears and reuses it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Tasks to wake. Waking one that is not blocked changes nothing.
    pub wake: Vec<Wake>,
    /// Tasks that are forked, before any is woken.
    pub forks: Vec<Fork>,
    /// Units of work that were finished.
    pub done: u32,
    /// Arrival to answer of each finished request, ns.
    pub response_ns: Vec<u64>,
}

impl Effects {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.wake.clear();
        self.forks.clear();
        self.done = 0;
        self.response_ns.clear();
    }
}

/// The size of the machine as far as a workload needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// CPUs that take part.
    pub cpus: u32,
    /// Sum of their capacities, 1024 for the biggest kind of CPU.
    pub capacity: u64,
}

/// One running workload.
#[derive(Clone, Debug)]
pub struct Workload {
    tasks: Vec<TaskSpec>,
    model: Model,
}

#[derive(Clone, Debug)]
enum Model {
    Requests(requests::Requests),
    Sleepers(sleepers::Sleepers),
    Periodic(periodic::Periodic),
    Hogs(hogs::Hogs),
    Pipes(pipes::Pipes),
    Forks(forks::Forks),
    Spinners(spinners::Spinners),
    Schbench(schbench::Schbench),
    Hackbench(hackbench::Hackbench),
    Roundtrip(roundtrip::Roundtrip),
    Oltp(oltp::Oltp),
    Frames(frames::Frames),
    Stress(stress::Stress),
    Replay(replay::Replay),
}

/// How many of `all` take part at a load, in thousandths: to the nearest, at most all.
fn share(load: u32, all: u64) -> u64 {
    ((u64::from(load) * all + 500) / 1_000).min(all)
}

impl Workload {
    /// Most tasks a workload may have.
    pub const MAX_TASKS: u64 = 100_000;

    /// Prepares the workload of a scenario. The error is one sentence, as that of [`Workload::new`].
    pub fn of(scenario: &Scenario, size: Size) -> Result<Self, String> {
        match &scenario.script {
            Some(script) if scenario.workload.kind == REPLAY => {
                script.check()?;
                let model = replay::Replay::new(script, scenario.load);
                Ok(Self { tasks: model.specs(), model: Model::Replay(model) })
            }
            _ => Self::new(&scenario.workload, scenario.load, size, scenario.seed),
        }
    }

    /// Prepares a workload. `load` is offered work over capacity in thousandths. The error is one sentence:
    /// an unknown kind or parameter, or too many tasks.
    pub fn new(spec: &WorkloadSpec, load: u32, size: Size, seed: u64) -> Result<Self, String> {
        let params = kinds::Values::new(spec)?;
        let model = match spec.kind.as_str() {
            "requests" => Model::Requests(requests::Requests::new(&params, load, size, seed)),
            "sleepers" => Model::Sleepers(sleepers::Sleepers::new(&params, load, size, seed)),
            "periodic" => Model::Periodic(periodic::Periodic::new(&params, load, size, seed)),
            "hogs" => Model::Hogs(hogs::Hogs::new(&params, load, size)),
            "pipes" => Model::Pipes(pipes::Pipes::new(&params, load, size, seed)),
            "forks" => Model::Forks(forks::Forks::new(&params, load, size, seed)),
            "spinners" => Model::Spinners(spinners::Spinners::new(&params, load, seed)),
            "schbench" => Model::Schbench(schbench::Schbench::new(&params, load, size, seed)),
            "hackbench" => Model::Hackbench(hackbench::Hackbench::new(&params, load, seed)),
            "netperf" | "tbench" => Model::Roundtrip(roundtrip::Roundtrip::new(&params, load, size, seed)),
            "oltp" => Model::Oltp(oltp::Oltp::new(&params, load, size, seed)),
            "frames" => Model::Frames(frames::Frames::new(&params, load, size, seed)),
            "stress" => Model::Stress(stress::Stress::new(&params, load, size, seed)),
            REPLAY => return Err("There are no recorded tasks to play.".to_owned()),
            other => return Err(format!("{other} is not a workload.")),
        };
        let count = match &model {
            Model::Requests(m) => m.tasks(),
            Model::Sleepers(m) => m.tasks(),
            Model::Periodic(m) => m.tasks(),
            Model::Hogs(m) => m.tasks(),
            Model::Pipes(m) => m.tasks(),
            Model::Forks(m) => m.tasks(),
            Model::Spinners(m) => m.tasks(),
            Model::Schbench(m) => m.tasks(),
            Model::Hackbench(m) => m.tasks(),
            Model::Roundtrip(m) => m.tasks(),
            Model::Oltp(m) => m.tasks(),
            Model::Frames(m) => m.tasks(),
            Model::Stress(m) => m.tasks(),
            Model::Replay(m) => m.tasks(),
        };
        if count > Self::MAX_TASKS {
            return Err(format!("{} would need {count} tasks; {} are the most.", spec.kind, Self::MAX_TASKS));
        }
        let tasks = match &model {
            Model::Sleepers(m) => m.specs(&params, size),
            _ => vec![TaskSpec::PLAIN; count as usize],
        };
        Ok(Self { tasks, model })
    }

    /// The tasks that exist from the start, by number. All start blocked in [`Workload::next`]'s hands: the
    /// engine asks for each one's first step at time 0.
    pub fn initial(&self) -> &[TaskSpec] {
        &self.tasks
    }

    /// What `task` wants now that its last step is over.
    pub fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        match &mut self.model {
            Model::Requests(m) => m.next(task, effects, now),
            Model::Sleepers(m) => m.next(task, now, effects),
            Model::Periodic(m) => m.next(task, now, effects),
            Model::Hogs(m) => m.next(task, effects),
            Model::Pipes(m) => m.next(task, now, effects),
            Model::Forks(m) => m.next(task, now, effects),
            Model::Spinners(m) => m.next(task, now, effects),
            Model::Schbench(m) => m.next(task, now, effects),
            Model::Hackbench(m) => m.next(task, effects),
            Model::Roundtrip(m) => m.next(task, now, effects),
            Model::Oltp(m) => m.next(task, now, effects),
            Model::Frames(m) => m.next(task, now, effects),
            Model::Stress(m) => m.next(task, now, effects),
            Model::Replay(m) => m.next(task, now, effects),
        }
    }

    /// When the outside world acts next, if it does.
    pub fn next_arrival(&self) -> Option<u64> {
        match &self.model {
            Model::Requests(m) => m.next_arrival(),
            _ => None,
        }
    }

    /// The outside world acts: called when [`Workload::next_arrival`] is reached.
    pub fn arrive(&mut self, now: u64, effects: &mut Effects) {
        if let Model::Requests(m) = &mut self.model {
            m.arrive(now, effects);
        }
    }

    /// Requests that have arrived so far, where the outside world sends some.
    pub fn arrived(&self) -> Option<u64> {
        match &self.model {
            Model::Requests(m) => Some(m.arrived()),
            _ => None,
        }
    }

    /// Changes the load level, in thousandths, from `now` on. Tasks that should act at once are woken.
    pub fn set_load(&mut self, load: u32, now: u64, effects: &mut Effects) {
        match &mut self.model {
            Model::Requests(m) => m.set_load(load, now),
            Model::Sleepers(m) => m.set_load(load),
            Model::Periodic(m) => m.set_load(load),
            Model::Hogs(m) => m.set_load(load, effects),
            Model::Pipes(m) => m.set_load(load),
            Model::Forks(m) => m.set_load(load),
            Model::Spinners(m) => m.set_load(load, effects),
            Model::Schbench(m) => m.set_load(load, effects),
            Model::Hackbench(m) => m.set_load(load, effects),
            Model::Roundtrip(m) => m.set_load(load, effects),
            Model::Oltp(m) => m.set_load(load, effects),
            Model::Frames(m) => m.set_load(load),
            Model::Stress(m) => m.set_load(load),
            Model::Replay(m) => m.set_load(load),
        }
    }

    /// Names of the tasks, by number; none where they have none.
    pub fn names(&self) -> Vec<String> {
        match &self.model {
            Model::Replay(m) => m.names(),
            _ => Vec::new(),
        }
    }

    /// What the tasks do, where that is not drawn at random. The error is a sentence.
    pub fn script(&self) -> Result<Script, String> {
        match &self.model {
            Model::Periodic(m) => m.script(),
            Model::Hogs(m) => m.script(),
            Model::Replay(m) => Ok(m.script()),
            _ => {
                Err("The tasks of this workload draw their times at random, and a file of fixed times cannot say that; \
                     periodic, hogs and replay can be written."
                    .to_owned())
            }
        }
    }

    /// Hands every word of state to `sink`, for a hash of the whole run.
    pub fn feed(&self, sink: &mut dyn FnMut(u64)) {
        match &self.model {
            Model::Requests(m) => m.feed(sink),
            Model::Sleepers(m) => m.feed(sink),
            Model::Periodic(m) => m.feed(sink),
            Model::Hogs(m) => m.feed(sink),
            Model::Pipes(m) => m.feed(sink),
            Model::Forks(m) => m.feed(sink),
            Model::Spinners(m) => m.feed(sink),
            Model::Schbench(m) => m.feed(sink),
            Model::Hackbench(m) => m.feed(sink),
            Model::Roundtrip(m) => m.feed(sink),
            Model::Oltp(m) => m.feed(sink),
            Model::Frames(m) => m.feed(sink),
            Model::Stress(m) => m.feed(sink),
            Model::Replay(m) => m.feed(sink),
        }
    }
}

#[cfg(test)]
mod tests;
