//! Work conservation of the four published "wasted cores" shapes: reported here, and asserted nowhere but in its
//! arithmetic. `cargo test --test work_conservation -- --nocapture` prints it.

#![allow(clippy::unwrap_used)]

use balancescope::engine::World;
use balancescope::observe::ConservationReport;
use balancescope::scenario::{Scenario, library};

/// Time between two looks, ns.
const STEP: u64 = 20_000;
const UNTIL: u64 = 400_000_000;

fn observed(fragment: &str) -> (World, ConservationReport) {
    let (scenario, warnings) = Scenario::parse(fragment);
    assert_eq!(warnings, [], "{fragment}");
    let mut world = World::new(&scenario).unwrap();
    let mut observer = world.conservation();
    while world.now() < UNTIL {
        world.show_to(&mut observer);
        world.run_until(world.now() + STEP);
    }
    let report = observer.report(world.now());
    (world, report)
}

#[test]
fn the_four_published_shapes_are_reported() {
    let shapes = library::SCENARIOS.iter().filter(|named| named.name.starts_with("wasted-"));
    let mut lost = Vec::new();
    for named in shapes {
        let (world, r) = observed(named.fragment);
        let cpus = world.machine().cpus.len() as u64;
        println!(
            "{:<28} idle beside a waiting task {:>6.2} % of CPU time, lost {:>6.2} %, longest {:>7.2} ms (intervals allow {} ms), {} of {} spells longer",
            named.name,
            r.idle_beside_waiting_ns as f64 * 100.0 / (cpus * UNTIL) as f64,
            r.lost_ns as f64 * 100.0 / (cpus * UNTIL) as f64,
            r.longest_ns as f64 / 1e6,
            r.limit_ns / 1_000_000,
            r.spells_over_limit,
            r.spells,
        );
        assert_eq!((r.observed_ns, r.step_ns), (UNTIL, STEP));
        assert!(r.lost_ns <= r.idle_beside_waiting_ns && r.idle_beside_waiting_ns <= cpus * UNTIL);
        assert!(r.longest_ns <= UNTIL && r.spells_over_limit <= r.spells);
        lost.push((named.name, r));
    }
    assert_eq!(lost.len(), 4);
    // Without domains above the node nothing can ever repair it: the one shape whose outcome is certain.
    let (_, missing) = lost.iter().find(|(name, _)| *name == "wasted-missing-domains").unwrap();
    assert!(missing.longest_ns > UNTIL / 2, "{missing:?}");
}

#[test]
fn watching_changes_nothing() {
    let fragment = library::named("wasted-overload-on-wakeup").unwrap().fragment;
    let (watched, _) = observed(fragment);
    let mut plain = World::new(&Scenario::parse(fragment).0).unwrap();
    plain.run_until(UNTIL);
    assert_eq!(watched.state_hash(), plain.state_hash());
}
