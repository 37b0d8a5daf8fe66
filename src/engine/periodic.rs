//! The balancing softirq in time: a pass over the domains of one CPU, bottom up. It runs on top of the CPU's
//! task, whose time it takes.

use super::World;
use super::state::{Pass, Phase, Stage};
use super::task::NONE;
use crate::balance::intervals::due;
use crate::balance::rules::SerializeLock;
use crate::balance::{CostSum, IdleType};
use crate::observe::{Activity, Kind, Outcome};

/// `next_balance` without a visited level: 60 s on.
const HORIZON: u64 = 60;

impl World {
    /// Begins the softirq; the CPU runs a task or is idle.
    pub(super) fn begin_softirq(&mut self, c: usize) {
        self.settle(c);
        self.cpus[c].softirq = false;
        self.enter(c, Phase::Softirq, Activity::Balance);
        self.cpus[c].pass = Pass::new(Kind::Busy, c as u32, self.now);
        let costs = &self.setup.costs;
        self.begin_stage(c, Stage::Enter, costs.softirq_fixed + costs.blocked_update);
    }

    /// A stage of the softirq is over.
    pub(super) fn softirq_stage(&mut self, c: usize) {
        match self.cpus[c].pass.stage {
            Stage::Enter if self.cpus[c].pass.ilb_started => {
                self.cpus[c].pass.ilb_started = false;
                self.begin_domains(c, self.cpus[c].pass.cpu as usize, Kind::Nohz);
            }
            Stage::Enter => self.softirq_entered(c),
            Stage::Lock => self.line_arrived(c),
            Stage::Scan => self.scanned(c),
            Stage::Detach => self.domain_end(c),
            Stage::Collate => self.finish_ilb(c),
        }
    }

    /// Serves a nohz request, or this CPU's own domains.
    fn softirq_entered(&mut self, c: usize) {
        self.update_queue(c);
        let requested = std::mem::take(&mut self.cpus[c].nohz_request);
        if requested.any() && self.cpus[c].idle_balance {
            self.begin_ilb(c, requested);
            return;
        }
        let kind = if self.cpus[c].idle_balance { Kind::Idle } else { Kind::Busy };
        self.begin_domains(c, c, kind);
    }

    /// A pass over the domains of `owner` (`sched_balance_domains`), on CPU `c`.
    pub(super) fn begin_domains(&mut self, c: usize, owner: usize, kind: Kind) {
        let next = self.jiffies() + HORIZON * u64::from(self.setup.hz);
        let now = self.now;
        let pass = &mut self.cpus[c].pass;
        pass.kind = kind;
        pass.cpu = owner as u32;
        pass.level = 0;
        pass.next = next;
        pass.update_next = false;
        pass.stopped = false;
        pass.sum = CostSum::default();
        let idle = if kind == Kind::Busy { IdleType::Busy } else { IdleType::Idle };
        pass.idle = idle;
        pass.began = now;
        self.cpus[c].pass.busy = self.busy(owner, idle);
        self.domains_next(c);
    }

    /// Goes up from the current level to the next that takes time.
    fn domains_next(&mut self, c: usize) {
        loop {
            let pass = &self.cpus[c].pass;
            let (owner, l) = (pass.cpu as usize, usize::from(pass.level));
            if l >= self.setup.depth(owner) {
                break;
            }
            if !self.visit(c, owner, l) {
                break;
            }
            if self.cpus[c].pass.stopped {
                self.cpus[c].pass.level += 1;
                continue;
            }
            self.cpus[c].pass.began = self.now;
            if self.setup.fact(owner, l).serialize
                && self.setup.rules.periodic.serialize_lock == SerializeLock::BeforeDue
            {
                let wait = self.line_delay(c);
                if wait > 0 {
                    self.begin_stage(c, Stage::Lock, wait);
                    return;
                }
                if self.try_level(c) {
                    return;
                }
            } else if self.begin_if_due(c) {
                return;
            }
        }
        self.domains_finish(c);
    }

    /// Costs of a level; false: the pass ends below it.
    fn visit(&mut self, c: usize, owner: usize, l: usize) -> bool {
        let (jiffies, hz) = (self.jiffies(), self.setup.hz);
        let sd = self.sd_mut(owner, l);
        let decayed = sd.cost.periodic(jiffies, hz);
        let max = sd.cost.max;
        let pass = &mut self.cpus[c].pass;
        pass.sum.visit(&self.setup.rules, decayed, max);
        !pass.stopped || pass.sum.keeps_visiting()
    }

