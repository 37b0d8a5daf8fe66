//! A tape of a run: the kernel's own counters and tracepoints, for text that the kernel's tools read. It is no part of
//! the state of a run, and where nobody listens there is none.

mod counts;
mod event;

pub use counts::{CpuCounts, DomainCounts, TypeCounts};
pub use event::{Event, Happening, Left, Who};

/// One CPU as the tape follows it.
#[derive(Clone, Copy, Debug, Default)]
struct OnCpu {
    current: Who,
    since: u64,
    left: Left,
}

/// One task as the tape follows it.
#[derive(Clone, Copy, Debug, Default)]
struct OfTask {
    /// The CPU on which it is current.
    on: Option<u32>,
    /// Since when it waits.
    queued: Option<u64>,
}

/// The listener. It is told what happens in the order in which it happens.
#[derive(Clone, Debug)]
pub struct Tape {
    cpus: Vec<OnCpu>,
    tasks: Vec<OfTask>,
    stride: usize,
    counts: Vec<CpuCounts>,
    domains: Vec<DomainCounts>,
    /// Events, where they are wanted and not only counted.
    events: Option<Vec<Event>>,
    switches: u64,
    interrupt: bool,
}

impl Tape {
    /// A tape for that many CPUs, domains a CPU and tasks; with `events` it keeps what happens and not only counts.
    pub fn new(cpus: usize, stride: usize, tasks: usize, now: u64, events: bool) -> Self {
        Self {
            cpus: vec![OnCpu { since: now, ..OnCpu::default() }; cpus],
            tasks: vec![OfTask::default(); tasks],
            stride,
            counts: vec![CpuCounts::default(); cpus],
            domains: vec![DomainCounts::default(); cpus * stride],
            events: events.then(Vec::new),
            switches: 0,
            interrupt: false,
        }
    }

    /// Counters of a CPU.
    pub fn cpu(&self, cpu: usize) -> &CpuCounts {
        &self.counts[cpu]
    }

    /// Counters of a CPU's domain, `level` from the bottom of its chain.
    pub fn domain(&self, cpu: usize, level: usize) -> &DomainCounts {
        &self.domains[cpu * self.stride + level]
    }

    /// The same, for whoever counts.
    pub fn domain_mut(&mut self, cpu: usize, level: usize) -> &mut DomainCounts {
        &mut self.domains[cpu * self.stride + level]
    }

    /// Changes of a CPU's current task, idle's among them.
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// Takes out the events so far, in their order.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.events.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// How many events are kept.
    pub fn kept(&self) -> usize {
        self.events.as_ref().map_or(0, Vec::len)
    }

    /// What comes happens in an interrupt, or in the context of a task or of the scheduler itself.
    pub fn in_interrupt(&mut self, interrupt: bool) {
        self.interrupt = interrupt;
    }

    /// Keeps an event.
    pub fn keep(&mut self, at_ns: u64, cpu: usize, what: Happening) {
        if let Some(events) = &mut self.events {
            let switch = matches!(what, Happening::Switch { .. });
            let interrupt = self.interrupt && !switch;
            events.push(Event { at_ns, cpu: cpu as u32, interrupt, what });
        }
    }

    /// `schedule()` was called.
    pub fn scheduled(&mut self, cpu: usize) {
        self.counts[cpu].schedules += 1;
    }

    /// `schedule()` picked the idle task.
    pub fn went_idle(&mut self, cpu: usize) {
        self.counts[cpu].went_idle += 1;
    }

    /// The CPU's current task is about to leave it. It stays current until the switch.
    pub fn leaves(&mut self, cpu: usize, left: Left) {
        self.cpus[cpu].left = left;
    }

    /// Another task is current on a CPU, if it is another.
    pub fn switched(&mut self, now: u64, cpu: usize, next: Who) {
        let OnCpu { current: prev, since, left } = self.cpus[cpu];
        if prev == next && left != Left::Dead {
            self.cpus[cpu].left = Left::Runnable;
            return;
        }
        self.cpus[cpu] = OnCpu { current: next, since: now, left: Left::Runnable };
        self.switches += 1;
        // The stopper sleeps when it has done its work.
        let left = if prev == Who::Stopper { Left::Asleep } else { left };
        if prev != Who::Idle {
            self.counts[cpu].run_ns += now - since;
        }
        if let Who::Task(task) = prev {
            let task = &mut self.tasks[task as usize];
            task.on = None;
            task.queued = (left == Left::Runnable).then_some(now);
        }
        if next != Who::Idle {
            self.counts[cpu].timeslices += 1;
        }
        if let Who::Task(task) = next {
            self.unqueued(now, cpu, task);
            self.tasks[task as usize].on = Some(cpu as u32);
        }
        self.keep(now, cpu, Happening::Switch { prev, left, next });
    }

