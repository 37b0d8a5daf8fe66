//! A CPU's fair runqueue with a simple pick: least vruntime first.
//!
//! The rules are CFS's without buddies, for every release: period, slice, wake-up granularity and placement as
//! in `sched_slice`, `check_preempt_tick`, `wakeup_gran` and `place_entity` of 4.19 and 6.1. The queue is the
//! only place that knows how the next task is chosen, so that an exact CFS or EEVDF can take its place.

use super::weight;

/// Virtual ns of `delta` ns at a weight.
fn virtual_time(delta: u64, weight: u32) -> i64 {
    weight::virtual_time(delta, weight) as i64
}

/// The tunables of picking, ns. They grow with the number of CPUs: 1 + log2 of at most 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunables {
    /// `sched_latency`.
    pub latency: u64,
    /// `sched_min_granularity`.
    pub min_granularity: u64,
    /// `sched_wakeup_granularity`.
    pub wakeup_granularity: u64,
}

impl Tunables {
    /// 6, 0.75 and 1 ms, scaled for that many online CPUs (`get_update_sysctl_factor`).
    pub fn for_cpus(cpus: usize) -> Self {
        let factor = 1 + u64::from(cpus.clamp(1, 8).ilog2());
        Self {
            latency: 6_000_000 * factor,
            min_granularity: 750_000 * factor,
            wakeup_granularity: 1_000_000 * factor,
        }
    }
}

/// A task as the queue sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Task number.
    pub task: u32,
    /// Nice weight.
    pub weight: u32,
    /// Virtual ns.
    pub vruntime: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waiting {
    entity: Entity,
    order: u64,
}

impl Waiting {
    fn key(&self) -> (i64, u64) {
        (self.entity.vruntime, self.order)
    }
}

/// One CPU's fair tasks: the running one and those that wait.
#[derive(Clone, Debug, Default)]
pub struct Runqueue {
    /// In descending order: the next task to run is the last element.
    waiting: Vec<Waiting>,
    current: Option<Entity>,
    min_vruntime: i64,
    order: u64,
    weight: u64,
}

impl Runqueue {
    /// Tasks on the queue, the running one included.
    #[inline]
    pub fn nr_running(&self) -> u32 {
        self.waiting.len() as u32 + u32::from(self.current.is_some())
    }

    /// Sum of the weights of all of them.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// The running task.
    pub fn current(&self) -> Option<&Entity> {
        self.current.as_ref()
    }

    /// `min_vruntime`.
    pub fn min_vruntime(&self) -> i64 {
        self.min_vruntime
    }

