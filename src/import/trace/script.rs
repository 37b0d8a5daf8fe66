//! A trace's tasks as a script: when each ran, slept, and who woke it.

use super::payload::{Left, Named, Sched};
use crate::scenario::{Op, Script, ScriptTask};
use std::collections::BTreeMap;

/// The stoppers' work is the balancer's own, so it is none of the load.
const STOPPER: &str = "migration/";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing is known of it.
    #[default]
    New,
    Running,
    /// Off its CPU, and able to go on.
    Waiting,
    /// Off its CPU since then; whether it sleeps is told by what comes.
    Off(u64, Left),
    Dead,
}

#[derive(Clone, Debug, Default)]
struct Task {
    comm: String,
    prio: Option<i64>,
    ops: Vec<Op>,
    /// ns that it ran since the last step.
    ran: u64,
    since: u64,
    state: State,
    forked: bool,
}

impl Task {
    /// Brings the time it ran up to now.
    fn settle(&mut self, now: u64) {
        if self.state == State::Running {
            self.ran += now.saturating_sub(self.since);
            self.since = now;
        }
    }
}

/// What a trace cannot tell, as far as it came up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unsaid {
    /// Sleeps that ended without a wake-up in the trace.
    pub(super) unwoken: usize,
    /// Wake-ups by whoever was on the CPU, without flags that say whether an interrupt was.
    pub(super) guessed_wakers: usize,
    /// Tasks of a real-time or deadline class.
    pub(super) real_time: usize,
    /// The trace was longer than a script can be: ns of it that are in the script.
    pub(super) cut_at: Option<u64>,
}

/// Follows a trace.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    start: Option<u64>,
    now: u64,
    tasks: Vec<Task>,
    by_pid: BTreeMap<u32, usize>,
    /// The task on each CPU, if it is known and neither idle nor a stopper.
    on: BTreeMap<u32, Option<usize>>,
    ops: usize,
    /// A sched_waking was seen, so sched_wakeup says nothing new.
    wakings: bool,
    full: bool,
    unsaid: Unsaid,
}

/// Where and when an event happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) cpu: u32,
    pub(super) ns: u64,
    /// An interrupt was being served.
    pub(super) interrupt: bool,
    /// The line has flags at all.
    pub(super) flagged: bool,
}

impl Recorder {
    /// Events of a CPU are missing.
    pub(super) fn lost(&mut self, cpu: u32) {
        if let Some(Some(task)) = self.on.remove(&cpu) {
            self.tasks[task].settle(self.now);
            self.tasks[task].state = State::Off(self.now, Left::Unknown);
        }
    }

    /// Takes an event.
    pub(super) fn event(&mut self, at: At, event: &Sched<'_>) {
        if self.full {
            return;
        }
        self.start = Some(self.start.map_or(at.ns, |start| start.min(at.ns)));
        self.now = self.now.max(at.ns);
        match event {
            Sched::Switch { prev, left, next } => self.switch(at, prev, *left, next),
            Sched::Waking(task) => {
                self.wakings = true;
                self.wake(at, task);
            }
            Sched::Woken(task) if !self.wakings => self.wake(at, task),
            Sched::New(task) => self.fork(at, task),
            Sched::Fork(task) => self.fork(at, task),
            Sched::Woken(_) | Sched::Migrate(_) => {}
            Sched::Unreadable => self.lost(at.cpu),
        }
        if self.ops >= Script::MOST_OPS - 2 * Script::MOST_TASKS.min(self.tasks.len() + 1) {
            self.full = true;
            self.unsaid.cut_at = Some(self.now.saturating_sub(self.start.unwrap_or(0)));
        }
    }

    /// The task of that name, if it is one that is followed.
    fn task(&mut self, named: &Named<'_>) -> Option<usize> {
        if named.pid == 0 || named.comm.starts_with(STOPPER) {
            return None;
        }
        let known = self.by_pid.get(&named.pid).copied();
        let at = match known.filter(|at| self.tasks[*at].state != State::Dead) {
            Some(at) => at,
            None if self.tasks.len() >= Script::MOST_TASKS => return None,
            None => {
                self.by_pid.insert(named.pid, self.tasks.len());
                self.tasks.push(Task::default());
                self.tasks.len() - 1
            }
        };
        let task = &mut self.tasks[at];
        if task.comm.is_empty() || (!named.comm.starts_with('<') && task.comm != named.comm) {
            task.comm = named.comm.chars().take(Script::LONGEST_NAME).collect();
        }
        task.prio = named.prio.or(task.prio);
        Some(at)
    }

