//! Which machine: a named one, a typed grid, or the imported one.

use crate::page::use_page;
use crate::state::{Action, Setting, typed_machine};
use balancescope::scenario::MachineSpec;
use balancescope::topology::library;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Grids worth a look, beside the named machines.
const GRIDS: [&str; 5] = ["1x4x2", "2x4x2", "1x8x1", "2x24x2", "4x12x2"];
const OTHER: &str = "other";

/// A select of machines, and a text field for grids.
#[component]
pub fn MachineField() -> Html {
    let page = use_page();
    let wrong = use_state(|| None::<String>);
    let spec = page.state.scenario.machine.clone();
    let choose = {
        let page = page.clone();
        let wrong = wrong.clone();
        Callback::from(move |text: String| match typed_machine(&text) {
            Ok(machine) => {
                wrong.set(None);
                page.act(Action::Set(Setting::Machine(machine)));
            }
            Err(why) => wrong.set(Some(why)),
        })
    };
    let onselect = {
        let choose = choose.clone();
        Callback::from(move |event: Event| {
            let select = event.target().and_then(|t| t.dyn_into::<HtmlSelectElement>().ok());
            if let Some(name) = select.map(|s| s.value()).filter(|v| v != OTHER) {
                choose.emit(name);
            }
        })
    };
    let ontype = choose.reform(|event: Event| {
        event
            .target()
            .and_then(|t| t.dyn_into::<HtmlInputElement>().ok())
            .map_or_else(String::new, |i| i.value())
    });
    let named = match &spec {
        MachineSpec::Named(name) => name.clone(),
        MachineSpec::Packed(_) => String::new(),
    };
    let known = GRIDS.contains(&named.as_str()) || library::entry(&named).is_some();
    let option = |name: &str, title: String| {
        html! {
            <option key={name.to_owned()} value={name.to_owned()} selected={name == named}>{ title }</option>
        }
    };
    let invalid = wrong.is_some().then_some("true");
    html! {
        <>
            <div class="field">
                <label for="machine">{ "Machine" }</label>
                <select id="machine" onchange={onselect}>
                    if !known {
                        <option value={OTHER} selected=true>{ page.state.machine_title() }</option>
                    }
                    <optgroup label="Machines">
                        { for library::names().into_iter().map(|n| option(n, library::entry(n).map_or(n, |e| e.title).to_owned())) }
                    </optgroup>
                    <optgroup label="Grids">
                        { for GRIDS.iter().map(|n| option(n, n.replace('x', " × "))) }
                    </optgroup>
                </select>
            </div>
            <div class="field" title="Packages × cores × threads, such as 2x56x2; or drop a file with your own machine">
                <label for="grid">{ "Grid" }</label>
                <input id="grid" type="text" placeholder="packages × cores × threads" value={named} spellcheck="false"
                    autocomplete="off" aria-invalid={invalid} aria-describedby="grid-wrong" onchange={ontype} />
            </div>
            <p class="wrong" id="grid-wrong" role="alert">{ wrong.as_deref().unwrap_or_default() }</p>
        </>
    }
}
