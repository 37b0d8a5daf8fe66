//! What the page knows, what may happen to it, and what follows. No component, no browser, no rule of the
//! scheduler: effects elsewhere send what the state says to the worker and to the address bar.

use crate::scales::Speed;
use crate::scene::{Scene, Selection};
use balancescope::balance::Rules;
use balancescope::host::{Ask, StepTo};
use balancescope::import::Reading;
use balancescope::observe::Reason;
use balancescope::scenario::{
    Change, ChangeTo, Hz, MachineSpec, MigrationCost, OverloadMode, Preempt, Scenario, Warning, WorkloadSpec,
};
use balancescope::topology::{Machine, Release, library};
use std::mem::{Discriminant, discriminant};
use std::rc::Rc;

/// Whether a world stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// One is being built; thousandths.
    Opening(u16),
    /// One stands.
    Ready,
    /// The simulator broke down; what it said.
    Stopped(String),
}

/// How the address bar follows a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Navigation {
    /// It already holds what is shown, or what the person wrote.
    Stay,
    /// The same entry of the history, with new text.
    Replace,
    /// A new entry, so that Back returns to what was.
    Push,
}

/// The rooms of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum View {
    Lab,
    Ab,
    Lessons,
    Import,
}

/// How CPUs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Display {
    Tree,
    Table,
}

/// A sheet above the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Sheet {
    Help,
    Share,
    Menu,
}

/// Which theme the person chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ThemeChoice {
    Auto,
    Light,
    Dark,
}

/// Something to be told where the person looks.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// What was asked could not be done; what was there goes on.
    Refused(String),
    /// A file is being read.
    Reading,
    /// A machine was read, and the tree is now its tree.
    Read(Rc<Reading>),
}

/// The three knobs that turn in the running world, as they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// `sysctl_sched_migration_cost`.
    pub cost: MigrationCost,
    /// Thousandths.
    pub load: u32,
    /// Of the root domain.
    pub overload: OverloadMode,
}

impl Shown {
    /// The knobs as a scenario begins with them.
    fn of(scenario: &Scenario) -> Self {
        Self { cost: scenario.knobs.migration_cost, load: scenario.load, overload: scenario.knobs.overload }
    }

    /// How the knob stands that `to` turns.
    fn same_knob(&self, to: ChangeTo) -> ChangeTo {
        match to {
            ChangeTo::MigrationCost(_) => ChangeTo::MigrationCost(self.cost),
            ChangeTo::Load(_) => ChangeTo::Load(self.load),
            ChangeTo::Overload(_) => ChangeTo::Overload(self.overload),
        }
    }

    fn turn(&mut self, to: ChangeTo) {
        match to {
            ChangeTo::MigrationCost(cost) => self.cost = cost,
            ChangeTo::Load(load) => self.load = load,
            ChangeTo::Overload(mode) => self.overload = mode,
        }
    }
}

/// A part of the scenario that needs a new world.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Setting {
    Release(Release),
    Machine(MachineSpec),
    Workload(String),
    Hz(Hz),
    Preempt(Preempt),
    Seed(u64),
}

