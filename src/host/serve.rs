//! A world in a host's hands.

use super::history::{History, WINDOW};
use super::{Ask, Command, Reply, StepTo};
use crate::engine::{self, Place, World};
use crate::observe::Reason;
use crate::scenario::{ChangeTo, Scenario};
use std::mem::discriminant;

/// Events handled between two looks at the host's clock.
const PIECE_EVENTS: u64 = 2_000;
/// Pieces into which a long way to a moment is cut, so that progress can be told.
const PIECES: u64 = 500;
/// What a host that does not remember says when it is to go back.
const FORGETS: &str = "This host does not remember a run.";

/// Serves commands. It owns the running world; a refused command leaves that as it was.
#[derive(Default)]
pub struct Host {
    run: Option<Run>,
    remembers: bool,
    /// Whether reasons are kept, also in worlds yet to come.
    reads: bool,
}

/// A world and, where the host remembers, its past.
struct Run {
    world: World,
    history: Option<History>,
    /// The knob turned last, while nothing has happened since.
    turned: Option<Turned>,
}

/// A knob that was turned, and the world before it.
struct Turned {
    to: ChangeTo,
    before: World,
    place: Place,
}

impl Host {
    /// A host without a world, which only goes forward.
    pub fn new() -> Self {
        Self::default()
    }

    /// A host without a world, which takes snapshots of the run (48 MiB at most, or four of a world that is
    /// heavier than an eighth of that), so that it can go back.
    pub fn that_remembers() -> Self {
        Self { remembers: true, ..Self::default() }
    }

    /// The running world, if one was opened.
    pub fn world(&self) -> Option<&World> {
        self.run.as_ref().map(|run| &run.world)
    }

    /// Carries out one command. `reply` receives the answers in order; `clock` is the host's monotonic clock in µs
    /// and only bounds how much work one [`Command::Run`] does, never what the work is.
    pub fn handle(&mut self, command: Command, reply: &mut impl FnMut(Reply), clock: impl Fn() -> u64) {
        match command {
            Command::Open { fragment } => self.open(&fragment, reply),
            Command::ReadReasons(on) => {
                self.reads = on;
                if let Some(run) = &mut self.run {
                    run.world.read_reasons(on);
                }
            }
            other => match &mut self.run {
                None => reply(Reply::Refused("No scenario is open yet.".to_owned())),
                Some(run) => run.serve(other, reply, clock),
            },
        }
    }

    fn open(&mut self, fragment: &str, reply: &mut impl FnMut(Reply)) {
        let (scenario, warnings) = Scenario::parse_link(fragment);
        let mut world = match World::new(&scenario) {
            Ok(world) => world,
            Err(why) => return reply(Reply::Refused(why)),
        };
        let history = self.remembers.then(|| History::new(&world));
        world.read_reasons(self.reads);
        let mut run = Run { world, history, turned: None };
        if let Some(at) = scenario.at_ns {
            run.go_to(at, reply);
        }
        reply(Reply::Opened { fragment: scenario.fragment(), warnings });
        reply(Reply::Frame(Box::new(run.world.frame(true))));
        self.run = Some(run);
    }
}

impl Run {
    fn serve(&mut self, command: Command, reply: &mut impl FnMut(Reply), clock: impl Fn() -> u64) {
        match command {
            Command::Run { ns, budget_us } => {
                self.go_on(ns, u64::from(budget_us), clock);
                reply(Reply::Frame(Box::new(self.world.frame(false))));
            }
            Command::Step(to) => {
                self.world.step(kind_of(to));
                self.remember();
                reply(Reply::Frame(Box::new(self.world.frame(true))));
            }
            Command::Turn(to) => self.turn(to, reply),
            Command::Show => reply(Reply::Frame(Box::new(self.world.frame(true)))),
            Command::Seek { at_ns } => self.seek(at_ns, reply),
            Command::StepBack(to) => self.step_back(kind_of(to), reply),
            Command::Reasons(ask) => reply(Reply::Reasons { ask, reasons: reasons(&self.world, ask) }),
            // Handled before a world is needed.
            Command::Open { .. } | Command::ReadReasons(_) => {}
        }
    }

    fn remember(&mut self) {
        if let Some(history) = &mut self.history {
            history.went_on(&self.world);
        }
    }

    fn go_on(&mut self, ns: u64, budget_us: u64, clock: impl Fn() -> u64) {
        let until = self.world.now().saturating_add(ns);
        let stop = clock().saturating_add(budget_us);
        loop {
            let there = self.world.run_budget(until, PIECE_EVENTS);
            self.remember();
            if there || clock() >= stop {
                return;
            }
        }
    }

