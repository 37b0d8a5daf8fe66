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
        if wanted != Kick::Balance {
            return;
        }
        self.nohz.next_balance =
            next_balance_after_kick(&self.setup.rules, wanted, self.nohz.next_balance, input.now);
        let target = ilb_target(&self.setup.rules, c, &self.nohz.mask, |_| true, &Look(self));
        if let Some(draft) = draft {
            self.note_event(c, What::Kick(target.map(|t| t as u32)), draft);
        }
        let Some(target) = target else { return };
        if !std::mem::replace(&mut self.cpus[target].kicked, true) {
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
        cpu.kicked = false;
        cpu.idle_balance = idle;
        if starts {
            cpu.nohz_request = true;
            cpu.softirq = true;
        }
        self.after_interrupt(c);
    }

    /// The kicked CPU begins to serve the mask.
    pub(super) fn begin_ilb(&mut self, c: usize) {
        let next = self.jiffies() + 60 * u64::from(self.setup.hz);
        let pass = &mut self.cpus[c].pass;
        pass.kind = Kind::Nohz;
        pass.ilb_next = 0;
        pass.ilb_min = next;
        self.ilb_next(c);
    }

    /// Looks for the next CPU of the mask whose domains are due. CPUs on the way cost their update.
    pub(super) fn ilb_next(&mut self, c: usize) {
        let n = self.cpus.len() as u32;
        let mut looked = 0;
        // What the last CPU's pass left counts as it now stands.
        self.ilb_collect(c);
        loop {
            let at = self.cpus[c].pass.ilb_next;
            if at >= n {
                self.finish_ilb(c, false);
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
                self.finish_ilb(c, true);
                return;
            }
            looked += 1;
            self.update_queue(owner);
            self.update_history(owner);
            self.cpus[c].pass.cpu = owner as u32;
            if itself || self.jiffies() >= self.cpus[owner].next_balance {
                self.cpus[c].pass.kind = Kind::Nohz;
                self.cpus[c].pass.level = 0;
                let cost = self.setup.costs.blocked_update * looked;
                self.cpus[c].pass.ilb_started = true;
                self.begin_stage(c, Stage::Enter, cost);
                return;
            }
            self.ilb_collect(c);
        }
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

    fn finish_ilb(&mut self, c: usize, aborted: bool) {
        let least = self.cpus[c].pass.ilb_min;
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
