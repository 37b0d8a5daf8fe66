//! A CPU's fair runqueue: who is queued, who runs, who is next. The rules of each picker are pure functions in
//! [`super::cfs`] and [`super::eevdf`]; here and in [`super::preempt`] they are applied to the queue.
//!
//! Queues of a CPU are short, so the waiting tasks are a sorted list that is searched in order.

use super::cfs::{self, AtTick};
use super::choose::Choice;
use super::eevdf::{self, Mean};
use super::entity::Entity;
use super::rules::{Picker, Picking, Protection};

/// No task.
pub(super) const NONE: u32 = u32::MAX;

/// How a task comes to a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It was woken.
    Woken,
    /// It is new.
    New,
    /// It was moved from another queue.
    Moved,
}

/// What became of a running task that goes to sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// It left.
    Left(Entity),
    /// It stays queued until its lag is made up for (DELAY_DEQUEUE).
    Delayed,
}

/// What a pick found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picked {
    /// Nothing is queued.
    Nothing,
    /// The task that was running goes on.
    Same(u32),
    /// Another task runs now.
    Other(u32),
    /// The turn of a sleeper came, so it left: pick again (`pick_next_entity`, 6.12).
    Asleep(Entity),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    /// `vruntime` for CFS, `deadline` for EEVDF.
    pub key: i64,
    pub order: u64,
    pub entity: Entity,
}

/// One CPU's fair tasks: the running one and those that wait, sleepers with a delayed dequeue among them.
#[derive(Clone, Debug)]
pub struct Runqueue {
    /// In descending order: the least key, of equals the first queued, is the last element.
    pub(super) waiting: Vec<Waiting>,
    pub(super) current: Option<Entity>,
    /// CFS: `min_vruntime`. EEVDF: the reference of `mean`.
    pub(super) min_vruntime: i64,
    /// EEVDF: the waiting tasks.
    mean: Mean,
    order: u64,
    weight: u64,
    delayed: u32,
    /// Queued tasks that are SCHED_IDLE.
    idle_policy: u32,
    pub(super) next: u32,
    pub(super) last: u32,
    pub(super) skip: u32,
}

impl Default for Runqueue {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            current: None,
            min_vruntime: 0,
            mean: Mean::default(),
            order: 0,
            weight: 0,
            delayed: 0,
            idle_policy: 0,
            next: NONE,
            last: NONE,
            skip: NONE,
        }
    }
}

/// The reference of the mean follows the queue when the running task is this far from it.
const REFERENCE_SLACK: i64 = 1 << 30;

impl Runqueue {
    /// Tasks on the queue, the running one and sleepers with a delayed dequeue included (`nr_running`,
    /// `h_nr_queued`).
    #[inline]
    pub fn nr_running(&self) -> u32 {
        self.waiting.len() as u32 + u32::from(self.current.is_some())
    }

    /// The same without those sleepers (`h_nr_runnable`).
    #[inline]
    pub fn nr_runnable(&self) -> u32 {
        self.nr_running() - self.delayed
    }

    /// Sum of the weights of all queued tasks.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// The running task.
    pub fn current(&self) -> Option<&Entity> {
        self.current.as_ref()
    }

