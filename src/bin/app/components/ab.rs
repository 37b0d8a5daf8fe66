//! Two worlds side by side on the same work, locked in time: both trees, the first attempt that differs, and a
//! table of differences with their spread over seeds.

use super::strip::Strip;
use super::transport::transport;
use crate::bus::FrameBus;
use crate::compare::{ROWS, Split, Unit, other, row_figures, spread};
use crate::decisions::decide;
use crate::follow::{Follower, Runs};
use crate::hooks::use_window;
use crate::page::{Page, use_page};
use crate::scene::Scene;
use crate::state::Action;
use crate::tree::TreePanel;
use crate::units;
use balancescope::observe::Frame;
use balancescope::scenario::Scenario;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Seeds that the spread is taken over.
const SEEDS: u64 = 5;
/// What is often compared.
const OFTEN: [&str; 8] = [
    "release:4.19",
    "release:6.6",
    "release:6.19",
    "newidle_gate:migration_cost",
    "ni_random:on",
    "serialize_lock:after_should_we_balance",
    "overload:set",
    "migration_cost:0",
];

type Pair = (Frame, Frame);

/// The second world: its follower, its frames, and what the two have shown of each other.
struct Second {
    follower: Rc<Follower>,
    _ear: crate::bus::Subscription,
}

fn shown(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Rate => units::short(value),
        Unit::Share => units::percent(value),
    }
}

fn signed(value: f64, unit: Unit) -> String {
    let sign = if value < 0.0 { "−" } else { "+" };
    match unit {
        Unit::Rate => format!("{sign}{}", units::short(value.abs())),
        Unit::Share => format!("{sign}{} pt", units::percent(value.abs()).trim_end_matches(" %")),
    }
}

fn cell(value: Option<f64>, unit: Unit) -> Html {
    html! { <td>{ value.map_or("–".to_owned(), |v| shown(v, unit)) }</td> }
}

/// B minus A over seeds: mean, spread, and whether that is more than chance would have it.
fn seed_cells(seeds: &[Pair], row: usize, unit: Unit) -> Html {
    let differences: Vec<f64> =
        seeds.iter().filter_map(|(a, b)| Some(row_figures(b)[row]? - row_figures(a)[row]?)).collect();
    let Some((mean, deviation)) = spread(&differences) else {
        return html! { <><td>{ "–" }</td><td></td></> };
    };
    let differs = mean.abs() > 2.0 * deviation && mean != 0.0;
    html! {
        <>
            <td><b>{ signed(mean, unit) }</b>{ format!(" ± {}", shown(deviation, unit)) }</td>
            <td class="words">{ if differs { "differs" } else { "no difference seen" } }</td>
        </>
    }
}

fn table(a: Option<&Frame>, b: Option<&Frame>, seeds: &[Pair]) -> Html {
    let (in_a, in_b) = (a.map(row_figures), b.map(row_figures));
    let of = |figures: &Option<[Option<f64>; ROWS.len()]>, row: usize| figures.and_then(|f| f[row]);
    html! {
        <table>
            <thead><tr>
                <th class="words" scope="col">{ "Since the start of the run" }</th>
                <th scope="col">{ "A" }</th><th scope="col">{ "B" }</th><th scope="col">{ "B − A" }</th>
                if !seeds.is_empty() {
                    <th scope="col">{ format!("B − A, {} seeds", seeds.len()) }</th><th class="words" scope="col">{ "Verdict" }</th>
                }
            </tr></thead>
            <tbody>
                { for ROWS.iter().enumerate().map(|(row, (words, _, unit))| {
                    let (x, y) = (of(&in_a, row), of(&in_b, row));
                    html! {
                        <tr key={row}>
                            <th class="words" scope="row">{ *words }</th>
                            { cell(x, *unit) }{ cell(y, *unit) }
                            <td>{ x.zip(y).map_or("–".to_owned(), |(x, y)| signed(y - x, *unit)) }</td>
                            if !seeds.is_empty() { { seed_cells(seeds, row, *unit) } }
                        </tr>
                    }
                }) }
            </tbody>
        </table>
    }
}

