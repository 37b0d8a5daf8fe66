//! The world: the whole state of a run, and the loop that handles its events in order.

use super::Sd;
use super::event::{Event, Events, Kind, Ticket};
use super::late::{LateTimers, Stalls};
use super::rewind::Turn;
use super::setup::Setup;
use super::state::{Cpu, GroupState, Llc, Nohz, SerialiseLock};
use super::task::{NONE, Place, Task};
use crate::observe::{Reasons, Recorder, Tape};
use crate::scenario::{ChangeTo, MigrationCost, OverloadMode, Scenario};
use crate::sched::util_est::UtilEst;
use crate::sched::{Entity, pelt::Avg, weight};
use crate::topology::{CpuMask, DomainTree, Machine};
use crate::workload::{Effects, Size, Step, Stream, TaskSpec, Workload};
use std::sync::Arc;

/// Where a single step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepTo {
    /// After the next event.
    Event,
    /// After the next tick of any CPU.
    Tick,
    /// After the next balance attempt.
    Balance,
}

/// A single step gives up after this much simulated time without what it waits for.
const STEP_LIMIT: u64 = 10_000_000_000;

/// A running world. Cloning it takes a snapshot.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) setup: Arc<Setup>,
    pub(super) now: u64,
    pub(super) handled: u64,
    pub(super) events: Events,
    pub(super) cpus: Vec<Cpu>,
    /// By (CPU, level), [`Setup::stride`] apart.
    pub(super) sds: Vec<Sd>,
    pub(super) tasks: Vec<Task>,
    pub(super) workload: Workload,
    pub(super) arrival: Ticket,
    pub(super) groups: Vec<GroupState>,
    pub(super) llcs: Vec<Llc>,
    pub(super) nohz: Nohz,
    pub(super) lock: SerialiseLock,
    /// The root domain's flag as the kernel keeps it, and what the user does with it.
    pub(super) overload: bool,
    pub(super) overload_mode: OverloadMode,
    pub(super) gates: super::GateCounts,
    pub(super) migration_cost: MigrationCost,
    /// One stream a CPU for the dice of new-idle, and one for the tails of costs.
    pub(super) dice: Vec<Stream>,
    pub(super) tails: Vec<Stream>,
    /// By CPU; empty where timers are never late.
    pub(super) late: Vec<LateTimers>,
    /// When no timer comes anywhere.
    pub(super) stalls: Stalls,
    /// Knobs that turn on the way, and the next of them.
    pub(super) changes: Arc<Vec<Turn>>,
    pub(super) next_change: usize,
    /// The CPU in whose context the current event runs, or `NONE`.
    pub(super) context: u32,
    /// The CPU that wakes a task in the current event, or `NONE`.
    pub(super) acting: u32,
    /// What was observed. Its counts are part of the state, its rings are not.
    pub(super) seen: Recorder,
    /// Reasons of decisions, while somebody reads them. No part of the state.
    pub(super) reasons: Option<Box<Reasons>>,
    /// What the kernel's counters and tracepoints would have said, while somebody listens. No part of the state.
    pub(super) tape: Option<Box<Tape>>,
    /// Reused memory, empty between events.
    pub(super) effects: Effects,
    pub(super) scratch: super::stats::Scratch,
    /// Follows from the rest of the state, but for the window of its last refresh.
    pub(super) sums: super::sums::Sums,
}

impl World {
    /// Builds the world of a scenario at time 0. The error is one sentence for a person.
    pub fn new(scenario: &Scenario) -> Result<Self, String> {
        Self::from_setup(Setup::new(scenario)?, scenario)
    }

    fn from_setup(setup: Setup, scenario: &Scenario) -> Result<Self, String> {
        let cpus = setup.cpus();
        let takers = takers(&setup);
        let order = in_order(&setup, &takers);
        let capacity = takers.iter().map(|&c| setup.capacity(c)).sum();
        let size = Size { cpus: takers.len() as u32, capacity };
        let workload = Workload::of(scenario, size)?;
        let tasks = workload.initial().iter().enumerate().map(|(i, t)| task(i, t, &takers, &order)).collect();
        let of_scenario = scenario.changes.iter().map(|c| Turn { at: c.at_ns, to: c.to, live: false });
        let mut changes: Vec<_> = of_scenario.collect();
        changes.sort_by_key(|c| c.at);
        let levels = setup.tree.levels.len();
        let mut world = Self {
            now: 0,
            handled: 0,
            events: Events::default(),
            cpus: (0..cpus).map(|c| Cpu::new(setup.capacity(c).max(1))).collect(),
            sds: initial_sds(&setup),
            tasks,
            workload,
            arrival: Ticket::NONE,
            groups: vec![GroupState::default(); setup.tree.group_states],
            llcs: setup.llc_cpus.iter().map(|l| Llc { nr_busy: l.len() as u32, ..Llc::default() }).collect(),
            nohz: Nohz { mask: CpuMask::empty(cpus), ..Nohz::default() },
            lock: SerialiseLock { holder: NONE, line_at: 0, line_free_at: 0, free_at: 0, tries: 0, lost: 0 },
            overload: false,
            overload_mode: scenario.knobs.overload,
            gates: super::GateCounts::default(),
            migration_cost: scenario.knobs.migration_cost,
            dice: streams(&setup, 1),
            tails: streams(&setup, 2),
            late: late_timers(&setup),
            stalls: Stalls::new(Stream::new(setup.seed, 4 << 40)),
            changes: Arc::new(changes),
            next_change: 0,
            context: NONE,
            acting: NONE,
            seen: Recorder::new(levels),
            reasons: None,
            tape: None,
            effects: Effects::default(),
            scratch: super::stats::Scratch::default(),
            sums: super::sums::Sums::new(&setup),
            setup: Arc::new(setup),
        };
        world.boot();
        Ok(world)
    }

