//! Keeps the address bar and the state together.

use crate::address;
use crate::state::{Action, Navigation, State};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// Browsers allow few replacements a second; a dragged knob makes more.
const SETTLE_MS: u32 = 250;

/// Writes the scenario into the address bar, and opens what the person or the Back button puts there.
#[hook]
pub fn use_address(state: &UseReducerHandle<State>) {
    let seen = use_mut_ref(address::fragment);
    let dispatcher = state.dispatcher();
    let watched = seen.clone();
    use_effect_with((), move |()| {
        let listener = move |_: &Event| {
            let now = address::fragment();
            if *watched.borrow() != now {
                *watched.borrow_mut() = now.clone();
                dispatcher.dispatch(Action::Open(now, Navigation::Stay));
            }
        };
        let window = gloo::utils::window();
        let also = listener.clone();
        let hash = EventListener::new(&window, "hashchange", listener);
        let pop = EventListener::new(&window, "popstate", also);
        move || drop((hash, pop))
    });

    let navigation = state.navigation;
    use_effect_with((state.scenario.clone(), state.world), move |(scenario, _)| {
        let fragment = scenario.fragment();
        let timer = match navigation {
            Navigation::Stay => None,
            Navigation::Push => {
                write(&seen, &fragment, navigation);
                None
            }
            Navigation::Replace => Some(Timeout::new(SETTLE_MS, move || write(&seen, &fragment, navigation))),
        };
        move || drop(timer)
    });
}

fn write(seen: &Rc<RefCell<String>>, fragment: &str, navigation: Navigation) {
    // A fragment too long for the address bar still travels by Share.
    address::write(fragment, navigation);
    *seen.borrow_mut() = address::fragment();
}
