//! Lines of a trace as they come by.

use super::Time;
use super::account::Account;
use super::head::{self, Beside};
use super::payload::{self, Sched};
use super::prefix::{self, Event};
use super::script::{At, Recorder, Unsaid};
use crate::import::Kind;
use crate::import::activity::{Activity, Counts, TraceFacts};
use crate::import::lists::MAX_CPUS;
use crate::import::notes::{Notes, count};
use crate::scenario::Script;

/// More names of events than kernels have tracepoints in use at once.
const MAX_NAMES: usize = 4096;

/// What of a trace is told beside its facts.
pub(in crate::import) struct Found {
    /// The first event's line.
    pub(in crate::import) line: usize,
    pub(in crate::import) kind: Kind,
    pub(in crate::import) cpus: u32,
    /// CPUs that appear.
    pub(in crate::import) cpu_ids: Vec<u32>,
    /// What the tasks did, as a workload.
    pub(in crate::import) script: Option<Script>,
}

/// How a line was first seen to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Format {
    #[default]
    Ftrace,
    TraceCmd,
    Systrace,
    Perf,
}

/// Takes the lines of a text that belong to a trace.
#[derive(Default)]
pub(in crate::import) struct Reader {
    format: Format,
    /// The first event's line.
    first: Option<usize>,
    events: Counts,
    account: Account,
    recorder: Recorder,
    tracer: Option<String>,
    cpus: Option<u32>,
    earliest: Option<(Time, String)>,
    latest: Option<(Time, String)>,
    before: Option<Time>,
    /// Times that go back: how many, and the first's line.
    back: Option<(u64, usize)>,
    unreadable: Option<(u64, usize)>,
    lost: Option<u64>,
    ticks: Option<usize>,
    web_page: bool,
}

impl Reader {
    /// Takes a line if it is one of a trace's.
    pub(in crate::import) fn line(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        // A trace that was lifted out of a script ends its lines so.
        let (text, script) = text.strip_suffix("\\n\\").map_or((text, false), |text| (text, true));
        if let Some(event) = prefix::event(text) {
            // The scripts of a web page may hold anything that looks like an event, but no trace begins without a head.
            if self.web_page && self.tracer.is_none() && payload::read(event.name, event.payload).is_none() {
                return true;
            }
            if script {
                self.format = Format::Systrace;
            }
            self.event(no, &event, notes);
            return true;
        }
        let text = text.trim();
        if let Some(beside) = head::read(text, self.first.is_some() || script || self.tracer.is_some()) {
            self.beside(no, beside, notes);
            return true;
        }
        self.around(text)
    }

