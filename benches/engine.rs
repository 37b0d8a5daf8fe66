//! How many events a second the engine handles, beside a bare binary-heap loop with as many pending events:
//! `cargo bench --bench engine [FRAGMENT]`.

#![allow(clippy::print_stdout, clippy::expect_used)]

use balancescope::engine::World;
use balancescope::scenario::Scenario;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

const DEFAULT: &str = "machine=2x24x2&load=0.9";
/// Simulated time of one measurement, and before the first, ns.
const SPAN: u64 = 500_000_000;
const ROUNDS: usize = 5;

fn main() {
    let fragment = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or(DEFAULT.to_owned());
    let (scenario, warnings) = Scenario::parse(&fragment);
    warnings.iter().for_each(|w| eprintln!("{}", w.text));
    let mut world = World::new(&scenario).expect("the scenario has a world");
    world.run_until(SPAN);
    let engine = median((0..ROUNDS).map(|_| engine_rate(&mut world)).collect());
    let pending = world.pending_events();
    let heap = median((0..ROUNDS).map(|_| heap_rate(pending)).collect());
    println!("{:<40} {:>8} {:>16} {:>16} {:>7}", "scenario", "pending", "events/s", "bare heap/s", "ratio");
    println!("{fragment:<40} {pending:>8} {engine:>16.0} {heap:>16.0} {:>7.2}", engine / heap);
}

fn engine_rate(world: &mut World) -> f64 {
    let (before, start) = (world.events(), Instant::now());
    world.run_until(world.now() + SPAN);
    (world.events() - before) as f64 / start.elapsed().as_secs_f64()
}

/// Pops the earliest event and pushes a later one, a million times.
fn heap_rate(pending: usize) -> f64 {
    const EVENTS: u64 = 1_000_000;
    let mut heap: BinaryHeap<Reverse<(u64, u64)>> =
        (0..pending.max(1) as u64).map(|i| Reverse((i * 7919 % 1_000_003, i))).collect();
    let start = Instant::now();
    for i in 0..EVENTS {
        if let Some(Reverse((at, key))) = heap.pop() {
            heap.push(Reverse((at + 1 + (key ^ i) * 7919 % 1_000_003, key)));
        }
    }
    black_box(&heap);
    EVENTS as f64 / start.elapsed().as_secs_f64()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
