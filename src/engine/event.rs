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
    /// The interrupt that makes a CPU pick anew.
    Resched,
}

const KINDS: [Kind; 8] = [
    Kind::Phase,
    Kind::Tick,
    Kind::Timer,
    Kind::Arrival,
    Kind::Deliver,
    Kind::Kick,
    Kind::Stopper,
    Kind::Resched,
];

/// An event is one number: its time (64 bits), then its ticket: sequence (41 bits), kind (3) and id (20). So the
/// order of events is the order of numbers, and enough for 2^41 events of a million CPUs or tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event(u128);

const ID_BITS: u32 = 20;
const KIND_BITS: u32 = 3;

/// Tells an event from every other of the run. Who keeps it can tell a live event from a stale one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket(pub u64);

impl Ticket {
    /// That of no event.
    pub(super) const NONE: Self = Self(0);

    /// CPU or task of the event.
    pub(super) fn id(self) -> u32 {
        self.0 as u32 & ((1 << ID_BITS) - 1)
    }
}

impl Event {
    /// When, ns.
    #[inline]
    pub(super) fn at(self) -> u64 {
        (self.0 >> 64) as u64
    }

    #[inline]
    pub(super) fn ticket(self) -> Ticket {
        Ticket(self.0 as u64)
    }

    /// CPU or task.
    #[inline]
    pub(super) fn id(self) -> u32 {
        self.ticket().id()
    }

    #[inline]
    pub(super) fn kind(self) -> Kind {
        KINDS[(self.0 as u64 >> ID_BITS) as usize % (1 << KIND_BITS) % KINDS.len()]
    }
}

/// Children of a node. Four make the heap half as deep as two, and lie beside each other.
const ARITY: usize = 4;

/// The queue: a heap with the earliest event at the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    heap: Vec<u128>,
    /// The root was taken and its place is still open: most events make another one, which then takes it.
    open: bool,
    sequence: u64,
}

impl Events {
    /// Adds an event.
    pub(super) fn push(&mut self, at: u64, kind: Kind, id: u32) -> Ticket {
        self.sequence += 1;
        let ticket = ((self.sequence << KIND_BITS) | kind as u64) << ID_BITS | u64::from(id);
        let event = u128::from(at) << 64 | u128::from(ticket);
        if std::mem::take(&mut self.open) {
            self.sink(event);
        } else {
            self.rise(event);
        }
        Ticket(ticket)
    }

    /// How many events lie in the queue.
    pub(super) fn len(&self) -> usize {
        self.heap.len() - usize::from(self.open)
    }

    /// Takes the next event if it is not later than `until`.
    pub(super) fn pop_until(&mut self, until: u64) -> Option<Event> {
        if std::mem::take(&mut self.open)
            && let Some(last) = self.heap.pop()
            && !self.heap.is_empty()
        {
            self.sink(last);
        }
        let first = Event(*self.heap.first()?);
        if first.at() > until {
            return None;
        }
        self.open = true;
        Some(first)
    }

    /// When the next event is, ns.
    pub(super) fn earliest(&self) -> Option<u64> {
        self.heap.iter().skip(usize::from(self.open)).min().map(|event| Event(*event).at())
    }

    /// Adds an event at the end and lets it rise to its place.
    fn rise(&mut self, event: u128) {
        let mut place = self.heap.len();
        self.heap.push(event);
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if self.heap[parent] <= event {
                break;
            }
            self.heap[place] = self.heap[parent];
            place = parent;
        }
        self.heap[place] = event;
    }

    /// Puts an event in the root's place and lets it sink to its own.
    fn sink(&mut self, event: u128) {
        let heap = self.heap.as_mut_slice();
        let mut place = 0;
        loop {
            let first = place * ARITY + 1;
            let Some((child, least)) = least_of(heap.get(first..).unwrap_or_default()) else { break };
            if event <= least {
                break;
            }
            heap[place] = least;
            place = first + child;
        }
        heap[place] = event;
    }

    /// Writes every event in order, so that the heap's inner order does not count.
    pub(super) fn write(&self, mut put: impl FnMut(u64)) {
        let mut all = self.heap[usize::from(self.open)..].to_vec();
        all.sort_unstable();
        put(self.sequence);
        for e in all {
            put((e >> 64) as u64);
            put(e as u64);
        }
    }
}

/// The least of the first children and its place among them. Of four it is found without a branch, since which of
/// them it is is chance.
#[inline]
fn least_of(children: &[u128]) -> Option<(usize, u128)> {
    let Some(&[a, b, c, d]) = children.first_chunk::<ARITY>() else {
        return children.iter().copied().enumerate().min_by_key(|&(_, event)| event);
    };
    let left = if b < a { (1, b) } else { (0, a) };
    let right = if d < c { (3, d) } else { (2, c) };
    Some(if right.1 < left.1 { right } else { left })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn events_of_one_time_keep_their_order() {
        let mut q = Events::default();
        q.push(5, Kind::Tick, 0);
        q.push(3, Kind::Timer, 1);
        q.push(5, Kind::Phase, 2);
        q.push(3, Kind::Stopper, 3);
        let order: Vec<(u64, Kind, u32)> =
            std::iter::from_fn(|| q.pop_until(5)).map(|e| (e.at(), e.kind(), e.id())).collect();
        assert_eq!(
            order,
            [(3, Kind::Timer, 1), (3, Kind::Stopper, 3), (5, Kind::Tick, 0), (5, Kind::Phase, 2)]
        );
    }

    #[test]
    fn an_event_after_the_limit_stays() {
        let mut q = Events::default();
        q.push(5, Kind::Tick, 0);
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
                q.push(at, Kind::Timer, i);
                plain.push((at, i));
                plain.sort();
                if pop {
                    let first = plain.remove(0);
                    prop_assert_eq!(q.pop_until(u64::MAX).map(|e| (e.at(), e.id())), Some(first));
                }
            }
            for first in plain {
                prop_assert_eq!(q.pop_until(u64::MAX).map(|e| (e.at(), e.id())), Some(first));
            }
            prop_assert!(q.pop_until(u64::MAX).is_none());
        }
    }
}
