//! Play, pause, step, restart, and how fast time goes.

use super::glance::{Glance, Of};
use super::icon::{Icon, Shape};
use super::segmented::Segmented;
use super::slider::Slider;
use crate::hooks::{step, use_window};
use crate::page::{Page, use_page};
use crate::scales::{Speed, speed};
use crate::state::{Action, Phase};
use crate::units;
use balancescope::host::StepTo;
use yew::prelude::*;

const STEPS: [(StepTo, &str); 3] =
    [(StepTo::Event, "event"), (StepTo::Tick, "tick"), (StepTo::Balance, "balance")];

/// The speed in words; where the machine cannot keep up, what it reaches.
fn speed_words(wanted: Speed, reached: f64, playing: bool) -> String {
    let a_second = |ns: f64| format!("{} a second", units::duration_f(ns));
    match wanted {
        Speed::Fastest if playing && reached > 0.0 => a_second(reached),
        Speed::Fastest => "as fast as it goes".to_owned(),
        Speed::PerSecond(ns) if playing && reached > 0.0 && reached < 0.8 * ns as f64 => {
            format!("only {}", a_second(reached))
        }
        Speed::PerSecond(ns) => a_second(ns as f64),
    }
}

#[component]
fn SpeedSlider() -> Html {
    let page = use_page();
    let window = use_window();
    let wanted = page.state.speed;
    html! {
        <Slider id="speed" label="Speed" text={speed_words(wanted, window.speed, page.state.playing)}
            value={speed::position(wanted)} max={speed::MAX}
            marks={speed::MARKS.map(|(at, words)| (at, words.into())).to_vec()}
            oninput={page.on(|p| Action::Speed(speed::value(p)))} />
    }
}

/// Buttons, step kind, speed.
pub fn transport(page: &Page) -> Html {
    let playing = page.state.playing;
    let stopped = matches!(page.state.phase, Phase::Stopped(_));
    let kind = page.state.step;
    let one = |back: bool| {
        let page = page.clone();
        Callback::from(move |_: MouseEvent| step(&page, page.state.step, back))
    };
    let chosen = STEPS.iter().position(|(to, _)| *to == kind).unwrap_or(2);
    html! {
        <section class="transport" aria-label="Time">
            <div class="buttons">
                <button type="button" class="square" title="Restart from the seed, knobs as they stand (R)"
                    aria-label="Restart" onclick={page.does(Action::Restart)}><Icon shape={Shape::Restart} /></button>
                <button type="button" class="square" title="One step back (Shift with E, T or B)" aria-label="Step back"
                    disabled={stopped} onclick={one(true)}><Icon shape={Shape::Back} /></button>
                <button type="button" class="play" title="Play or pause (Space)" disabled={stopped}
                    aria-label={if playing { "Pause" } else { "Play" }} onclick={page.does(Action::Play(!playing))}>
                    <Icon shape={if playing { Shape::Pause } else { Shape::Play }} />
                </button>
                <button type="button" class="square" title="One step (E, T or B)" aria-label="Step" disabled={stopped}
                    onclick={one(false)}><Icon shape={Shape::Step} /></button>
                <div class="when"><Glance of={Of::Clock} /></div>
            </div>
            <div class="step-kind">
                <span aria-hidden="true">{ "Step" }</span>
                <Segmented name="step" label="Step to the next" {chosen}
                    choices={STEPS.map(|(_, words)| words.into()).to_vec()}
                    onchoose={page.on(|i: usize| Action::StepTo(STEPS[i.min(2)].0))} />
            </div>
            <SpeedSlider />
        </section>
    }
}
