//! rt-app's JSON: threads that run, sleep, and wake each other. What no workload here does (locks, barriers, real-time
//! classes, affinity) is said.

mod events;
mod ordered;

use super::notes::{Notes, count};
use crate::scenario::{Script, ScriptTask};
use events::{Made, Thread};
use ordered::Node;
use serde::{Deserialize, Serialize};

/// More instances of one thread than a file has a use for.
const MOST_INSTANCES: i64 = 10_000;

/// What the file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RtAppFacts {
    /// Entries under `tasks`.
    pub tasks: u64,
    /// Threads that these make.
    pub threads: u64,
    /// Seconds that the file wants to run; left out where it runs until its threads end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_s: Option<u64>,
}

/// A file that was read.
pub(super) struct RtApp {
    pub(super) line: usize,
    pub(super) facts: RtAppFacts,
    pub(super) script: Option<Script>,
}

/// Whether a text that begins with a brace looks like such a file: the name stands near its beginning.
pub(super) fn looks_like(text: &str) -> bool {
    text.starts_with('{') && text.contains("\"tasks\"") && !text.contains("\"lscpu\"")
}

/// Reads a text that begins with a brace; also says how many lines of it the file takes. An error is a line and a
/// sentence.
pub(super) fn read(text: &str, first: usize, notes: &mut Notes) -> Result<(RtApp, usize), (usize, String)> {
    let plain = ordered::plain(text);
    let mut values = serde_json::Deserializer::from_str(&plain).into_iter::<Node>();
    let root = match values.next() {
        Some(Ok(root)) => root,
        Some(Err(error)) => {
            let line = first + error.line().saturating_sub(1);
            // Within a text the end of a line is an error of its own.
            let last = error.line() > plain.trim_end().matches('\n').count();
            let what = if error.is_eof() || last { "is cut off here" } else { "cannot be read as JSON here" };
            return Err((line, format!("The rt-app file {what}.")));
        }
        None => return Err((first, "The rt-app file is empty.".to_owned())),
    };
    let taken = plain[..values.byte_offset()].matches('\n').count() + 1;
    let Some(tasks) = root.get("tasks").filter(|tasks| !tasks.entries().is_empty()) else {
        return Err((first, "The rt-app file has no tasks.".to_owned()));
    };
    let mut reader = Reader { text: &plain, first, notes, said: Vec::new() };
    let threads: Vec<Thread<'_>> =
        tasks.entries().iter().filter_map(|(name, of)| reader.thread(name, of)).collect();
    let duration = root.get("global").and_then(|global| global.get("duration")).and_then(Node::whole);
    let made = events::script(&threads, &mut reader);
    let facts = RtAppFacts {
        tasks: tasks.entries().len() as u64,
        threads: threads.iter().map(|t| t.instances as u64).sum(),
        duration_s: duration.and_then(|s| u64::try_from(s).ok()),
    };
    let script = reader.checked(made);
    Ok((RtApp { line: first, facts, script }, taken))
}

/// What the parts of the reading share.
struct Reader<'a> {
    text: &'a str,
    /// Line of the text's first line.
    first: usize,
    notes: &'a mut Notes,
    /// What was said once already.
    said: Vec<String>,
}

impl Reader<'_> {
    /// The line on which a name stands first.
    fn line_of(&self, name: &str) -> usize {
        let at = self.text.find(&format!("\"{name}\"")).unwrap_or(0);
        self.first + self.text[..at].matches('\n').count()
    }

    /// Says that something of this name is not done, once for each text.
    fn say(&mut self, name: &str, text: String) {
        if !self.said.contains(&text) {
            self.notes.warn(self.line_of(name), text.clone());
            self.said.push(text);
        }
    }

    fn thread<'t>(&mut self, name: &'t str, of: &'t Node) -> Option<Thread<'t>> {
        if of.entries().is_empty() {
            self.say(name, format!("The task “{}” does nothing; it was left out.", short(name)));
            return None;
        }
        let whole = |key: &str| of.get(key).and_then(Node::whole);
        let instances = whole("instance").unwrap_or(1);
        if !(0..=MOST_INSTANCES).contains(&instances) {
            self.say(name, format!("“{}” has {instances} instances; it was left out.", short(name)));
            return None;
        }
        let times = match whole("loop").unwrap_or(-1) {
            forever if forever < 0 => 0,
            times => u32::try_from(times).unwrap_or(u32::MAX),
        };
        for key in ["cpus", "numa_nodes_membind", "nodes_membind", "taskgroup", "util_min", "util_max"] {
            if of.get(key).is_some() {
                let what = if key == "cpus" { "affinity" } else { key };
                self.say(key, format!("The {what} of tasks is not taken over: every task may use all CPUs."));
            }
        }
        let policy = match of.get("policy") {
            Some(Node::Text(policy)) => policy.as_str(),
            _ => "SCHED_OTHER",
        };
        let fair = matches!(policy, "SCHED_OTHER" | "SCHED_NORMAL" | "SCHED_BATCH");
        if !fair {
            self.notes.assume(format!("tasks of {} will run as fair tasks", short(policy)));
        }
        let nice = match whole("priority") {
            Some(nice) if fair => nice.clamp(-20, 19) as i8,
            _ if fair => 0,
            _ if policy == "SCHED_IDLE" => 19,
            _ => -20,
        };
        let delay_ns = u64::try_from(whole("delay").unwrap_or(0)).unwrap_or(0).saturating_mul(1_000);
        Some(Thread { name, of, instances: instances as usize, times, nice, delay_ns })
    }

    fn checked(&mut self, made: Made) -> Option<Script> {
        let script = Script { length_ns: 0, tasks: made.tasks };
        if made.cut {
            let text = format!(
                "The loops of this file make more than {} steps; none of it became a workload.",
                Script::MOST_OPS
            );
            self.notes.warn(self.first, text);
            return None;
        }
        match script.check() {
            Ok(()) => {
                let n = count(script.tasks.len(), "thread");
                self.notes.assume(format!(
                    "workload from rt-app: {n}, whose run times are those of the fastest CPU, and which may use all CPUs"
                ));
                Some(script)
            }
            Err(sentence) => {
                self.notes.warn(self.first, format!("No workload could be made of this: {sentence}"));
                None
            }
        }
    }
}

/// A name fit for a sentence.
fn short(name: &str) -> String {
    super::lists::shown(name)
}

/// The name of an instance as rt-app gives it to the thread.
fn instance_name(name: &str, at: usize) -> String {
    format!("{name}-{at}").chars().take(Script::LONGEST_NAME).collect()
}

/// A task without steps yet.
fn begun(thread: &Thread<'_>, at: usize, forked: bool) -> ScriptTask {
    ScriptTask {
        name: instance_name(thread.name, at),
        nice: thread.nice,
        forked,
        times: thread.times,
        delay_ns: thread.delay_ns,
        ops: Vec::new(),
    }
}
