//! One balance of one domain (`load_balance`): who may, statistics, choice, moving, exit. The rules are pure
//! functions of [`crate::balance`]; here they are given the world's values and their answers are carried out.

use super::World;
use super::setup::Setup;
use super::state::{Phase, Stage};
use super::stats::{Look, priority};
use super::task::NONE;
use crate::balance::rules::SerializeLock;
use crate::balance::{
    CpuView, DesignatedInput, Exit, ExitInput, IdleType, MigrationType, QueueCandidate, Why,
    find_busiest_queue, should_we_balance,
};
use crate::observe::{Kind, Notes, Outcome};
use crate::topology::{CpuMask, Domain, SdFlags};
use std::sync::Arc;

/// What one balance works on (`struct lb_env`).
pub(super) struct Env<'a> {
    pub setup: &'a Setup,
    /// Whose domain object.
    pub owner: usize,
    /// To where tasks go: the owner, or another CPU of its group if affinity asks for it.
    pub dst: usize,
    pub level: usize,
    pub domain: &'a Domain,
    pub idle: IdleType,
    pub kind: Kind,
    /// The domain's CPUs less those found unsuitable; `None`: all.
    pub candidates: Option<CpuMask>,
    /// Time spent beside the scan, ns.
    pub extra: u64,
    pub moved: u32,
    /// After a redo another CPU turned out to be the designated one.
    pub refused: bool,
}

impl Env<'_> {
    pub(super) fn candidates(&self) -> &CpuMask {
        self.candidates.as_ref().unwrap_or(&self.domain.span)
    }

    /// Takes a CPU out of the candidates.
    pub(super) fn drop_candidate(&mut self, cpu: usize) {
        self.candidates.get_or_insert_with(|| self.domain.span.clone()).remove(cpu);
    }

    /// CPUs that may balance for the group tasks go to.
    pub(super) fn local_mask(&self) -> &CpuMask {
        &self.setup.tree.group(self.domain.groups[0]).mask
    }

    /// Index of the parent level's state of the group tasks go to.
    pub(super) fn parent_group(&self) -> Option<usize> {
        let parent = self.setup.tree.chains[self.owner].get(self.level + 1)?;
        Some(self.setup.tree.group(parent.groups[0]).state)
    }
}

/// A source and what to take from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub cpu: usize,
    pub migration_type: MigrationType,
    pub amount: i64,
}

impl World {
    /// Begins the balance of the level that CPU `c`'s pass is at.
    pub(super) fn begin_level(&mut self, c: usize) {
        let setup = Arc::clone(&self.setup);
        let pass = &mut self.cpus[c].pass;
        pass.began = self.now;
        pass.moved = 0;
        pass.outcome = Outcome::Balanced;
        pass.refused = false;
        let (owner, level) = (pass.cpu as usize, usize::from(pass.level));
        let env = self.env(&setup, c);
        let mut draft = self.lend(c);
        let designated = match &mut draft {
            None => self.designated(&env, &mut ()),
            Some(why) => self.designated(&env, why),
        };
        self.give(c, draft);
        self.tell_pass(&env, |counts| counts.count += 1);
        if !designated {
            self.leave_level(&env, Exit::Balanced { redone: false }, false);
            self.cpus[c].pass.refused = true;
            self.begin_stage(c, Stage::Scan, setup.costs.pass_fixed);
            return;
        }
        let periodic = &setup.rules.periodic;
        let locks = setup.fact(owner, level).serialize
            && periodic.serialize_lock == SerializeLock::AfterShouldWeBalance
            && (env.idle != IdleType::Newidle || periodic.serialize_newidle);
        if locks {
            let wait = self.line_delay(c);
            self.begin_stage(c, Stage::Lock, wait);
        } else {
            self.begin_scan(c);
        }
    }