    /// Runs to a moment, however long it takes, and tells how far it is.
    fn go_to(&mut self, at: u64, reply: &mut impl FnMut(Reply)) {
        let from = self.world.now();
        let way = u128::from(at.saturating_sub(from));
        let pieces = if way == 0 { 1 } else { PIECES };
        for piece in 1..=pieces {
            let until = from + (way * u128::from(piece) / u128::from(pieces)) as u64;
            while !self.world.run_budget(until, PIECE_EVENTS) {
                self.remember();
            }
            self.remember();
            reply(Reply::Progress((piece * 1000 / pieces) as u16));
        }
    }

    fn turn(&mut self, to: ChangeTo, reply: &mut impl FnMut(Reply)) {
        let instead = self
            .turned
            .take()
            .filter(|last| last.place == self.world.place() && discriminant(&last.to) == discriminant(&to));
        let mut before = match &instead {
            Some(last) => last.before.clone(),
            None => self.world.clone(),
        };
        let at = before.place();
        let mut world = before.clone();
        if let Err(why) = world.turn(to) {
            return reply(Reply::Refused(why));
        }
        if let Some(history) = &mut self.history {
            history.fork(at);
        }
        if instead.is_none() {
            // What the world has to tell is told once, by the one that goes on.
            before.frame(false);
        }
        let at_ns = world.now();
        self.turned = Some(Turned { to, before, place: world.place() });
        self.world = world;
        reply(Reply::Turned { at_ns, to, instead: instead.is_some() });
    }

    fn seek(&mut self, at: u64, reply: &mut impl FnMut(Reply)) {
        let Some(history) = &self.history else {
            return reply(Reply::Refused(FORGETS.to_owned()));
        };
        let (from, to) = history.span();
        if at > to.saturating_add(WINDOW) {
            return reply(Reply::Refused("That moment is more than 60 s ahead.".to_owned()));
        }
        let Some(world) = history.before(at, &self.world) else {
            let (s, ms) = (from / 1_000_000_000, from / 1_000_000 % 1_000);
            return reply(Reply::Refused(format!("The run is known from {s}.{ms:03} s on, not before.")));
        };
        self.world = world;
        self.go_to(at, reply);
        self.arrived(reply);
    }

    fn step_back(&mut self, to: engine::StepTo, reply: &mut impl FnMut(Reply)) {
        let Some(history) = &self.history else {
            return reply(Reply::Refused(FORGETS.to_owned()));
        };
        let Some(world) = history.step_back(&self.world, to) else {
            return reply(Reply::Refused("The run is not known before this moment.".to_owned()));
        };
        self.world = world;
        self.arrived(reply);
    }

    fn arrived(&mut self, reply: &mut impl FnMut(Reply)) {
        if let Some(history) = &self.history {
            let (from_ns, to_ns) = history.span();
            reply(Reply::Known { from_ns, to_ns });
        }
        reply(Reply::Frame(Box::new(self.world.frame(true))));
    }
}

/// Attempts of a CPU whose reasons are told at once.
const ATTEMPTS_TOLD: usize = 8;

fn reasons(world: &World, ask: Ask) -> Vec<Reason> {
    match ask {
        Ask::Attempt(id) => world.reason_of_attempt(id).into_iter().collect(),
        Ask::Cpu(cpu) => world.reasons_of_cpu(cpu, ATTEMPTS_TOLD),
    }
}

