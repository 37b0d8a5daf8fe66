//! The new-idle pass in time: gates, then one level after the other, each taking as long as it costs.

use super::World;
use super::state::{Pass, Phase, Stage};
use super::task::NONE;
use crate::balance::policy::{Input, Inputs};
use crate::balance::rules::{AvgIdleSample, NextBalance};
use crate::balance::{
    GateInput, GateOutcome, IdleEnd, LevelInput, LevelOutcome, Now, PassReport, StopInput, book_pass, gate,
    level, migration_cost_ns, stops,
};
use crate::observe::{Activity, Attempt, Kind, Notes, Outcome};

impl World {
    /// The fair class has nothing to run: `sched_balance_newidle`.
    pub(super) fn begin_newidle(&mut self, c: usize) {
        self.enter(c, Phase::Newidle, Activity::Balance);
        self.update_misfit(c, None);
        self.forget_reasons(c);
        let input = self.gate_input(c);
        let mut draft = self.lend(c);
        let outcome = match &mut draft {
            None => gate(&self.setup.rules, &input, &mut ()),
            Some(why) => {
                why.gate(&input);
                gate(&self.setup.rules, &input, why)
            }
        };
        self.give(c, draft);
        self.gates.count(outcome);
        // From here the CPU's current task is the one that left, so nobody takes the CPU for idle.
        self.leave_idle(c);
        let now = self.now;
        let cpu = &mut self.cpus[c];
        cpu.current = NONE;
        if outcome.stamps() {
            cpu.idle.idle_stamp = now;
        }
        if outcome != GateOutcome::Pass {
            self.refused(c, outcome);
            return;
        }
        cpu.pass = Pass::new(Kind::Newidle, c as u32, now);
        cpu.pass.next = self.setup.jiffies(now) + u64::from(self.setup.hz);
        let costs = &self.setup.costs;
        self.begin_stage(c, Stage::Enter, costs.newidle_fixed + costs.blocked_update);
    }

    fn gate_input(&self, c: usize) -> GateInput {
        let cpu = &self.cpus[c];
        GateInput {
            wakeup_pending: cpu.pending > 0,
            active: self.setup.machine.cpus[c].active,
            avg_idle: cpu.idle.avg_idle,
            overload: self.overloaded(),
            migration_cost: self.migration_cost(),
            lowest_max_cost: (self.setup.depth(c) > 0).then(|| self.sd(c, 0).cost.max),
            rest: if self.setup.rules.newidle.policy.is_some() {
                self.policy_inputs(c, 0)
            } else {
                Inputs::NONE
            },
        }
    }

    /// What a policy may read at a level, besides what the gate and the level's test read anyway.
    fn policy_inputs(&self, c: usize, level: usize) -> Inputs {
        let cpu = &self.cpus[c];
        let llc = self.setup.llc[c] as usize;
        let (cpus, ratio) = if level < self.setup.depth(c) {
            (self.setup.fact(c, level).weight, self.sd(c, level).stats.ratio)
        } else {
            (1, 0)
        };
        Inputs::NONE
            .with(Input::Overload, self.overloaded().into())
            .with(Input::MigrationCost, migration_cost_ns(self.migration_cost()))
            .with(Input::NrRunning, cpu.nr_running().into())
            .with(Input::Util, cpu.avg.util_avg)
            .with(Input::SuccessRatio, ratio.into())
            .with(Input::Level, level as u64)
            .with(Input::Cpus, cpus.into())
            .with(Input::NrBusy, self.llcs[llc].nr_busy.into())
            .with(Input::LlcCpus, self.setup.llc_cpus[llc].len() as u64)
    }

