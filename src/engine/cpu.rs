//! One CPU's life: accounting its time, picking a task, ending a phase.

use super::World;
use super::event::{Kind, Ticket};
use super::state::{Phase, Stage};
use super::task::NONE;
use crate::observe::{Activity, Draft, What};
use crate::workload::Step;

impl World {
    /// Accounts a CPU's time up to now: first what it owes to ticks, switches and interrupts, then its phase.
    pub(super) fn settle(&mut self, c: usize) {
        self.sums.mark(c);
        let cpu = &mut self.cpus[c];
        let elapsed = self.now - cpu.since;
        if elapsed == 0 {
            return;
        }
        cpu.since = self.now;
        let stolen = elapsed.min(cpu.debt);
        cpu.debt -= stolen;
        cpu.times[Activity::System as usize] += stolen;
        let worked = elapsed - stolen;
        cpu.times[cpu.activity as usize] += worked;
        match cpu.phase {
            Phase::Idle => {}
            Phase::User => {
                cpu.uncharged += worked;
                let task = &mut self.tasks[cpu.current as usize];
                task.left = task.left.saturating_sub(worked * cpu.rate);
                task.ran += worked;
            }
            Phase::Newidle | Phase::Softirq | Phase::Stopper => cpu.left = cpu.left.saturating_sub(worked),
        }
    }

    /// Charges the running task up to now (`update_curr`). It may have to give way after that: then `need_resched`
    /// is set, and the caller sees to it.
    pub(super) fn update_curr(&mut self, c: usize) {
        self.settle(c);
        let cpu = &mut self.cpus[c];
        let ran = std::mem::take(&mut cpu.uncharged);
        if ran == 0 {
            return;
        }
        if let Some(current) = cpu.rq.current() {
            self.tasks[current.task as usize].exec_start = self.now;
        }
        cpu.need_resched |= cpu.rq.charge(ran, &self.setup.picking);
    }

    /// Lets system work of `ns` come before whatever the CPU does next.
    pub(super) fn steal(&mut self, c: usize, ns: u64) {
        self.cpus[c].debt += ns;
    }

    /// Begins a phase; the time before must be settled.
    pub(super) fn enter(&mut self, c: usize, phase: Phase, activity: Activity) {
        self.sums.mark(c);
        let cpu = &mut self.cpus[c];
        cpu.phase_end = Ticket::NONE;
        cpu.phase = phase;
        if cpu.activity != activity {
            cpu.activity = activity;
            cpu.activity_since = self.now;
        }
    }

    /// Schedules the end of a CPU's phase.
    pub(super) fn arm(&mut self, c: usize) {
        let cpu = &self.cpus[c];
        let left = match cpu.phase {
            Phase::Idle => return,
            Phase::User => self.tasks[cpu.current as usize].left.div_ceil(cpu.rate),
            _ => cpu.left,
        };
        let at = self.now + cpu.debt + left;
        self.cpus[c].phase_end = self.events.push(at, Kind::Phase, c as u32);
    }

    /// Begins a stage of kernel work that takes `ns`.
    pub(super) fn begin_stage(&mut self, c: usize, stage: Stage, ns: u64) {
        let phase = self.cpus[c].phase;
        let activity = if stage == Stage::Lock { Activity::Lock } else { Activity::Balance };
        self.enter(c, phase, activity);
        let cpu = &mut self.cpus[c];
        cpu.pass.stage = stage;
        cpu.left = ns;
        self.arm(c);
    }

    /// A phase event came. It is early if the CPU was interrupted meanwhile.
    pub(super) fn on_phase(&mut self, c: usize) {
        self.settle(c);
        let cpu = &self.cpus[c];
        let left = match cpu.phase {
            Phase::Idle => return,
            Phase::User => self.tasks[cpu.current as usize].left,
            _ => cpu.left,
        };
        if left > 0 || cpu.debt > 0 {
            self.arm(c);
            return;
        }
        self.context = c as u32;
        match cpu.phase {
            Phase::Idle => {}
            Phase::User => self.segment_end(c),
            Phase::Newidle => self.newidle_stage(c),
            Phase::Softirq => self.softirq_stage(c),
            Phase::Stopper => self.stopper_end(c),
        }
        self.context = NONE;
    }

