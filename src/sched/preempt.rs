//! Does a task that was just queued take the CPU? `check_preempt_wakeup`, later `wakeup_preempt_fair`.

use super::cfs;
use super::choose::Choice;
use super::eevdf;
use super::entity::Entity;
use super::rules::{Picker, Picking, Protection};
use super::runqueue::{Arrival, Runqueue};

/// Whether a task that was just queued takes the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preempts {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// The turn of a sleeper came, so it left: ask again.
    Asleep(Entity),
}

impl Runqueue {
    /// Whether a task that was just queued takes the CPU from the running one, which must be charged up to now; not
    /// to be asked if the running one has to give way already (`check_preempt_wakeup`, later `wakeup_preempt_fair`).
    pub fn preempts(&mut self, task: u32, arrival: Arrival, p: &Picking) -> Preempts {
        let (Some(current), Some(wakee)) = (self.current, self.find(task)) else { return Preempts::No };
        if current.task == task || (wakee.is_idle() && !current.is_idle()) {
            return Preempts::No;
        }
        if current.is_idle() && !wakee.is_idle() {
            self.unprotect_current(p);
            self.prefer_last(current.task, p);
            return Preempts::Yes;
        }
        // A SCHED_IDLE task takes the CPU from nobody.
        if !p.rules.wakeup_preemption || wakee.is_idle() {
            return Preempts::No;
        }
        match p.rules.picker {
            Picker::Cfs => {
                if !cfs::runs_ahead(p, &current, &wakee) {
                    return Preempts::No;
                }
                self.next = task;
                self.prefer_last(current.task, p);
                Preempts::Yes
            }
            Picker::Eevdf => self.preempts_eevdf(&current, &wakee, arrival, p),
        }
    }

    fn prefer_last(&mut self, task: u32, p: &Picking) {
        if p.rules.last_buddy && u64::from(self.nr_running()) >= p.nr_latency() {
            self.last = task;
        }
    }

    fn unprotect_current(&mut self, p: &Picking) {
        if let Some(current) = &mut self.current {
            eevdf::unprotect(p, current);
        }
    }

    fn preempts_eevdf(
        &mut self,
        current: &Entity,
        wakee: &Entity,
        arrival: Arrival,
        p: &Picking,
    ) -> Preempts {
        let newer = matches!(p.rules.protection, Protection::MinSlice | Protection::Quantum);
        let refused = (arrival == Arrival::New && !p.rules.new_task_preempts)
            || (wakee.delayed && p.rules.wakeup_ends_delay);
        let shorter = p.rules.preempt_short && wakee.slice < current.slice;
        if !shorter && refused {
            return Preempts::No;
        }
        if shorter && !newer && self.short_breaks(current, wakee) {
            self.unprotect_current(p);
        }
        let protect = !(shorter && newer);
        match self.choose(p, protect) {
            Some(Choice::At(at)) if self.waiting[at].entity.task == wakee.task => {
                if !protect {
                    self.unprotect_current(p);
                }
                return Preempts::Yes;
            }
            Some(Choice::At(at)) if p.rules.wakeup_ends_delay && self.waiting[at].entity.delayed => {
                return Preempts::Asleep(self.let_go(at, p));
            }
            _ => {}
        }
        if p.rules.protection == Protection::MinSlice {
            self.shorten_protection();
        }
        Preempts::No
    }

    /// A shorter request of a task that is owed service, and that is due earlier or whose opponent is owed none
    /// (`do_preempt_short`, 6.12).
    fn short_breaks(&self, current: &Entity, wakee: &Entity) -> bool {
        self.is_eligible(wakee) && (wakee.deadline < current.deadline || !self.is_eligible(current))
    }

    /// Nobody took the CPU, so its task is protected for no longer than the shortest slice (`update_protect_slice`).
    fn shorten_protection(&mut self) {
        let others = self.waiting.iter().map(|w| w.entity.slice).min();
        if let (Some(current), Some(others)) = (&mut self.current, others) {
            let end = current.vruntime + current.virtual_time(others.min(current.slice));
            current.vprot = current.vprot.min(end);
        }
    }
}