/// What may happen.
#[derive(Clone, Debug)]
pub enum Action {
    /// A link is to be opened.
    Open(String, Navigation),
    /// A part of the scenario is to differ.
    Set(Setting),
    /// A file is being read.
    Reading,
    /// A file was read, or refused with a sentence.
    Imported(Result<Rc<Reading>, String>),
    /// Its machine is to be used.
    UseMachine(Rc<Reading>),
    /// The same scenario from its beginning, knobs as they stand.
    Restart,
    /// A knob is being turned.
    Turn(ChangeTo),
    /// It was let go.
    LetGo,
    /// The knob turned last is to be where it was.
    Undo,
    /// The worker turned it at that time, perhaps in place of the turn before.
    Turned(u64, ChangeTo, bool),
    /// So many of the scenario's changes have had their time.
    Passed(usize),
    /// The worker has built the world.
    Opened,
    /// It is on its way.
    Progress(u16),
    /// The way to the link's moment is too long: begin at 0.
    GiveUp,
    /// The worker, or a file, could not do what was asked.
    Refused(String),
    /// The worker broke down.
    Stopped(String),
    /// Play or pause.
    Play(bool),
    /// How fast.
    Speed(Speed),
    /// What a step goes to.
    StepTo(StepTo),
    /// A room was entered.
    View(View),
    /// What the person calls the scenario.
    Name(String),
    /// What another scenario has otherwise, to stand beside this one.
    Ab(String),
    /// Tree or table.
    Display(Display),
    /// Something was selected, or nothing.
    Select(Option<Selection>),
    /// The reasons that were asked for.
    Why(Ask, Rc<Vec<Reason>>),
    /// A sheet opens or closes.
    Sheet(Option<Sheet>),
    /// A theme was chosen.
    Theme(ThemeChoice),
    /// What was told has been read.
    Dismiss,
}

/// All that the page shows, save what changes with every frame.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What is simulated, with every knob turned on the way.
    pub scenario: Scenario,
    /// Its machine and tree; `None` only if not even the default could be built.
    pub scene: Option<Rc<Scene>>,
    /// The live knobs as they stand.
    pub shown: Shown,
    /// How many of the scenario's changes have had their time.
    pub passed: usize,
    /// The changes that the link came with; others were turned here.
    planned: Vec<Change>,
    /// How knobs stood before they were turned, the last one last.
    pub undo: Vec<ChangeTo>,
    /// The knob that is being dragged.
    dragged: Option<Discriminant<ChangeTo>>,
    /// How often a knob was turned here, and when the last time: what came after that is forgotten.
    pub turned: (u32, u64),
    /// What of the link could not be used.
    pub warnings: Vec<Warning>,
    /// Whether a world stands.
    pub phase: Phase,
    /// Grows when a new world is wanted.
    pub world: u32,
    /// Grows when a new worker is wanted.
    pub worker: u32,
    /// How the address bar follows.
    pub navigation: Navigation,
    /// Whether time goes on.
    pub playing: bool,
    /// How fast.
    pub speed: Speed,
    /// What a step goes to.
    pub step: StepTo,
    /// The room.
    pub view: View,
    /// Tree or table.
    pub display: Display,
    /// What is looked at.
    pub selected: Option<Selection>,
    /// The reasons last told, and whose they are.
    pub why: Option<(Ask, Rc<Vec<Reason>>)>,
    /// The open sheet.
    pub sheet: Option<Sheet>,
    /// The chosen theme.
    pub theme: ThemeChoice,
    /// What is to be told.
    pub notice: Option<Notice>,
    /// What the room for files shows.
    pub read: Option<Result<Rc<Reading>, String>>,
}

impl State {
    /// The page as a link opens it. `calm`: the person asked for less motion, so nothing starts by itself.
    pub fn open(text: &str, theme: ThemeChoice, calm: bool) -> Self {
        let scenario = Scenario::default();
        let mut state = Self {
            shown: Shown::of(&scenario),
            scenario,
            scene: None,
            passed: 0,
            planned: Vec::new(),
            undo: Vec::new(),
            dragged: None,
            turned: (0, 0),
            warnings: Vec::new(),
            phase: Phase::Opening(0),
            world: 0,
            worker: 0,
            navigation: Navigation::Stay,
            playing: !calm,
            speed: Speed::PerSecond(5_000_000),
            step: StepTo::Balance,
            view: View::Lab,
            display: Display::Tree,
            selected: None,
            why: None,
            sheet: None,
            theme,
            notice: None,
            read: None,
        };
        state.open_link(text, Navigation::Stay);
        if state.scene.is_none() {
            state.rebuild(Scenario::default(), Navigation::Stay);
        }
        state
    }

