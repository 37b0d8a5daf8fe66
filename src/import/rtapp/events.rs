//! Events of rt-app's phases become steps.

use super::ordered::Node;
use super::{Reader, begun, short};
use crate::scenario::{Op, Script, ScriptTask};
use std::collections::BTreeMap;

/// One entry under `tasks`.
pub(super) struct Thread<'a> {
    pub(super) name: &'a str,
    pub(super) of: &'a Node,
    pub(super) instances: usize,
    /// 0 is for ever.
    pub(super) times: u32,
    pub(super) nice: i8,
    pub(super) delay_ns: u64,
}

/// Tasks made, and whether there would have been too many steps.
#[derive(Default)]
pub(super) struct Made {
    pub(super) tasks: Vec<ScriptTask>,
    pub(super) cut: bool,
}

/// An event before tasks have numbers.
enum Step<'a> {
    Op(Op),
    Suspend(&'a str),
    Resume(&'a str),
    Fork(&'a str),
}

/// Keys of a thread or phase that are no events.
const SETTINGS: [&str; 14] = [
    "instance",
    "loop",
    "cpus",
    "policy",
    "priority",
    "delay",
    "phases",
    "taskgroup",
    "util_min",
    "util_max",
    "nodes_membind",
    "numa_nodes_membind",
    "dl-runtime",
    "dl-period",
];

/// Makes the tasks of all threads.
pub(super) fn script(threads: &[Thread<'_>], reader: &mut Reader<'_>) -> Made {
    let (threads, steps) = &running(threads, reader);
    let mut made = Made::default();
    // Numbers of the instances of each name, and who waits for which name.
    let mut numbers: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    let mut owners: Vec<usize> = Vec::new();
    for (at, thread) in threads.iter().enumerate() {
        if made.tasks.len() + thread.instances > Script::MOST_TASKS {
            made.cut = true;
            return made;
        }
        for instance in 0..thread.instances {
            numbers.entry(thread.name).or_default().push(made.tasks.len() as u32);
            made.tasks.push(begun(thread, instance, false));
            owners.push(at);
        }
    }
    let mut forks: Vec<(usize, usize, u32)> = Vec::new();
    forked(threads, steps, &mut made, &mut owners, &mut forks, reader);
    let mut waiting: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (task, owner) in owners.iter().enumerate() {
        for step in &steps[*owner] {
            if let Step::Suspend(on) = step {
                let list = waiting.entry(on).or_default();
                if list.last() != Some(&(task as u32)) {
                    list.push(task as u32);
                }
            }
        }
    }
    let mut total = 0;
    for (task, owner) in owners.iter().enumerate() {
        let child = |of: &str| {
            forks
                .iter()
                .find(|(by, which, _)| *by == task && threads[*which].name == of)
                .map(|(_, _, child)| *child)
        };
        let mut ops = Vec::new();
        for step in &steps[*owner] {
            match step {
                Step::Op(op) => ops.push(*op),
                Step::Suspend(_) => ops.push(Op::Wait),
                Step::Resume(on) => {
                    let whom = waiting.get(on).into_iter().flatten().filter(|whom| **whom as usize != task);
                    ops.extend(whom.map(|whom| Op::Wake(*whom)));
                }
                Step::Fork(of) => ops.extend(child(of).map(Op::Fork)),
            }
        }
        total += ops.len();
        made.cut |= total > Script::MOST_OPS;
        if made.cut {
            return made;
        }
        made.tasks[task].ops = ops;
    }
    made
}

/// Threads that run at all, and their steps.
fn running<'a, 't>(
    threads: &'t [Thread<'a>],
    reader: &mut Reader<'_>,
) -> (Vec<&'t Thread<'a>>, Vec<Vec<Step<'a>>>) {
    let mut out = (Vec::new(), Vec::new());
    for thread in threads {
        let steps = reader.steps(thread);
        if steps.iter().any(|step| matches!(step, Step::Op(Op::Run(_)))) {
            out.0.push(thread);
            out.1.push(steps);
        } else {
            reader.say(
                thread.name,
                format!("“{}” never runs; it was left out of the workload.", short(thread.name)),
            );
        }
    }
    out
}

/// Adds a task for each thread that a thread forks, one level deep: (forking task, thread forked, its number).
fn forked(
    threads: &[&Thread<'_>],
    steps: &[Vec<Step<'_>>],
    made: &mut Made,
    owners: &mut Vec<usize>,
    forks: &mut Vec<(usize, usize, u32)>,
    reader: &mut Reader<'_>,
) {
    let mut by = 0;
    while by < owners.len() && made.tasks.len() < Script::MOST_TASKS {
        for step in &steps[owners[by]] {
            let Step::Fork(name) = step else { continue };
            let Some(which) = threads.iter().position(|thread| thread.name == *name) else {
                reader.say(name, format!("“{}” is forked and is no task of the file.", short(name)));
                continue;
            };
            if made.tasks[by].forked {
                reader.say(
                    name,
                    format!("“{}” is forked by one that is forked itself; that is left out.", short(name)),
                );
                continue;
            }
            if forks.iter().any(|(task, of, _)| (*task, *of) == (by, which)) {
                continue;
            }
            forks.push((by, which, made.tasks.len() as u32));
            made.tasks.push(begun(threads[which], by, true));
            owners.push(which);
        }
        by += 1;
    }
}

impl<'r> Reader<'r> {
    fn steps<'a>(&mut self, thread: &Thread<'a>) -> Vec<Step<'a>> {
        let mut out = Vec::new();
        match thread.of.get("phases") {
            None => self.events(thread, thread.of, &mut out),
            Some(phases) => {
                for (name, phase) in phases.entries() {
                    let times = phase.get("loop").and_then(Node::whole).unwrap_or(1);
                    if times < 0 {
                        // What comes after a phase without end never happens; what came before happens once.
                        self.say(
                            name,
                            format!(
                                "The phase “{}” has no end; it is played in turn with the others.",
                                short(name)
                            ),
                        );
                    }
                    for _ in 0..times.clamp(1, i64::from(u32::MAX)) {
                        if times == 0 || out.len() > Script::MOST_OPS {
                            break;
                        }
                        self.events(thread, phase, &mut out);
                    }
                }
            }
        }
        out
    }

    fn events<'a>(&mut self, thread: &Thread<'a>, of: &'a Node, out: &mut Vec<Step<'a>>) {
        let before = out.len();
        for (key, value) in of.entries().iter().filter(|(key, _)| !SETTINGS.contains(&key.as_str())) {
            // Names may be numbered, so that they differ.
            match key.trim_end_matches(|c: char| c.is_ascii_digit()) {
                "run" | "runtime" => {
                    out.extend(self.time(key, value).filter(|ns| *ns > 0).map(|ns| Step::Op(Op::Run(ns))))
                }
                "sleep" => out.extend(self.time(key, value).map(|ns| Step::Op(Op::Sleep(ns)))),
                "timer" => {
                    let period = value.get("period").and_then(|period| self.time(key, period));
                    out.extend(period.map(|ns| Step::Op(Op::Every(ns))));
                }
                "suspend" => out.push(Step::Suspend(text(value).unwrap_or(thread.name))),
                "resume" => out.extend(text(value).map(Step::Resume)),
                "fork" => out.extend(text(value).map(Step::Fork)),
                // Those say where to stop, and ask for no work.
                "yield" => {}
                _ => self.say(key, format!("The event “{}” is not modelled; it was left out.", short(key))),
            }
        }
        if out.len() == before {
            self.say(
                thread.name,
                format!("“{}” has a part without events that are modelled.", short(thread.name)),
            );
        }
    }

    /// Microseconds as ns.
    fn time(&mut self, key: &str, value: &Node) -> Option<u64> {
        let us = value.whole().and_then(|us| u64::try_from(us).ok());
        let ns = us.and_then(|us| us.checked_mul(1_000)).filter(|ns| *ns <= Script::LONGEST_NS);
        if ns.is_none() {
            self.say(
                key,
                format!("“{}” has no time from 0 to an hour, in microseconds; it was left out.", short(key)),
            );
        }
        ns
    }
}

fn text(value: &Node) -> Option<&str> {
    match value {
        Node::Text(text) => Some(text),
        _ => None,
    }
}