    /// Time 0: every CPU goes idle, then every task says what it wants.
    fn boot(&mut self) {
        for c in 0..self.cpus.len() {
            self.start_tick(c);
            self.go_idle(c);
            // It went idle the usual way before the run began, so the slow path sees that it is.
            self.cpus[c].idle.idle_stamp = 1;
        }
        for t in 0..self.tasks.len() as u32 {
            let home = self.tasks[t as usize].cpu as usize;
            match self.ask(t, home) {
                Step::Run(ns) | Step::Exec(ns) => {
                    self.tasks[t as usize].left = ns.max(1).saturating_mul(1024);
                    self.fork(t, home);
                }
                Step::SleepUntil(at) => self.set_timer(t, at, home),
                Step::Block => {}
                Step::Exit => self.tasks[t as usize].place = Place::Gone,
            }
        }
        self.arm_arrival();
    }

    /// Simulated now, ns.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Events handled since the start.
    pub fn events(&self) -> u64 {
        self.handled
    }

    /// Events that lie in the queue, stale ones included.
    pub fn pending_events(&self) -> usize {
        self.events.len()
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.setup.machine
    }

    /// Its domains.
    pub fn tree(&self) -> &DomainTree {
        &self.setup.tree
    }

    /// Requests that the outside world has sent so far, where it sends some.
    pub fn arrived(&self) -> Option<u64> {
        self.workload.arrived()
    }

    /// What was observed since the start.
    pub fn observed(&self) -> &Recorder {
        &self.seen
    }

    /// Runs until that simulated time. Splitting a run into any pieces gives the same state.
    pub fn run_until(&mut self, ns: u64) {
        self.run_budget(ns, u64::MAX);
    }

    /// Runs until that time, or until about `max_events` events were handled. Says whether the time was reached.
    pub fn run_budget(&mut self, until: u64, max_events: u64) -> bool {
        let mut left = max_events;
        loop {
            let change = self.changes.get(self.next_change).copied().filter(|c| c.at <= until);
            let limit = change.map_or(until, |c| c.at).max(self.now);
            while let Some(event) = self.events.pop_until(limit) {
                self.handle(event);
                left = left.saturating_sub(1);
                if left == 0 {
                    return false;
                }
            }
            self.now = limit;
            let Some(Turn { to, .. }) = change else { return true };
            self.next_change += 1;
            self.apply(to);
        }
    }

    /// Goes one step.
    pub fn step(&mut self, to: StepTo) {
        let limit = self.now.saturating_add(STEP_LIMIT);
        let made = self.steps_made(to);
        loop {
            if self.run_budget(limit, 1) {
                return;
            }
            if self.steps_made(to) > made {
                return;
            }
        }
    }

    /// Turns a knob now: after everything that happens at this time, just as a scenario's change does. The error
    /// is one sentence; then nothing has changed.
    pub fn turn(&mut self, to: ChangeTo) -> Result<(), String> {
        check_change(to)?;
        self.run_until(self.now);
        self.remember_turn(to);
        self.apply(to);
        self.run_until(self.now);
        Ok(())
    }

    fn apply(&mut self, to: ChangeTo) {
        match to {
            ChangeTo::MigrationCost(cost) => self.migration_cost = cost,
            ChangeTo::Overload(mode) => self.overload_mode = mode,
            ChangeTo::Load(load) => {
                let mut effects = std::mem::take(&mut self.effects);
                effects.clear();
                self.workload.set_load(load, self.now, &mut effects);
                self.carry_out(&effects, None);
                self.effects = effects;
                self.arm_arrival();
            }
        }
    }