    fn push(&mut self, task: usize, op: Op) {
        self.tasks[task].ops.push(op);
        self.ops += 1;
    }

    /// Writes down what it ran since its last step.
    fn flush(&mut self, task: usize) {
        let ran = std::mem::take(&mut self.tasks[task].ran);
        if ran > 0 {
            self.push(task, Op::Run(ran));
        }
    }

    fn switch(&mut self, at: At, prev: &Named<'_>, left: Left, next: &Named<'_>) {
        let start = self.start.unwrap_or(at.ns);
        if let Some(task) = self.task(prev) {
            let known = self.on.get(&at.cpu).copied();
            if known.is_none() && self.tasks[task].state == State::New {
                // It was there when the trace began.
                self.tasks[task].state = State::Running;
                self.tasks[task].since = start;
            }
            self.tasks[task].settle(at.ns);
            match left {
                Left::Dead => {
                    self.flush(task);
                    self.tasks[task].state = State::Dead;
                }
                Left::Runnable => self.tasks[task].state = State::Waiting,
                Left::Asleep | Left::Unknown => self.tasks[task].state = State::Off(at.ns, left),
            }
        }
        let next = self.task(next);
        if let Some(task) = next {
            match self.tasks[task].state {
                State::New if at.ns > start => self.push(task, Op::Sleep(at.ns - start)),
                State::Off(since, Left::Asleep) => {
                    self.unsaid.unwoken += 1;
                    self.flush(task);
                    self.push(task, Op::Sleep(at.ns.saturating_sub(since)));
                }
                _ => {}
            }
            self.tasks[task].state = State::Running;
            self.tasks[task].since = at.ns;
        }
        self.on.insert(at.cpu, next);
    }

    /// The task that does what the event says, if a task does.
    fn actor(&mut self, at: At) -> Option<usize> {
        let actor = self.on.get(&at.cpu).copied().flatten().filter(|_| !at.interrupt)?;
        self.unsaid.guessed_wakers += usize::from(!at.flagged);
        Some(actor)
    }

    fn wake(&mut self, at: At, named: &Named<'_>) {
        let Some(task) = self.task(named) else { return };
        let slept = match self.tasks[task].state {
            State::New => at.ns.saturating_sub(self.start.unwrap_or(at.ns)),
            State::Off(since, _) => at.ns.saturating_sub(since),
            State::Running | State::Waiting | State::Dead => return,
        };
        self.flush(task);
        match self.actor(at).filter(|actor| *actor != task) {
            Some(actor) => {
                self.tasks[actor].settle(at.ns);
                self.flush(actor);
                self.push(actor, Op::Wake(task as u32));
                self.push(task, Op::Wait);
            }
            None if slept > 0 => self.push(task, Op::Sleep(slept)),
            None => {}
        }
        self.tasks[task].state = State::Waiting;
    }

    /// A task is new; of the two events that say so the first counts.
    fn fork(&mut self, at: At, named: &Named<'_>) {
        let Some(task) = self.task(named).filter(|task| self.tasks[*task].state == State::New) else {
            return;
        };
        self.tasks[task].state = State::Waiting;
        match self.actor(at).filter(|actor| *actor != task) {
            Some(actor) => {
                self.tasks[actor].settle(at.ns);
                self.flush(actor);
                self.push(actor, Op::Fork(task as u32));
                self.tasks[task].forked = true;
            }
            None => {
                let start = self.start.unwrap_or(at.ns);
                if at.ns > start {
                    self.push(task, Op::Sleep(at.ns - start));
                }
            }
        }
    }

    /// The script, if there was a task that ran, and what the trace did not say.
    pub(super) fn finish(mut self) -> Option<(Script, Unsaid)> {
        let length = self.now.saturating_sub(self.start?);
        for task in 0..self.tasks.len() {
            self.tasks[task].settle(self.now);
            self.flush(task);
        }
        // Those that never ran go, and with them who was to be woken.
        let runs = |task: &Task| task.ops.iter().any(|op| matches!(op, Op::Run(_)));
        let mut next = 0;
        let numbers: Vec<Option<u32>> = self
            .tasks
            .iter()
            .map(|task| {
                let number = runs(task).then_some(next);
                next += u32::from(number.is_some());
                number
            })
            .collect();
        self.unsaid.real_time =
            self.tasks.iter().filter(|t| runs(t) && t.prio.is_some_and(|p| p < 100)).count();
        let tasks: Vec<ScriptTask> =
            self.tasks.into_iter().filter(runs).map(|task| scripted(task, &numbers)).collect();
        let script = Script { length_ns: length.max(1), tasks };
        script.check().ok().map(|()| (script, self.unsaid))
    }
}