    /// What surrounds a trace in a web page, and the call chains below perf's events.
    fn around(&mut self, text: &str) -> bool {
        if self.web_page {
            return true;
        }
        let lower = text.get(..14).unwrap_or(text).to_ascii_lowercase();
        if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
            // The first line stays, for the word about a page without a trace.
            self.web_page = true;
            self.format = Format::Systrace;
            return false;
        }
        let address = text.split(' ').next().unwrap_or_default();
        self.format == Format::Perf
            && self.first.is_some()
            && address.len() >= 6
            && address.bytes().all(|b| b.is_ascii_hexdigit())
    }

    fn beside(&mut self, no: usize, beside: Beside, notes: &mut Notes) {
        match beside {
            Beside::Tracer(name) => self.tracer = Some(name),
            Beside::Entries { cpus, overwritten } => {
                self.cpus = cpus.or(self.cpus);
                if let Some(n) = overwritten {
                    let text = format!(
                        "{} older than this trace were overwritten before it was read.",
                        count(n as usize, "event")
                    );
                    notes.warn(no, text);
                }
            }
            Beside::TraceCmd(cpus) => {
                self.format = Format::TraceCmd;
                self.cpus = cpus.or(self.cpus);
            }
            Beside::PerfCpus(cpus) => self.cpus = Some(cpus),
            Beside::Lost(cpu, n) => {
                self.account.lost(cpu);
                self.recorder.lost(cpu);
                self.lost = Some(self.lost.unwrap_or(0).saturating_add(n.unwrap_or(1)));
                notes.warn(no, format!("Events of CPU {cpu} are missing here; what ran on it is not known until its next switch."));
            }
            Beside::Started(cpu) => {
                self.account.lost(cpu);
                self.recorder.lost(cpu);
            }
            Beside::Nothing => {}
        }
    }

    fn event(&mut self, no: usize, event: &Event<'_>, notes: &mut Notes) {
        if self.first.is_none() {
            self.first = Some(no);
            if event.perf {
                self.format = Format::Perf;
            }
        }
        self.count(event.name);
        if event.cpu >= MAX_CPUS {
            notes.warn(
                no,
                format!(
                    "CPU {} is beyond the {MAX_CPUS} that Linux can have; the event was counted only.",
                    event.cpu
                ),
            );
            return;
        }
        self.account.seen(event.cpu);
        self.clock(no, event);
        let Some(sched) = payload::read(event.name, event.payload) else { return };
        if sched == Sched::Unreadable {
            let (n, first) = self.unreadable.unwrap_or((0, no));
            self.unreadable = Some((n + 1, first));
        }
        self.account.event(no, event.cpu, event.time, &sched);
        if let Some(ns) = event.time.ns() {
            let (cpu, interrupt, flagged) = (event.cpu, event.interrupt, event.flagged);
            self.recorder.event(At { cpu, ns, interrupt, flagged }, &sched);
        }
    }

    fn count(&mut self, name: &str) {
        if let Some(n) = self.events.get_mut(name) {
            *n += 1;
            return;
        }
        let name: String =
            if self.events.len() < MAX_NAMES { name.chars().take(64).collect() } else { "other".to_owned() };
        *self.events.entry(name).or_default() += 1;
    }

    fn clock(&mut self, no: usize, event: &Event<'_>) {
        let time = event.time;
        if time.ns().is_none() {
            self.ticks.get_or_insert(no);
        }
        if self.before.is_some_and(|before| time < before) {
            let (n, first) = self.back.unwrap_or((0, no));
            self.back = Some((n + 1, first));
        }
        self.before = Some(time);
        if self.earliest.as_ref().is_none_or(|(t, _)| time < *t) {
            self.earliest = Some((time, event.stamp.to_owned()));
        }
        if self.latest.as_ref().is_none_or(|(t, _)| time > *t) {
            self.latest = Some((time, event.stamp.to_owned()));
        }
    }

    /// The kind and its first line, if there were events, with the facts.
    pub(in crate::import) fn finish(mut self, out: &mut Activity, notes: &mut Notes) -> Option<Found> {
        let line = self.first?;
        self.say(notes);
        let last = self.latest.as_ref().and_then(|(time, _)| time.ns());
        self.account.end(last);
        let timed = self.ticks.is_none();
        let (kind, format) = match self.format {
            Format::Perf => (Kind::PerfScript, "perf script"),
            Format::Ftrace => (Kind::Ftrace, "ftrace"),
            Format::TraceCmd => (Kind::Ftrace, "trace-cmd"),
            Format::Systrace => (Kind::Ftrace, "systrace"),
        };
        let first = self.earliest.as_ref().and_then(|(time, _)| time.ns());
        let mut trace = TraceFacts {
            trace_format: format.to_owned(),
            events: std::mem::take(&mut self.events),
            tracer: self.tracer.take(),
            first_timestamp: self.earliest.take().map(|(_, stamp)| stamp),
            last_timestamp: self.latest.take().map(|(_, stamp)| stamp),
            duration_ns: last.zip(first).filter(|_| timed).map(|(last, first)| last.saturating_sub(first)),
            lost_events: self.lost,
            ..TraceFacts::default()
        };
        super::facts::fill(&self.account, timed, &mut trace, out);
        out.trace = Some(trace);
        let cpu_ids: Vec<u32> = self.account.cpus.keys().copied().collect();
        let cpus = self.cpus.unwrap_or(0).max(cpu_ids.len() as u32);
        let recorder = std::mem::take(&mut self.recorder);
        let script = recorder.finish().filter(|_| timed).map(|(script, unsaid)| {
            say_unsaid(&script, &unsaid, line, notes);
            script
        });
        Some(Found { line, kind, cpus, cpu_ids, script })
    }

    fn say(&self, notes: &mut Notes) {
        let more =
            |n: u64| if n > 1 { format!("Here and in {} more lines", n - 1) } else { "Here".to_owned() };
        if let Some((n, line)) = self.back {
            notes.warn(line, format!("{} the time goes back behind that of the line before.", more(n)));
        }
        if let Some((n, line)) = self.unreadable {
            notes.warn(
                line,
                format!(
                    "{} a scheduler event is cut off or unlike any known; it was counted and not followed.",
                    more(n)
                ),
            );
        }
        if let Some((n, line)) = self.account.mismatched {
            notes.warn(
                line,
                format!(
                    "{} a task leaves a CPU on which another was seen last; switches are missing before.",
                    more(n)
                ),
            );
        }
        if let Some(line) = self.account.numeric {
            notes.warn(line, "Task states are numbers here, whose meaning depends on the kernel; whether a task that left its CPU slept or waited is not known.");
        }
        if let Some(line) = self.ticks {
            notes.warn(
                line,
                "Times are numbers of an unknown clock here; events were counted, and no time was added up.",
            );
        }
        if self.account.too_many_tasks {
            notes.warn(None, "There are more tasks than are kept apart; the rest were passed over.");
        }
        if !self.events.contains_key("sched_switch") {
            notes.warn(None, "There is no sched_switch in this trace, so it does not say when tasks ran.");
        }
    }
}

/// What the workload that plays the tasks again takes for granted.
fn say_unsaid(script: &Script, unsaid: &Unsaid, line: usize, notes: &mut Notes) {
    notes.assume(
        "workload from the trace: run times are taken as those of the fastest CPU, sleeps that no task ended as timers, and every task may use all CPUs",
    );
    if unsaid.guessed_wakers > 0 {
        notes.assume(
            "wakers assumed: without flags a wake-up is taken as the doing of the task on its CPU, though it may have been an interrupt's",
        );
    }
    if unsaid.unwoken > 0 {
        notes.assume(format!(
            "{} ended without a wake-up in the trace, so each is taken to end when the task ran again",
            count(unsaid.unwoken, "sleep")
        ));
    }
    if unsaid.real_time > 0 {
        notes.assume(format!(
            "{} of a real-time or deadline class will run as a fair task of nice -20",
            count(unsaid.real_time, "task")
        ));
    }
    if let Some(ns) = unsaid.cut_at {
        notes.warn(
            line,
            format!(
                "The workload holds the first {} ms of the trace: a link has room for {} steps.",
                ns / 1_000_000,
                Script::MOST_OPS
            ),
        );
    } else if script.ops() > 5_000 {
        notes.warn(
            line,
            format!("The link that holds these tasks is long: they have {} steps.", script.ops()),
        );
    }
}
