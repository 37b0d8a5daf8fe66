//! What every component may need, handed down as a context.

use crate::bus::{Bus, FrameBus};
use crate::meter::Window;
use crate::player::Player;
use crate::state::{Action, State};
use crate::theme::Theme;
use std::rc::Rc;
use yew::prelude::*;

/// The page's parts: what it knows, and its hand on the world.
#[derive(Clone)]
pub struct Page {
    /// What it knows.
    pub state: UseReducerHandle<State>,
    /// Its hand on the world.
    pub player: Rc<Player>,
    /// Frames, up to sixty a second.
    pub frames: FrameBus,
    /// What the charts show, ten times a second.
    pub windows: Bus<Window>,
    /// The theme that holds.
    pub theme: Theme,
}

impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && Rc::ptr_eq(&self.player, &other.player) && self.theme == other.theme
    }
}

impl Page {
    /// Lets an action happen.
    pub fn act(&self, action: Action) {
        self.state.dispatch(action);
    }

    /// A callback that lets an action happen.
    pub fn on<T>(&self, action: impl Fn(T) -> Action + 'static) -> Callback<T> {
        let state = self.state.clone();
        Callback::from(move |value| state.dispatch(action(value)))
    }

    /// A callback that lets always the same action happen.
    pub fn does<T>(&self, action: Action) -> Callback<T> {
        let state = self.state.clone();
        Callback::from(move |_| state.dispatch(action.clone()))
    }
}

/// The page, inside a component below [`crate::components::App`].
#[hook]
pub fn use_page() -> Page {
    #[allow(clippy::expect_used)] // A component outside the page is a mistake of ours, found at once.
    use_context::<Page>().expect("components stand inside the page")
}
