//! Samples frames for charts and figures, and tells components of them at a rate that a person can read.

use crate::bus::{Bus, FrameBus};
use crate::meter::{Meter, Window};
use crate::page::use_page;
use crate::state::State;
use crate::{probe, units};
use balancescope::observe::Frame;
use balancescope::scenario::{ChangeTo, MigrationCost, OverloadMode};
use std::rc::Rc;
use yew::prelude::*;

fn now_ms() -> f64 {
    js_sys::Date::now()
}

/// Feeds the meter from the frames; what it finds is published ten times a second, or once a second where
/// less motion is asked for.
#[hook]
pub fn use_meter(state: &State, frames: &FrameBus, calm: bool) -> Bus<Window> {
    let meter = use_mut_ref(Meter::default);
    let windows = (*use_state(Bus::<Window>::default)).clone();
    let every_ms = if calm { 1_000.0 } else { 100.0 };

    let (sampled, sink, bus) = (meter.clone(), windows.clone(), frames.clone());
    let world = state.world;
    let scene = state.scene.clone();
    use_effect_with((world, every_ms as u32), move |_| {
        if let Some(scene) = &scene {
            sampled.borrow_mut().reset(&scene.tree);
        }
        sink.publish(Rc::new(sampled.borrow().window()));
        let mut last = f64::NEG_INFINITY;
        let subscription = bus.subscribe(move |frame| {
            let mut meter = sampled.borrow_mut();
            meter.hear(frame);
            let now = now_ms();
            if now - last < every_ms && frame.state_hash.is_none() {
                return;
            }
            last = now;
            meter.sample(frame, now);
            let window = meter.window();
            drop(meter);
            probe::show(frame);
            if let Some(rates) = window.now() {
                probe::show_rate(rates.calls.iter().sum());
            }
            sink.publish(Rc::new(window));
        });
        move || drop(subscription)
    });

    let change = state.passed.checked_sub(1).and_then(|i| state.scenario.changes.get(i)).cloned();
    let before = use_mut_ref(|| (0, 0));
    use_effect_with((state.passed, state.turned.0), move |now| {
        let was = before.replace(*now);
        // A run that goes back passes changes again, but nothing is turned.
        if let Some(change) = change.filter(|_| now.0 > was.0 || now.1 != was.1) {
            meter.borrow_mut().mark(words(change.to));
        }
    });
    windows
}

/// What a mark in a chart says; the first word names the knob.
pub fn words(to: ChangeTo) -> String {
    match to {
        ChangeTo::MigrationCost(MigrationCost::NeverHot) => "cost: never hot".to_owned(),
        ChangeTo::MigrationCost(MigrationCost::AlwaysHot) => "cost: always hot".to_owned(),
        ChangeTo::MigrationCost(MigrationCost::Ns(ns)) => format!("cost: {}", units::duration(ns)),
        ChangeTo::Load(load) => format!("load {}", units::thousandths(load)),
        ChangeTo::Overload(OverloadMode::Auto) => "overload auto".to_owned(),
        ChangeTo::Overload(OverloadMode::HeldSet) => "overload held set".to_owned(),
        ChangeTo::Overload(OverloadMode::HeldClear) => "overload held clear".to_owned(),
    }
}

/// The charts' window, four times a second at most.
#[hook]
pub fn use_window() -> Rc<Window> {
    let page = use_page();
    let shown = use_state(|| page.windows.last().unwrap_or_default());
    let setter = shown.setter();
    let windows = page.windows.clone();
    use_effect_with((), move |()| {
        let mut last = f64::NEG_INFINITY;
        let subscription = windows.subscribe(move |window| {
            if now_ms() - last >= 240.0 || window.rates.is_empty() {
                last = now_ms();
                setter.set(window.clone());
            }
        });
        move || drop(subscription)
    });
    (*shown).clone()
}

/// The newest frame, every so many ms at most, and every frame of a world that stands still.
#[hook]
pub fn use_now(every_ms: u32) -> Option<Rc<Frame>> {
    let page = use_page();
    let shown = use_state(|| page.frames.last());
    let setter = shown.setter();
    let frames = page.frames.clone();
    let world = page.state.world;
    use_effect_with(world, move |_| {
        setter.set(frames.last());
        let mut last = f64::NEG_INFINITY;
        let subscription = frames.subscribe(move |frame| {
            if now_ms() - last >= f64::from(every_ms) || frame.state_hash.is_some() {
                last = now_ms();
                setter.set(Some(frame.clone()));
            }
        });
        move || drop(subscription)
    });
    (*shown).clone()
}
