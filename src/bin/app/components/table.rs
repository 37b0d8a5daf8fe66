//! The CPUs as a table: the same as the tree, for those who read rather than look.

use crate::hooks::use_now;
use crate::page::use_page;
use crate::scene::{Scene, Selection};
use crate::state::Action;
use crate::units;
use balancescope::observe::{Activity, CpuFrame};
use balancescope::topology::Cpu;
use std::rc::Rc;
use yew::prelude::*;

/// The table changes this often, ms.
const EVERY_MS: u32 = 500;

fn doing(activity: Activity) -> &'static str {
    match activity {
        Activity::Idle => "idle",
        Activity::User => "user",
        Activity::Balance => "balancing",
        Activity::Lock => "waits for a lock",
        Activity::System => "system",
    }
}

/// Shares of the whole run: user, balancing with its locks, idle.
fn shares(cpu: &CpuFrame) -> [String; 3] {
    let balance = cpu.balance_ns + cpu.lock_ns;
    let all = cpu.user_ns + balance + cpu.system_ns + cpu.idle_ns;
    [cpu.user_ns, balance, cpu.idle_ns]
        .map(|part| if all == 0 { "–".to_owned() } else { units::percent(part as f64 / all as f64) })
}

#[derive(Properties, PartialEq)]
struct RowProps {
    index: usize,
    cpu: Cpu,
    node: u32,
    frame: Option<CpuFrame>,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let page = use_page();
    let picked = page.state.selected == Some(Selection::Cpu(props.index));
    let onclick = page.does(Action::Select((!picked).then_some(Selection::Cpu(props.index))));
    let id = props.cpu.id;
    let head = html! {
        <th scope="row"><button type="button" class="plain" aria-pressed={picked.to_string()} {onclick}>{ id }</button></th>
    };
    let Some(frame) = &props.frame else {
        return html! { <tr>{ head }<td>{ props.node }</td><td colspan="8"></td></tr> };
    };
    let running = frame.current.map_or_else(|| "–".to_owned(), |m| format!("t{}", m.task));
    html! {
        <tr aria-selected={picked.to_string()}>
            { head }
            <td>{ props.node }</td>
            <td class="words">{ doing(frame.activity) }</td>
            <td>{ running }</td>
            <td>{ frame.nr_running }</td>
            <td>{ units::duration(frame.avg_idle) }</td>
            <td>{ units::duration(frame.gate_cost) }</td>
            { for shares(frame).map(|text| html! { <td>{ text }</td> }) }
        </tr>
    }
}

/// Properties of [`Table`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Whose CPUs.
    pub scene: Rc<Scene>,
}

/// A row for every CPU.
#[component]
pub fn Table(props: &Props) -> Html {
    let frame = use_now(EVERY_MS);
    let machine = &props.scene.machine;
    let node = |cpu: &Cpu| machine.nodes.get(cpu.node as usize).map_or(cpu.node, |n| n.id);
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label="CPUs">
            <table>
                <thead><tr>
                    <th scope="col">{ "CPU" }</th><th scope="col">{ "Node" }</th>
                    <th scope="col" class="words">{ "Doing" }</th><th scope="col">{ "Running" }</th>
                    <th scope="col">{ "Runnable" }</th>
                    <th scope="col"><code>{ "avg_idle" }</code></th>
                    <th scope="col" title="max_newidle_lb_cost of the lowest domain">{ "Gate" }</th>
                    <th scope="col">{ "User" }</th><th scope="col">{ "Balancing" }</th><th scope="col">{ "Idle" }</th>
                </tr></thead>
                <tbody>
                    { for machine.cpus.iter().enumerate().map(|(index, cpu)| html! {
                        <Row key={index} {index} cpu={cpu.clone()} node={node(cpu)}
                            frame={frame.as_ref().and_then(|f| f.cpus.get(index)).cloned()} />
                    }) }
                </tbody>
            </table>
        </div>
    }
}
