//! How fast the engine is, as lines of JSON for scripts/bench.mjs: `cargo bench --bench engine`.
//!
//! Rates of one line are measured in turns and compared turn by turn, so that a machine which is busy with something
//! else slows both.

#![allow(clippy::print_stdout, clippy::expect_used)]

use balancescope::engine::World;
use balancescope::scenario::Scenario;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

/// Held against a bare heap.
const AGAINST_HEAP: [&str; 2] =
    ["release=6.6&machine=2x24x2&load=0.9&seed=1", "release=6.6&machine=2x56x2&load=0.9&seed=1"];
/// From 8 to 1024 CPUs.
const SIZES: [&str; 8] = ["1x4x2", "1x8x2", "1x16x2", "2x16x2", "2x32x2", "4x32x2", "4x64x2", "8x64x2"];
const TURNS: usize = 9;
/// Events of one measurement, and before the first.
const EVENTS: u64 = 500_000;

fn main() {
    AGAINST_HEAP.iter().for_each(|fragment| against_heap(fragment));
    SIZES.iter().for_each(|machine| size(machine));
}

/// A world that has been running for a while.
fn warm(fragment: &str) -> World {
    let (scenario, warnings) = Scenario::parse(fragment);
    assert!(warnings.is_empty(), "{warnings:?}");
    let mut world = World::new(&scenario).expect("the scenario has a world");
    world.run_to_event(EVENTS, u64::MAX);
    world
}

fn against_heap(fragment: &str) {
    let mut world = warm(fragment);
    let pending = world.pending_events();
    let turns: Vec<(f64, f64)> = (0..TURNS).map(|_| (engine_rate(&mut world), heap_rate(pending))).collect();
    let ratio = median(turns.iter().map(|(engine, heap)| engine / heap).collect());
    let engine = median(turns.iter().map(|turn| turn.0).collect());
    let heap = median(turns.iter().map(|turn| turn.1).collect());
    println!(
        "{}",
        json!({ "fragment": fragment, "pending": pending, "engine": engine, "heap": heap, "ratio": ratio })
    );
}

/// What a simulated second costs on a machine of some size.
fn size(machine: &str) {
    let mut world = warm(&format!("release=6.6&machine={machine}&load=0.9&seed=1"));
    let from = world.now();
    let rate = median((0..TURNS).map(|_| engine_rate(&mut world)).collect());
    let events = TURNS as f64 * EVENTS as f64 / (world.now() - from) as f64 * 1e9;
    let cpus = world.machine().cpus.len();
    println!("{}", json!({ "cpus": cpus, "events": events, "seconds": events / rate, "rate": rate }));
}

fn engine_rate(world: &mut World) -> f64 {
    let (before, start) = (world.events(), Instant::now());
    world.run_to_event(before + EVENTS, u64::MAX);
    (world.events() - before) as f64 / start.elapsed().as_secs_f64()
}

/// Pops the earliest event and pushes a later one.
fn heap_rate(pending: usize) -> f64 {
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
