//! Moving tasks: the walk over the source's tasks, the move itself, and the active balance.

use super::World;
use super::event::Kind as Event;
use super::pass::{Env, Source, current, exit_input};
use super::state::Phase;
use super::task::{NONE, Place};
use crate::balance::{
    ActiveInput, Exit, HotInput, IdleType, Locality, Movable, MoveInput, SizeInput, Step, Subject, TaskInput,
    Walk, Why, can_migrate_task, need_active_balance, size_test, stopper_moves,
};
use crate::observe::tape::Who;
use crate::observe::{Activity, Cause, Draft, Kind, Move, Notes, What};
use crate::sched::runqueue::Arrival;
use crate::topology::SdFlags;
use std::sync::Arc;

/// How a walk over one source ended.
pub(super) struct Pull {
    /// Affinity let none of its tasks move.
    pub all_pinned: bool,
    /// It had a single task, so that nothing was tried.
    pub single_task: bool,
}

impl World {
    /// `detach_tasks` and `attach_tasks` for one source; counts in `env.moved`.
    pub(super) fn pull(&mut self, env: &mut Env, source: Source, why: &mut impl Notes) -> Pull {
        let rules = &env.setup.rules;
        self.settle(source.cpu);
        let nr = self.cpus[source.cpu].nr_running();
        let Some(mut walk) = Walk::new(rules, env.idle, env.setup.preemption, nr, source.amount) else {
            return Pull { all_pinned: false, single_task: true };
        };
        let mut some_pinned = false;
        let before = env.moved;
        while walk.enters(self.cpus[source.cpu].nr_running()) {
            let new_dst = self.walk(env, source, &mut walk, &mut some_pinned, why);
            let Some(new_dst) = new_dst.filter(|_| walk.amount > 0) else { break };
            // Affinity forbids this destination, but another CPU of its group may take the task.
            env.drop_candidate(env.dst);
            env.dst = new_dst;
            walk.anew();
        }
        let gained = env.moved - before;
        self.tell_pass(env, |counts| counts.gained += u64::from(gained));
        if some_pinned
            && walk.amount > 0
            && let Some(state) = env.parent_group()
        {
            self.set_imbalance_flag(state, true);
        }
        Pull { all_pinned: walk.all_pinned && env.moved == 0, single_task: false }
    }

    /// One walk. Returns another CPU of the destination's group that could take a task refused for affinity.
    fn walk(
        &mut self,
        env: &mut Env,
        source: Source,
        walk: &mut Walk,
        pinned: &mut bool,
        why: &mut impl Notes,
    ) -> Option<usize> {
        let rules = &env.setup.rules;
        let mut new_dst = None;
        loop {
            let src = &self.cpus[source.cpu];
            match walk.next(rules, src.nr_running(), src.rq.nr_running(), why) {
                Step::Stop => return new_dst,
                Step::Breather => {
                    let nr = src.nr_running();
                    if walk.after_breather(rules, nr) && walk.enters(nr) {
                        continue;
                    }
                    return new_dst;
                }
                Step::Look => {}
            }
            let t = self.cpus[source.cpu].tail;
            if t == NONE {
                return new_dst;
            }
            env.extra += env.setup.costs.look;
            why.about(Subject::Task(t));
            let movable = self.judge(env, source, t, false, why);
            if movable.lifts_all_pinned() {
                walk.all_pinned = false;
            }
            if movable == Movable::Pinned {
                *pinned = true;
                new_dst = new_dst.or_else(|| self.other_dst(env, t));
            }
            let left = match movable {
                Movable::Yes { .. } => self.size_left(env, source, t, walk.amount, why),
                _ => None,
            };
            why.candidate(t, movable, left.is_some());
            why.about(Subject::Pass);
            match left {
                Some(left) => {
                    if movable == (Movable::Yes { hot: true }) {
                        self.tell_pass(env, |counts| counts.hot_gained += 1);
                    }
                    walk.take(left);
                    env.moved += 1;
                    env.extra += env.setup.costs.move_task;
                    let slot = env.setup.fact(env.owner, env.level).slot;
                    self.migrate(t, source.cpu, env.dst, cause(env.kind), slot);
                }
                None => {
                    self.unlink(source.cpu, t);
                    self.link_head(source.cpu, t);
                }
            }
        }
    }

    /// Another candidate in the destination group's balance mask that the task may use; not for new-idle.
    fn other_dst(&self, env: &Env, t: u32) -> Option<usize> {
        if env.idle == IdleType::Newidle {
            return None;
        }
        let task = &self.tasks[t as usize];
        env.local_mask().iter().find(|&c| c != env.dst && env.candidates().contains(c) && task.may_run_on(c))
    }