    /// A gate refused: the CPU goes idle at once.
    fn refused(&mut self, c: usize, outcome: GateOutcome) {
        let has_domain = self.setup.depth(c) > 0;
        if outcome.lowers_next_balance() {
            let mut next = self.jiffies() + u64::from(self.setup.hz);
            if has_domain {
                next = next.min(self.next_of(c, 0));
            }
            let cpu = &mut self.cpus[c];
            cpu.next_balance = cpu.next_balance.min(next);
        }
        if has_domain {
            let slot = self.setup.fact(c, 0).slot;
            let at_ns = self.now;
            let (cpu, kind, outcome) = (c as u32, Kind::Newidle, Outcome::Gated);
            self.note_attempt(c, Attempt { at_ns, cpu, slot, kind, outcome, moved: 0, took_ns: 0, id: 0 });
        }
        self.update_queue(c);
        self.leave_newidle(c);
    }

    /// When a level would be due on an idle CPU, jiffies (`update_next_balance`).
    fn next_of(&self, c: usize, level: usize) -> u64 {
        self.sd(c, level).last_balance + self.interval(c, level, false)
    }

    fn note_next(&mut self, c: usize, level: usize) {
        let next = self.next_of(c, level);
        let pass = &mut self.cpus[c].pass;
        pass.next = pass.next.min(next);
    }

    /// A stage of the pass is over.
    pub(super) fn newidle_stage(&mut self, c: usize) {
        match self.cpus[c].pass.stage {
            Stage::Enter => {
                self.update_queue(c);
                if !self.setup.rules.newidle.blocked_in_cost {
                    self.cpus[c].pass.t0 = self.now;
                }
                self.newidle_next(c);
            }
            Stage::Lock => self.locked_scan(c),
            Stage::Scan => self.scanned(c),
            Stage::Detach => self.newidle_level_end(c),
            // Nohz alone has such a stage.
            Stage::Collate => {}
        }
    }

    /// Goes up from the current level to the next that runs.
    pub(super) fn newidle_next(&mut self, c: usize) {
        loop {
            let l = usize::from(self.cpus[c].pass.level);
            if l >= self.setup.depth(c) {
                self.newidle_finish(c);
                return;
            }
            let before = self.setup.rules.newidle.next_balance == NextBalance::Before;
            if before {
                self.note_next(c, l);
            }
            match self.newidle_level(c, l) {
                stopped @ (LevelOutcome::TooCostly
                | LevelOutcome::PolicyStopped
                | LevelOutcome::PolicyDividedByZero) => {
                    self.gates.count_stop(stopped);
                    if !before {
                        self.note_next(c, l);
                    }
                    self.note_level(c, Outcome::Gated);
                    self.newidle_finish(c);
                    return;
                }
                LevelOutcome::Disabled => {
                    if !before {
                        self.note_next(c, l);
                    }
                    if self.newidle_stops(c, true) {
                        self.newidle_finish(c);
                        return;
                    }
                }
                LevelOutcome::Skipped { .. } => {
                    let (now, setup) = (self.now, self.setup.clone());
                    self.sd_mut(c, l).stats.count(&setup.rules, 0, now);
                    self.note_level(c, Outcome::Gated);
                }
                LevelOutcome::Run { weight, .. } => {
                    self.cpus[c].pass.weight = weight;
                    self.begin_level(c);
                    return;
                }
            }
            self.cpus[c].pass.level += 1;
        }
    }

    fn newidle_level(&mut self, c: usize, l: usize) -> LevelOutcome {
        let sd = *self.sd(c, l);
        let asked = self.setup.rules.newidle.level_policy.is_some();
        let rest = if asked { self.policy_inputs(c, l) } else { Inputs::NONE };
        let cpu = &self.cpus[c];
        let input = LevelInput {
            avg_idle: cpu.idle.avg_idle,
            curr_cost: cpu.pass.cost,
            max_cost: sd.cost.max,
            newidle_enabled: self.setup.fact(c, l).newidle,
            ratio: sd.stats.ratio,
            rest,
        };
        self.cpus[c].pass.began = self.now;
        let mut draft = self.lend(c);
        let stream = &mut self.dice[c];
        let draw = || (stream.bits() >> 54) as u32;
        let outcome = match &mut draft {
            None => level(&self.setup.rules, &input, draw, &mut ()),
            Some(why) => level(&self.setup.rules, &input, draw, why),
        };
        self.give(c, draft);
        outcome
    }