fn kind_of(to: StepTo) -> engine::StepTo {
    match to {
        StepTo::Event => engine::StepTo::Event,
        StepTo::Tick => engine::StepTo::Tick,
        StepTo::Balance => engine::StepTo::Balance,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::What;
    use crate::scenario::OverloadMode;

    fn answers(host: &mut Host, command: Command) -> Vec<Reply> {
        let mut replies = Vec::new();
        host.handle(command, &mut |r| replies.push(r), || 0);
        replies
    }

    fn open(fragment: &str) -> Host {
        let mut host = Host::new();
        answers(&mut host, Command::Open { fragment: fragment.to_owned() });
        host
    }

    fn hash(host: &mut Host) -> Option<u64> {
        match answers(host, Command::Show).pop() {
            Some(Reply::Frame(frame)) => frame.state_hash,
            _ => None,
        }
    }

    #[test]
    fn without_a_world_commands_are_refused_in_a_sentence() {
        let got = answers(&mut Host::new(), Command::Show);
        assert_eq!(got, [Reply::Refused("No scenario is open yet.".to_owned())]);
    }

    #[test]
    fn a_link_with_a_moment_opens_at_that_moment() {
        let mut there = open("machine=1x2x2&at=30ms");
        let mut walked = open("machine=1x2x2");
        answers(&mut walked, Command::Run { ns: 30_000_000, budget_us: u32::MAX });
        assert!(hash(&mut there).is_some());
        assert_eq!(hash(&mut there), hash(&mut walked));
    }

    #[test]
    fn turning_a_knob_live_equals_the_link_that_records_it() {
        let mut live = open("machine=1x2x2&seed=3");
        answers(&mut live, Command::Run { ns: 20_000_000, budget_us: u32::MAX });
        let mut at = 0;
        for to in [ChangeTo::Load(300), ChangeTo::Overload(OverloadMode::HeldSet)] {
            for reply in answers(&mut live, Command::Turn(to)) {
                if let Reply::Turned { at_ns, .. } = reply {
                    at = at_ns;
                }
            }
        }
        answers(&mut live, Command::Run { ns: 20_000_000, budget_us: u32::MAX });
        let (mut scenario, _) = Scenario::parse("machine=1x2x2&seed=3");
        for to in [ChangeTo::Load(300), ChangeTo::Overload(OverloadMode::HeldSet)] {
            scenario.changes.push(crate::scenario::Change { at_ns: at, to });
        }
        scenario.at_ns = Some(40_000_000);
        let mut replayed = open(&scenario.fragment());
        assert!(hash(&mut live).is_some());
        assert_eq!(hash(&mut live), hash(&mut replayed));
    }

    #[test]
    fn a_knob_dragged_while_time_stands_still_leaves_its_last_turn() {
        let mut dragged = open("machine=1x2x2&seed=3&at=20ms");
        let told: Vec<Reply> = [300, 500, 900]
            .into_iter()
            .flat_map(|l| answers(&mut dragged, Command::Turn(ChangeTo::Load(l))))
            .collect();
        let turned = |instead, load| Reply::Turned { at_ns: 20_000_000, to: ChangeTo::Load(load), instead };
        assert_eq!(told, [turned(false, 300), turned(true, 500), turned(true, 900)]);
        let mut once = open("machine=1x2x2&seed=3&at=20ms");
        answers(&mut once, Command::Turn(ChangeTo::Load(900)));
        for host in [&mut dragged, &mut once] {
            answers(host, Command::Run { ns: 20_000_000, budget_us: u32::MAX });
        }
        assert_eq!(hash(&mut dragged), hash(&mut once));
        let mut linked = open("machine=1x2x2&seed=3&set=20ms:load=0.9&at=40ms");
        assert_eq!(hash(&mut dragged), hash(&mut linked));
        let later = answers(&mut dragged, Command::Turn(ChangeTo::Load(100)));
        assert!(matches!(later[..], [Reply::Turned { instead: false, .. }]));
    }

    #[test]
    fn reasons_are_told_to_a_reader_and_travel_whole() {
        let mut host = Host::new();
        assert_eq!(answers(&mut host, Command::ReadReasons(true)), []);
        let opened = answers(&mut host, Command::Open { fragment: "machine=1x2x2&at=20ms".to_owned() });
        let Some(Reply::Frame(frame)) = opened.last() else { panic!("no frame") };
        let attempt = *frame.attempts.last().unwrap();
        for ask in [Ask::Attempt(attempt.id), Ask::Cpu(attempt.cpu)] {
            let got = answers(&mut host, Command::Reasons(ask)).remove(0);
            let bytes = postcard::to_allocvec(&got).unwrap();
            assert_eq!(postcard::from_bytes::<Reply>(&bytes).unwrap(), got);
            let Reply::Reasons { reasons, .. } = got else { panic!("no reasons") };
            assert_eq!(reasons[0].what, What::Attempt(attempt));
        }
        answers(&mut host, Command::ReadReasons(false));
        let got = answers(&mut host, Command::Reasons(Ask::Attempt(attempt.id)));
        assert_eq!(got, [Reply::Reasons { ask: Ask::Attempt(attempt.id), reasons: Vec::new() }]);
    }

    #[test]
    fn a_spent_budget_ends_a_run_early_but_changes_nothing_else() {
        let mut short = open("machine=1x4x2");
        let mut pieces = 0;
        while short.world().is_some_and(|w| w.now() < 50_000_000) && pieces < 10_000 {
            let left = 50_000_000 - short.world().map_or(0, World::now);
            answers(&mut short, Command::Run { ns: left, budget_us: 0 });
            pieces += 1;
        }
        let mut long = open("machine=1x4x2&at=50ms");
        assert!(pieces > 1);
        assert_eq!(hash(&mut short), hash(&mut long));
    }
}
