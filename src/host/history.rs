//! Snapshots of a running world, so that any moment of the last 60 simulated seconds can be reached again.
//!
//! A moment is reached from the latest snapshot before it, by running on: the same events in the same order, so
//! the same state. How long that takes depends on the work in between. Snapshots are therefore spread by events:
//! close together near the present, where people step back and forth, and ever farther apart before.

use crate::engine::{Place, StepTo, World};

/// How far back a moment can be reached for certain, simulated ns.
pub const WINDOW: u64 = 60_000_000_000;
/// Events between two snapshots at the front: some 20 ms of work.
const SPACING: u64 = 50_000;
/// What all snapshots together may weigh, bytes.
const WEIGHT_MAX: usize = 48 << 20;
/// How many snapshots there are at most, and at most however heavy they are.
const COUNT: (usize, usize) = (64, 4);

/// The snapshots of one run, earliest first.
#[derive(Debug)]
pub(super) struct History {
    snapshots: Vec<World>,
    /// Events between two snapshots at the front, at least.
    spacing: u64,
    /// The latest time that was reached, ns.
    latest: u64,
}

impl History {
    /// Begins with a world, whose past is not known.
    pub(super) fn new(world: &World) -> Self {
        Self { snapshots: vec![world.snapshot()], spacing: SPACING, latest: world.now() }
    }

    /// From when to when the run is known, ns.
    pub(super) fn span(&self) -> (u64, u64) {
        (self.snapshots.first().map_or(self.latest, World::now), self.latest)
    }

    /// The world went on: takes a snapshot if the last one is far enough back.
    pub(super) fn went_on(&mut self, world: &World) {
        self.latest = self.latest.max(world.now());
        let last = self.snapshots.last().map_or(0, World::events);
        if world.events() >= last + self.spacing {
            self.snapshots.push(world.snapshot());
            self.thin_out(world.weight());
        }
    }

    fn thin_out(&mut self, weight: usize) {
        let horizon = self.latest.saturating_sub(WINDOW);
        while self.snapshots.get(1).is_some_and(|next| next.now() <= horizon) {
            self.snapshots.remove(0);
        }
        let room = (WEIGHT_MAX / weight.max(1)).clamp(COUNT.1, COUNT.0);
        while self.snapshots.len() > room {
            let Some(least) = self.least_needed() else { return };
            self.snapshots.remove(least);
        }
    }

    /// The snapshot whose loss hurts least: the gap it would leave is small for its age. Not the first, which all of
    /// the window hangs on, nor the last.
    fn least_needed(&self) -> Option<usize> {
        let end = self.snapshots.last()?.events() + self.spacing;
        let gaps = self.snapshots.windows(3).enumerate().map(|(i, three)| {
            let gap = three[2].events() - three[0].events();
            // Compared as fractions of their ages; in u128 so that no product is too large.
            (i + 1, u128::from(gap), u128::from(end - three[1].events()))
        });
        gaps.min_by(|a, b| (a.1 * b.2).cmp(&(b.1 * a.2))).map(|least| least.0)
    }

    /// A knob is about to turn at a place: what came after it in the run so far never happens.
    pub(super) fn fork(&mut self, at: Place) {
        self.snapshots.retain(|snapshot| snapshot.place() <= at);
        self.latest = at.now;
    }

    /// A world from which to run to `ns`: a snapshot, or `present` itself if that is on the way.
    pub(super) fn before(&self, ns: u64, present: &World) -> Option<World> {
        let snapshot = self.snapshots.iter().rfind(|snapshot| snapshot.now() <= ns);
        if present.now() <= ns && snapshot.is_none_or(|snapshot| snapshot.place() <= present.place()) {
            return Some(present.clone());
        }
        snapshot.map(|snapshot| restored(snapshot, present))
    }

    /// The last moment before `present` at which a step of that kind ends, or else the earliest that is known.
    pub(super) fn step_back(&self, present: &World, to: StepTo) -> Option<World> {
        let mut end = present.place();
        for snapshot in self.snapshots.iter().rev().filter(|snapshot| snapshot.place() < present.place()) {
            if let Some(events) = last_step(restored(snapshot, present), end, to) {
                let mut world = restored(snapshot, present);
                world.run_to_event(events, end.now);
                return Some(world);
            }
            // The place of a snapshot belongs to the stretch before it.
            end = Place { changes: usize::MAX, ..snapshot.place() };
        }
        // Before the first step there is the beginning of what is known.
        let first = self.snapshots.first().filter(|first| first.place() < present.place())?;
        Some(restored(first, present))
    }
}

fn restored(snapshot: &World, present: &World) -> World {
    let mut world = snapshot.clone();
    world.follow(present);
    world
}

/// How many events were handled at the last step of a kind, from where a world is and before a place.
fn last_step(mut world: World, end: Place, to: StepTo) -> Option<u64> {
    let mut last = None;
    loop {
        let (events, made) = (world.events(), world.steps_made(to));
        world.run_to_event(events + 1, end.now);
        if world.events() == events || world.place() >= end {
            return last;
        }
        if world.steps_made(to) > made {
            last = Some(world.events());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn snapshots_are_few_and_close_together_near_the_present() {
        let (scenario, _) = Scenario::parse("machine=1x2x2&load=0.9");
        let mut world = World::new(&scenario).unwrap();
        let mut history = History { spacing: 500, ..History::new(&world) };
        for _ in 0..2_000 {
            world.run_to_event(world.events() + 100, u64::MAX);
            history.went_on(&world);
        }
        let places: Vec<u64> = history.snapshots.iter().map(World::events).collect();
        assert_eq!((places.len(), places[0]), (COUNT.0, 0));
        for pair in places.windows(2) {
            let (gap, age) = (pair[1] - pair[0], world.events() - pair[0]);
            assert!(gap <= 500 + age / 4, "a gap of {gap} events, {age} back");
        }
    }

    #[test]
    fn heavy_worlds_leave_few_snapshots() {
        let (scenario, _) = Scenario::parse("machine=1x2x2&load=0.9");
        let mut world = World::new(&scenario).unwrap();
        let mut history = History { spacing: 100, ..History::new(&world) };
        for _ in 0..50 {
            world.run_to_event(world.events() + 100, u64::MAX);
            history.went_on(&world);
            history.thin_out(WEIGHT_MAX / 2);
        }
        assert_eq!(history.snapshots.len(), COUNT.1);
    }
}