    /// `can_migrate_task`.
    fn judge(&self, env: &Env, source: Source, t: u32, active: bool, why: &mut impl Why) -> Movable {
        let task = &self.tasks[t as usize];
        let pass = MoveInput {
            migration_type: source.migration_type,
            active,
            nr_balance_failed: self.sd(env.owner, env.level).pace.nr_balance_failed,
            cache_nice_tries: env.domain.cache_nice_tries,
        };
        let src = &self.cpus[source.cpu].rq;
        let (next_buddy, last_buddy) = src.buddy(t);
        let hot = HotInput {
            sched_idle: task.se.is_idle(),
            smt: env.domain.flags.contains(SdFlags::SHARE_CPUCAPACITY),
            next_buddy,
            last_buddy,
            dst_nr_running: self.cpus[env.dst].nr_running(),
            since_exec_start: (self.now - task.exec_start) as i64,
            migration_cost: self.migration_cost(),
        };
        let input = TaskInput {
            allowed: task.may_run_on(env.dst),
            running: self.cpus[source.cpu].current == t,
            delayed: task.place == Place::Delayed,
            ineligible: env.setup.rules.pick.place_lag && !src.eligible(t, &env.setup.picking),
            locality: Locality::Neutral,
            hot,
            ..TaskInput::default()
        };
        can_migrate_task(&env.setup.rules, &pass, &input, why)
    }

    fn size_left(&self, env: &Env, source: Source, t: u32, amount: i64, why: &mut impl Why) -> Option<i64> {
        use crate::balance::MigrationType;
        let task = &self.tasks[t as usize];
        let value = match source.migration_type {
            MigrationType::Util => task.avg.util_avg.max(task.util_est.value()),
            _ => task.avg.load_avg,
        };
        let input = SizeInput {
            migration_type: source.migration_type,
            value,
            fits: source.migration_type != MigrationType::Misfit || self.task_fits(t, source.cpu),
            nr_balance_failed: self.sd(env.owner, env.level).pace.nr_balance_failed,
            amount,
        };
        size_test(&env.setup.rules, &input, why)
    }

    /// Moves a waiting task from one queue to another.
    pub(super) fn migrate(&mut self, t: u32, from: usize, to: usize, cause: Cause, slot: u8) {
        self.update_curr(from);
        self.update_queue(from);
        self.tell_migrate(t, from, to);
        self.detach_load(t);
        let src = &mut self.cpus[from];
        let Some(entity) = src.rq.dequeue(t, &self.setup.picking) else { return };
        let task = &mut self.tasks[t as usize];
        if !entity.delayed {
            src.util_est = src.util_est.saturating_sub(task.util_est.value());
        }
        task.se = entity;
        task.exec_start = 0;
        self.unlink(from, t);
        self.poke(from);
        self.note_only_sched_idle(from, t);
        self.update_curr(to);
        self.update_queue(to);
        self.attach_load(t, to);
        self.enqueue(t, to, Arrival::Moved);
        self.moved(t, from, to, cause, Some(slot));
        self.check_preempt(t, to, Arrival::Moved);
    }

    /// Records a move.
    pub(super) fn moved(&mut self, t: u32, from: usize, to: usize, cause: Cause, slot: Option<u8>) {
        self.tasks[t as usize].moved = Some((cause, self.now));
        let slot = slot.or_else(|| self.setup.slot_between(to, from));
        let (from, to) = (from as u32, to as u32);
        self.seen.moved(Move { at_ns: self.now, task: t, from, to, cause, slot });
    }