    /// The state after an action.
    pub fn after(mut self, action: Action) -> Self {
        match action {
            Action::Open(text, navigation) => self.open_link(&text, navigation),
            Action::Set(setting) => {
                let mut scenario = self.begun_anew();
                set(&mut scenario, setting);
                self.warnings.clear();
                self.rebuild(scenario, Navigation::Push);
            }
            Action::Reading => self.notice = Some(Notice::Reading),
            Action::Imported(read) => self.imported(read),
            Action::UseMachine(reading) => self.use_machine(reading),
            Action::Restart => self.restart(),
            Action::Turn(to) => self.turn(to),
            Action::LetGo => self.dragged = None,
            Action::Undo => {
                if let Some(to) = self.undo.pop() {
                    self.shown.turn(to);
                }
            }
            Action::Turned(at_ns, to, instead) => self.turned(at_ns, to, instead),
            Action::Passed(passed) => self.pass(passed),
            Action::Opened => self.phase = Phase::Ready,
            Action::Progress(permille) => self.phase = Phase::Opening(permille),
            Action::GiveUp => self.give_up(),
            Action::Refused(why) => self.notice = Some(Notice::Refused(why)),
            Action::Stopped(why) => {
                self.phase = Phase::Stopped(why);
                self.playing = false;
            }
            Action::Play(playing) => self.play(playing),
            Action::Speed(speed) => self.speed = speed,
            Action::StepTo(step) => self.step = step,
            Action::View(view) => self.enter(view),
            Action::Name(name) => self.scenario.show.name = name,
            Action::Ab(text) => self.scenario.show.ab = text,
            Action::Display(display) => self.display = display,
            Action::Select(selected) => self.selected = selected,
            Action::Why(ask, reasons) => self.why = Some((ask, reasons)),
            Action::Sheet(sheet) => self.sheet = sheet,
            Action::Theme(theme) => self.theme = theme,
            Action::Dismiss => {
                self.notice = None;
                self.warnings.clear();
            }
        }
        self
    }

    /// Whose reasons the person wants to read: those of the attempt or CPU that is selected.
    pub fn asks(&self) -> Option<Ask> {
        match self.selected? {
            Selection::Attempt(id) => Some(Ask::Attempt(id)),
            Selection::Cpu(cpu) => u32::try_from(cpu).ok().map(Ask::Cpu),
            Selection::Task(_) | Selection::Domain { .. } => None,
        }
    }

    /// The link to what is shown now, and if asked for, to this moment of it.
    pub fn link(&self, at_ns: Option<u64>) -> String {
        Scenario { at_ns, ..self.scenario.clone() }.fragment()
    }

    /// What the person calls the scenario, or else what its machine is called.
    pub fn machine_title(&self) -> String {
        if !self.scenario.show.name.is_empty() {
            return self.scenario.show.name.clone();
        }
        let name = match &self.scenario.machine {
            MachineSpec::Named(name) => name.as_str(),
            MachineSpec::Packed(machine) => machine.name.as_str(),
        };
        if let Some(entry) = library::entry(name) {
            return entry.title.to_owned();
        }
        let grid = name.split('x').all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
        if grid { name.replace('x', " × ") } else { name.to_owned() }
    }

