//! Going idle and leaving it: the tick, the nohz mask, whole idle cores.

use super::World;
use super::event::Kind;
use super::state::Phase;
use super::task::NONE;
use crate::balance::nohz::tick_stops;
use crate::observe::Activity;
use crate::observe::tape::Who;

impl World {
    /// The idle task takes over.
    pub(super) fn go_idle(&mut self, c: usize) {
        self.enter(c, Phase::Idle, Activity::Idle);
        self.pelt_idles(c, true);
        let cpu = &mut self.cpus[c];
        cpu.governor.went_idle();
        cpu.idle_task = true;
        cpu.current = NONE;
        cpu.last = NONE;
        cpu.got_tick = false;
        cpu.need_resched = false;
        self.tell_switch(c, Who::Idle);
        self.tell(|tape, _| tape.went_idle(c));
        self.note_idle_core(c);
        self.late_timers_come(c);
        if self.cpus[c].softirq {
            self.begin_softirq(c);
        } else {
            self.idle_loop(c);
        }
    }

    /// The idle loop goes round: at idle entry, and after each interrupt that left nothing to run. Here the tick may
    /// stop.
    pub(super) fn idle_loop(&mut self, c: usize) {
        let cpu = &mut self.cpus[c];
        if cpu.phase != Phase::Idle || cpu.need_resched {
            return;
        }
        let got_tick = std::mem::take(&mut cpu.got_tick);
        if !cpu.tick_on {
            return;
        }
        let next_timer = cpu.timers.next(&self.tasks).map(|at| at.saturating_sub(self.now));
        if tick_stops(&self.setup.rules, got_tick, next_timer, self.setup.tick_ns) {
            self.stop_tick(c);
        }
    }

    /// The tick stops and the CPU joins the nohz mask.
    fn stop_tick(&mut self, c: usize) {
        self.cpus[c].tick_on = false;
        if !self.nohz.mask.contains(c) && self.setup.depth(c) > 0 {
            self.nohz.mask.insert(c);
            self.nohz.in_mask += 1;
            self.nohz.needs_update = true;
            self.llcs[self.setup.llc[c] as usize].nr_busy -= 1;
        }
    }

    /// The first busy tick: the CPU leaves the nohz mask.
    pub(super) fn leave_mask(&mut self, c: usize) {
        if self.nohz.mask.contains(c) {
            self.nohz.mask.remove(c);
            self.nohz.in_mask -= 1;
            self.llcs[self.setup.llc[c] as usize].nr_busy += 1;
        }
    }

    /// The idle task is switched out, if it was in. Says whether it was.
    pub(super) fn leave_idle(&mut self, c: usize) -> bool {
        self.sums.mark(c);
        self.pelt_idles(c, false);
        if !std::mem::replace(&mut self.cpus[c].idle_task, false) {
            return false;
        }
        self.sample_at_idle_exit(c);
        self.start_tick(c);
        true
    }

    /// Makes sure that the CPU ticks.
    pub(super) fn start_tick(&mut self, c: usize) {
        let cpu = &mut self.cpus[c];
        cpu.tick_on = true;
        if !cpu.tick_armed {
            cpu.tick_armed = true;
            self.events.push(self.setup.next_tick(c, self.now), Kind::Tick, c as u32);
        }
    }

    /// `__update_idle_core`: on a machine with SMT, `has_idle_cores` is set when a CPU switches to its idle task
    /// and its siblings are idle.
    fn note_idle_core(&mut self, c: usize) {
        let mut others = self.setup.siblings[c].iter().map(|&s| s as usize).filter(|&s| s != c);
        if self.setup.smt && others.all(|s| self.cpus[s].is_idle()) {
            self.llcs[self.setup.llc[c] as usize].has_idle_cores = true;
        }
    }
}
