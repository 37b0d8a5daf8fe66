//! The room of lessons: a lesson, or their list, beside the laboratory. What it says and asks is text of its own
//! (www/lessons, shown by www/lessons.js); here is only the hand that it has on the world.

use super::lab::lab_beside;
use crate::page::{Page, use_page};
use crate::scales::Speed;
use crate::scripts::{leave_lesson, object_of, show_lesson};
use crate::state::{Action, Navigation, View};
use balancescope::observe::figures;
use wasm_bindgen::prelude::*;
use web_sys::Element;
use yew::prelude::*;

/// Does one thing that a lesson asks for. `figures` answers with those of the newest frame, if there is one.
fn hand(page: &Page, verb: &str, with: &str) -> JsValue {
    match verb {
        "open" => {
            page.frames.clear();
            page.act(Action::Open(with.to_owned(), Navigation::Push));
        }
        "list" => page.act(Action::View(View::Lessons)),
        "play" => {
            page.act(Action::Speed(Speed::PerSecond(with.parse().unwrap_or(50_000_000))));
            page.act(Action::Play(true));
        }
        "seek" => {
            page.act(Action::Play(false));
            page.player.seek(with.parse().unwrap_or(0));
        }
        "lab" => page.act(Action::View(View::Lab)),
        "figures" => {
            let scene = page.state.scene.as_ref().zip(page.frames.last());
            return scene.map_or(JsValue::NULL, |(scene, frame)| {
                let levels: Vec<&str> = scene.tree.levels.iter().map(|l| l.name.as_str()).collect();
                object_of(&figures(&frame, &levels)).into()
            });
        }
        _ => {}
    }
    JsValue::UNDEFINED
}

#[component]
fn Lesson() -> Html {
    let page = use_page();
    let node = use_node_ref();
    let newest = use_mut_ref(|| page.clone());
    newest.replace(page.clone());
    let host = node.clone();
    use_effect_with(page.state.scenario.show.lesson.clone(), move |name| {
        let closure = Closure::<dyn Fn(String, String) -> JsValue>::new(move |verb: String, with: String| {
            let page = newest.borrow().clone();
            hand(&page, &verb, &with)
        });
        let place = host.cast::<Element>();
        if let Some(place) = &place {
            show_lesson(place, name, closure.as_ref().unchecked_ref());
        }
        move || {
            if let Some(place) = &place {
                leave_lesson(place);
            }
            drop(closure);
        }
    });
    html! { <aside ref={node} class="lesson" aria-label="Lesson"></aside> }
}

/// A lesson beside the laboratory.
pub fn lessons(page: &Page) -> Html {
    lab_beside(page, "lab lab-lesson", html! { <Lesson /> })
}