    /// The work at one level is done: books its cost and goes on or stops.
    pub(super) fn newidle_level_end(&mut self, c: usize) {
        self.release_lock(c);
        let setup = self.setup.clone();
        let l = usize::from(self.cpus[c].pass.level);
        let pass = self.cpus[c].pass;
        let from = if setup.rules.newidle.blocked_in_cost { pass.t0 } else { pass.began };
        let report = PassReport { cost: self.now - from, pulled: pass.moved, weight: pass.weight };
        let now = Now {
            ns: self.now,
            jiffies: self.jiffies(),
            hz: setup.hz,
            migration_cost: self.migration_cost(),
        };
        let sd = self.sd_mut(c, l);
        book_pass(&setup.rules, &mut sd.cost, &mut sd.stats, &report, &now);
        let now = self.now;
        let pass = &mut self.cpus[c].pass;
        pass.t0 = now;
        pass.cost += report.cost;
        if setup.rules.newidle.next_balance == NextBalance::After {
            self.note_next(c, l);
        }
        let stops = self.newidle_stops(c, !self.cpus[c].pass.refused);
        self.note_level(c, self.cpus[c].pass.outcome);
        if stops {
            self.newidle_finish(c);
            return;
        }
        self.cpus[c].pass.level += 1;
        self.newidle_next(c);
    }

    fn newidle_stops(&mut self, c: usize, designated: bool) -> bool {
        let cpu = &self.cpus[c];
        let input = StopInput {
            pulled: cpu.pass.moved,
            nr_running: cpu.nr_running(),
            wakeup_pending: cpu.pending > 0,
            designated,
        };
        let mut draft = self.lend(c);
        let stop = match &mut draft {
            None => stops(&self.setup.rules, &input, &mut ()),
            Some(why) => stops(&self.setup.rules, &input, why),
        };
        self.give(c, draft);
        stop
    }

    /// After the loop.
    fn newidle_finish(&mut self, c: usize) {
        let cpu = &mut self.cpus[c];
        cpu.max_idle_balance_cost = cpu.max_idle_balance_cost.max(cpu.pass.cost);
        cpu.next_balance = cpu.next_balance.min(cpu.pass.next);
        self.leave_newidle(c);
    }

    /// With a task the CPU picks again; without one it goes idle.
    fn leave_newidle(&mut self, c: usize) {
        let cpu = &mut self.cpus[c];
        if cpu.rq.nr_running() > 0 || cpu.stop_pending {
            cpu.idle.idle_stamp = 0;
            self.schedule_again(c);
        } else {
            self.go_idle(c);
        }
    }

    /// Records an attempt at the level of the CPU's pass.
    pub(super) fn note_level(&mut self, c: usize, outcome: Outcome) {
        let pass = &self.cpus[c].pass;
        let (cpu, kind, at_ns) = (pass.cpu, pass.kind, pass.began);
        let moved = if outcome == Outcome::Moved { pass.moved } else { 0 };
        let slot = self.setup.fact(cpu as usize, usize::from(pass.level)).slot;
        let took_ns = self.now - at_ns;
        self.note_attempt(c, Attempt { at_ns, cpu, slot, kind, outcome, moved, took_ns, id: 0 });
    }

    fn note_attempt(&mut self, c: usize, attempt: Attempt) {
        self.seen.attempt(attempt);
        self.tell_attempt(c, attempt);
        self.keep_reasons(c, attempt);
    }

    /// A wake-up put a task into this CPU's queue.
    pub(super) fn sample_at_wakeup(&mut self, c: usize) {
        self.sample(c, IdleEnd::Activation);
    }

    /// The idle task is switched out.
    pub(super) fn sample_at_idle_exit(&mut self, c: usize) {
        if self.setup.rules.newidle.avg_idle_sample == AvgIdleSample::IdleSwitchOut {
            self.sample(c, IdleEnd::IdleSwitchOut);
        }
    }

    fn sample(&mut self, c: usize, end: IdleEnd) {
        let cpu = &mut self.cpus[c];
        cpu.idle.sample(&self.setup.rules, end, self.now, cpu.max_idle_balance_cost);
    }
}
