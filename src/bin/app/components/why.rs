//! Why: the conditions that a decision tested, in the kernel's order, with their numbers; what it saw of each
//! group; which tasks it looked at; and what other releases would have said at the same moment.

use super::icon::{Icon, Shape};
use crate::page::Page;
use crate::state::Action;
use crate::units;
use balancescope::host::Ask;
use balancescope::observe::reasons::{
    Candidate, Elsewhere, GroupSeen, Place, Reason, Said, Says, amount, relation, verdict,
};
use balancescope::observe::{Outcome, What};
use yew::prelude::*;

/// Reasons shown of one CPU.
const OF_A_CPU: usize = 12;

/// The card, if an attempt or a CPU is selected.
pub fn why(page: &Page) -> Html {
    let Some((ask, scene)) = page.state.asks().zip(page.state.scene.clone()) else { return Html::default() };
    let place = Place { machine: &scene.machine, tree: &scene.tree };
    let told = page.state.why.as_ref().filter(|(of, _)| *of == ask);
    let title = match ask {
        Ask::Attempt(_) => "Why".to_owned(),
        Ask::Cpu(cpu) => format!("Why, cpu {}", place.cpu(cpu)),
    };
    let rules = format!("Rules of {}", page.state.scenario.release.name());
    html! {
        <section class="why" id="why" tabindex="-1" aria-label={title.clone()}>
            <header>
                <h2>{ title }</h2>
                <span class="hint">{ rules }</span>
                <button type="button" class="square" aria-label="Close the reasons" onclick={page.does(Action::Select(None))}>
                    <Icon shape={Shape::Close} />
                </button>
            </header>
            { match told {
                None => Html::default(),
                Some((_, reasons)) if reasons.is_empty() => html! { <p class="empty">{ nothing(ask) }</p> },
                Some((_, reasons)) => told_reasons(&place, ask, reasons),
            } }
        </section>
    }
}

fn nothing(ask: Ask) -> &'static str {
    match ask {
        Ask::Attempt(_) => {
            "The reasons of this attempt are gone: the last 1024 are kept, and none at the fastest speed. Pause, \
             step to a balance pass, and open it."
        }
        Ask::Cpu(_) => "This CPU has decided nothing of late. Step to a balance pass, or play more slowly.",
    }
}

fn told_reasons(place: &Place, ask: Ask, reasons: &[Reason]) -> Html {
    if let (Ask::Attempt(_), Some(one)) = (ask, reasons.first()) {
        return html! { <>
            <h3>{ place.head(one) }</h3>
            { body(place, one) }
        </> };
    }
    html! {
        { for reasons.iter().take(OF_A_CPU).enumerate().map(|(i, reason)| html! {
            <details key={format!("{} {i}", reason.at_ns)} open={i == 0}>
                <summary>
                    <span>{ place.head(reason) }</span>
                    <span class="why-at">{ units::moment(reason.at_ns) }</span>
                </summary>
                { body(place, reason) }
            </details>
        }) }
    }
}

fn body(place: &Place, reason: &Reason) -> Html {
    html! { <>
        { conditions(place, reason) }
        { groups(place, &reason.groups) }
        { moving(place, reason) }
        { elsewhere(&reason.elsewhere) }
    </> }
}

/// A number with its thousands apart.
fn number(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}", units::thousands(value.unsigned_abs()))
}

/// The numbers of a condition as they stand to each other; a fact has none.
fn numbers(said: &Said) -> String {
    if said.is_fact() {
        return String::new();
    }
    format!("{} {} {}", number(said.left), sign(relation(said)), number(said.right))
}

