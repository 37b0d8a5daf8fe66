//! A second world that follows the first: to the same moments, with the same knobs turned at the same times. And
//! worlds that are only run to a moment, one after the other.

use crate::bus::FrameBus;
use crate::client::{Client, Heard};
use crate::pace::BUDGET_US;
use balancescope::host::{Command, Reply};
use balancescope::observe::Frame;
use balancescope::scenario::ChangeTo;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use yew::Callback;

#[derive(Default)]
struct Live {
    client: Option<Client>,
    /// A command was sent and its answer has not come.
    waiting: bool,
    now: u64,
    target: u64,
    turns: VecDeque<(u64, ChangeTo)>,
}

/// The hand on the second world.
pub struct Follower {
    bus: FrameBus,
    say: Callback<String>,
    live: RefCell<Live>,
}

impl Follower {
    /// Opens a world in a worker of its own. `say` is told why it cannot go on.
    pub fn start(fragment: String, bus: FrameBus, say: Callback<String>) -> Rc<Self> {
        let follower = Rc::new(Self { bus, say, live: RefCell::default() });
        let me = Rc::downgrade(&follower);
        let started = Client::start(move |heard| {
            if let Some(follower) = me.upgrade() {
                follower.hear(heard);
            }
        });
        match started {
            Ok(client) => {
                client.send(&Command::Open { fragment });
                let mut live = follower.live.borrow_mut();
                live.waiting = true;
                live.client = Some(client);
            }
            Err(why) => follower.say.emit(why),
        }
        follower
    }

    /// The first world stands at a moment.
    pub fn reach(&self, at_ns: u64) {
        self.live.borrow_mut().target = at_ns;
        self.go();
    }

    /// A knob was turned in the first world.
    pub fn turn(&self, at_ns: u64, to: ChangeTo) {
        self.live.borrow_mut().turns.push_back((at_ns, to));
        self.go();
    }

    /// Whether it has yet to come to where the first world stands.
    pub fn behind(&self) -> bool {
        let live = self.live.borrow();
        live.waiting || live.now != live.target || !live.turns.is_empty()
    }

    fn go(&self) {
        let mut live = self.live.borrow_mut();
        if live.waiting {
            return;
        }
        let turn = live.turns.front().copied();
        let aim = turn.map_or(live.target, |(at, _)| at);
        let command = match turn {
            Some((at, to)) if at == live.now => {
                live.turns.pop_front();
                Command::Turn(to)
            }
            _ if aim > live.now => Command::Run { ns: aim - live.now, budget_us: BUDGET_US },
            _ if aim < live.now => Command::Seek { at_ns: aim },
            _ => return,
        };
        live.waiting = true;
        if let Some(client) = &live.client {
            client.send(&command);
        }
    }

    fn hear(&self, heard: Heard) {
        match heard {
            Heard::Reply(Reply::Frame(frame)) => {
                {
                    let mut live = self.live.borrow_mut();
                    live.waiting = false;
                    live.now = frame.now_ns;
                }
                self.bus.publish(Rc::new(*frame));
            }
            Heard::Reply(Reply::Turned { .. }) => self.live.borrow_mut().waiting = false,
            Heard::Reply(Reply::Refused(why)) | Heard::Broken(why) => {
                self.live.borrow_mut().client = None;
                self.say.emit(why);
                return;
            }
            Heard::Reply(_) => return,
        }
        self.go();
    }
}

/// Runs scenarios to the moments that they name, one after the other; ends when dropped.
pub struct Runs {
    live: RefCell<(Option<Client>, VecDeque<String>)>,
    done: Callback<Result<Frame, String>>,
}

impl Runs {
    /// Begins. `done` gets where each of them ended, in their order.
    pub fn start(fragments: Vec<String>, done: Callback<Result<Frame, String>>) -> Rc<Self> {
        let runs = Rc::new(Self { live: RefCell::new((None, fragments.into())), done });
        let me = Rc::downgrade(&runs);
        let started = Client::start(move |heard| {
            let Some(runs) = me.upgrade() else { return };
            match heard {
                Heard::Reply(Reply::Frame(frame)) => {
                    runs.done.emit(Ok(*frame));
                    runs.next();
                }
                Heard::Reply(Reply::Refused(why)) | Heard::Broken(why) => {
                    runs.live.borrow_mut().0 = None;
                    runs.done.emit(Err(why));
                }
                Heard::Reply(_) => {}
            }
        });
        match started {
            Ok(client) => runs.live.borrow_mut().0 = Some(client),
            Err(why) => runs.done.emit(Err(why)),
        }
        runs.next();
        runs
    }

    fn next(&self) {
        let mut live = self.live.borrow_mut();
        let next = live.1.pop_front();
        match (next, &live.0) {
            (Some(fragment), Some(client)) => client.send(&Command::Open { fragment }),
            _ => live.0 = None,
        }
    }
}