    /// The lock's line has arrived.
    fn line_arrived(&mut self, c: usize) {
        match self.setup.rules.periodic.serialize_lock {
            SerializeLock::BeforeDue => {
                if !self.try_level(c) {
                    self.domains_next(c);
                }
            }
            SerializeLock::AfterShouldWeBalance => self.locked_scan(c),
        }
    }

    /// Tries the lock before the due check. True: the level runs.
    fn try_level(&mut self, c: usize) -> bool {
        if self.take_lock(c) {
            return self.begin_if_due(c);
        }
        self.note_level(c, Outcome::LockLost);
        self.level_over(c);
        false
    }

    /// Begins the level if its interval is over. Else goes past it.
    fn begin_if_due(&mut self, c: usize) -> bool {
        let pass = &self.cpus[c].pass;
        let (owner, l, busy, kind) = (pass.cpu as usize, usize::from(pass.level), pass.busy, pass.kind);
        let interval = self.interval(owner, l, busy);
        let (now, last) = (self.jiffies(), self.sd(owner, l).last_balance);
        let mut draft = self.lend(c);
        let due = match &mut draft {
            None => due(&self.setup.rules, now, last, interval, &mut ()),
            Some(why) => due(&self.setup.rules, now, last, interval, why),
        };
        self.give(c, draft);
        if due {
            self.begin_level(c);
            return true;
        }
        self.seen.not_due(self.setup.fact(owner, l).slot, kind);
        self.forget_reasons(c);
        self.level_over(c);
        false
    }

    /// The work at one level is done.
    pub(super) fn domain_end(&mut self, c: usize) {
        let pass = self.cpus[c].pass;
        let (owner, l) = (pass.cpu as usize, usize::from(pass.level));
        self.note_level(c, pass.outcome);
        if pass.moved > 0 {
            let idle = self.idle_type_of(owner);
            self.cpus[c].pass.idle = idle;
            self.cpus[c].pass.busy = self.busy(owner, idle);
        }
        if pass.refused {
            self.cpus[c].pass.stopped = true;
        }
        self.sd_mut(owner, l).last_balance = self.setup.jiffies(self.now);
        self.level_over(c);
        self.domains_next(c);
    }

    /// Idle or busy, as the end of a pass that moved something finds it.
    fn idle_type_of(&self, owner: usize) -> IdleType {
        if self.cpus[owner].is_idle() { IdleType::Idle } else { IdleType::Busy }
    }

    /// Leaves the level: the lock goes, the level's next time counts.
    fn level_over(&mut self, c: usize) {
        self.release_lock(c);
        let pass = &self.cpus[c].pass;
        let (owner, l, busy) = (pass.cpu as usize, usize::from(pass.level), pass.busy);
        let next = self.sd(owner, l).last_balance + self.interval(owner, l, busy);
        let pass = &mut self.cpus[c].pass;
        if next < pass.next {
            pass.next = next;
            pass.update_next = true;
        }
        pass.level += 1;
    }

    /// The pass over one CPU's domains is over.
    fn domains_finish(&mut self, c: usize) {
        let migration_cost = self.migration_cost();
        let pass = self.cpus[c].pass;
        let owner = &mut self.cpus[pass.cpu as usize];
        owner.max_idle_balance_cost = pass.sum.settle(owner.max_idle_balance_cost, migration_cost);
        if pass.update_next {
            owner.next_balance = pass.next;
        }
        let lowers = pass.idle == IdleType::Idle && self.setup.rules.nohz.idle_pass_lowers_next;
        if lowers && pass.update_next {
            self.nohz.next_balance = self.nohz.next_balance.min(pass.next);
        }
        if pass.kind == Kind::Nohz {
            self.ilb_next(c);
        } else {
            self.end_softirq(c);
        }
    }

    /// The softirq is over: back to the task or to idling.
    pub(super) fn end_softirq(&mut self, c: usize) {
        let cpu = &self.cpus[c];
        if cpu.softirq {
            // Raised again by a tick or a kick meanwhile.
            self.begin_softirq(c);
        } else if cpu.current != NONE {
            let resched = cpu.need_resched || cpu.stop_pending;
            self.enter(c, Phase::User, Activity::User);
            if resched {
                self.preempt(c);
            } else {
                self.arm(c);
            }
        } else if cpu.rq.nr_running() > 0 || cpu.stop_pending {
            self.schedule(c);
        } else {
            self.cpus[c].need_resched = false;
            self.enter(c, Phase::Idle, Activity::Idle);
            self.idle_loop(c);
        }
    }
}