    /// A task stops waiting in a CPU's queue.
    fn unqueued(&mut self, now: u64, cpu: usize, task: u32) {
        let since = self.tasks[task as usize].queued.take();
        self.counts[cpu].wait_ns += since.map_or(0, |since| now - since);
    }

    /// CPU `by` begins to wake a task.
    pub fn waking(&mut self, now: u64, by: usize, task: u32, target: usize) {
        self.keep(now, by, Happening::Waking { task, target: target as u32 });
    }

    /// CPU `by` put a woken or new task into the queue of `target`. A task that is still current on a CPU which looks
    /// for other work stays there if it is queued there; else that CPU has turned to its idle task.
    pub fn queued(&mut self, now: u64, by: usize, task: u32, target: usize, new: bool) {
        match self.tasks[task as usize].on {
            Some(on) if on as usize == target && !new => self.cpus[target].left = Left::Runnable,
            on => {
                if let Some(on) = on {
                    self.switched(now, on as usize, Who::Idle);
                }
                self.tasks[task as usize].queued = Some(now);
            }
        }
        let target = target as u32;
        let what = if new { Happening::New { task, target } } else { Happening::Woken { task, target } };
        self.keep(now, by, what);
    }

    /// A sleeping or waiting task changes its queue; CPU `by` does it.
    pub fn migrated(&mut self, now: u64, by: usize, task: u32, from: usize, to: usize) {
        if self.tasks[task as usize].queued.is_some() {
            self.unqueued(now, from, task);
            self.tasks[task as usize].queued = Some(now);
        }
        self.keep(now, by, Happening::Migrate { task, from: from as u32, to: to as u32 });
    }

    /// CPU `by` woke a task that is now on CPU `target` (`ttwu_stat`); `common` is the level of the lowest domain of
    /// `by` that holds both.
    pub fn woke(&mut self, by: usize, target: usize, common: Option<usize>) {
        let counts = &mut self.counts[by];
        counts.wakeups += 1;
        if by == target {
            counts.local_wakeups += 1;
        } else if let Some(level) = common {
            self.domain_mut(by, level).ttwu_wake_remote += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tape() -> Tape {
        Tape::new(2, 1, 3, 0, true)
    }

    #[test]
    fn run_and_wait_add_up() {
        let mut tape = tape();
        tape.queued(0, 0, 0, 0, true);
        tape.switched(0, 0, Who::Task(0));
        tape.queued(10, 0, 1, 0, false);
        tape.switched(30, 0, Who::Task(1));
        tape.leaves(0, Left::Asleep);
        tape.switched(70, 0, Who::Task(0));
        tape.leaves(0, Left::Asleep);
        tape.switched(75, 0, Who::Idle);
        let counts = tape.cpu(0);
        assert_eq!((counts.run_ns, counts.wait_ns, counts.timeslices), (75, 20 + 40, 3));
        assert_eq!(tape.switches(), 4);
    }

    #[test]
    fn who_waits_on_two_queues_waits_on_each_for_its_part() {
        let mut tape = tape();
        tape.queued(0, 0, 0, 0, false);
        tape.migrated(5, 1, 0, 0, 1);
        tape.switched(7, 1, Who::Task(0));
        assert_eq!((tape.cpu(0).wait_ns, tape.cpu(1).wait_ns), (5, 2));
    }

    #[test]
    fn a_task_is_current_on_one_cpu() {
        let mut tape = tape();
        tape.switched(0, 0, Who::Task(0));
        tape.leaves(0, Left::Asleep);
        // Woken on the CPU that still looks for work: nothing is switched.
        tape.queued(4, 1, 0, 0, false);
        tape.switched(5, 0, Who::Task(0));
        assert_eq!(tape.switches(), 1);
        // Woken elsewhere.
        tape.leaves(0, Left::Asleep);
        tape.queued(6, 1, 0, 1, false);
        tape.switched(7, 1, Who::Task(0));
        tape.switched(8, 0, Who::Idle);
        let switches = tape.take_events().into_iter().filter_map(|e| match e.what {
            Happening::Switch { prev, left, next } => Some((e.at_ns, e.cpu, prev, left, next)),
            _ => None,
        });
        let idle = Who::Idle;
        let expected = [
            (0, 0, idle, Left::Runnable, Who::Task(0)),
            (6, 0, Who::Task(0), Left::Asleep, idle),
            (7, 1, idle, Left::Runnable, Who::Task(0)),
        ];
        assert_eq!(switches.collect::<Vec<_>>(), expected);
    }
}
