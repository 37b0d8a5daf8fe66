//! The run in a few numbers.

use crate::hooks::use_window;
use crate::page::use_page;
use crate::units;
use balancescope::workload::KINDS;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
struct FigureProps {
    label: AttrValue,
    value: AttrValue,
    #[prop_or_default]
    title: AttrValue,
}

#[component]
fn Figure(props: &FigureProps) -> Html {
    html! {
        <div class="figure" title={props.title.clone()}>
            <dt>{ &props.label }</dt>
            <dd>{ &props.value }</dd>
        </div>
    }
}

/// Throughput, CPU time that was not idle, tasks moved; on a phone the balancer's own three.
#[component]
pub fn Figures() -> Html {
    let page = use_page();
    let window = use_window();
    let rates = window.now();
    let show = |value: Option<String>| AttrValue::from(value.unwrap_or_else(|| "–".to_owned()));
    let kind = KINDS.iter().find(|k| k.name == page.state.scenario.workload.kind);
    let unit = kind.map_or("work", |k| k.unit_of_work);
    html! {
        <>
            <dl class="figures figures-run">
                <Figure label="Throughput" value={show(rates.map(|r| format!("{}/s", units::short(r.done))))}
                    title={format!("{unit} finished in a simulated second")} />
                <Figure label="CPU busy" value={show(rates.map(|r| units::percent(r.busy)))}
                    title="Share of all CPU time that was not idle" />
                <Figure label="Moves" value={show(rates.map(|r| format!("{}/s", units::short(r.moves))))}
                    title="Tasks that changed their CPU in a simulated second, by any path" />
            </dl>
            <dl class="figures figures-balance">
                <Figure label="Balance calls/s"
                    value={show(rates.map(|r| units::short(r.calls.iter().sum())))} />
                <Figure label="Moved something" value={show(rates.and_then(|r| r.moved_all).map(units::percent))} />
                <Figure label="CPU in balancing" value={show(rates.map(|r| units::percent(r.balance_all)))} />
            </dl>
        </>
    }
}
