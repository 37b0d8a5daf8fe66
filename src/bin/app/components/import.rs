//! Bring your own: a file's text becomes a machine, with everything that was assumed said.

use super::icon::{Icon, Shape};
use super::report::{assumed, warnings};
use crate::hooks::read_file;
use crate::page::{Page, use_page};
use crate::reader::read;
use crate::state::{Action, Notice};
use balancescope::import::Reading;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What can be read, and the command that prints it.
const KINDS: [(&str, &str); 8] = [
    ("lscpu", "also with -p, -e or -J: CPUs, cores, caches, nodes"),
    ("lscpu -p=CPU,CORE,SOCKET,NODE,CACHE", "the most exact of them"),
    ("numactl --hardware", "nodes, their CPUs and distances"),
    ("lstopo --of xml", "hwloc XML, versions 1 to 3"),
    ("cat /proc/schedstat", "balancing counters, once or twice"),
    ("grep -r . /sys/kernel/debug/sched/domains", "domains with flags; also sched_verbose boot logs"),
    (
        "trace-cmd report",
        "a trace, also ftrace, perf sched script and systrace: its tasks can be played again",
    ),
    ("rt-app JSON", "threads to play"),
];

#[component]
fn Source() -> Html {
    let page = use_page();
    let area = use_node_ref();
    let onread = {
        let (page, area) = (page.clone(), area.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                read(area.value().as_bytes(), page.on(|action| action));
            }
        })
    };
    let say = {
        let page = page.clone();
        Callback::from(move |action| page.act(action))
    };
    let onfile = Callback::from(move |event: Event| {
        let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
        if let Some(file) = input.and_then(|i| i.files()).and_then(|files| files.get(0)) {
            read_file(file, say.clone());
        }
    });
    html! {
        <section class="source">
            <h1>{ "Bring your own" }</h1>
            <p class="hint">{ "Drop or paste anywhere on the page; nothing leaves this tab" }</p>
            <label for="file">{ "File" }</label>
            <input id="file" type="file" onchange={onfile} />
            <label for="text">{ "Or its text" }</label>
            <textarea ref={area} id="text" rows="12" spellcheck="false" autocomplete="off"
                placeholder="the output of lscpu, numactl, lstopo, /proc/schedstat, or a trace" />
            <div class="actions"><button type="button" class="primary" onclick={onread}>{ "Read the text" }</button></div>
            <h2>{ "What can be read" }</h2>
            <dl class="kinds">
                { for KINDS.iter().map(|(command, words)| html! {
                    <><dt><code>{ *command }</code></dt><dd>{ *words }</dd></>
                }) }
            </dl>
        </section>
    }
}

fn found(page: &Page, reading: &Rc<Reading>) -> Html {
    let plays = reading.replay.is_some();
    let usable = plays || reading.machine.is_some();
    let use_it = if plays { "Play these tasks" } else { "Use this machine" };
    let onuse = page.does(Action::UseMachine(reading.clone()));
    html! {
        <section class="found" aria-live="polite">
            <h2>{ &reading.summary }</h2>
            <dl class="facts">
                { for reading.facts.iter().map(|(name, value)| html! {
                    <><dt>{ name }</dt><dd>{ value }</dd></>
                }) }
            </dl>
            { assumed(reading) }
            { warnings(reading) }
            if usable {
                <div class="actions">
                    <button type="button" class="primary" onclick={onuse}>{ use_it }</button>
                    <span class="hint">{ "Back returns to the one before" }</span>
                </div>
            } else {
                <p class="caution"><Icon shape={Shape::Caution} /><span>
                    { "This says too little to build a machine from: it needs at least the CPUs and their cores" }
                </span></p>
            }
        </section>
    }
}

/// The room for files.
pub fn import_view(page: &Page) -> Html {
    html! {
        <main class="import" id="stage" tabindex="-1">
            <Source />
            { match &page.state.read {
                _ if page.state.notice == Some(Notice::Reading) => html! {
                    <section class="found found-empty" role="status"><b>{ "Reading…" }</b></section>
                },
                None => html! {
                    <section class="found found-empty">
                        <b>{ "Nothing read yet" }</b>
                        <p>{ "Give it a file, and its facts, what has to be assumed, and lines that make no sense stand here" }</p>
                    </section>
                },
                Some(Err(why)) => html! {
                    <section class="found"><div class="error" role="alert">
                        <Icon shape={Shape::Error} /><div><p>{ why }</p><p>{ "The machine in the Lab stays as it is." }</p></div>
                    </div></section>
                },
                Some(Ok(reading)) => found(page, reading),
            } }
        </main>
    }
}
