//! The event queue: one total order of events, by time and then by the order in which they were made.

/// What an event is about. Its number travels in the low bits of the event's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The phase of a CPU ends: its task's work is done, or a stage of a balance pass is over.
    Phase,
    /// A CPU's timer tick.
    Tick,
    /// A sleeping task's timer.
    Timer,
    /// Work arrives from outside.
    Arrival,
    /// The interrupt that makes a CPU look at its list of pending wake-ups.
    Deliver,
    /// The interrupt that makes a CPU run nohz balancing for others.
    Kick,
    /// The stopper of a CPU wants to push a task away.
    Stopper,
}

const KINDS: [Kind; 7] =
    [Kind::Phase, Kind::Tick, Kind::Timer, Kind::Arrival, Kind::Deliver, Kind::Kick, Kind::Stopper];
const KIND_BITS: u32 = 3;

/// One event: small and `Copy`. `id` is a CPU or a task; `era` tells a live event from a stale one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// When, ns.
    pub at: u64,
    key: u64,
    /// CPU or task.
    pub id: u32,
    /// Generation number of the CPU's phase or the task's timer when the event was made.
    pub era: u32,
}

impl Event {
    pub(super) fn kind(&self) -> Kind {
        KINDS[(self.key & ((1 << KIND_BITS) - 1)) as usize % KINDS.len()]
    }
}

impl Event {
    /// Place in the total order.
    fn order(&self) -> u128 {
        u128::from(self.at) << 64 | u128::from(self.key)
    }
}

/// Children of a node. Four make the heap half as deep as two, and lie on neighbouring cache lines.
const ARITY: usize = 4;

/// The queue: a heap with the earliest event at the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    heap: Vec<Event>,
    sequence: u64,
}

impl Events {
    /// Adds an event. Events of one time come out in the order in which they were added.
    pub(super) fn push(&mut self, at: u64, kind: Kind, id: u32, era: u32) {
        self.sequence += 1;
        let key = (self.sequence << KIND_BITS) | kind as u64;
        let event = Event { at, key, id, era };
        let mut hole = self.heap.len();
        self.heap.push(event);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.heap[parent].order() <= event.order() {
                break;
            }
            self.heap[hole] = self.heap[parent];
            hole = parent;
        }
        self.heap[hole] = event;
    }

    /// How many events lie in the queue.
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Takes the next event if it is not later than `until`.
    pub(super) fn pop_until(&mut self, until: u64) -> Option<Event> {
        let first = *self.heap.first()?;
        if first.at > until {
            return None;
        }
        let last = self.heap.pop()?;
        if !self.heap.is_empty() {
            self.sink(last);
        }
        Some(first)
    }

    /// Puts an event in the root's place and lets it sink to its own.
    fn sink(&mut self, event: Event) {
        let mut hole = 0;
        loop {
            let first = hole * ARITY + 1;
            let children = self.heap.get(first..).unwrap_or_default().iter().take(ARITY);
            let Some((i, least)) = children.enumerate().min_by_key(|(_, e)| e.order()) else { break };
            if event.order() <= least.order() {
                break;
            }
            self.heap[hole] = *least;
            hole = first + i;
        }
        self.heap[hole] = event;
    }

    /// Writes every event in order, so that the heap's inner order does not count.
    pub(super) fn write(&self, mut put: impl FnMut(u64)) {
        let mut all = self.heap.to_vec();
        all.sort_unstable_by_key(Event::order);
        put(self.sequence);
        for e in all {
            put(e.at);
            put(e.key);
            put(u64::from(e.id) << 32 | u64::from(e.era));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn events_of_one_time_keep_their_order() {
        let mut q = Events::default();
        q.push(5, Kind::Tick, 0, 0);
        q.push(3, Kind::Timer, 1, 0);
        q.push(5, Kind::Phase, 2, 0);
        q.push(3, Kind::Stopper, 3, 0);
        let order: Vec<(u64, Kind, u32)> =
            std::iter::from_fn(|| q.pop_until(5)).map(|e| (e.at, e.kind(), e.id)).collect();
        assert_eq!(
            order,
            [(3, Kind::Timer, 1), (3, Kind::Stopper, 3), (5, Kind::Tick, 0), (5, Kind::Phase, 2)]
        );
    }

    #[test]
    fn an_event_after_the_limit_stays() {
        let mut q = Events::default();
        q.push(5, Kind::Tick, 0, 0);
        assert!(q.pop_until(4).is_none());
        assert!(q.pop_until(5).is_some());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn events_come_out_in_order(times in prop::collection::vec((0u64..50, any::<bool>()), 0..200)) {
            let mut q = Events::default();
            let mut plain = Vec::new();
            for (i, (at, pop)) in (0..).zip(times) {
                q.push(at, Kind::Timer, i, 0);
                plain.push((at, i));
                plain.sort();
                if pop {
                    let first = plain.remove(0);
                    prop_assert_eq!(q.pop_until(u64::MAX).map(|e| (e.at, e.id)), Some(first));
                }
            }
            for first in plain {
                prop_assert_eq!(q.pop_until(u64::MAX).map(|e| (e.at, e.id)), Some(first));
            }
            prop_assert!(q.pop_until(u64::MAX).is_none());
        }
    }
}