/// The first attempt that differs, told by both sides.
fn first(split: &Split, scenes: (&Scene, &Scene)) -> String {
    match &split.first {
        Some((a, b)) => format!(
            "First difference at {}. A: {}. B: {}.",
            units::moment(a.at_ns.min(b.at_ns)),
            decide(scenes.0, a, &[]).sentence(),
            decide(scenes.1, b, &[]).sentence()
        ),
        None if split.blind => {
            "Attempts passed faster than they could be held against each other: restart and go \
                                slower to see the first difference."
                .to_owned()
        }
        None => "No attempt has differed yet.".to_owned(),
    }
}

/// What B has otherwise, to be typed or picked.
fn otherwise(page: &Page) -> Html {
    let onchange = page.on(|event: Event| {
        let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
        Action::Ab(input.map(|i| i.value().trim().to_owned()).unwrap_or_default())
    });
    html! {
        <>
            <label for="otherwise">{ "as A, but" }</label>
            <input id="otherwise" type="text" list="often" spellcheck="false" autocomplete="off"
                value={page.state.scenario.show.ab.clone()} {onchange} />
            <datalist id="often">{ for OFTEN.iter().map(|text| html! { <option value={*text} /> }) }</datalist>
        </>
    }
}

/// Runs that are on their way, and what they have brought: A and B in turn.
#[derive(Default)]
struct Seeds {
    runs: Option<Rc<Runs>>,
    ended: Vec<Frame>,
}

/// Runs both scenarios to a moment on several seeds.
fn run_seeds(
    seeds: &Rc<RefCell<Seeds>>,
    a: &Scenario,
    b: &Scenario,
    at_ns: u64,
    fresh: Callback<()>,
    refused: Callback<String>,
) {
    let to =
        |scenario: &Scenario, seed: u64| Scenario { seed, at_ns: Some(at_ns), ..scenario.clone() }.fragment();
    let fragments = (1..=SEEDS).flat_map(|seed| [to(a, seed), to(b, seed)]).collect();
    let sink = seeds.clone();
    let done = Callback::from(move |ended: Result<Frame, String>| match ended {
        Ok(frame) => {
            sink.borrow_mut().ended.push(frame);
            fresh.emit(());
        }
        Err(why) => refused.emit(why),
    });
    *seeds.borrow_mut() = Seeds::default();
    let runs = Runs::start(fragments, done);
    seeds.borrow_mut().runs = Some(runs);
}

