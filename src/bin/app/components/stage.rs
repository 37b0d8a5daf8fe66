//! The machine's head line and, below it, its tree or its table.

use super::glance::{Glance, Of};
use super::segmented::Segmented;
use super::table::Table;
use crate::page::Page;
use crate::scene::Scene;
use crate::state::{Action, Display, Phase, cpus_words};
use crate::tree::TreePanel;
use crate::units;
use yew::prelude::*;

/// Levels top down, with the span of the first CPU's domain: `NUMA 16`.
fn levels(scene: &Scene) -> Vec<(&'static str, usize)> {
    let mut seen: Vec<(&'static str, usize)> = Vec::new();
    for chain in &scene.tree.chains {
        for domain in chain {
            let (name, span) = (domain.name.as_str(), domain.span.weight());
            match seen.iter_mut().find(|(n, _)| *n == name) {
                Some((_, most)) => *most = span.max(*most),
                None => seen.push((name, span)),
            }
        }
    }
    let mut widest_first: Vec<(&'static str, usize)> = Vec::with_capacity(seen.len());
    for level in seen {
        widest_first.insert(widest_first.partition_point(|wider| wider.1 >= level.1), level);
    }
    widest_first
}

fn building(page: &Page) -> Html {
    match page.state.phase {
        Phase::Opening(permille) => {
            let Some(at) = page.state.scenario.at_ns else { return Html::default() };
            html! {
                <div class="building" role="status">
                    <label for="building">{ format!("Running up to {}", units::moment(at)) }</label>
                    <progress id="building" max="1000" value={permille.to_string()} />
                    <button type="button" onclick={page.does(Action::GiveUp)}>{ "Begin at 0 instead" }</button>
                </div>
            }
        }
        _ => Html::default(),
    }
}

/// Machine, flag, levels, and the tree or the table.
pub fn stage(page: &Page) -> Html {
    let Some(scene) = page.state.scene.clone() else { return Html::default() };
    let chosen = usize::from(page.state.display == Display::Table);
    let switch = page.on(|i| Action::Display(if i == 1 { Display::Table } else { Display::Tree }));
    let title = page.state.machine_title();
    html! {
        <main class="stage" id="stage" tabindex="-1">
            <header class="stage-head">
                <h1 title={title.clone()}>{ title }</h1>
                <span class="stage-cpus">{ cpus_words(&scene.machine) }</span>
                <Glance of={Of::Chip} />
                <span class="levels" aria-label="Levels, the widest first">
                    { for levels(&scene).into_iter().map(|(name, span)| html! {
                        <span class="chip-level" key={name}><code>{ name }</code>{ format!(" {span}") }</span>
                    }) }
                </span>
                <Segmented name="display" label="Show CPUs as" {chosen}
                    choices={vec!["Tree".into(), "Table".into()]} onchoose={switch} />
            </header>
            { building(page) }
            if page.state.display == Display::Tree {
                <TreePanel scene={scene} bus={page.frames.clone()} theme={page.theme}
                    selected={page.state.selected} onselect={page.on(Action::Select)} />
            } else {
                <Table {scene} />
            }
        </main>
    }
}