    fn env<'a>(&self, setup: &'a Setup, c: usize) -> Env<'a> {
        let pass = &self.cpus[c].pass;
        let (owner, level) = (pass.cpu as usize, usize::from(pass.level));
        let idle = if pass.kind == Kind::Newidle { IdleType::Newidle } else { pass.idle };
        Env {
            setup,
            owner,
            dst: owner,
            level,
            domain: setup.domain(owner, level),
            idle,
            kind: pass.kind,
            candidates: None,
            extra: 0,
            moved: 0,
            refused: false,
        }
    }

    fn designated(&self, env: &Env, why: &mut impl Why) -> bool {
        let cpu = &self.cpus[env.dst];
        let input = DesignatedInput {
            cpu: env.dst,
            idle: env.idle,
            candidates: env.candidates(),
            mask: env.local_mask(),
            smt: env.domain.flags.contains(SdFlags::SHARE_CPUCAPACITY),
            nr_running: cpu.nr_running(),
            wakeup_pending: cpu.pending > 0,
        };
        should_we_balance(&env.setup.rules, &input, &Look(self), why)
    }

    /// The lock's line has arrived after `should_we_balance` (6.19).
    pub(super) fn locked_scan(&mut self, c: usize) {
        if self.take_lock(c) {
            self.begin_scan(c);
            return;
        }
        let setup = Arc::clone(&self.setup);
        let env = self.env(&setup, c);
        self.leave_level(&env, Exit::Balanced { redone: false }, false);
        self.cpus[c].pass.outcome = Outcome::LockLost;
        self.level_done(c);
    }

    fn begin_scan(&mut self, c: usize) {
        let pass = &self.cpus[c].pass;
        let scan = self.setup.fact(pass.cpu as usize, usize::from(pass.level)).scan;
        let ns = self.setup.costs.pass_fixed + scan + self.tail(c);
        self.begin_stage(c, Stage::Scan, ns);
    }

    /// What interrupts and cold caches add now and then.
    fn tail(&mut self, c: usize) -> u64 {
        let costs = &self.setup.costs;
        if costs.tail_permille == 0 || costs.tail == 0 {
            return 0;
        }
        let stream = &mut self.tails[c];
        if stream.uniform(0, 999) < costs.tail_permille { stream.uniform(0, 2 * costs.tail) } else { 0 }
    }

    /// The statistics are read: decides, moves, and goes on when that is paid for.
    pub(super) fn scanned(&mut self, c: usize) {
        if self.cpus[c].pass.refused {
            self.level_done(c);
            return;
        }
        let setup = Arc::clone(&self.setup);
        let mut env = self.env(&setup, c);
        let mut draft = self.lend(c);
        let (exit, misfit) = match &mut draft {
            None => self.balance(&mut env, &mut ()),
            Some(why) => self.balance(&mut env, why),
        };
        self.give(c, draft);
        let outcome = match exit {
            _ if env.moved > 0 => Outcome::Moved,
            Exit::Balanced { .. } => Outcome::Balanced,
            _ => Outcome::Failed,
        };
        self.leave_level(&env, exit, misfit);
        let pass = &mut self.cpus[c].pass;
        pass.refused = env.refused;
        pass.moved = env.moved;
        pass.outcome = outcome;
        if env.extra > 0 {
            self.begin_stage(c, Stage::Detach, env.extra);
        } else {
            self.level_done(c);
        }
    }

    fn level_done(&mut self, c: usize) {
        if self.cpus[c].phase == Phase::Newidle {
            self.newidle_level_end(c);
        } else {
            self.domain_end(c);
        }
    }

    /// From the statistics to the exit. The second value: a misfit task was to move.
    fn balance(&mut self, env: &mut Env, why: &mut impl Notes) -> (Exit, bool) {
        let mut redone = false;
        loop {
            let Some(source) = self.find_source(env, why) else {
                return (Exit::Balanced { redone }, false);
            };
            let misfit = source.migration_type == MigrationType::Misfit;
            let pull = self.pull(env, source, why);
            if env.moved > 0 {
                return (Exit::Moved, misfit);
            }
            if pull.all_pinned {
                env.drop_candidate(source.cpu);
                if env.candidates().is_subset(env.local_mask()) {
                    return (Exit::AllPinned, misfit);
                }
                redone = true;
                env.dst = env.owner;
                if self.designated(env, why) {
                    continue;
                }
                env.refused = true;
                return (Exit::Balanced { redone }, misfit);
            }
            return (self.consider_active(env, source, pull.single_task, why), misfit);
        }
    }

    /// The busiest queue of the busiest group.
    fn find_source(&mut self, env: &Env, why: &mut impl Notes) -> Option<Source> {
        let view = self.domain_view(env);
        let rules = &env.setup.rules;
        let (decision, group) = self.busiest_group(env, &view, why);
        if !decision.pulls() {
            self.tell_pass(env, |counts| counts.nobusyg += 1);
            return None;
        }
        let group = group?;
        let migration_type = crate::balance::migration_type_of(rules, decision.migration_type);
        let candidates = env.setup.group_cpus[group.0 as usize]
            .iter()
            .map(|&cpu| cpu as usize)
            .filter(|&cpu| env.candidates.as_ref().is_none_or(|mask| mask.contains(cpu)))
            .map(|cpu| QueueCandidate {
                cpu,
                stats: Look(self).stats(cpu),
                priority: priority(cpu),
                capacity_reduced: false,
            });
        let found = find_busiest_queue(rules, &view, migration_type, decision.amount, candidates, why);
        let Some(cpu) = found else {
            self.tell_pass(env, |counts| counts.nobusyq += 1);
            return None;
        };
        why.source(cpu as u32);
        let source = Source { cpu, migration_type, amount: decision.amount };
        self.tell_source(env, &source);
        (cpu != env.dst).then_some(source)
    }

    /// The exit's effect on interval, failure counter and imbalance flag.
    fn leave_level(&mut self, env: &Env, exit: Exit, misfit: bool) {
        self.tell_exit(env, exit);
        let input = exit_input(env, misfit);
        let sd = self.sd_mut(env.owner, env.level);
        sd.pace = sd.pace.after(&env.setup.rules, exit, &input);
        if exit.clears_imbalance_flag()
            && let Some(state) = env.parent_group()
        {
            self.set_imbalance_flag(state, false);
        }
    }
}

pub(super) fn exit_input(env: &Env, misfit: bool) -> ExitInput {
    ExitInput {
        idle: env.idle,
        misfit,
        min_interval: env.domain.min_interval,
        max_interval: env.domain.max_interval,
        cache_nice_tries: env.domain.cache_nice_tries,
    }
}

/// The task that a CPU runs.
pub(super) fn current(world: &World, c: usize) -> Option<u32> {
    let current = world.cpus[c].current;
    (current != NONE).then_some(current)
}
