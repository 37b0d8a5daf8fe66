//! Which of the queued tasks should run: `pick_next_entity`, `pick_eevdf`.

use super::cfs;
use super::eevdf;
use super::entity::Entity;
use super::rules::{Picker, Picking};
use super::runqueue::{NONE, Runqueue};

/// A choice among the queued tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Current,
    /// Place among the waiting ones.
    At(usize),
}

impl Runqueue {
    /// Who should run. Without `protect` EEVDF does not spare the running task.
    pub(super) fn choose(&self, p: &Picking, protect: bool) -> Option<Choice> {
        match p.rules.picker {
            Picker::Cfs => self.choose_cfs(p),
            Picker::Eevdf => self.choose_eevdf(p, protect),
        }
    }

    pub(super) fn entity(&self, choice: Choice) -> Option<&Entity> {
        match choice {
            Choice::Current => self.current.as_ref(),
            Choice::At(at) => self.waiting.get(at).map(|w| &w.entity),
        }
    }

    /// The first of the order, the running task before it only if it is strictly less; then the second, if the first
    /// yielded; then buddies. None of them may be a wake-up granularity beyond the first (`pick_next_entity`).
    fn choose_cfs(&self, p: &Picking) -> Option<Choice> {
        let first = self.waiting.len().checked_sub(1).map(Choice::At);
        let left = self.earlier(first)?;
        let least = self.entity(left)?;
        let near = |choice: &Choice| self.entity(*choice).is_some_and(|e| !cfs::runs_ahead(p, e, least));
        let mut chosen = left;
        if self.skip == least.task {
            let second = match left {
                Choice::Current => first,
                Choice::At(at) => self.earlier(at.checked_sub(1).map(Choice::At)),
            };
            chosen = second.filter(near).unwrap_or(left);
        }
        let buddy = |task: u32| self.choice_of(task).filter(near);
        Some(buddy(self.next).or_else(|| buddy(self.last)).unwrap_or(chosen))
    }

    /// The running task if it is strictly before a waiting one.
    fn earlier(&self, waiting: Option<Choice>) -> Option<Choice> {
        let Some(current) = &self.current else { return waiting };
        let other = waiting.and_then(|w| self.entity(w));
        if other.is_none_or(|w| current.vruntime < w.vruntime) { Some(Choice::Current) } else { waiting }
    }

    fn choice_of(&self, task: u32) -> Option<Choice> {
        if task == NONE {
            return None;
        }
        match &self.current {
            Some(current) if current.task == task => Some(Choice::Current),
            _ => self.place_of(task).map(Choice::At),
        }
    }

    /// The running task while it is protected and owed service; else of those that are owed service the one with the
    /// earliest deadline, the running one only if it is strictly earlier (`pick_eevdf`).
    fn choose_eevdf(&self, p: &Picking, protect: bool) -> Option<Choice> {
        let Some(current) = &self.current else {
            return if self.waiting.len() == 1 { Some(Choice::At(0)) } else { self.first_eligible() };
        };
        if self.waiting.is_empty() {
            return Some(Choice::Current);
        }
        if !self.is_eligible(current) {
            return self.first_eligible().or(Some(Choice::Current));
        }
        if protect && eevdf::protected(p, current) {
            return Some(Choice::Current);
        }
        let best = self.first_eligible();
        let deadline = best.and_then(|b| self.entity(b)).map(|e| e.deadline);
        if deadline.is_none_or(|d| current.deadline < d) { Some(Choice::Current) } else { best }
    }

    fn first_eligible(&self) -> Option<Choice> {
        let all = self.all();
        let found = self.waiting.iter().rposition(|w| all.eligible(w.entity.vruntime - self.min_vruntime));
        found.map(Choice::At)
    }
}