    /// Nothing moved: is the running task to be pushed (`need_active_balance`)?
    pub(super) fn consider_active(
        &mut self,
        env: &Env,
        source: Source,
        single_task: bool,
        why: &mut impl Notes,
    ) -> Exit {
        let misfit = source.migration_type == crate::balance::MigrationType::Misfit;
        let sd = self.sd(env.owner, env.level);
        let failed = sd.pace.failed_once_more(&env.setup.rules, &exit_input(env, misfit));
        let input = ActiveInput {
            idle: env.idle,
            migration_type: source.migration_type,
            dst_preferred: env.domain.flags.contains(SdFlags::ASYM_PACKING) && env.dst < source.cpu,
            dst_core_idle: true,
            nr_balance_failed: failed,
            cache_nice_tries: env.domain.cache_nice_tries,
            src_h_nr_running: self.cpus[source.cpu].rq.nr_running(),
            src_capacity_reduced: false,
            src_capacity: env.setup.capacity(source.cpu),
            dst_capacity: env.setup.capacity(env.dst),
            imbalance_pct: env.domain.imbalance_pct,
        };
        if !need_active_balance(&env.setup.rules, &input, why) {
            return Exit::NothingMoved;
        }
        let may = current(self, source.cpu).is_none_or(|t| self.tasks[t as usize].may_run_on(env.owner));
        if !may {
            return Exit::ActivePinned { single_task };
        }
        let now = self.now + env.setup.costs.ipi;
        let src = &mut self.cpus[source.cpu];
        if src.active_balance {
            return Exit::ActiveRunning;
        }
        src.active_balance = true;
        src.push_cpu = env.owner as u32;
        self.queue_stopper(source.cpu);
        self.note_event(
            env.owner,
            What::ActiveStarted(source.cpu as u32, env.owner as u32),
            Draft::default(),
        );
        self.events.push(now, Event::Stopper, source.cpu as u32);
        Exit::ActiveStarted { still_needed: true }
    }

    /// The stopper is woken on the source of an active balance: from here it is one more task there.
    fn queue_stopper(&mut self, c: usize) {
        self.sums.mark(c);
        self.cpus[c].stopper = true;
        if self.cpus[c].nr_running() == 2 {
            self.set_overload(c, true);
        }
    }

    /// The interrupt that makes the source pick its stopper arrived.
    pub(super) fn on_stopper(&mut self, c: usize) {
        self.settle(c);
        self.steal(c, self.setup.costs.irq);
        self.acting = c as u32;
        self.cpus[c].stop_pending = true;
        self.resched(c);
    }

    /// The stopper runs: above every other class.
    pub(super) fn start_stopper(&mut self, c: usize) {
        self.leave_idle(c);
        self.update_queue(c);
        self.tell_switch(c, Who::Stopper);
        self.enter(c, Phase::Stopper, Activity::System);
        let cpu = &mut self.cpus[c];
        cpu.stop_pending = false;
        cpu.current = NONE;
        cpu.left = self.setup.costs.stopper;
        self.arm(c);
    }

    /// The stopper is done (`active_load_balance_cpu_stop`): moves one task, if one can.
    pub(super) fn stopper_end(&mut self, c: usize) {
        let dst = self.cpus[c].push_cpu as usize;
        let mut draft = self.reasons.is_some().then(Draft::default);
        let mut pushed = None;
        if stopper_moves(self.cpus[c].nr_running()) {
            pushed = match &mut draft {
                None => self.push_one(c, dst, &mut ()),
                Some(why) => self.push_one(c, dst, why),
            };
        }
        if let Some(draft) = draft {
            self.note_event(c, What::Pushed(dst as u32, pushed), draft);
        }
        self.cpus[c].active_balance = false;
        // The stopper sleeps before the next pick, so it counts no longer.
        self.cpus[c].stopper = false;
        self.enter(c, Phase::Newidle, Activity::System);
        self.schedule(c);
    }

    /// The task it moved, if any.
    fn push_one(&mut self, c: usize, dst: usize, why: &mut impl Notes) -> Option<u32> {
        let setup = Arc::clone(&self.setup);
        let level = setup.tree.chains[dst].iter().position(|d| d.span.contains(c))?;
        let env = Env {
            setup: &setup,
            owner: dst,
            dst,
            level,
            domain: setup.domain(dst, level),
            idle: IdleType::Idle,
            kind: Kind::Idle,
            candidates: None,
            extra: 0,
            moved: 0,
            refused: false,
        };
        // The stopper's own `lb_env` leaves the type at its first value.
        let source = Source { cpu: c, migration_type: crate::balance::MigrationType::Load, amount: 1 };
        let mut t = self.cpus[c].tail;
        while t != NONE {
            let prev = self.tasks[t as usize].prev;
            why.about(Subject::Task(t));
            let movable = self.judge(&env, source, t, true, why);
            why.candidate(t, movable, true);
            if matches!(movable, Movable::Yes { .. }) {
                let slot = setup.fact(dst, level).slot;
                self.tell_pushed(&env, true);
                self.migrate(t, c, dst, Cause::Active, slot);
                self.sd_mut(dst, level).pace.nr_balance_failed = 0;
                return Some(t);
            }
            t = prev;
        }
        self.tell_pushed(&env, false);
        None
    }
}

fn cause(kind: Kind) -> Cause {
    match kind {
        Kind::Newidle => Cause::Newidle,
        Kind::Idle | Kind::Busy => Cause::Periodic,
        Kind::Nohz => Cause::Nohz,
    }
}