    fn handle(&mut self, event: Event) {
        debug_assert!(event.at() >= self.now, "time goes back");
        self.now = event.at();
        let id = event.id() as usize;
        let live = match event.kind() {
            Kind::Phase => self.cpus[id].phase_end == event.ticket(),
            Kind::Timer => self.tasks[id].timer == event.ticket() && self.tasks[id].asleep(),
            Kind::Arrival => self.arrival == event.ticket(),
            Kind::Tick | Kind::Deliver | Kind::Kick | Kind::Stopper | Kind::Resched => true,
        };
        if !live {
            return;
        }
        self.handled += 1;
        self.acting = NONE;
        match event.kind() {
            Kind::Phase => self.on_phase(id),
            Kind::Tick => self.on_tick(id),
            Kind::Timer => self.on_timer(event.id()),
            Kind::Arrival => self.on_arrival(),
            Kind::Deliver => self.on_deliver(id),
            Kind::Kick => self.on_kick(id),
            Kind::Stopper => self.on_stopper(id),
            Kind::Resched => self.on_resched(id),
        }
    }

    /// `sysctl_sched_migration_cost`, ns; -1 is always hot.
    pub(super) fn migration_cost(&self) -> i64 {
        match self.migration_cost {
            MigrationCost::NeverHot => 0,
            MigrationCost::Ns(ns) => i64::try_from(ns).unwrap_or(i64::MAX),
            MigrationCost::AlwaysHot => -1,
        }
    }
}

/// Load levels go up to this, in thousandths.
const LOAD_MAX: u32 = 2_000;
/// Longest migration cost that can be set, ns.
const MIGRATION_COST_MAX: u64 = 10_000_000;

fn check_change(to: ChangeTo) -> Result<(), String> {
    match to {
        ChangeTo::Load(load) if load > LOAD_MAX => Err("The load is above 2.".to_owned()),
        ChangeTo::MigrationCost(MigrationCost::Ns(ns)) if ns > MIGRATION_COST_MAX => {
            Err("The migration cost is above 10 ms.".to_owned())
        }
        _ => Ok(()),
    }
}

/// Streams of one purpose, one a CPU. Their owners' numbers lie above those of tasks.
fn streams(setup: &Setup, purpose: u64) -> Vec<Stream> {
    (0..setup.cpus()).map(|c| Stream::new(setup.seed, (purpose << 40) + c as u64)).collect()
}

/// Nobody, where timers are never late.
fn late_timers(setup: &Setup) -> Vec<LateTimers> {
    let costs = &setup.costs;
    if costs.timer_late.max(costs.timer_idle).max(costs.timer_stall.min(costs.timer_stall_gap)) == 0 {
        return Vec::new();
    }
    streams(setup, 3).into_iter().map(LateTimers::new).collect()
}

/// The CPUs that take tasks without being asked to by affinity: those in domains, or all if none is.
fn takers(setup: &Setup) -> Vec<usize> {
    let active: Vec<usize> = (0..setup.cpus()).filter(|&c| setup.machine.cpus[c].active).collect();
    if active.is_empty() { (0..setup.cpus()).collect() } else { active }
}

/// The same node by node, cache by cache and core by core: the order in which a workload counts CPUs.
fn in_order(setup: &Setup, takers: &[usize]) -> Vec<usize> {
    let mut order = takers.to_vec();
    order.sort_by_key(|&c| {
        let cpu = &setup.machine.cpus[c];
        (cpu.node, cpu.llc, cpu.core, c)
    });
    order
}

/// A task as it starts. The CPUs it may use are places in `order`; without any it may use all, and the tasks of
/// one spec are spread over them.
fn task(i: usize, spec: &TaskSpec, takers: &[usize], order: &[usize]) -> Task {
    let places = spec.allowed.iter().filter_map(|&c| order.get(c as usize).copied());
    let allowed = Some(places.collect::<CpuMask>()).filter(|mask| !mask.is_empty());
    let home = match (&allowed, spec.home.and_then(|c| order.get(c as usize).copied())) {
        (Some(mask), Some(home)) if mask.contains(home) => home,
        (None, Some(home)) => home,
        (Some(mask), _) => mask.iter().nth(i % mask.weight()).unwrap_or(0),
        (None, None) => takers[i % takers.len()],
    };
    Task {
        place: Place::Asleep,
        cpu: home as u32,
        nice: spec.nice,
        weight: if spec.sched_idle { weight::IDLE } else { weight::of_nice(spec.nice) },
        allowed,
        timer: Ticket::NONE,
        timer_cpu: home as u32,
        left: 0,
        ran: 0,
        exec_start: 0,
        se: Entity::new(i as u32, weight::of_nice(spec.nice)),
        avg: Avg::default(),
        util_est: UtilEst::default(),
        fresh: false,
        woken_at: None,
        moved: None,
        next: NONE,
        prev: NONE,
        flips: crate::wakeup::Flips::default(),
        recent_cpu: NONE,
    }
}

fn initial_sds(setup: &Setup) -> Vec<Sd> {
    let mut sds = vec![Sd::default(); setup.cpus() * setup.stride];
    for c in 0..setup.cpus() {
        for level in 0..setup.depth(c) {
            sds[c * setup.stride + level] = Sd::new(setup.domain(c, level));
        }
    }
    sds
}
