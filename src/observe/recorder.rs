//! What a run leaves behind as it goes: counts, times, and the latest moves and attempts.

use super::{Attempt, Histogram, Kind, LevelCounts, Move, Outcome, Totals};
use std::collections::VecDeque;

/// How many moves and attempts are kept between two frames.
pub const RING: usize = 256;

/// The latest of something; the oldest are dropped and counted.
#[derive(Clone, Debug)]
struct Ring<T> {
    items: VecDeque<T>,
    dropped: u64,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self { items: VecDeque::with_capacity(RING), dropped: 0 }
    }
}

impl<T> Ring<T> {
    fn push(&mut self, item: T) {
        if self.items.len() == RING {
            self.items.pop_front();
            self.dropped += 1;
        }
        self.items.push_back(item);
    }

    fn drain(&mut self) -> (Vec<T>, u64) {
        (self.items.drain(..).collect(), std::mem::take(&mut self.dropped))
    }
}

/// What happened since the frame before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Since {
    pub moves: Vec<Move>,
    pub moves_dropped: u64,
    pub attempts: Vec<Attempt>,
    pub attempts_dropped: u64,
    /// Wake-up to running, as [`Histogram::filled`].
    pub wakeups: Vec<(u16, u32)>,
}

/// The observer of one run. Counts and histograms belong to the state of the run; the rings and the window since
/// the last frame do not, so looking changes nothing.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// Counts since the start.
    pub totals: Totals,
    /// Wake-up to running, ns.
    pub wakeups: Histogram,
    /// Arrival to answer, ns, where the workload has requests.
    pub response: Histogram,
    /// Ticks handled.
    pub ticks: u64,
    attempts_made: u64,
    window: Histogram,
    moves: Ring<Move>,
    attempts: Ring<Attempt>,
}

impl Recorder {
    /// An observer of a machine with that many levels.
    pub fn new(levels: usize) -> Self {
        let totals = Totals { levels: vec![[LevelCounts::default(); 4]; levels], ..Totals::default() };
        Self { totals, ..Self::default() }
    }

    /// How many attempts there were.
    pub fn attempts_made(&self) -> u64 {
        self.attempts_made
    }

    /// A woken task runs, `ns` after its wake-up.
    pub fn woken(&mut self, ns: u64) {
        self.wakeups.record(ns);
        self.window.record(ns);
    }

    /// A task changed its CPU.
    pub fn moved(&mut self, it: Move) {
        self.totals.migrations[it.cause as usize] += 1;
        self.moves.push(it);
    }

    /// A balance attempt at one domain ended; its number is filled in here.
    pub fn attempt(&mut self, mut it: Attempt) {
        it.id = self.attempts_made;
        self.attempts_made += 1;
        count(&mut self.totals.levels[it.slot as usize][it.kind as usize], &it);
        self.attempts.push(it);
    }

    /// A domain whose interval was not over: counted, not kept, since these outnumber everything else.
    pub fn not_due(&mut self, slot: u8, kind: Kind) {
        self.totals.levels[slot as usize][kind as usize].not_due += 1;
    }

    /// Takes what happened since this was called last.
    pub fn take_since(&mut self) -> Since {
        let (moves, moves_dropped) = self.moves.drain();
        let (attempts, attempts_dropped) = self.attempts.drain();
        let wakeups = self.window.filled();
        self.window.clear();
        Since { moves, moves_dropped, attempts, attempts_dropped, wakeups }
    }

    /// Hands out every count that belongs to the state.
    pub fn write(&self, mut put: impl FnMut(u64)) {
        for level in &self.totals.levels {
            for c in level {
                for v in [c.calls, c.gated, c.not_due, c.lock_failed, c.balanced, c.failed] {
                    put(v);
                }
                put(c.moved_calls);
                put(c.moved_tasks);
                put(c.time_ns);
            }
        }
        self.totals.migrations.iter().for_each(|&v| put(v));
        put(self.totals.done);
        put(self.totals.overload_flips);
        put(self.ticks);
        put(self.attempts_made);
        self.wakeups.write(&mut put);
        self.response.write(&mut put);
    }
}

fn count(counts: &mut LevelCounts, it: &Attempt) {
    counts.time_ns += it.took_ns;
    let ran = match it.outcome {
        Outcome::Gated => &mut counts.gated,
        Outcome::NotDue => &mut counts.not_due,
        Outcome::LockLost => &mut counts.lock_failed,
        Outcome::Balanced => &mut counts.balanced,
        Outcome::Failed => &mut counts.failed,
        Outcome::Moved => &mut counts.moved_calls,
    };
    *ran += 1;
    if matches!(it.outcome, Outcome::Balanced | Outcome::Failed | Outcome::Moved) {
        counts.calls += 1;
        counts.moved_tasks += u64::from(it.moved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(outcome: Outcome) -> Attempt {
        Attempt { at_ns: 1, cpu: 0, slot: 0, kind: Kind::Newidle, outcome, moved: 2, took_ns: 5, id: 0 }
    }

    #[test]
    fn looking_changes_no_count() {
        let mut r = Recorder::new(1);
        r.attempt(attempt(Outcome::Moved));
        r.woken(7);
        let before = r.totals.clone();
        let since = r.take_since();
        assert_eq!((since.attempts.len(), since.wakeups.as_slice()), (1, [(7, 1)].as_slice()));
        assert_eq!(r.totals, before);
        assert_eq!(r.take_since(), Since::default());
    }

    #[test]
    fn a_gated_attempt_is_no_call() {
        let mut r = Recorder::new(1);
        r.attempt(attempt(Outcome::Gated));
        r.attempt(attempt(Outcome::Moved));
        let c = r.totals.levels[0][0];
        assert_eq!((c.calls, c.gated, c.moved_calls, c.moved_tasks, c.time_ns), (1, 1, 1, 2, 10));
    }

    #[test]
    fn the_oldest_are_dropped_and_counted() {
        let mut r = Recorder::new(1);
        for _ in 0..RING + 3 {
            r.attempt(attempt(Outcome::Balanced));
        }
        let since = r.take_since();
        assert_eq!((since.attempts.len(), since.attempts_dropped, since.attempts[0].id), (RING, 3, 3));
    }
}
