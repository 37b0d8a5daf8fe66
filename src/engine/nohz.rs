//! Balancing for idle CPUs that stopped their tick: the kick, and the idle CPU that does the work.

use super::World;
use super::event::Kind as Event;
use super::state::Stage;
use super::stats::Look;
use crate::balance::nohz::{
    Kick, KickInput, ilb_aborts, ilb_at, ilb_serves, ilb_starts, ilb_target, kick, next_balance_after_ilb,
    next_balance_after_kick,
};
use crate::balance::rules::IlbOrder;
use crate::observe::{Draft, Kind, What};
use crate::topology::SdFlags;

impl World {
    /// The kick test at a tick (`nohz_balancer_kick`). Statistics alone are never kicked for: averages of idle
    /// queues are brought up to date when they are read.
    pub(super) fn consider_kick(&mut self, c: usize) {
        let cpu = &self.cpus[c];
        let input = KickInput {
            idle: cpu.idle_balance,
            any_nohz: self.nohz.in_mask > 0,
            now: self.jiffies(),
            next_balance: self.nohz.next_balance,
            has_blocked: false,
            next_blocked: 0,
            needs_update: self.nohz.needs_update,
            nr_running: cpu.nr_running(),
            h_nr_running: cpu.rq.nr_running(),
            capacity_reduced: false,
            asym_prefers_idle: false,
            asym_capacity: self.setup.tree.chains[c]
                .iter()
                .any(|d| d.flags.contains(SdFlags::ASYM_CPUCAPACITY)),
            misfit: cpu.misfit_load > 0 && self.setup.capacity(c) < self.setup.max_capacity,
            llc_busy: Some(self.llcs[self.setup.llc[c] as usize].nr_busy),
        };
        let mut draft = self.reasons.is_some().then(Draft::default);
        let wanted = match &mut draft {
            None => kick(&self.setup.rules, &input, &mut ()),
            Some(why) => kick(&self.setup.rules, &input, why),
        };
        if !wanted.any() {
            return;
        }
        self.nohz.next_balance =
            next_balance_after_kick(&self.setup.rules, wanted, self.nohz.next_balance, input.now);
        let target = ilb_target(&self.setup.rules, c, &self.nohz.mask, |_| true, &Look(self));
        if let Some(draft) = draft {
            self.note_event(c, What::Kick(target.map(|t| t as u32)), draft);
        }
        let Some(target) = target else { return };
        let before = self.cpus[target].kicked;
        self.cpus[target].kicked = before.and(wanted);
        if !before.any() {
            self.events.push(self.now + self.setup.costs.ipi, Event::Kick, target as u32);
        }
    }

    /// The interrupt of a kick (`nohz_csd_func`): the request stands if the CPU is idle.
    pub(super) fn on_kick(&mut self, c: usize) {
        self.settle(c);
        self.steal(c, self.setup.costs.irq);
        let idle = self.cpus[c].is_idle();
        let starts = ilb_starts(&self.setup.rules, idle, self.cpus[c].need_resched);
        let cpu = &mut self.cpus[c];
        let kick = std::mem::take(&mut cpu.kicked);
        cpu.idle_balance = idle;
        if starts {
            cpu.nohz_request = kick;
            cpu.softirq = true;
        }
        self.after_interrupt(c);
    }

    /// The kicked CPU begins to serve the mask.
    pub(super) fn begin_ilb(&mut self, c: usize, kick: Kick) {
        let next = self.jiffies() + 60 * u64::from(self.setup.hz);
        if kick.next {
            self.nohz.needs_update = false;
        }
        let pass = &mut self.cpus[c].pass;
        pass.kind = Kind::Nohz;
        pass.ilb_kick = kick;
        pass.ilb_next = 0;
        pass.ilb_min = next;
        self.ilb_next(c);
    }

    /// Looks for the next CPU of the mask whose domains are due. CPUs on the way cost their update.
    pub(super) fn ilb_next(&mut self, c: usize) {
        let n = self.cpus.len() as u32;
        // What the last CPU's pass left counts as it now stands.
        self.ilb_collect(c);
        loop {
            let at = self.cpus[c].pass.ilb_next;
            if at >= n {
                self.end_ilb(c, false);
                return;
            }
            let owner = ilb_at(&self.setup.rules, c, self.cpus.len(), at as usize);
            self.cpus[c].pass.ilb_next += 1;
            let idle = self.nohz.mask.contains(owner) && self.cpus[owner].is_idle();
            if !ilb_serves(&self.setup.rules, c, owner, idle) {
                continue;
            }
            // 4.19 serves itself in the end whatever came up meanwhile, and whether it is due or not.
            let itself = owner == c && self.setup.rules.nohz.ilb_order == IlbOrder::AscendingSelfLast;
            if !itself && self.ilb_aborts(c) {
                self.end_ilb(c, true);
                return;
            }
            self.ilb_visit(c, owner);
            let due = itself || self.jiffies() >= self.cpus[owner].next_balance;
            if due && self.cpus[c].pass.ilb_kick.balance {
                let pass = &mut self.cpus[c].pass;
                pass.kind = Kind::Nohz;
                pass.level = 0;
                pass.ilb_started = true;
                let cost = std::mem::take(&mut pass.ilb_cost);
                self.begin_stage(c, Stage::Enter, cost);
                return;
            }
            self.ilb_collect(c);
        }
    }

    /// A CPU of the mask is looked at: its queue is brought up to date, or its `next_balance` alone is read.
    fn ilb_visit(&mut self, c: usize, owner: usize) {
        let setup = &self.setup;
        let stats = self.cpus[c].pass.ilb_kick.stats;
        let cost = if stats {
            setup.costs.blocked_update
        } else {
            setup.costs.scan[setup.distance(c, owner) as usize]
        };
        if stats {
            self.update_queue(owner);
            self.update_history(owner);
        }
        let pass = &mut self.cpus[c].pass;
        pass.ilb_cost += cost;
        pass.cpu = owner as u32;
    }

    /// The mask was gone through, or left early: what that took passes first.
    fn end_ilb(&mut self, c: usize, aborted: bool) {
        let pass = &mut self.cpus[c].pass;
        pass.ilb_aborted = aborted;
        let cost = std::mem::take(&mut pass.ilb_cost);
        self.begin_stage(c, Stage::Collate, cost);
    }

    fn ilb_aborts(&self, c: usize) -> bool {
        let cpu = &self.cpus[c];
        ilb_aborts(&self.setup.rules, cpu.is_idle(), cpu.need_resched || cpu.stop_pending)
    }

    /// Collates the `next_balance` of the CPU just visited.
    fn ilb_collect(&mut self, c: usize) {
        let pass = self.cpus[c].pass;
        if pass.ilb_next == 0 {
            return;
        }
        let next = self.cpus[pass.cpu as usize].next_balance;
        self.cpus[c].pass.ilb_min = pass.ilb_min.min(next);
    }

    /// The end of serving the mask.
    pub(super) fn finish_ilb(&mut self, c: usize) {
        let pass = &self.cpus[c].pass;
        let (least, aborted) = (pass.ilb_min, pass.ilb_aborted);
        if aborted && pass.ilb_kick.next {
            self.nohz.needs_update = true;
        }
        let (now, hz) = (self.jiffies(), self.setup.hz);
        self.nohz.next_balance = next_balance_after_ilb(
            &self.setup.rules,
            aborted,
            self.nohz.next_balance,
            std::iter::once(least),
            now,
            hz,
        );
        self.end_softirq(c);
    }
}
