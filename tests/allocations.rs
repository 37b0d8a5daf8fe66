//! What a running world takes from the allocator: nothing for an event, and not much in all.

// An allocator that counts can only be made this way.
#![allow(unsafe_code)]

use balancescope::engine::World;
use balancescope::scenario::Scenario;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

const MS: u64 = 1_000_000;

thread_local! {
    /// Blocks that this thread asked for, bytes it holds, and the most it held.
    static BLOCKS: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
    static MOST: Cell<i64> = const { Cell::new(0) };
}

struct Counting;

fn count(bytes: i64) {
    if bytes > 0 {
        BLOCKS.set(BLOCKS.get() + 1);
    }
    HELD.set(HELD.get() + bytes);
    MOST.set(MOST.get().max(HELD.get()));
}

// SAFETY: every request goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn world(fragment: &str) -> Result<World, String> {
    let (scenario, warnings) = Scenario::parse(fragment);
    assert_eq!(warnings, Vec::new());
    World::new(&scenario)
}

/// Events and allocations between two times of a run.
fn steady(fragment: &str, from: u64, to: u64) -> Result<(u64, u64), String> {
    let mut world = world(fragment)?;
    world.run_until(from);
    let (events, blocks) = (world.events(), BLOCKS.get());
    world.run_until(to);
    Ok((world.events() - events, BLOCKS.get() - blocks))
}

#[test]
fn events_allocate_nothing() -> Result<(), String> {
    for release in ["4.19", "6.1", "6.6", "6.12", "6.19", "7.1"] {
        for work in ["requests", "sleepers", "periodic"] {
            let fragment = format!("machine=2x8x2&release={release}&workload={work}&load=0.9");
            let (events, blocks) = steady(&fragment, 300 * MS, 400 * MS)?;
            assert!(events > 1_000, "{fragment}: {events} events");
            // A queue that is longer than ever before grows once.
            assert!(blocks < 10, "{fragment}: {blocks} allocations in {events} events");
        }
    }
    Ok(())
}

#[test]
fn a_large_world_fits_into_64_mb() -> Result<(), String> {
    let before = HELD.get();
    MOST.set(before);
    let mut world = world("machine=gnr-2x96x2-snc3&workload=sleepers&sleepers.threads=27&load=0.9")?;
    world.run_until(5 * MS);
    let cpus = world.machine().cpus.len();
    let most = MOST.get() - before;
    println!("{cpus} CPUs: {:.1} MB at most", most as f64 / 1e6);
    assert_eq!(cpus, 384);
    assert!(most < 64_000_000, "{most} bytes");
    Ok(())
}
