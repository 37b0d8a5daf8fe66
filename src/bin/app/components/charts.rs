//! The live charts.

use crate::charts::{self, Show};
use crate::hooks::use_window;
use crate::meter::{Rates, WINDOW_S};
use crate::page::use_page;
use crate::units;
use web_sys::Element;
use yew::prelude::*;

/// Title, what it is in kernel words, and the figure at its right.
fn words(show: Show, rates: Option<&Rates>) -> (&'static str, &'static str, String) {
    let figure = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
    match show {
        Show::Calls => (
            "Balance calls a second",
            "load_balance() by kind, for a simulated second",
            figure(rates.map(|r| units::count(r.calls.iter().sum()))),
        ),
        Show::Moved => (
            "Calls that moved something",
            "Share of load_balance() calls that moved a task, by level",
            figure(rates.and_then(|r| r.moved_all).map(units::percent)),
        ),
        Show::Balance => (
            "CPU time in balancing",
            "Share of all CPU time spent in balance passes, by kind",
            figure(rates.map(|r| units::percent(r.balance_all))),
        ),
        Show::Busy => (
            "CPU busy",
            "Share of all CPU time that was not idle",
            figure(rates.map(|r| units::percent(r.busy))),
        ),
        Show::Latency => (
            "Wake-up latency",
            "From wake-up to running",
            figure(
                rates
                    .and_then(|r| r.latency)
                    .map(|(p50, p99)| format!("{}, p99 {}", units::duration_f(p50), units::duration_f(p99))),
            ),
        ),
    }
}

#[derive(Properties, PartialEq)]
struct ChartProps {
    show: Show,
    axis: bool,
}

#[component]
fn ChartBox(props: &ChartProps) -> Html {
    let page = use_page();
    let window = use_window();
    let (host, readout) = (use_node_ref(), use_node_ref());
    let chart = use_mut_ref(|| None::<charts::Chart>);
    let (show, axis) = (props.show, props.axis);

    let levels = window.levels.clone();
    let (made, place, told, windows) = (chart.clone(), host.clone(), readout.clone(), page.windows.clone());
    use_effect_with((levels, page.state.view), move |(levels, _)| {
        let nodes = place.cast::<Element>().zip(told.cast::<Element>());
        let built = nodes.and_then(|(h, r)| charts::make(&h, &r, &charts::spec(show, levels, axis)));
        *made.borrow_mut() = built;
        let drawn = made.clone();
        let subscription = windows.subscribe(move |window| {
            if let Some(chart) = drawn.borrow().as_ref() {
                charts::draw(chart, show, window);
            }
        });
        move || {
            drop(subscription);
            if let Some(chart) = made.borrow_mut().take() {
                chart.destroy();
            }
        }
    });
    use_effect_with(page.theme, move |_| {
        if let Some(chart) = chart.borrow().as_ref() {
            chart.dress();
        }
    });

    let (title, hint, figure) = words(show, window.now());
    html! {
        <figure class={classes!("chart", axis.then_some("chart-axis"))} aria-label={format!("{title}: {figure}")}>
            <figcaption title={hint}>
                <span class="chart-title">{ title }</span>
                <span ref={readout} class="readout"></span>
                <span class="chart-figure">{ figure }</span>
            </figcaption>
            <div ref={host} class="plot" aria-hidden="true"></div>
        </figure>
    }
}

/// All charts, one time axis.
pub fn charts() -> Html {
    let last = Show::ALL.len() - 1;
    html! {
        <div class="charts">
            { for Show::ALL.into_iter().enumerate().map(|(i, show)| html! {
                <ChartBox key={i} {show} axis={i == last} />
            }) }
            <p class="hint">
                { format!("Across: the last {} s of your time. Up: for a second of simulated time.", units::fixed(WINDOW_S, 0)) }
            </p>
        </div>
    }
}
