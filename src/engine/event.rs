//! The event queue: one total order of events, by time and then by the order in which they were made.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

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

impl Ord for Event {
    /// Reversed, since the heap of the standard library gives the greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.key).cmp(&(self.at, self.key))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The queue.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Event>,
    sequence: u64,
}

impl Events {
    /// Adds an event. Events of one time come out in the order in which they were added.
    pub(super) fn push(&mut self, at: u64, kind: Kind, id: u32, era: u32) {
        self.sequence += 1;
        let key = (self.sequence << KIND_BITS) | kind as u64;
        self.heap.push(Event { at, key, id, era });
    }

    /// How many events lie in the queue.
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Takes the next event if it is not later than `until`.
    pub(super) fn pop_until(&mut self, until: u64) -> Option<Event> {
        if self.heap.peek()?.at > until {
            return None;
        }
        self.heap.pop()
    }

    /// Writes every event in order, so that the heap's inner order does not count.
    pub(super) fn write(&self, mut put: impl FnMut(u64)) {
        let mut all: Vec<Event> = self.heap.iter().copied().collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
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
}
