//! The tape of a run, while somebody listens. Nothing here touches the state of a run.

use super::World;
use super::pass::{Env, Source};
use super::state::Phase;
use super::task::NONE;
use crate::balance::{Exit, IdleType, MigrationType};
use crate::observe::tape::{DomainCounts, Happening, Left, Tape, TypeCounts, Who};
use crate::scenario::Script;
use crate::topology::SdFlags;

impl World {
    /// Begins to tell a tape what happens from now on, in place of any before; with `events` it keeps each event. At
    /// time 0 the tape is told of the tasks that run and wait from the start.
    pub fn listen(&mut self, events: bool) {
        let tape = Tape::new(self.cpus.len(), self.setup.stride, self.tasks.len(), self.now, events);
        self.tape = Some(Box::new(tape));
        for c in 0..self.cpus.len() {
            self.tell_of_start(c);
        }
    }

    fn tell_of_start(&mut self, c: usize) {
        let (now, cpu) = (self.now, &self.cpus[c]);
        let Some(tape) = &mut self.tape else { return };
        let mut t = cpu.head;
        while t != NONE {
            if !self.tasks[t as usize].asleep() {
                tape.queued(now, c, t, c, true);
            }
            t = self.tasks[t as usize].next;
        }
        let running = if cpu.current == NONE { Who::Idle } else { Who::Task(cpu.current) };
        tape.switched(now, c, if cpu.phase == Phase::Stopper { Who::Stopper } else { running });
    }

    /// The tape, if somebody listens.
    pub fn tape(&self) -> Option<&Tape> {
        self.tape.as_deref()
    }

    /// The tape, to take events out of it.
    pub fn tape_mut(&mut self) -> Option<&mut Tape> {
        self.tape.as_deref_mut()
    }

    /// Nice levels of the tasks, by number.
    pub fn nice_levels(&self) -> Vec<i8> {
        self.tasks.iter().map(|t| t.nice).collect()
    }

    /// Names of the tasks, by number; none where the workload gives them none.
    pub fn task_names(&self) -> Vec<String> {
        self.workload.names()
    }

    /// What the tasks do, where that is not drawn at random. The error is a sentence.
    pub fn script(&self) -> Result<Script, String> {
        self.workload.script()
    }

    #[inline]
    pub(super) fn tell(&mut self, what: impl FnOnce(&mut Tape, u64)) {
        if let Some(tape) = &mut self.tape {
            tape.in_interrupt(self.context == NONE);
            what(tape, self.now);
        }
    }

    /// Another task is current on a CPU.
    #[inline]
    pub(super) fn tell_switch(&mut self, c: usize, next: Who) {
        self.tell(|tape, now| tape.switched(now, c, next));
    }

    /// The running task of a CPU is about to sleep or to exit.
    #[inline]
    pub(super) fn tell_leaves(&mut self, c: usize, left: Left) {
        self.tell(|tape, _| tape.leaves(c, left));
    }

    /// CPU `c` woke a task that ran last on `prev` and is now on `to`. `affine`: the waker's CPU was preferred.
    pub(super) fn tell_woke(&mut self, c: usize, prev: usize, to: usize, affine: bool) {
        let Some(tape) = &mut self.tape else { return };
        let chain = &self.setup.tree.chains[c];
        tape.woke(c, to, chain.iter().position(|d| d.span.contains(to)));
        let of =
            |d: &crate::topology::Domain| d.flags.contains(SdFlags::WAKE_AFFINE) && d.span.contains(prev);
        if let Some(level) = chain.iter().position(of).filter(|_| affine && c != prev) {
            tape.domain_mut(c, level).ttwu_move_affine += 1;
        }
    }

    /// The CPU that does what happens: the one that wakes, or in whose context the event runs.
    fn by(&self, otherwise: usize) -> usize {
        let by = [self.acting, self.context].into_iter().find(|by| *by != NONE);
        by.map_or(otherwise, |by| by as usize)
    }

    /// A task changes its queue.
    pub(super) fn tell_migrate(&mut self, t: u32, from: usize, to: usize) {
        let by = self.by(to);
        self.tell(|tape, now| tape.migrated(now, by, t, from, to));
    }

    /// A task is in a queue: woken, or new.
    pub(super) fn tell_queued(&mut self, t: u32, c: usize, new: bool) {
        let by = self.by(c);
        self.tell(|tape, now| tape.queued(now, by, t, c, new));
    }

    /// A running task forked another.
    pub(super) fn tell_fork(&mut self, c: usize, child: u32) {
        let parent = self.cpus[c].current;
        if parent != NONE {
            self.tell(|tape, now| tape.keep(now, c, Happening::Fork { parent, child }));
        }
    }

    /// An attempt ended, the last that was recorded.
    pub(super) fn tell_attempt(&mut self, c: usize, it: crate::observe::Attempt) {
        let crate::observe::Attempt { cpu, slot, kind, outcome, moved, took_ns, .. } = it;
        self.tell(|tape, now| {
            tape.keep(now, c, Happening::Attempt { cpu, slot, kind, outcome, moved, took_ns });
        });
    }

    /// The counters of the domain that a pass works on.
    #[inline]
    fn counts(&mut self, env: &Env) -> Option<&mut DomainCounts> {
        self.tape.as_mut().map(|tape| tape.domain_mut(env.owner, env.level))
    }

    #[inline]
    pub(super) fn tell_pass(&mut self, env: &Env, what: impl FnOnce(&mut TypeCounts)) {
        if let Some(counts) = self.counts(env) {
            what(&mut counts.types[idle_index(env.idle)]);
        }
    }

    /// What a pass found.
    pub(super) fn tell_source(&mut self, env: &Env, source: &Source) {
        let unit = match source.migration_type {
            MigrationType::Load => 0,
            MigrationType::Util => 1,
            MigrationType::Task => 2,
            MigrationType::Misfit => 3,
        };
        self.tell_pass(env, |counts| counts.imbalance[unit] += source.amount.max(0) as u64);
    }

    /// How a pass left its level.
    pub(super) fn tell_exit(&mut self, env: &Env, exit: Exit) {
        self.tell_pass(env, |counts| match exit {
            Exit::Moved => {}
            Exit::Balanced { .. } | Exit::AllPinned => counts.balanced += 1,
            Exit::NothingMoved
            | Exit::ActivePinned { .. }
            | Exit::ActiveRunning
            | Exit::ActiveStarted { .. } => counts.failed += 1,
        });
    }

    /// The stopper looked for a task to push.
    pub(super) fn tell_pushed(&mut self, env: &Env, pushed: bool) {
        let Some(counts) = self.counts(env) else { return };
        counts.alb_count += 1;
        counts.alb_pushed += u64::from(pushed);
        counts.alb_failed += u64::from(!pushed);
        counts.types[idle_index(env.idle)].gained += u64::from(pushed);
    }
}

fn idle_index(idle: IdleType) -> usize {
    match idle {
        IdleType::Idle => 0,
        IdleType::Busy => 1,
        IdleType::Newidle => 2,
    }
}