    /// Waiting tasks, next to run first.
    pub fn waiting(&self) -> impl Iterator<Item = &Entity> + '_ {
        self.waiting.iter().rev().map(|w| &w.entity)
    }

    /// Charges the running task for `delta` ns (`update_curr`).
    pub fn charge(&mut self, delta: u64) {
        if let Some(current) = &mut self.current {
            current.vruntime = current.vruntime.saturating_add(virtual_time(delta, current.weight));
            self.update_min();
        }
    }

    fn update_min(&mut self) {
        let left = self.waiting.last().map(|w| w.entity.vruntime);
        let current = self.current.map(|c| c.vruntime);
        let least = match (left, current) {
            (Some(a), Some(b)) => a.min(b),
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => return,
        };
        self.min_vruntime = self.min_vruntime.max(least);
    }

    /// Adds a waiting task as it is.
    pub fn enqueue(&mut self, entity: Entity) {
        self.weight += u64::from(entity.weight);
        self.insert(entity);
    }

    fn insert(&mut self, entity: Entity) {
        self.order += 1;
        let new = Waiting { entity, order: self.order };
        let at = self.waiting.partition_point(|w| w.key() > new.key());
        self.waiting.insert(at, new);
    }

    /// Takes a waiting task off the queue; `None` if it does not wait here.
    pub fn dequeue(&mut self, task: u32) -> Option<Entity> {
        let at = self.waiting.iter().rposition(|w| w.entity.task == task)?;
        let entity = self.waiting.remove(at).entity;
        self.weight -= u64::from(entity.weight);
        self.update_min();
        Some(entity)
    }

    /// Takes the running task off the queue.
    pub fn dequeue_current(&mut self) -> Option<Entity> {
        let entity = self.current.take()?;
        self.weight -= u64::from(entity.weight);
        self.update_min();
        Some(entity)
    }

    /// Makes the running task wait (`put_prev_entity`).
    pub fn put_current(&mut self) {
        if let Some(current) = self.current.take() {
            self.insert(current);
        }
    }

    /// Makes the first waiting task the running one; there must be none running.
    pub fn pick(&mut self) -> Option<u32> {
        let first = self.waiting.pop()?.entity;
        self.current = Some(first);
        self.update_min();
        Some(first.task)
    }

    /// Where a waking task starts (`place_entity`, GENTLE_FAIR_SLEEPERS): not more than half a latency ahead.
    pub fn place_waking(&self, vruntime: i64, tunables: &Tunables) -> i64 {
        vruntime.max(self.min_vruntime - (tunables.latency / 2) as i64)
    }

    /// Where a new task starts (`task_fork_fair`, START_DEBIT): a slice behind the rest.
    pub fn place_new(&self, weight: u32, tunables: &Tunables) -> i64 {
        let slice = Self::slice_of(self.nr_running() + 1, weight, self.weight + u64::from(weight), tunables);
        let start = self.min_vruntime + virtual_time(slice, weight);
        self.current.map_or(start, |c| c.vruntime.max(start))
    }

    fn slice_of(nr: u32, weight: u32, total: u64, tunables: &Tunables) -> u64 {
        let period =
            if nr <= 8 { tunables.latency } else { u64::from(nr).saturating_mul(tunables.min_granularity) };
        period.saturating_mul(u64::from(weight)) / total.max(1)
    }

    /// The running task's slice, ns (`sched_slice`).
    pub fn slice(&self, tunables: &Tunables) -> u64 {
        let weight = self.current.map_or(0, |c| c.weight);
        Self::slice_of(self.nr_running(), weight, self.weight, tunables)
    }

    /// Whether the tick takes the CPU from the running task, which ran for `ran` ns (`check_preempt_tick`).
    pub fn tick_preempts(&self, ran: u64, tunables: &Tunables) -> bool {
        let (Some(current), Some(first)) = (self.current, self.waiting.last()) else {
            return false;
        };
        let slice = self.slice(tunables);
        if ran > slice {
            return true;
        }
        ran >= tunables.min_granularity && current.vruntime - first.entity.vruntime > slice as i64
    }

    /// Whether a task that was just queued takes the CPU from the running one (`check_preempt_wakeup`).
    pub fn wakeup_preempts(&self, wakee: &Entity, tunables: &Tunables) -> bool {
        self.current.is_some_and(|c| {
            c.vruntime - wakee.vruntime > virtual_time(tunables.wakeup_granularity, wakee.weight)
        })
    }

    /// Hands out everything, for a hash of the state.
    pub fn write(&self, mut put: impl FnMut(u64)) {
        put(self.min_vruntime as u64);
        put(self.order);
        put(self.weight);
        put(self.current.map_or(u64::MAX, |c| u64::from(c.task)));
        put(self.current.map_or(0, |c| c.vruntime as u64));
        for w in &self.waiting {
            put(u64::from(w.entity.task));
            put(w.entity.vruntime as u64);
            put(w.order);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(task: u32, vruntime: i64) -> Entity {
        Entity { task, weight: 1024, vruntime }
    }

    fn two() -> (Runqueue, Tunables) {
        let mut rq = Runqueue::default();
        rq.enqueue(entity(1, 0));
        rq.enqueue(entity(2, 0));
        (rq, Tunables::for_cpus(1))
    }

    #[test]
    fn equal_vruntimes_run_in_the_order_they_were_queued() {
        let (mut rq, _) = two();
        assert_eq!(rq.pick(), Some(1));
        assert_eq!(rq.nr_running(), 2);
    }

    #[test]
    fn the_tick_preempts_strictly_after_the_slice() {
        let (mut rq, t) = two();
        rq.pick();
        assert_eq!(rq.slice(&t), 3_000_000);
        assert!(!rq.tick_preempts(3_000_000, &t));
        assert!(rq.tick_preempts(3_000_001, &t));
    }

    #[test]
    fn a_waking_task_preempts_strictly_beyond_the_granularity() {
        let (mut rq, t) = two();
        rq.pick();
        rq.charge(1_000_000);
        assert!(!rq.wakeup_preempts(&entity(3, 0), &t));
        rq.charge(1);
        assert!(rq.wakeup_preempts(&entity(3, 0), &t));
    }

    #[test]
    fn a_long_sleeper_starts_half_a_latency_ahead() {
        let (mut rq, t) = two();
        rq.pick();
        rq.charge(50_000_000);
        rq.put_current();
        rq.pick();
        rq.charge(60_000_000);
        assert_eq!(rq.min_vruntime(), 50_000_000);
        assert_eq!(rq.place_waking(0, &t), 47_000_000);
        assert_eq!(rq.place_waking(49_000_000, &t), 49_000_000);
    }

    #[test]
    fn weights_add_up_through_every_move() {
        let (mut rq, _) = two();
        rq.pick();
        rq.dequeue_current();
        assert_eq!((rq.weight(), rq.nr_running()), (1024, 1));
        assert!(rq.dequeue(7).is_none());
        rq.dequeue(2);
        assert_eq!((rq.weight(), rq.nr_running()), (0, 0));
    }

    #[test]
    fn a_heavy_task_gets_the_larger_share() {
        let mut rq = Runqueue::default();
        rq.enqueue(Entity { task: 1, weight: 3 * 1024, vruntime: 0 });
        rq.enqueue(entity(2, 0));
        rq.pick();
        assert_eq!(rq.slice(&Tunables::for_cpus(1)), 4_500_000);
    }
}