    /// Waiting tasks, least key first.
    pub fn waiting(&self) -> impl Iterator<Item = &Entity> + '_ {
        self.waiting.iter().rev().map(|w| &w.entity)
    }

    /// Whether the task is the next buddy, and whether it is the last.
    pub fn buddy(&self, task: u32) -> (bool, bool) {
        (self.next == task, self.last == task)
    }

    /// Whether all queued tasks are SCHED_IDLE (`sched_idle_cpu`); false if there is none.
    #[inline]
    pub fn only_idle_policy(&self) -> bool {
        self.idle_policy > 0 && self.idle_policy == self.nr_running()
    }

    /// Charges the running task for `delta` ns (`update_curr`). True if it must give way: it has used up its slice
    /// (EEVDF), and another task is queued.
    pub fn charge(&mut self, delta: u64, p: &Picking) -> bool {
        let Some(current) = &mut self.current else { return false };
        if delta == 0 {
            return false;
        }
        current.vruntime = current.vruntime.wrapping_add(current.virtual_time(delta));
        match p.rules.picker {
            Picker::Cfs => {
                self.update_min();
                false
            }
            Picker::Eevdf => self.charged_eevdf(p),
        }
    }

    fn charged_eevdf(&mut self, p: &Picking) -> bool {
        let Some(current) = &mut self.current else { return false };
        let over = eevdf::renew(p, current);
        let current = *current;
        if (current.vruntime - self.min_vruntime).abs() > REFERENCE_SLACK {
            self.follow(current.vruntime);
        }
        let others = self.nr_running() > 1;
        let lost = match p.rules.protection {
            Protection::None | Protection::Deadline => {
                p.rules.preempt_short && !eevdf::protected(p, &current) && !self.is_eligible(&current)
            }
            Protection::MinSlice | Protection::Quantum => !eevdf::protected(p, &current),
        };
        others && (over || lost)
    }

    /// Moves the reference of the mean.
    fn follow(&mut self, to: i64) {
        self.mean = self.mean.moved(to - self.min_vruntime);
        self.min_vruntime = to;
    }

    /// `update_min_vruntime` of CFS: never back.
    fn update_min(&mut self) {
        let left = self.waiting.last().map(|w| w.entity.vruntime);
        let current = self.current.map(|c| c.vruntime);
        let Some(least) = left.into_iter().chain(current).min() else { return };
        self.min_vruntime = self.min_vruntime.max(least);
    }

    /// The queue as one, the running task included.
    pub(super) fn all(&self) -> Mean {
        self.current.map_or(self.mean, |c| self.mean.and(c.weight, c.vruntime - self.min_vruntime))
    }

    /// The mean of virtual time (`avg_vruntime`).
    pub fn avg_vruntime(&self) -> i64 {
        self.min_vruntime + self.all().value()
    }

    pub(super) fn is_eligible(&self, entity: &Entity) -> bool {
        self.all().eligible(entity.vruntime - self.min_vruntime)
    }

    /// Whether a queued task is owed service (`entity_eligible`); true where nobody asks, under CFS.
    pub fn eligible(&self, task: u32, p: &Picking) -> bool {
        p.rules.picker == Picker::Cfs || self.find(task).is_none_or(|e| self.is_eligible(&e))
    }

    pub(super) fn find(&self, task: u32) -> Option<Entity> {
        let waiting = self.waiting.iter().map(|w| &w.entity);
        waiting.chain(&self.current).find(|e| e.task == task).copied()
    }

    /// Adds a task and places it (`enqueue_entity`, `place_entity`). The running task must be charged up to now.
    pub fn enqueue(&mut self, mut entity: Entity, arrival: Arrival, p: &Picking) {
        match p.rules.picker {
            Picker::Cfs => {
                if std::mem::take(&mut entity.relative) {
                    entity.vruntime += self.min_vruntime;
                }
                if arrival == Arrival::Woken {
                    entity.vruntime = cfs::place_waking(p, &entity, self.min_vruntime);
                }
            }
            Picker::Eevdf => self.place(&mut entity, arrival == Arrival::New, p),
        }
        self.weight += u64::from(entity.weight);
        self.delayed += u32::from(entity.delayed);
        self.idle_policy += u32::from(entity.is_idle());
        self.insert(entity, p);
    }

    fn place(&self, entity: &mut Entity, new: bool, p: &Picking) {
        let all = self.all();
        let queued = self.nr_running() > 0;
        eevdf::place(p, entity, self.min_vruntime + all.value(), all.load, queued, new);
    }

    fn insert(&mut self, entity: Entity, p: &Picking) {
        self.order += 1;
        let key = match p.rules.picker {
            Picker::Cfs => entity.vruntime,
            Picker::Eevdf => {
                if self.nr_running() == 0 {
                    self.min_vruntime = entity.vruntime;
                }
                self.mean = self.mean.and(entity.weight, entity.vruntime - self.min_vruntime);
                entity.deadline
            }
        };
        let order = self.order;
        let at = self.waiting.partition_point(|w| (w.key, w.order) > (key, order));
        self.waiting.insert(at, Waiting { key, order, entity });
    }

    fn remove(&mut self, at: usize, p: &Picking) -> Entity {
        let entity = self.waiting.remove(at).entity;
        if p.rules.picker == Picker::Eevdf {
            self.mean = self.mean.without(entity.weight, entity.vruntime - self.min_vruntime);
        }
        entity
    }

    pub(super) fn place_of(&self, task: u32) -> Option<usize> {
        self.waiting.iter().rposition(|w| w.entity.task == task)
    }

    /// Takes a waiting task off the queue, to be moved; `None` if it does not wait here (`dequeue_entity`). The
    /// running task must be charged up to now.
    pub fn dequeue(&mut self, task: u32, p: &Picking) -> Option<Entity> {
        let at = self.place_of(task)?;
        let mut entity = self.waiting[at].entity;
        self.leave(&mut entity, false, p);
        self.remove(at, p);
        self.left(&entity, p);
        Some(entity)
    }

    /// The running task goes to sleep; it must be charged up to now. Nothing runs then (`dequeue_entity`).
    pub fn block_current(&mut self, p: &Picking) -> Option<Blocked> {
        let mut entity = self.current?;
        self.clear_buddies(entity.task);
        if p.rules.delay_dequeue && p.rules.picker == Picker::Eevdf && !self.is_eligible(&entity) {
            entity.delayed = true;
            self.delayed += 1;
            self.current = None;
            self.insert(entity, p);
            return Some(Blocked::Delayed);
        }
        self.leave(&mut entity, true, p);
        self.current = None;
        self.left(&entity, p);
        Some(Blocked::Left(entity))
    }

    /// What a task takes along: its lag, or its place relative to the queue.
    fn leave(&mut self, entity: &mut Entity, sleeps: bool, p: &Picking) {
        self.clear_buddies(entity.task);
        match p.rules.picker {
            Picker::Cfs if sleeps => {}
            Picker::Cfs => self.uproot(entity, p),
            Picker::Eevdf => {
                entity.vlag = eevdf::lag(p, entity, self.avg_vruntime());
                if p.rules.place_rel_deadline && !sleeps {
                    entity.deadline -= entity.vruntime;
                    entity.relative = true;
                }
            }
        }
    }

    fn left(&mut self, entity: &Entity, p: &Picking) {
        self.weight -= u64::from(entity.weight);
        self.delayed -= u32::from(entity.delayed);
        self.idle_policy -= u32::from(entity.is_idle());
        if p.rules.picker == Picker::Cfs {
            self.update_min();
        }
    }

    /// A sleeper of this queue wakes on another: CFS makes its place relative (`migrate_task_rq_fair`).
    pub fn uproot(&self, entity: &mut Entity, p: &Picking) {
        if p.rules.picker == Picker::Cfs && !std::mem::replace(&mut entity.relative, true) {
            entity.vruntime -= self.min_vruntime;
        }
    }

    /// A sleeper whose dequeue was delayed leaves (`finish_delayed_dequeue_entity`).
    pub(super) fn let_go(&mut self, at: usize, p: &Picking) -> Entity {
        let mut entity = self.waiting[at].entity;
        self.leave(&mut entity, true, p);
        self.remove(at, p);
        self.left(&entity, p);
        entity.delayed = false;
        if p.rules.delay_zero {
            entity.vlag = entity.vlag.min(0);
        }
        entity
    }

    /// A sleeper wakes whose dequeue was delayed: it runs on from where it is, and credit that it slept into is
    /// forgotten (`requeue_delayed_entity`). False if there is none.
    pub fn requeue(&mut self, task: u32, p: &Picking) -> bool {
        let Some(at) = self.place_of(task).filter(|&at| self.waiting[at].entity.delayed) else {
            return false;
        };
        self.delayed -= 1;
        self.waiting[at].entity.delayed = false;
        if !p.rules.delay_zero {
            return true;
        }
        let lag = eevdf::lag(p, &self.waiting[at].entity, self.avg_vruntime());
        if lag > 0 {
            let mut entity = self.remove(at, p);
            entity.vlag = 0;
            self.place(&mut entity, false, p);
            self.insert(entity, p);
        } else {
            self.waiting[at].entity.vlag = lag;
        }
        true
    }

    /// Makes the running task wait (`put_prev_entity`). It must be charged up to now.
    pub fn put_current(&mut self, p: &Picking) {
        if let Some(current) = self.current.take() {
            self.insert(current, p);
        }
    }

    /// Chooses who runs; the running task, which must be charged up to now, takes part (`pick_next_entity`).
    pub fn pick(&mut self, p: &Picking) -> Picked {
        let Some(choice) = self.choose(p, true) else { return Picked::Nothing };
        let at = match choice {
            Choice::Current => {
                let task = self.current.map_or(NONE, |c| c.task);
                self.clear_buddies(task);
                return Picked::Same(task);
            }
            Choice::At(at) if self.waiting[at].entity.delayed => return Picked::Asleep(self.let_go(at, p)),
            Choice::At(at) => at,
        };
        let mut entity = self.remove(at, p);
        self.clear_buddies(entity.task);
        self.put_current(p);
        if p.rules.picker == Picker::Eevdf {
            let slices = self.waiting.iter().map(|w| w.entity.slice);
            let shortest = slices.fold(entity.slice, u64::min);
            eevdf::protect(p, &mut entity, shortest);
        }
        self.current = Some(entity);
        Picked::Other(entity.task)
    }

    fn clear_buddies(&mut self, task: u32) {
        for buddy in [&mut self.next, &mut self.last, &mut self.skip] {
            if *buddy == task {
                *buddy = NONE;
            }
        }
    }

    /// The running task lets others go first once (`yield_task_fair`, CFS).
    pub fn yield_current(&mut self) {
        if let Some(task) = self.current.map(|c| c.task) {
            self.clear_buddies(task);
            self.skip = task;
        }
    }

    /// Where a new task starts, given that its parent runs here or nothing does. EEVDF places it where it is queued.
    pub fn fork(&self, task: u32, weight: u32, p: &Picking) -> Entity {
        let mut entity = Entity::new(task, weight);
        entity.slice = p.base_slice;
        if p.rules.picker == Picker::Cfs {
            let nr = u64::from(self.nr_running());
            let parent = self.current.map(|c| c.vruntime);
            let min = self.min_vruntime;
            entity.vruntime = cfs::place_new(p, &entity, nr, self.weight, min, parent) - min;
            entity.relative = true;
        }
        entity
    }

    /// The running task's slice, ns (`sched_slice`; `se->slice`).
    pub fn slice(&self, p: &Picking) -> u64 {
        let Some(current) = &self.current else { return 0 };
        match p.rules.picker {
            Picker::Cfs => cfs::slice(p, u64::from(self.nr_running()), current.weight, self.weight),
            Picker::Eevdf => current.slice,
        }
    }

    /// Whether the tick takes the CPU from the running task, which ran for `ran` ns since it was picked and is
    /// charged for it (`entity_tick`). Under EEVDF [`Runqueue::charge`] has said it.
    pub fn tick(&mut self, ran: u64, p: &Picking) -> bool {
        let (Some(current), Some(first)) = (self.current, self.waiting.last()) else { return false };
        if p.rules.picker == Picker::Eevdf {
            return false;
        }
        let at_tick = cfs::at_tick(p, ran, self.slice(p), current.vruntime - first.entity.vruntime);
        if at_tick == AtTick::SliceOver {
            self.clear_buddies(current.task);
        }
        at_tick != AtTick::Stays
    }

    /// Hands out everything, for a hash of the state.
    pub fn write(&self, mut put: impl FnMut(u64)) {
        put(self.min_vruntime as u64);
        put(self.mean.key_sum as u64);
        put(self.mean.load as u64);
        put(self.order);
        put(self.weight);
        put(u64::from(self.next) << 32 | u64::from(self.last));
        put(u64::from(self.skip) << 32 | u64::from(self.delayed));
        put(u64::from(self.current.is_some()));
        self.current.iter().for_each(|c| c.write(&mut put));
        for w in &self.waiting {
            w.entity.write(&mut put);
            put(w.order);
        }
    }
}

#[cfg(test)]
#[path = "runqueue_tests.rs"]
mod tests;
