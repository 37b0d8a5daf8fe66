//! Drives the worker: one run for each frame of the screen while time goes on, steps, turns of a knob.
//! It hands frames to the bus and tells the state what the worker said.

use crate::bus::FrameBus;
use crate::client::{Client, Heard};
use crate::pace::{BUDGET_US, Pace};
use crate::scales::Speed;
use crate::state::Action;
use balancescope::host::{Ask, Command, Reply, StepTo};
use balancescope::observe::Frame;
use balancescope::scenario::ChangeTo;
use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use yew::Callback;

/// While a knob is dragged, the worker hears of it this often, ms.
const TURN_EVERY_MS: u32 = 100;

#[derive(Default)]
struct Live {
    client: Option<Client>,
    playing: bool,
    speed: Option<Speed>,
    pace: Pace,
    /// Worlds asked for and not yet there; frames of the one before are of no use.
    opening: u32,
    /// A run or step was sent and its frame has not come.
    waiting: bool,
    /// Another world has yet to come to where this one stands.
    held: bool,
    /// What was asked for while waiting: steps forth and back, or a moment.
    next: Vec<Command>,
    /// The moment that is being sought.
    seeking: Option<u64>,
    next_frame: Option<AnimationFrame>,
    /// Times of the scenario's changes, to tell when one has passed.
    changes: Vec<u64>,
    passed: usize,
    turns: Vec<ChangeTo>,
    turn_timer: Option<Timeout>,
    /// Whose reasons are on show.
    ask: Option<Ask>,
}

/// The page's hand on the world.
pub struct Player {
    bus: FrameBus,
    say: Callback<Action>,
    live: RefCell<Live>,
    me: Weak<Player>,
}

impl Player {
    /// A player without a world.
    pub fn new(bus: FrameBus, say: Callback<Action>) -> Rc<Self> {
        Rc::new_cyclic(|me| Self { bus, say, live: RefCell::default(), me: me.clone() })
    }

    /// Starts a worker in place of any there was.
    pub fn start_worker(&self) {
        let me = self.me.clone();
        let started = Client::start(move |heard| {
            if let Some(player) = me.upgrade() {
                player.hear(heard);
            }
        });
        let mut live = self.live.borrow_mut();
        live.opening = 0;
        live.waiting = false;
        match started {
            Ok(client) => {
                live.client = Some(client);
                live.read_reasons();
            }
            Err(why) => self.say.emit(Action::Stopped(why)),
        }
    }

    /// Builds a new world from a fragment.
    pub fn open(&self, fragment: String) {
        let mut live = self.live.borrow_mut();
        live.opening += 1;
        live.waiting = false;
        live.next.clear();
        live.seeking = None;
        live.turns.clear();
        live.pace.stop();
        self.bus.clear();
        live.send(&Command::Open { fragment });
    }

    /// Lets time go on, or not.
    pub fn play(&self, playing: bool, speed: Speed) {
        {
            let mut live = self.live.borrow_mut();
            live.speed = Some(speed);
            live.read_reasons();
            if live.playing == playing {
                return;
            }
            live.playing = playing;
            live.pace.stop();
            if !playing && live.opening == 0 && !live.waiting {
                live.send(&Command::Show);
            }
        }
        if playing {
            self.ask_for_frame();
        }
    }

    /// The times at which the scenario's changes act, and how many have acted.
    pub fn follow(&self, changes: Vec<u64>, passed: usize) {
        let mut live = self.live.borrow_mut();
        live.changes = changes;
        live.passed = passed;
    }

    /// Asks for reasons, or for none. Those of a CPU are asked for again wherever the world comes to stand.
    pub fn ask(&self, ask: Option<Ask>) {
        let mut live = self.live.borrow_mut();
        live.ask = ask;
        live.send_ask();
    }

    /// One step, back if asked.
    pub fn step(&self, to: StepTo, back: bool) {
        let mut live = self.live.borrow_mut();
        // A held key asks faster than a large machine steps: what cannot be shown is not done.
        if live.next.len() < 2 {
            live.go(if back { Command::StepBack(to) } else { Command::Step(to) });
        }
    }

    /// Goes to a moment of the last 60 simulated seconds, or ahead.
    pub fn seek(&self, at_ns: u64) {
        let mut live = self.live.borrow_mut();
        // Of many moments that a dragged handle passes, the last one counts.
        live.next.clear();
        live.seeking = Some(at_ns);
        live.go(Command::Seek { at_ns });
    }

    /// Lets time stand still for another world, or go on.
    pub fn hold(&self, held: bool) {
        self.live.borrow_mut().held = held;
    }

    /// The moment that is being sought.
    pub fn seeking(&self) -> Option<u64> {
        self.live.borrow().seeking
    }

    /// Turns a knob now; while it is dragged, ten times a second.
    pub fn turn(&self, to: ChangeTo) {
        let mut live = self.live.borrow_mut();
        let kind = std::mem::discriminant(&to);
        live.turns.retain(|t| std::mem::discriminant(t) != kind);
        live.turns.push(to);
        if live.turn_timer.is_none() {
            self.send_turns(&mut live);
        }
    }

