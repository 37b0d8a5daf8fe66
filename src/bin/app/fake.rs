//! Frames for tests.

use balancescope::observe::{Activity, CpuFrame, Frame, Totals};

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

/// A CPU that has been idle all along.
pub fn cpu() -> CpuFrame {
    CpuFrame {
        activity: Activity::Idle,
        since_ns: 0,
        current: None,
        slice_used: 0,
        queue: Vec::new(),
        nr_running: 0,
        avg_idle: 0,
        gate_cost: 0,
        user_ns: 0,
        balance_ns: 0,
        lock_ns: 0,
        system_ns: 0,
        idle_ns: 0,
    }
}

/// The smallest machine with a tree: two cores of two threads.
pub fn scene() -> crate::scene::Scene {
    let (scenario, _) = balancescope::scenario::Scenario::parse("machine=1x2x2");
    crate::scene::Scene::of(&scenario).expect("a small grid has a tree")
}