/// A comparison as print has it.
fn sign(relation: &'static str) -> &'static str {
    match relation {
        "<=" => "≤",
        ">=" => "≥",
        "==" => "=",
        "!=" => "≠",
        other => other,
    }
}

fn conditions(place: &Place, reason: &Reason) -> Html {
    if reason.said.is_empty() {
        return Html::default();
    }
    let last = reason.said.len() - 1;
    // Only a refusal is decided by its last condition.
    let refused =
        matches!(reason.what, What::Attempt(a) if matches!(a.outcome, Outcome::Gated | Outcome::NotDue));
    let mut before = String::new();
    let rows = reason.said.iter().enumerate().map(|(i, said)| {
        let function = place.function(said);
        let begins = function != before;
        before.clone_from(&function);
        let decides = refused && i == last;
        html! { <>
            if begins {
                <tr key={format!("f{i}")} class="why-function"><th colspan="3" scope="rowgroup"><code>{ function }</code></th></tr>
            }
            <tr key={i} class={decides.then_some("why-decides")}>
                <td><code>{ said.text.to_string() }</code></td>
                <td class="why-numbers">{ numbers(said) }</td>
                <td>{ if decides { "stops" } else if said.holds { "true" } else { "false" } }</td>
            </tr>
        </> }
    });
    html! {
        <table class="why-conditions">
            <caption>{ "Conditions, in order" }</caption>
            <thead class="unseen"><tr><th>{ "Condition" }</th><th>{ "Numbers" }</th><th>{ "Verdict" }</th></tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

fn groups(place: &Place, groups: &[GroupSeen]) -> Html {
    if groups.is_empty() {
        return Html::default();
    }
    let row = |g: &GroupSeen| {
        let mark = match (g.local, g.busiest) {
            (true, _) => " local",
            (_, true) => " busiest",
            _ => "",
        };
        html! {
            <tr key={g.group} class={g.busiest.then_some("why-decides")}>
                <th scope="row"><code>{ place.group(g.group) }</code>{ mark }</th>
                <td>{ g.nr_running }</td>
                <td>{ g.idle_cpus }</td>
                <td>{ g.load }</td>
                <td>{ g.util }</td>
                <td>{ g.group_type.to_string() }</td>
            </tr>
        }
    };
    html! {
        <div class="why-scroll" tabindex="0" role="group" aria-label="Groups as this CPU saw them">
            <table class="why-groups">
                <caption>{ "Groups, as this CPU saw them" }</caption>
                <thead><tr>
                    { for ["Group", "Tasks", "Idle", "Load", "Util", "Type"].map(|t| html! { <th scope="col">{ t }</th> }) }
                </tr></thead>
                <tbody>{ for groups.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

fn moving(place: &Place, reason: &Reason) -> Html {
    let found = reason.found.filter(|f| f.pulls).map(|f| {
        html! {
            <><dt>{ "To move" }</dt><dd>{ amount(f.migration_type, f.amount) }</dd></>
        }
    });
    let source = reason
        .source
        .map(|cpu| html! { <><dt>{ "From" }</dt><dd>{ format!("cpu {}", place.cpu(cpu)) }</dd></> });
    let task = |c: &Candidate| html! { <><dt>{ format!("t{}", c.task) }</dt><dd>{ verdict(c) }</dd></> };
    if found.is_none() && source.is_none() && reason.candidates.is_empty() {
        return Html::default();
    }
    html! {
        <dl class="why-moving">
            { for found }
            { for source }
            { for reason.candidates.iter().map(task) }
        </dl>
    }
}

fn says(says: &Says) -> String {
    match says {
        Says::Passes => "would look".to_owned(),
        Says::Refuses(text, left, right) => {
            format!("refuses: {text} ({}, {})", number(*left), number(*right))
        }
        Says::Groups(f) if f.pulls => format!("would pull {}", amount(f.migration_type, f.amount)),
        Says::Groups(_) => "finds balance".to_owned(),
        Says::OtherStatistics => "decides by other statistics".to_owned(),
    }
}

fn elsewhere(others: &[Elsewhere]) -> Html {
    if others.is_empty() {
        return Html::default();
    }
    html! {
        <table class="why-elsewhere">
            <caption>{ "The same moment under other rules" }</caption>
            <tbody>
                { for others.iter().map(|other| html! {
                    <tr key={other.release.name()}>
                        <th scope="row">{ other.release.name() }</th>
                        <td>{ says(&other.says) }</td>
                    </tr>
                }) }
            </tbody>
        </table>
    }
}