    /// The knob that was dragged stands still: what it was turned to last counts now.
    pub fn turned(&self) {
        let mut live = self.live.borrow_mut();
        for to in std::mem::take(&mut live.turns) {
            live.send(&Command::Turn(to));
        }
    }

    fn send_turns(&self, live: &mut Live) {
        for to in std::mem::take(&mut live.turns) {
            live.send(&Command::Turn(to));
        }
        let me = self.me.clone();
        live.turn_timer = Some(Timeout::new(TURN_EVERY_MS, move || {
            if let Some(player) = me.upgrade() {
                let mut live = player.live.borrow_mut();
                live.turn_timer = None;
                if !live.turns.is_empty() {
                    player.send_turns(&mut live);
                }
            }
        }));
    }

    fn ask_for_frame(&self) {
        let me = self.me.clone();
        let next = request_animation_frame(move |wall_ms| {
            if let Some(player) = me.upgrade() {
                player.tick(wall_ms);
            }
        });
        self.live.borrow_mut().next_frame = Some(next);
    }

    fn tick(&self, wall_ms: f64) {
        {
            let mut live = self.live.borrow_mut();
            if !live.playing {
                return;
            }
            if live.opening == 0 && !live.waiting && !live.held {
                let speed = live.speed.unwrap_or(Speed::Fastest);
                let ns = live.pace.due(speed, wall_ms);
                if ns > 0 {
                    live.waiting = true;
                    live.send(&Command::Run { ns, budget_us: BUDGET_US });
                }
            }
        }
        self.ask_for_frame();
    }

    fn hear(&self, heard: Heard) {
        match heard {
            Heard::Broken(why) => {
                {
                    let mut live = self.live.borrow_mut();
                    live.client = None;
                    live.playing = false;
                }
                self.say.emit(Action::Stopped(why));
            }
            Heard::Reply(reply) => self.reply(reply),
        }
    }

    fn reply(&self, reply: Reply) {
        match reply {
            Reply::Opened { .. } => {
                let ready = {
                    let mut live = self.live.borrow_mut();
                    live.opening = live.opening.saturating_sub(1);
                    live.opening == 0
                };
                if ready {
                    self.say.emit(Action::Opened);
                }
            }
            Reply::Progress(permille) => {
                // A seek tells its progress, too, but the world that stands is not gone.
                if self.live.borrow().opening > 0 {
                    self.say.emit(Action::Progress(permille));
                }
            }
            Reply::Frame(frame) => self.frame(*frame),
            Reply::Known { .. } => {}
            Reply::Turned { at_ns, to, instead } => {
                let ours = {
                    let live = self.live.borrow();
                    if live.opening == 0 && !live.playing && !live.waiting {
                        // A turned knob is part of the state, and the state on show says its hash.
                        live.send(&Command::Show);
                    }
                    live.opening == 0
                };
                if ours {
                    self.say.emit(Action::Turned(at_ns, to, instead));
                }
            }
            Reply::Reasons { ask, reasons } => {
                if self.live.borrow().ask == Some(ask) {
                    self.say.emit(Action::Why(ask, Rc::new(reasons)));
                }
            }
            Reply::Refused(why) => {
                let opening = {
                    let mut live = self.live.borrow_mut();
                    live.waiting = false;
                    live.seeking = None;
                    std::mem::take(&mut live.opening) > 0
                };
                if opening {
                    self.say.emit(Action::Opened);
                }
                self.say.emit(Action::Refused(why));
            }
        }
    }

    fn frame(&self, frame: Frame) {
        let passed = {
            let mut live = self.live.borrow_mut();
            if live.opening > 0 {
                return;
            }
            live.waiting = false;
            live.seeking = None;
            if !live.playing && frame.state_hash.is_none() && live.next.is_empty() {
                live.send(&Command::Show);
            }
            if matches!(live.ask, Some(Ask::Cpu(_))) && frame.state_hash.is_some() {
                live.send_ask();
            }
            if !live.next.is_empty() {
                let next = live.next.remove(0);
                live.go(next);
            }
            let passed = live.changes.partition_point(|at| *at <= frame.now_ns);
            (passed != live.passed).then(|| {
                live.passed = passed;
                passed
            })
        };
        if let Some(passed) = passed {
            self.say.emit(Action::Passed(passed));
        }
        self.bus.publish(Rc::new(frame));
    }
}

impl Live {
    /// Sends a command that a frame answers, now or once the one before is answered.
    fn go(&mut self, command: Command) {
        if self.opening > 0 || self.waiting {
            self.next.push(command);
            return;
        }
        self.waiting = true;
        self.seeking = if let Command::Seek { at_ns } = &command { Some(*at_ns) } else { None };
        self.send(&command);
    }

    /// Reasons are kept while they can be read: nobody reads along at the fastest speed, where they would cost most.
    fn read_reasons(&self) {
        self.send(&Command::ReadReasons(self.speed != Some(Speed::Fastest)));
    }

    fn send_ask(&self) {
        if let Some(ask) = self.ask {
            self.send(&Command::Reasons(ask));
        }
    }

    fn send(&self, command: &Command) {
        if let Some(client) = &self.client {
            client.send(command);
        }
    }
}