/// The room.
#[component]
pub fn Ab() -> Html {
    let page = use_page();
    let window = use_window();
    let bus = (*use_state(FrameBus::default)).clone();
    let split = use_mut_ref(Split::default);
    let second = use_mut_ref(|| None::<Second>);
    let seeds = use_mut_ref(Seeds::default);
    let fresh = use_state(|| 0_u32);
    let text = page.state.scenario.show.ab.clone();
    let (b, warnings) = other(&page.state.scenario, &text);
    let built = use_memo((b.machine.clone(), b.release, b.overrides.clone()), |_| Scene::of(&b).map(Rc::new));

    let refused = page.on(Action::Refused);
    {
        let (page, bus, split, second, seeds, b) =
            (page.clone(), bus.clone(), split.clone(), second.clone(), seeds.clone(), b.clone());
        let refused = refused.clone();
        use_effect_with(text, move |_| {
            *split.borrow_mut() = Split::default();
            *seeds.borrow_mut() = Seeds::default();
            bus.clear();
            let stands = page.frames.last().map(|f| f.now_ns);
            let at_ns = stands.or(page.state.scenario.at_ns).filter(|at| *at > 0);
            // What happened before both were watched cannot be held against each other.
            split.borrow_mut().blind = at_ns.is_some();
            let follower = Follower::start(Scenario { at_ns, ..b }.fragment(), bus.clone(), refused);
            follower.reach(at_ns.unwrap_or(0));
            let (lead, pair, player) = (follower.clone(), split.clone(), page.player.clone());
            let ear = page.frames.subscribe(move |frame| {
                pair.borrow_mut().hear(0, frame);
                lead.reach(frame.now_ns);
                player.hold(lead.behind());
            });
            *second.borrow_mut() = Some(Second { follower, _ear: ear });
            move || {
                second.borrow_mut().take();
                page.player.hold(false);
            }
        });
    }
    {
        let (page, bus, split, second, fresh) =
            (page.clone(), bus.clone(), split.clone(), second.clone(), fresh.setter());
        use_effect_with((), move |()| {
            let mut last = f64::NEG_INFINITY;
            let mut count = 0;
            let ear = bus.subscribe(move |frame| {
                split.borrow_mut().hear(1, frame);
                let behind = second.borrow().as_ref().is_some_and(|s| s.follower.behind());
                page.player.hold(behind);
                let now = js_sys::Date::now();
                if now - last > 240.0 || !behind {
                    last = now;
                    count += 1;
                    fresh.set(count);
                }
            });
            move || drop(ear)
        });
    }
    {
        let (second, changes) = (second.clone(), page.state.scenario.changes.clone());
        let passed = page.state.passed;
        use_effect_with(page.state.turned, move |turned| {
            let change = passed.checked_sub(1).and_then(|i| changes.get(i)).filter(|_| turned.0 > 0);
            if let (Some(second), Some(change)) = (second.borrow().as_ref(), change) {
                second.follower.turn(change.at_ns, change.to);
            }
        });
    }
    let _ = (window, *fresh);
    let Some(scene) = page.state.scene.clone() else { return Html::default() };
    let (in_a, in_b) = (page.frames.last(), bus.last());
    let pairs: Vec<Pair> =
        seeds.borrow().ended.chunks_exact(2).map(|p| (p[0].clone(), p[1].clone())).collect();
    let running = seeds.borrow().runs.is_some() && pairs.len() < SEEDS as usize;
    let over_seeds = {
        let (seeds, page, b, fresh, refused) =
            (seeds.clone(), page.clone(), b.clone(), fresh.setter(), refused);
        Callback::from(move |_: MouseEvent| {
            let at = page.frames.last().map_or(0, |f| f.now_ns).max(1_000_000);
            let counted = Rc::new(RefCell::new(1_000_000));
            let fresh = fresh.clone();
            let again = Callback::from(move |()| {
                *counted.borrow_mut() += 1;
                fresh.set(*counted.borrow());
            });
            run_seeds(&seeds, &page.state.scenario, &b, at, again, refused.clone());
        })
    };
    let told = match built.as_ref() {
        Ok(other) => first(&split.borrow(), (&scene, other)),
        Err(why) => why.clone(),
    };
    let rules = |scenario: &Scenario| {
        format!("rules of {}, load {}", scenario.release.name(), units::thousandths(scenario.load))
    };
    html! {
        <main class="ab" id="stage" tabindex="-1">
            <h1 class="unseen">{ "A/B: two worlds on the same work" }</h1>
            <section class="ab-side" aria-label="A">
                <header><b class="ab-mark">{ "A" }</b><span>{ page.state.machine_title() }</span>
                    <span class="hint">{ rules(&page.state.scenario) }</span></header>
                <TreePanel {scene} bus={page.frames.clone()} theme={page.theme}
                    selected={page.state.selected} onselect={page.on(Action::Select)} />
            </section>
            <section class="ab-side" aria-label="B">
                <header><b class="ab-mark ab-mark-b">{ "B" }</b>{ otherwise(&page) }<span class="hint">{ rules(&b) }</span></header>
                { for warnings.iter().map(|w| html! { <p class="caution" role="alert" key={w.text.clone()}>{ &w.text }</p> }) }
                if let Ok(scene) = built.as_ref() {
                    <TreePanel scene={scene.clone()} bus={bus.clone()} theme={page.theme} />
                }
            </section>
            <section class="ab-table" aria-label="Differences">
                <p role="status">{ told }</p>
                <div class="table-scroll" tabindex="0" role="region" aria-label="Table of differences">{ table(in_a.as_deref(), in_b.as_deref(), &pairs) }</div>
                <div class="actions">
                    <button type="button" disabled={running} onclick={over_seeds}>
                        { if running { format!("{} of {SEEDS} seeds…", pairs.len()) } else { format!("Run to here on {SEEDS} seeds") } }
                    </button>
                    <span class="hint">{ "Same work on both sides; “differs” is a mean beyond two standard deviations." }</span>
                </div>
            </section>
            { transport(&page) }
            <Strip />
        </main>
    }
}
