//! Frames for tests.

use balancescope::observe::{Frame, Totals};

/// A frame with nothing in it.
pub fn frame(now_ns: u64) -> Frame {
    Frame {
        now_ns,
        events: 0,
        state_hash: None,
        overload: false,
        cpus: Vec::new(),
        moves: Vec::new(),
        moves_dropped: 0,
        attempts: Vec::new(),
        attempts_dropped: 0,
        totals: Totals::default(),
        wakeups: Vec::new(),
    }
}

/// The smallest machine with a tree: two cores of two threads.
pub fn scene() -> crate::scene::Scene {
    let (scenario, _) = balancescope::scenario::Scenario::parse("machine=1x2x2");
    crate::scene::Scene::of(&scenario).expect("a small grid has a tree")
}