    /// The running task did its work: what next?
    fn segment_end(&mut self, c: usize) {
        let t = self.cpus[c].current;
        let step = self.ask(t, c);
        match step {
            Step::Run(ns) => {
                self.tasks[t as usize].left = ns.max(1).saturating_mul(1024);
                if self.cpus[c].need_resched {
                    self.preempt(c);
                } else {
                    self.arm(c);
                }
            }
            Step::Exec(ns) => {
                self.tasks[t as usize].left = ns.max(1).saturating_mul(1024);
                if self.exec(t, c) {
                    self.schedule(c);
                } else if self.cpus[c].need_resched {
                    self.preempt(c);
                } else {
                    self.arm(c);
                }
            }
            Step::SleepUntil(at) => {
                self.sleep_current(c);
                self.set_timer(t, at, c);
                self.schedule(c);
            }
            Step::Exit => {
                self.exit_current(c);
                self.schedule(c);
            }
            Step::Block => {
                self.sleep_current(c);
                self.schedule(c);
            }
        }
    }

    /// Asks the workload what a task wants and carries out what follows from it, on CPU `c`.
    pub(super) fn ask(&mut self, t: u32, c: usize) -> Step {
        let mut effects = std::mem::take(&mut self.effects);
        effects.clear();
        let step = self.workload.next(t, self.now, &mut effects);
        self.carry_out(&effects, Some((t, c)));
        self.effects = effects;
        step
    }

    /// Arms a task's timer on the CPU where it runs.
    pub(super) fn set_timer(&mut self, t: u32, at: u64, c: usize) {
        let at = at.max(self.now + 1);
        let ticket = self.events.push(at, Kind::Timer, t);
        let task = &mut self.tasks[t as usize];
        task.timer = ticket;
        task.timer_cpu = c as u32;
        self.cpus[c].timers.arm(at, ticket);
    }

    /// The running task gives way if it is to; the time before is settled.
    pub(super) fn preempt(&mut self, c: usize) {
        self.schedule(c);
    }

    /// Another CPU charged the running task and found that it has to give way: an interrupt tells this one.
    pub(super) fn poke(&mut self, c: usize) {
        let cpu = &self.cpus[c];
        if cpu.need_resched && cpu.phase == Phase::User && !self.setup.lazy {
            self.resched(c);
        }
    }

    /// A CPU must pick (`resched_curr`): now if it can, at the end of its kernel phase otherwise; if another CPU found
    /// it, once an interrupt has told this one.
    pub(super) fn resched(&mut self, c: usize) {
        let before = std::mem::replace(&mut self.cpus[c].need_resched, true);
        if self.context == c as u32 {
            return;
        }
        let by = if self.acting == NONE { self.context } else { self.acting };
        match self.cpus[c].phase {
            Phase::User | Phase::Idle if by == NONE || by == c as u32 => {
                self.settle(c);
                self.schedule(c);
            }
            Phase::User | Phase::Idle => self.send_resched(c),
            // The end of the phase sees the flag; if it was up already, nobody is told again.
            _ if by != c as u32 && !before => self.send_resched(c),
            _ => {}
        }
    }

    /// `smp_send_reschedule`, unless one is on its way.
    fn send_resched(&mut self, c: usize) {
        if !std::mem::replace(&mut self.cpus[c].resched_sent, true) {
            self.events.push(self.now + self.setup.costs.ipi, Kind::Resched, c as u32);
        }
    }

    /// That interrupt arrived.
    pub(super) fn on_resched(&mut self, c: usize) {
        self.cpus[c].resched_sent = false;
        self.settle(c);
        self.steal(c, self.setup.costs.irq);
        self.after_interrupt(c);
    }

    /// Adds a task at the head of the CPU's task list.
    pub(super) fn link_head(&mut self, c: usize, t: u32) {
        let head = self.cpus[c].head;
        let task = &mut self.tasks[t as usize];
        task.next = head;
        task.prev = NONE;
        if head == NONE {
            self.cpus[c].tail = t;
        } else {
            self.tasks[head as usize].prev = t;
        }
        self.cpus[c].head = t;
    }

    /// Takes a task out of the CPU's task list.
    pub(super) fn unlink(&mut self, c: usize, t: u32) {
        let (next, prev) = (self.tasks[t as usize].next, self.tasks[t as usize].prev);
        if prev == NONE {
            self.cpus[c].head = next;
        } else {
            self.tasks[prev as usize].next = next;
        }
        if next == NONE {
            self.cpus[c].tail = prev;
        } else {
            self.tasks[next as usize].prev = prev;
        }
    }

    /// Whether the overload flag reads as set: as it is, or as a user holds it.
    pub(super) fn overloaded(&self) -> bool {
        use crate::scenario::OverloadMode;
        match self.overload_mode {
            OverloadMode::Auto => self.overload,
            OverloadMode::HeldSet => true,
            OverloadMode::HeldClear => false,
        }
    }

    /// Sets or clears the root domain's overload flag.
    pub(super) fn set_overload(&mut self, c: usize, set: bool) {
        if self.overload != set {
            self.overload = set;
            self.seen.totals.overload_flips += 1;
            self.note_event(c, What::Overload(set), Draft::default());
        }
    }
}