fn scripted(task: Task, numbers: &[Option<u32>]) -> ScriptTask {
    let renumbered = |op: Op| match op {
        Op::Wake(of) => numbers[of as usize].map(Op::Wake),
        Op::Fork(of) => numbers[of as usize].map(Op::Fork),
        other => Some(other),
    };
    let nice = match task.prio {
        Some(prio @ 100..=139) => (prio - 120) as i8,
        Some(..100) => -20,
        _ => 0,
    };
    let ops = task.ops.into_iter().filter_map(renumbered).collect();
    ScriptTask { name: task.comm, nice, forked: task.forked, ops, ..ScriptTask::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(comm: &str, pid: u32) -> Named<'_> {
        Named { comm, pid, prio: Some(120) }
    }

    fn at(cpu: u32, ns: u64) -> At {
        At { cpu, ns, interrupt: false, flagged: true }
    }

    fn switch(r: &mut Recorder, cpu: u32, ns: u64, prev: (&str, u32), left: Left, next: (&str, u32)) {
        let event = Sched::Switch { prev: named(prev.0, prev.1), left, next: named(next.0, next.1) };
        r.event(at(cpu, ns), &event);
    }

    const IDLE: (&str, u32) = ("swapper/0", 0);

    #[test]
    fn who_wakes_whom_and_who_sleeps_by_the_clock() {
        let mut r = Recorder::default();
        let (a, b) = (("a", 1), ("b", 2));
        switch(&mut r, 0, 100, IDLE, Left::Runnable, a);
        r.event(at(0, 130), &Sched::Waking(named("b", 2)));
        switch(&mut r, 1, 140, IDLE, Left::Runnable, b);
        switch(&mut r, 0, 150, a, Left::Asleep, IDLE);
        switch(&mut r, 1, 160, b, Left::Runnable, IDLE);
        switch(&mut r, 1, 170, IDLE, Left::Runnable, b);
        let timer = At { interrupt: true, ..at(0, 190) };
        r.event(timer, &Sched::Waking(named("a", 1)));
        switch(&mut r, 0, 195, IDLE, Left::Runnable, a);
        switch(&mut r, 1, 200, b, Left::Dead, IDLE);
        let (script, unsaid) = r.finish().unwrap();
        assert_eq!(script.length_ns, 100);
        assert_eq!(script.tasks[0].ops, [Op::Run(30), Op::Wake(1), Op::Run(20), Op::Sleep(40), Op::Run(5)]);
        assert_eq!(script.tasks[1].ops, [Op::Wait, Op::Run(20 + 30)]);
        assert_eq!((unsaid.unwoken, unsaid.guessed_wakers), (0, 0));
    }

    #[test]
    fn who_runs_at_the_start_and_who_is_forked() {
        let mut r = Recorder::default();
        switch(&mut r, 1, 0, IDLE, Left::Runnable, ("x", 9));
        switch(&mut r, 0, 50, ("a", 1), Left::Runnable, ("c", 3));
        r.event(at(0, 60), &Sched::Fork(named("c", 4)));
        r.event(at(0, 61), &Sched::New(named("c", 4)));
        switch(&mut r, 0, 70, ("c", 3), Left::Asleep, ("c", 4));
        switch(&mut r, 0, 90, ("c", 4), Left::Dead, ("migration/0", 11));
        switch(&mut r, 0, 95, ("migration/0", 11), Left::Asleep, ("a", 1));
        let (script, _) = r.finish().unwrap();
        let of = |name: &str| {
            script.tasks.iter().filter(|t| t.name == name).map(|t| t.ops.clone()).collect::<Vec<_>>()
        };
        assert_eq!(of("a"), [vec![Op::Run(50)]]);
        assert_eq!(of("c"), [vec![Op::Sleep(50), Op::Run(10), Op::Fork(3), Op::Run(10)], vec![Op::Run(20)]]);
        assert_eq!(script.tasks.len(), 4);
    }
}
