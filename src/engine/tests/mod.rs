//! Tests of whole worlds.

mod carried;
mod knobs;
mod late;
mod monte_carlo;
mod picking;
mod placement;
mod same;
mod ticks;
mod tiny;
mod worlds;

use super::World;
use crate::observe::{Cause, Kind, Outcome};
use crate::scenario::Scenario;

/// The world of a fragment that holds nothing wrong.
fn world(fragment: &str) -> World {
    let (scenario, warnings) = Scenario::parse(fragment);
    assert!(warnings.is_empty(), "{warnings:?}");
    World::new(&scenario).unwrap()
}

const MS: u64 = 1_000_000;

/// Calls of a kind at all levels.
fn calls(world: &World, kind: Kind) -> u64 {
    world.observed().totals.levels.iter().map(|l| l[kind as usize].calls).sum()
}

fn migrations(world: &World, cause: Cause) -> u64 {
    world.observed().totals.migrations[cause as usize]
}

/// The latest attempts and moves as lines, in the order in which they ended.
fn log(world: &mut World) -> Vec<String> {
    let frame = world.frame(false);
    let attempts = frame.attempts.iter().filter(|a| a.outcome != Outcome::NotDue).map(|a| {
        let text = format!(
            "{} cpu {} {:?} {:?} moved {}",
            world.tree().levels[a.slot as usize].name.as_str(),
            a.cpu,
            a.kind,
            a.outcome,
            a.moved
        );
        (a.at_ns + a.took_ns, text)
    });
    let moves =
        frame.moves.iter().map(|m| (m.at_ns, format!("task {} {}->{} {:?}", m.task, m.from, m.to, m.cause)));
    let mut all: Vec<_> = attempts.chain(moves).collect();
    all.sort_by_key(|line| line.0);
    all.into_iter().map(|(at, text)| format!("{:>7} us {text}", at / 1000)).collect()
}
