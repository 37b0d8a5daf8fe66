//! Does what the state asks of the worker.

use crate::player::Player;
use crate::probe;
use crate::state::{Phase, State};
use std::rc::Rc;
use yew::prelude::*;

/// Starts workers, opens worlds and lets time go on as the state says. Effects run in this order.
#[hook]
pub fn use_world(state: &State, player: &Rc<Player>) {
    let hand = player.clone();
    use_effect_with(state.worker, move |_| hand.start_worker());

    let (hand, scenario, there) = (player.clone(), state.scenario.clone(), state.scene.is_some());
    use_effect_with(state.world, move |_| {
        if there {
            hand.open(scenario.fragment());
        }
    });

    let hand = player.clone();
    use_effect_with((state.playing, state.speed), move |(playing, speed)| hand.play(*playing, *speed));

    let hand = player.clone();
    use_effect_with((state.asks(), state.world), move |(ask, _)| hand.ask(*ask));

    let hand = player.clone();
    let times: Vec<u64> = state.scenario.changes.iter().map(|c| c.at_ns).collect();
    use_effect_with((times, state.passed), move |(times, passed)| hand.follow(times.clone(), *passed));

    use_effect_with((state.phase.clone(), state.playing), |(phase, playing)| {
        probe::show_phase(match phase {
            Phase::Opening(_) => "opening",
            Phase::Stopped(_) => "stopped",
            Phase::Ready if *playing => "playing",
            Phase::Ready => "paused",
        });
    });
}
