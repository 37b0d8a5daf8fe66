//! What the marks mean, in words below the tree.

use super::marks::{cause_word, outcome_word};
use super::plan::flows::CAUSES;
use super::plan::measure::Stage;
use crate::theme::Theme;
use balancescope::observe::{Cause, Outcome};
use yew::{AttrValue, Html, html};

/// One sentence for each path.
fn cause_sentence(cause: Cause) -> &'static str {
    match cause {
        Cause::Wakeup => "A task woke up and was placed on another CPU than before",
        Cause::Fork => "A new task was placed on another CPU than its parent's",
        Cause::Newidle => "A CPU about to go idle pulled a task",
        Cause::Periodic => "A CPU's regular pass pulled tasks from the busiest group",
        Cause::Nohz => "One CPU balanced on behalf of another that sleeps without ticks",
        Cause::Active => "The busiest CPU was asked to push its running task",
    }
}

/// One sentence for each outcome.
fn outcome_sentence(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Gated => "Refused by a gate before it looked: too little idle time, or no CPU is overloaded",
        Outcome::NotDue => "The domain's interval has not passed yet",
        Outcome::LockLost => "Another CPU holds the lock that only one may hold at this level",
        Outcome::Balanced => "It looked and found nothing worth moving",
        Outcome::Failed => "It found a busiest queue, but could take no task from it",
        Outcome::Moved => "It moved at least one task",
    }
}

/// A path's shape as SVG.
pub fn cause_svg(cause: Cause, colour: &'static str) -> Html {
    let shape = match cause {
        Cause::Wakeup => html! { <circle cx="8" cy="8" r="4.6" /> },
        Cause::Fork => html! { <path d="M6.2 3h3.6v3.2H13v3.6H9.8V13H6.2V9.8H3V6.2h3.2z" /> },
        Cause::Newidle => html! { <path d="M8 2.2 13.8 8 8 13.8 2.2 8z" /> },
        Cause::Periodic => html! { <rect x="3.8" y="3.8" width="8.4" height="8.4" /> },
        Cause::Nohz => html! { <path d="M10.6 3.2A5.4 5.4 0 1 0 10.6 12.8 5 5 0 0 1 10.6 3.2z" /> },
        Cause::Active => html! { <path d="M4 2.8 13 8 4 13.2z" /> },
    };
    html! { <svg class="tree-glyph" viewBox="0 0 16 16" aria-hidden="true"><g fill={colour}>{shape}</g></svg> }
}

/// How far an attempt got, as SVG in one colour.
pub fn outcome_svg(outcome: Outcome, colour: &'static str, ground: &'static str) -> Html {
    let inner = match outcome {
        Outcome::Gated => "M5.3 8h5.4",
        Outcome::NotDue => "M8 4.8V8l2.4 1.2",
        Outcome::LockLost => "M6 7.6h4v3H6zM6.7 7.6V6.5a1.3 1.3 0 0 1 2.6 0v1.1",
        Outcome::Balanced => "M5.4 6.8h5.2M5.4 9.4h5.2",
        Outcome::Failed => "M6 6l4 4M6 10l4-4",
        Outcome::Moved => "M5 8h5.6M8.4 5.6 10.8 8l-2.4 2.4",
    };
    let moved = outcome == Outcome::Moved;
    let dash = (outcome == Outcome::Gated).then_some(AttrValue::Static("3.4 2.2"));
    html! {
        <svg class="tree-glyph" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke-width="1.5"
            stroke-linecap="round" stroke-linejoin="round">
            <circle cx="8" cy="8" r="6" stroke={colour} stroke-dasharray={dash}
                fill={if moved { colour } else { "none" }} />
            <path d={inner} stroke={if moved { ground } else { colour }} />
        </svg>
    }
}

fn dot_svg(theme: &Theme, filled: bool) -> Html {
    let (fill, stroke) = if filled { (theme.task, "none") } else { ("none", theme.task) };
    html! {
        <svg class="tree-glyph" viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="8" cy="8" r={if filled { "4.6" } else { "3.8" }} fill={fill} stroke={stroke} stroke-width="1.8" />
        </svg>
    }
}

fn square_svg(fill: &'static str, edge: &'static str) -> Html {
    html! {
        <svg class="tree-glyph" viewBox="0 0 16 16" aria-hidden="true">
            <rect x="2.5" y="2.5" width="11" height="11" rx="2" fill={fill} stroke={edge} />
        </svg>
    }
}

fn hatch_svg(theme: &Theme) -> Html {
    html! {
        <svg class="tree-glyph" viewBox="0 0 16 16" aria-hidden="true" stroke={theme.ink1} stroke-width="2">
            <path d="M2.5 7 7 2.5M2.5 12 12 2.5M4.5 13.5l9-9M9.5 13.5l4-4" />
        </svg>
    }
}

fn item(glyph: Html, word: &'static str, sentence: &'static str) -> Html {
    html! { <li title={sentence}>{glyph}<span>{word}</span></li> }
}

/// The second row: attempts where cells show tasks, the scale of blocks where they do not.
fn second_row(theme: &Theme, stage: Stage) -> Html {
    if stage >= Stage::Dots {
        let all = [
            Outcome::Gated,
            Outcome::NotDue,
            Outcome::LockLost,
            Outcome::Balanced,
            Outcome::Failed,
            Outcome::Moved,
        ];
        let items = all
            .map(|o| item(outcome_svg(o, theme.ink1, theme.surface), outcome_word(o), outcome_sentence(o)));
        return html! { <><dt class="tree-attempts">{"Attempt"}</dt><dd class="tree-attempts"><ul>{for items}</ul></dd></> };
    }
    let words = ["0", "1", "2", "3", "4", "5 +"];
    let items = words.into_iter().zip(theme.runnable).enumerate().map(|(i, (word, fill))| {
        let edge = if i == 0 { theme.edge } else { "none" };
        item(square_svg(fill, edge), word, "Runnable tasks of a CPU, the running one included")
    });
    html! { <><dt>{"Runnable"}</dt><dd><ul>{for items}</ul></dd></> }
}

/// The legend.
pub fn legend(t: &Theme, stage: Stage) -> Html {
    let causes = CAUSES.map(|c| item(cause_svg(c, t.cause(c)), cause_word(c), cause_sentence(c)));
    let aside = if stage >= Stage::Dots {
        html! { <>
            {item(dot_svg(t, true), "cache-hot", "It ran less than the migration cost ago")}
            {item(dot_svg(t, false), "cold", "It may be moved")}
        </> }
    } else {
        item(hatch_svg(t), "balancing", "The CPU is balancing right now")
    };
    html! {
        <div class="tree-legend">
            <dl><dt>{"Moved by"}</dt><dd><ul>{for causes}</ul></dd>{second_row(t, stage)}</dl>
            <ul class="tree-aside">{aside}</ul>
        </div>
    }
}
