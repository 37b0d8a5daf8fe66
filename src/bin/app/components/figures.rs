//! The run in a few numbers.

use crate::hooks::use_window;
use crate::page::use_page;
use crate::units;
use balancescope::workload::KINDS;
use yew::prelude::*;

fn figure(label: &'static str, value: Option<String>, title: String) -> Html {
    let value = value.unwrap_or_else(|| "–".to_owned());
    html! {
        <div class="figure" {title}>
            <dt>{ label }</dt>
            <dd>{ value }</dd>
        </div>
    }
}

/// Throughput, CPU time that was not idle, tasks moved; on a phone the balancer's own three.
#[component]
pub fn Figures() -> Html {
    let page = use_page();
    let window = use_window();
    let rates = window.now();
    let kind = KINDS.iter().find(|k| k.name == page.state.scenario.workload.kind);
    let unit = kind.map_or("work", |k| k.unit_of_work);
    html! {
        <>
            <dl class="figures figures-run">
                { figure("Throughput", rates.map(|r| format!("{}/s", units::short(r.done))), format!("{unit} finished in a simulated second")) }
                { figure("CPU busy", rates.map(|r| units::percent(r.busy)), "Share of all CPU time that was not idle".to_owned()) }
                { figure("Moves", rates.map(|r| format!("{}/s", units::short(r.moves))), "Tasks that changed their CPU in a simulated second, by any path".to_owned()) }
            </dl>
            <dl class="figures figures-balance">
                { figure("Balance calls/s", rates.map(|r| units::short(r.calls.iter().sum())), String::new()) }
                { figure("Moved something", rates.and_then(|r| r.moved_all).map(units::percent), String::new()) }
                { figure("CPU in balancing", rates.map(|r| units::percent(r.balance_all)), String::new()) }
            </dl>
        </>
    }
}
