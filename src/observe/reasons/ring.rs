//! The latest reasons, bounded in number and in size.

use super::elsewhere::elsewhere;
use super::{Draft, Reason, Said, What};
use crate::balance::Rules;
use crate::observe::Attempt;
use std::collections::VecDeque;

/// Reasons kept at most.
pub const ENTRIES: usize = 1024;
/// Placements of tasks kept at most: there are many, and each is of interest only while its task is there.
const PLACED: usize = 1024;
/// Conditions and groups kept at most, over all reasons; the last reason is kept whatever its size.
const LINES: usize = 1 << 16;

#[derive(Clone, Debug)]
struct Entry {
    at_ns: u64,
    cpu: u32,
    what: What,
    draft: Draft,
}

impl Entry {
    fn lines(&self) -> usize {
        self.draft.conditions.len() + self.draft.stats.len() + self.draft.groups.len()
    }

    /// For whom, which in a nohz pass is not who does it.
    fn whom(&self) -> u32 {
        match self.what {
            What::Attempt(attempt) => attempt.cpu,
            _ => self.cpu,
        }
    }
}

/// The reader's end: the ring, and the notes of passes that are under way.
#[derive(Debug)]
pub struct Reasons {
    drafts: Vec<Draft>,
    ring: VecDeque<Entry>,
    placed: VecDeque<Entry>,
    lines: usize,
    dropped: u64,
}

/// A copy of a world reads on from where it was copied; what was read before is the original's.
impl Clone for Reasons {
    fn clone(&self) -> Self {
        Self { drafts: self.drafts.clone(), ..Self::new(0) }
    }
}

impl Reasons {
    /// For a machine with that many CPUs.
    pub fn new(cpus: usize) -> Self {
        Self {
            drafts: vec![Draft::default(); cpus],
            ring: VecDeque::new(),
            placed: VecDeque::new(),
            lines: 0,
            dropped: 0,
        }
    }

    /// Hands out the notes of the pass that a CPU is in; to be given back.
    pub fn lend(&mut self, cpu: usize) -> Draft {
        self.drafts.get_mut(cpu).map(std::mem::take).unwrap_or_default()
    }

    /// Takes them back.
    pub fn give(&mut self, cpu: usize, draft: Draft) {
        if let Some(place) = self.drafts.get_mut(cpu) {
            *place = draft;
        }
    }

    /// What the pass on a CPU has noted is for nothing.
    pub fn forget(&mut self, cpu: usize) {
        if let Some(draft) = self.drafts.get_mut(cpu) {
            draft.clear();
        }
    }

    /// An attempt of the pass on a CPU ended: what was noted is its reason.
    pub fn attempt(&mut self, cpu: usize, attempt: Attempt) {
        let draft = self.lend(cpu);
        let at_ns = attempt.at_ns.saturating_add(attempt.took_ns);
        self.push(Entry { at_ns, cpu: cpu as u32, what: What::Attempt(attempt), draft });
    }

    /// Something else happened.
    pub fn event(&mut self, at_ns: u64, cpu: u32, what: What, draft: Draft) {
        self.push(Entry { at_ns, cpu, what, draft });
    }

    /// A CPU placed a task. Placements have a ring of their own, so that they do not push out attempts.
    pub fn placed(&mut self, at_ns: u64, cpu: u32, (task, to): (u32, u32), draft: Draft) {
        if self.placed.len() == PLACED {
            self.placed.pop_front();
        }
        self.placed.push_back(Entry { at_ns, cpu, what: What::Placed(task, to), draft });
    }

    /// Why a task was placed where it was placed last, if that is still there.
    pub fn of_task(&self, rules: &Rules, task: u32) -> Option<Reason> {
        let is = |e: &&Entry| matches!(e.what, What::Placed(placed, _) if placed == task);
        self.placed.iter().rev().find(is).map(|e| told(rules, e))
    }

    fn push(&mut self, entry: Entry) {
        self.lines += entry.lines();
        self.ring.push_back(entry);
        while self.ring.len() > ENTRIES || (self.lines > LINES && self.ring.len() > 1) {
            if let Some(old) = self.ring.pop_front() {
                self.lines -= old.lines();
                self.dropped += 1;
            }
        }
    }

    /// The reason of the attempt with that number, if it is still there.
    pub fn of_attempt(&self, rules: &Rules, id: u64) -> Option<Reason> {
        let is = |e: &&Entry| matches!(e.what, What::Attempt(a) if a.id == id);
        self.ring.iter().rev().find(is).map(|e| told(rules, e))
    }

    /// The latest attempts for a CPU, newest first.
    pub fn of_cpu(&self, rules: &Rules, cpu: u32, most: usize) -> Vec<Reason> {
        let is = |e: &&Entry| matches!(e.what, What::Attempt(_)) && e.whom() == cpu;
        self.ring.iter().rev().filter(is).take(most).map(|e| told(rules, e)).collect()
    }

    /// Takes out all that happened, in the order in which it ended, and the number of those lost since.
    pub fn take(&mut self, rules: &Rules) -> (Vec<Reason>, u64) {
        self.lines = 0;
        let taken = self.ring.drain(..).map(|e| told(rules, &e)).collect();
        (taken, std::mem::take(&mut self.dropped))
    }
}

fn told(rules: &Rules, entry: &Entry) -> Reason {
    let draft = &entry.draft;
    Reason {
        at_ns: entry.at_ns,
        cpu: entry.cpu,
        what: entry.what,
        said: draft.conditions.iter().map(|(subject, c)| Said::of(*subject, c)).collect(),
        groups: draft.groups.clone(),
        found: draft.found,
        source: draft.source,
        candidates: draft.candidates.clone(),
        elsewhere: elsewhere(rules, draft),
    }
}
