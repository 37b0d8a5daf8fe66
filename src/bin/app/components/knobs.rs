//! The three knobs that turn in the running world.

use super::glance::{Glance, Of};
use super::segmented::Segmented;
use super::slider::Slider;
use crate::page::Page;
use crate::scales::cost;
use crate::state::{Action, Phase};
use crate::units;
use balancescope::scenario::{ChangeTo, MigrationCost, OverloadMode, Scenario};
use yew::prelude::*;

/// The load slider's end, thousandths; a link may hold more, and then the slider reaches as far.
const LOAD_END: u32 = 1_200;
/// Thousandths to a position of the load slider.
const LOAD_STEP: u32 = 10;

/// A cost in words.
fn cost_words(cost: MigrationCost) -> String {
    match cost {
        MigrationCost::NeverHot => "0, never hot".to_owned(),
        MigrationCost::Ns(ns) => units::duration(ns),
        MigrationCost::AlwaysHot => "−1, always hot".to_owned(),
    }
}

/// Turns a knob of the running world.
fn turn(page: &Page) -> Callback<ChangeTo> {
    let page = page.clone();
    Callback::from(move |to: ChangeTo| {
        page.act(Action::Turn(to));
        if !matches!(page.state.phase, Phase::Stopped(_)) {
            page.player.turn(to);
        }
    })
}

/// The knob was let go.
fn let_go(page: &Page) -> Callback<()> {
    let page = page.clone();
    Callback::from(move |()| {
        page.player.turned();
        page.act(Action::LetGo);
    })
}

fn cost_knob(page: &Page, turn: &Callback<ChangeTo>) -> Html {
    let shown = page.state.shown.cost;
    let gates = page.state.rule("newidle_gate").is_some_and(|v| v == "migration_cost");
    let name = html! { <code>{ "migration_cost" }</code> };
    let hint = if gates {
        html! { <>{ name }{ ", cache-hot below it; newidle’s gate, too" }</> }
    } else {
        html! { <>{ name }{ ", cache-hot below it" }</> }
    };
    html! {
        <Slider id="knob-cost" label="Migration cost" text={cost_words(shown)} value={cost::position(shown)}
            max={cost::MAX} marks={vec![(0, "never".into()), (7, "10 µs".into()), (19, "1 ms".into()), (cost::MAX, "always".into())]}
            {hint} oninput={turn.reform(|p| ChangeTo::MigrationCost(cost::value(p)))} onletgo={let_go(page)} />
    }
}

fn load_knob(page: &Page, turn: &Callback<ChangeTo>) -> Html {
    let shown = page.state.shown.load;
    let max = LOAD_END.max(shown).min(Scenario::MOST_LOAD).div_ceil(LOAD_STEP);
    let marks = [(0, "0"), (50, "0.5"), (100, "1")];
    html! {
        <Slider id="knob-load" label="Load level" text={units::thousandths(shown)} value={shown / LOAD_STEP}
            {max} marks={marks.map(|(at, words)| (at, words.into())).to_vec()}
            hint={html! { "Offered work ÷ capacity of all CPUs" }}
            oninput={turn.reform(|p| ChangeTo::Load(p * LOAD_STEP))} onletgo={let_go(page)} />
    }
}

fn overload_knob(page: &Page, turn: &Callback<ChangeTo>) -> Html {
    let let_go = let_go(page);
    let turn = turn.clone();
    let choose = Callback::from(move |i: usize| {
        turn.emit(ChangeTo::Overload(OverloadMode::ALL.get(i).copied().unwrap_or_default()));
        let_go.emit(());
    });
    let chosen = OverloadMode::ALL.iter().position(|m| *m == page.state.shown.overload).unwrap_or(0);
    html! {
        <div class="slider">
            <div class="slider-head"><span>{ "Overload flag" }</span><Glance of={Of::Flag} /></div>
            <Segmented name="knob-overload" label="Overload flag" {chosen}
                choices={vec!["auto".into(), "held set".into(), "held clear".into()]}
                onchoose={choose} />
            <p class="hint">
                <code>{ "rd->overload" }</code>
                <Glance of={Of::Flips} />
            </p>
        </div>
    }
}

/// The load alone.
pub fn load_slider(page: &Page) -> Html {
    load_knob(page, &turn(page))
}

/// Migration cost, load level, overload flag.
pub fn knobs(page: &Page) -> Html {
    let turn = turn(page);
    html! {
        <section class="knobs" aria-label="Knobs">
            { cost_knob(page, &turn) }
            { load_knob(page, &turn) }
            { overload_knob(page, &turn) }
        </section>
    }
}