    /// A switch of the scenario's rules, as written in a link.
    pub fn rule(&self, name: &str) -> Option<String> {
        let rules: Rules = self.scenario.rules();
        rules.switches().into_iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    fn open_link(&mut self, text: &str, navigation: Navigation) {
        let (scenario, warnings) = Scenario::parse_link(text);
        let calm = scenario.at_ns.is_some();
        // What could not be used stays in the address bar until the person takes the corrected link.
        let follow = if warnings.is_empty() && navigation == Navigation::Stay {
            Navigation::Replace
        } else {
            navigation
        };
        self.notice = None;
        if self.rebuild(scenario, follow) {
            self.warnings = warnings;
            self.playing &= !calm;
            self.view = match &self.scenario.show {
                show if !show.lesson.is_empty() => View::Lessons,
                show if !show.ab.is_empty() => View::Ab,
                _ => View::Lab,
            };
        }
    }

    /// Enters a room. A link to a lesson or a comparison is one no more once its room is left.
    fn enter(&mut self, view: View) {
        self.view = view;
        let show = &mut self.scenario.show;
        show.lesson.clear();
        if !matches!(view, View::Ab | View::Import) {
            show.ab.clear();
        }
        if view == View::Ab && show.ab.is_empty() {
            let usual = Scenario::default().release;
            let other = if self.scenario.release == usual { Release::ALL[0] } else { usual };
            show.ab = format!("release:{}", other.name());
        }
        self.navigation = Navigation::Replace;
    }

    /// Wants a new world. Keeps the old one, and says why, if this scenario has none.
    fn rebuild(&mut self, scenario: Scenario, navigation: Navigation) -> bool {
        let same = self.scene.is_some()
            && scenario.machine == self.scenario.machine
            && scenario.release == self.scenario.release
            && scenario.overrides == self.scenario.overrides;
        if !same {
            match Scene::of(&scenario) {
                Ok(scene) => {
                    self.scene = Some(Rc::new(scene));
                    self.selected = None;
                }
                Err(why) => {
                    self.notice = Some(Notice::Refused(why));
                    return false;
                }
            }
        }
        if matches!(self.phase, Phase::Stopped(_)) {
            self.worker += 1;
        }
        self.phase = Phase::Opening(0);
        self.world += 1;
        self.why = None;
        if matches!(self.selected, Some(Selection::Attempt(_))) {
            self.selected = None;
        }
        self.navigation = navigation;
        self.passed = 0;
        self.shown = Shown::of(&scenario);
        self.planned.clone_from(&scenario.changes);
        self.undo.clear();
        self.dragged = None;
        self.scenario = scenario;
        true
    }

    /// The scenario with its live knobs as they stand, from the beginning.
    fn begun_anew(&self) -> Scenario {
        let mut scenario = self.scenario.clone();
        scenario.load = self.shown.load;
        scenario.knobs.migration_cost = self.shown.cost;
        scenario.knobs.overload = self.shown.overload;
        scenario.changes.clear();
        scenario.at_ns = None;
        scenario
    }

    fn restart(&mut self) {
        let scenario = self.begun_anew();
        let navigation = if scenario == self.scenario { Navigation::Replace } else { Navigation::Push };
        self.warnings.clear();
        self.rebuild(scenario, navigation);
    }

    /// A worker that is on its way hears nothing, so a new one takes its place.
    fn give_up(&mut self) {
        let scenario = Scenario { at_ns: None, ..self.scenario.clone() };
        self.worker += 1;
        self.rebuild(scenario, Navigation::Replace);
    }

    /// In the room for files, what was read is looked at first; elsewhere its machine is used at once.
    fn imported(&mut self, read: Result<Rc<Reading>, String>) {
        self.notice = None;
        match (self.view, read) {
            (View::Import, read) => self.read = Some(read),
            (_, Ok(reading)) => self.use_machine(reading),
            (_, Err(why)) => self.notice = Some(Notice::Refused(why)),
        }
    }

    fn use_machine(&mut self, reading: Rc<Reading>) {
        let mut scenario = self.begun_anew();
        match (reading.replay.as_deref(), reading.machine.clone()) {
            (Some(link), _) => {
                let tasks = Scenario::parse_link(link).0;
                scenario.machine = tasks.machine;
                scenario.workload = tasks.workload;
                scenario.script = tasks.script;
                scenario.load = tasks.load;
            }
            (None, Some(machine)) => scenario.machine = MachineSpec::Packed(Box::new(machine)),
            (None, None) => {
                let why = "The file says too little to build a machine from; the one shown stays.";
                self.notice = Some(Notice::Refused(why.to_owned()));
                return;
            }
        }
        self.warnings.clear();
        if self.rebuild(scenario, Navigation::Push) {
            self.view = View::Lab;
            self.notice = Some(Notice::Read(reading));
        }
    }

    fn turn(&mut self, to: ChangeTo) {
        let knob = Some(discriminant(&to));
        let before = self.shown.same_knob(to);
        if self.dragged != knob && before != to {
            // One drag is undone at once.
            self.dragged = knob;
            self.undo.push(before);
        }
        self.shown.turn(to);
        self.warnings.clear();
    }

    /// Writes a turned knob into the scenario. What was turned here at later times, in a future that has become
    /// another, goes; what the link turns later stays.
    fn turned(&mut self, at_ns: u64, to: ChangeTo, instead: bool) {
        let mut place = self.scenario.changes.partition_point(|c| c.at_ns <= at_ns);
        place -= usize::from(instead && place > 0);
        let planned = self.planned.iter().filter(|c| c.at_ns > at_ns);
        let changes = &mut self.scenario.changes;
        changes.truncate(place);
        if changes.len() + planned.clone().count() >= Scenario::MOST_CHANGES {
            let words = "The link holds no more turns of a knob: this one acts here, but the link no longer \
                         reproduces the run. Restart to begin a new one from these knobs.";
            self.notice = Some(Notice::Refused(words.to_owned()));
        } else {
            changes.push(Change { at_ns, to });
        }
        changes.extend(planned.cloned());
        self.scenario.at_ns = None;
        self.passed = self.scenario.changes.partition_point(|c| c.at_ns <= at_ns);
        self.turned = (self.turned.0 + 1, at_ns);
        self.navigation = Navigation::Replace;
    }

    /// Knobs as they stand after so many changes; the run may have gone back.
    fn pass(&mut self, passed: usize) {
        self.shown = Shown::of(&self.scenario);
        for change in self.scenario.changes.iter().take(passed) {
            self.shown.turn(change.to);
        }
        self.passed = passed;
    }

    fn play(&mut self, playing: bool) {
        if matches!(self.phase, Phase::Stopped(_)) {
            return;
        }
        self.playing = playing;
        if playing && self.scenario.at_ns.take().is_some() {
            self.navigation = Navigation::Replace;
        }
    }
}

fn set(scenario: &mut Scenario, setting: Setting) {
    match setting {
        Setting::Release(release) => scenario.release = release,
        Setting::Machine(machine) => scenario.machine = machine,
        Setting::Workload(kind) => scenario.workload = WorkloadSpec { kind, params: Vec::new() },
        Setting::Hz(hz) => scenario.knobs.hz = hz,
        Setting::Preempt(preempt) => scenario.knobs.preempt = preempt,
        Setting::Seed(seed) => scenario.seed = seed,
    }
}

/// What a typed machine means: a name or a grid, or the sentence that says why not.
pub fn typed_machine(text: &str) -> Result<MachineSpec, String> {
    let (scenario, warnings) = Scenario::parse_link(&format!("machine={}", text.trim()));
    match warnings.into_iter().next() {
        None => Ok(scenario.machine),
        Some(warning) => {
            // A link falls back to the default machine; here the one shown stays.
            let fallback = format!(" {} is used.", Scenario::default().machine.name());
            let why = warning.text.strip_suffix(&fallback).unwrap_or(&warning.text);
            Err(format!("{why} The machine shown stays."))
        }
    }
}

impl yew::Reducible for State {
    type Action = Action;
    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Rc::unwrap_or_clone(self).after(action))
    }
}

/// A new machine with its name as people say it.
pub fn cpus_words(machine: &Machine) -> String {
    match machine.cpus.len() {
        1 => "1 CPU".to_owned(),
        n => format!("{n} CPUs"),
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
