//! Which machine: a named one, a typed grid, or the imported one.

use crate::page::{Page, use_page};
use crate::state::{Action, Setting, typed_machine};
use balancescope::scenario::MachineSpec;
use balancescope::topology::library;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Grids worth a look, beside the named machines.
const GRIDS: [&str; 5] = ["1x4x2", "2x4x2", "1x8x1", "2x24x2", "4x12x2"];
const OTHER: &str = "other";

/// The machine's name in a link; nothing for one that travels whole.
fn name_of(spec: &MachineSpec) -> String {
    match spec {
        MachineSpec::Named(name) => name.clone(),
        MachineSpec::Packed(_) => String::new(),
    }
}

/// A select of machines: the named, a few grids, and the one that is shown if it is neither.
pub fn machine_field(page: &Page) -> Html {
    let onchange = page.on(|event: Event| {
        let select = event.target().and_then(|t| t.dyn_into::<HtmlSelectElement>().ok());
        match typed_machine(&select.map(|s| s.value()).unwrap_or_default()) {
            Ok(machine) => Action::Set(Setting::Machine(machine)),
            Err(why) => Action::Refused(why),
        }
    });
    let named = name_of(&page.state.scenario.machine);
    let known = GRIDS.contains(&named.as_str()) || library::entry(&named).is_some();
    let chosen = named.clone();
    let option = move |name: &str, title: String| {
        html! {
            <option key={name.to_owned()} value={name.to_owned()} selected={name == chosen}>{ title }</option>
        }
    };
    let hint = "A machine by name or grid; drop or paste a file to use your own";
    html! {
        <div class="field" title={hint}>
            <label for="machine">{ "Machine" }</label>
            <select id="machine" data-chosen={if known { named.clone() } else { OTHER.to_owned() }} aria-description={hint} {onchange}>
                if !known {
                    <option value={OTHER} disabled=true selected=true>{ page.state.machine_title() }</option>
                }
                <optgroup label="Grids: packages × cores × threads">
                    { for GRIDS.iter().map(|n| option(n, n.replace('x', " × "))) }
                </optgroup>
                <optgroup label="Machines">
                    { for library::ENTRIES.iter().map(|e| option(e.name, e.title.to_owned())) }
                </optgroup>
            </select>
        </div>
    }
}

/// A text field for any grid; what cannot be a machine is said below it.
#[component]
pub fn GridField() -> Html {
    let page = use_page();
    let wrong = use_state(|| None::<String>);
    let onchange = {
        let (page, wrong) = (page.clone(), wrong.clone());
        Callback::from(move |event: Event| {
            let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
            match typed_machine(&input.map(|i| i.value()).unwrap_or_default()) {
                Ok(machine) => {
                    wrong.set(None);
                    page.act(Action::Set(Setting::Machine(machine)));
                }
                Err(why) => wrong.set(Some(why)),
            }
        })
    };
    let invalid = wrong.is_some().then_some("true");
    let hint = "Packages × cores × threads, such as 2x56x2";
    html! {
        <>
            <div class="field" title={hint}>
                <label for="grid">{ "Grid" }</label>
                <input id="grid" type="text" placeholder="2x56x2" value={name_of(&page.state.scenario.machine)}
                    spellcheck="false" autocomplete="off" aria-description={hint} aria-invalid={invalid}
                    aria-describedby="grid-wrong" {onchange} />
            </div>
            <p class="wrong" id="grid-wrong" role="alert">{ wrong.as_deref().unwrap_or_default() }</p>
        </>
    }
}
