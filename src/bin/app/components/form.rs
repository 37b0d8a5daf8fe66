//! The parts of a scenario that need a new world.

use super::machine::{GridField, machine_field};
use crate::page::Page;
use crate::state::{Action, Navigation, Setting};
use balancescope::scenario::library::SCENARIOS;
use balancescope::scenario::{Hz, Preempt};
use balancescope::topology::Release;
use balancescope::workload::{KINDS, Kind, REPLAY, kind};
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What [`choice`] shows.
struct Choice {
    /// Id of the select.
    id: &'static str,
    /// What is chosen.
    label: &'static str,
    /// The choices in words.
    choices: Vec<AttrValue>,
    /// Which is chosen.
    chosen: usize,
    /// What this is in the kernel's words, shown on hover and read aloud.
    hint: &'static str,
    /// Called with the index of a new choice.
    onchoose: Callback<usize>,
}

/// A native select with its label.
fn choice(choice: Choice) -> Html {
    let onchange = choice.onchoose.reform(|event: Event| {
        let select = event.target().and_then(|t| t.dyn_into::<HtmlSelectElement>().ok());
        select.map_or(0, |s| usize::try_from(s.selected_index()).unwrap_or(0))
    });
    html! {
        <div class="field" title={choice.hint}>
            <label for={choice.id}>{ choice.label }</label>
            <select id={choice.id} data-chosen={choice.choices.get(choice.chosen).cloned()} aria-description={choice.hint} {onchange}>
                { for choice.choices.iter().enumerate().map(|(i, words)| html! {
                    <option key={i} selected={i == choice.chosen}>{ words }</option>
                }) }
            </select>
        </div>
    }
}

fn seed(page: &Page) -> Html {
    let onchange = page.on(|event: Event| {
        let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
        let seed = input.and_then(|i| i.value().trim().parse().ok());
        seed.map_or(Action::Refused("A seed is a whole number from 0.".to_owned()), |s| {
            Action::Set(Setting::Seed(s))
        })
    });
    html! {
        <div class="field" title="Seed of every random stream: same seed, same run">
            <label for="seed">{ "Seed" }</label>
            <input id="seed" type="text" inputmode="numeric" value={page.state.scenario.seed.to_string()}
                aria-description="Seed of every random stream: same seed, same run" {onchange} />
        </div>
    }
}

/// Scenarios to start from, each with what to look for.
fn start(page: &Page) -> Html {
    let fragment = page.state.link(None);
    let here = SCENARIOS.iter().position(|s| s.fragment == fragment);
    let about = here.and_then(|i| SCENARIOS.get(i)).map_or("A scenario of your own", |s| s.about);
    let mut choices: Vec<AttrValue> = vec!["Choose…".into()];
    choices.extend(SCENARIOS.iter().map(|s| AttrValue::from(s.title)));
    let onchoose = page.on(|i: usize| {
        let fragment = i.checked_sub(1).and_then(|i| SCENARIOS.get(i)).map_or("", |s| s.fragment);
        Action::Open(fragment.to_owned(), Navigation::Push)
    });
    let chosen = here.map_or(0, |i| i + 1);
    choice(Choice { id: "start", label: "Start", choices, chosen, hint: about, onchoose })
}

/// What is changed less often: typed grids, the preemption model, the seed.
fn more(page: &Page) -> Html {
    let preempt: Vec<AttrValue> = Preempt::ALL.map(|p| p.name().into()).to_vec();
    let chosen = Preempt::ALL.iter().position(|p| *p == page.state.scenario.knobs.preempt).unwrap_or(0);
    html! {
        <details class="more">
            <summary>{ "Grid, preemption, seed" }</summary>
            <GridField />
            { choice(Choice {
                id: "preempt",
                label: "Preempt",
                choices: preempt,
                chosen,
                hint: "CONFIG_PREEMPT: with full or dynamic, newidle stops after one task",
                onchoose: page.on(|i: usize| {
                    Action::Set(Setting::Preempt(Preempt::ALL.get(i).copied().unwrap_or_default()))
                }),
            }) }
            { seed(page) }
        </details>
    }
}

/// Where to start, machine, workload, release, HZ, and the rest folded.
pub fn form(page: &Page) -> Html {
    let scenario = &page.state.scenario;
    let releases = Release::ALL.map(|r| r.name().into()).to_vec();
    // Recorded tasks can be chosen only while there are some.
    let recorded = scenario.script.is_some().then(|| kind(REPLAY)).flatten();
    let kinds: Vec<&Kind> = KINDS.iter().chain(recorded).collect();
    let workloads: Vec<AttrValue> = kinds.iter().map(|k| k.name.into()).collect();
    let workload = kinds.iter().position(|k| k.name == scenario.workload.kind).unwrap_or(0);
    let help = kinds.get(workload).map_or("", |k| k.help);
    let names: Vec<&'static str> = kinds.iter().map(|k| k.name).collect();
    let hz: Vec<AttrValue> = Hz::ALL.map(|h| h.0.to_string().into()).to_vec();
    html! {
        <section class="form" aria-label="Scenario">
            { start(page) }
            { machine_field(page) }
            { choice(Choice {
                id: "workload",
                label: "Work",
                choices: workloads,
                chosen: workload,
                hint: help,
                onchoose: page.on(move |i: usize| {
                    Action::Set(Setting::Workload(names.get(i).copied().unwrap_or_default().to_owned()))
                }),
            }) }
            <div class="pair">
                { choice(Choice {
                    id: "release",
                    label: "Release",
                    choices: releases,
                    chosen: Release::ALL.iter().position(|r| *r == scenario.release).unwrap_or(0),
                    hint: "Whose rules: the kernel release",
                    onchoose: page.on(|i: usize| {
                        Action::Set(Setting::Release(Release::ALL[i.min(Release::ALL.len() - 1)]))
                    }),
                }) }
                { choice(Choice {
                    id: "hz",
                    label: "HZ",
                    choices: hz,
                    chosen: Hz::ALL.iter().position(|h| *h == scenario.knobs.hz).unwrap_or(0),
                    hint: "CONFIG_HZ: ticks a second",
                    onchoose: page.on(|i: usize| Action::Set(Setting::Hz(Hz::ALL.get(i).copied().unwrap_or_default()))),
                }) }
            </div>
            { more(page) }
        </section>
    }
}
