//! Who ran where and when: the scheduler's events added up.

use super::Time;
use super::payload::{Left, Named, Sched};
use crate::observe::Histogram;
use std::collections::BTreeMap;

/// More tasks than a trace of 64 MiB is about; beyond, they are counted and not kept apart.
const MAX_TASKS: usize = 1 << 17;

/// One CPU.
#[derive(Clone, Debug, Default)]
pub(super) struct CpuTime {
    current: Option<u32>,
    since: Option<u64>,
    /// Time that it ran a task, ns, and time that it was watched.
    pub(super) busy: u64,
    pub(super) watched: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Unknown,
    /// Since when, whether a wake-up began it, and how many losses there were before.
    Waiting(u64, bool, u64),
    Running,
    Asleep,
}

/// One task.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    pub(super) comm: String,
    pub(super) prio: Option<i64>,
    pub(super) run: u64,
    pub(super) wait: u64,
    pub(super) switches: u64,
    pub(super) woken: u64,
    pub(super) waking: u64,
    pub(super) migrate_events: u64,
    pub(super) cpu_changes: u64,
    cpu: Option<u32>,
    state: State,
}

/// The sums of a trace.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    pub(super) cpus: BTreeMap<u32, CpuTime>,
    pub(super) tasks: BTreeMap<u32, Task>,
    pub(super) idle_seen: bool,
    pub(super) latency: Histogram,
    pub(super) migrations: u64,
    /// Switches whose outgoing task is not the one that came in before: how many, and the first's line.
    pub(super) mismatched: Option<(u64, usize)>,
    /// States printed as numbers: the first's line.
    pub(super) numeric: Option<usize>,
    pub(super) too_many_tasks: bool,
    losses: u64,
}

impl Account {
    /// An event was seen on this CPU.
    pub(super) fn seen(&mut self, cpu: u32) {
        self.cpus.entry(cpu).or_default();
    }

    /// Events of a CPU are missing: what went before says nothing of what follows.
    pub(super) fn lost(&mut self, cpu: u32) {
        self.losses += 1;
        if let Some(cpu) = self.cpus.get_mut(&cpu) {
            (cpu.current, cpu.since) = (None, None);
        }
    }

    /// Takes an event.
    pub(super) fn event(&mut self, line: usize, cpu: u32, time: Time, event: &Sched<'_>) {
        let now = time.ns();
        match event {
            Sched::Switch { prev, left, next } => self.switch(line, cpu, now, prev, *left, next),
            Sched::Waking(task) => self.wake(task, now, |t| t.waking += 1),
            Sched::Woken(task) | Sched::New(task) => self.wake(task, now, |t| t.woken += 1),
            Sched::Migrate(task) => {
                self.migrations += 1;
                if let Some(task) = self.task(task) {
                    task.migrate_events += 1;
                }
            }
            Sched::Fork(child) => drop(self.task(child)),
            Sched::Unreadable => self.lost(cpu),
        }
    }

    /// The task of that pid; `None` for idle and beyond what is kept.
    fn task(&mut self, named: &Named<'_>) -> Option<&mut Task> {
        if named.pid == 0 {
            self.idle_seen = true;
            return None;
        }
        if self.tasks.len() >= MAX_TASKS && !self.tasks.contains_key(&named.pid) {
            self.too_many_tasks = true;
            return None;
        }
        let task = self.tasks.entry(named.pid).or_default();
        let placeholder = named.comm.starts_with('<') && named.comm.ends_with('>');
        if task.comm != named.comm && (!placeholder || task.comm.is_empty()) {
            task.comm = named.comm.chars().take(32).collect();
        }
        task.prio = named.prio.or(task.prio);
        Some(task)
    }

    fn wake(&mut self, named: &Named<'_>, now: Option<u64>, count: fn(&mut Task)) {
        let losses = self.losses;
        let Some(task) = self.task(named) else { return };
        count(task);
        if matches!(task.state, State::Asleep | State::Unknown) {
            task.state = now.map_or(State::Unknown, |now| State::Waiting(now, true, losses));
        }
    }

    fn switch(
        &mut self,
        line: usize,
        cpu: u32,
        now: Option<u64>,
        prev: &Named<'_>,
        left: Left,
        next: &Named<'_>,
    ) {
        if left == Left::Unknown {
            self.numeric.get_or_insert(line);
        }
        let at = self.cpus.entry(cpu).or_default();
        let known = at.current;
        let ran = now.zip(at.since).map(|(now, since)| now.saturating_sub(since));
        (at.current, at.since) = (Some(next.pid), now);
        if let Some(ran) = ran {
            at.watched += ran;
            at.busy += if known == Some(0) { 0 } else { ran };
        }
        if known.is_some_and(|pid| pid != prev.pid) {
            let (n, first) = self.mismatched.unwrap_or((0, line));
            self.mismatched = Some((n + 1, first));
        }
        let losses = self.losses;
        if let Some(task) = self.task(prev) {
            if known == Some(prev.pid) {
                task.run += ran.unwrap_or(0);
            }
            task.cpu = Some(cpu);
            task.state = match (left, now) {
                (Left::Runnable, Some(now)) => State::Waiting(now, false, losses),
                (Left::Asleep | Left::Dead, _) => State::Asleep,
                _ => State::Unknown,
            };
        }
        let mut latency = None;
        if let Some(task) = self.task(next) {
            task.switches += 1;
            task.cpu_changes += u64::from(task.cpu.is_some_and(|before| before != cpu));
            task.cpu = Some(cpu);
            if let (State::Waiting(since, woken, before), Some(now)) = (task.state, now)
                && before == losses
                && now >= since
            {
                task.wait += now - since;
                latency = woken.then_some(now - since);
            }
            task.state = State::Running;
        }
        if let Some(ns) = latency {
            self.latency.record(ns);
        }
    }

    /// The trace ends: who runs has run until then.
    pub(super) fn end(&mut self, last: Option<u64>) {
        for at in self.cpus.values_mut() {
            let (Some(pid), Some(since), Some(last)) = (at.current, at.since, last) else { continue };
            let ran = last.saturating_sub(since);
            at.watched += ran;
            if pid != 0 {
                at.busy += ran;
                if let Some(task) = self.tasks.get_mut(&pid) {
                    task.run += ran;
                }
            }
        }
    }
}
