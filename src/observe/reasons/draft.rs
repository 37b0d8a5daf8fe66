//! What a pass has noted so far.

use super::{Candidate, Found, GroupSeen, Text, Verdict};
use crate::balance::avg_load_scheme::{AvgLoadStats, AvgLoadType};
use crate::balance::{
    Condition, Decision, DomainView, GateInput, GroupStats, GroupType, Movable, Subject, Why,
};

/// A sink that keeps more than conditions. Nothing is kept by `()`.
pub trait Notes: Why {
    /// What the gates of a new-idle pass are given.
    fn gate(&mut self, _: &GateInput) {}
    /// Group statistics and what they led to. `ids`: the groups' numbers, in the CPU's own order; `indexed`:
    /// conditions name groups by their place in that order and not by number.
    fn groups(&mut self, _: &DomainView, _: Vec<GroupStats>, _ids: &[u32], _: &Decision, _indexed: bool) {}
    /// The same with 4.19's statistics.
    fn avg_load_groups(&mut self, _: &[AvgLoadStats], _ids: &[u32], _: &Decision) {}
    /// The CPU to pull from.
    fn source(&mut self, _cpu: u32) {}
    /// What came of a task: whether it may move, and whether its size lets it.
    fn candidate(&mut self, _task: u32, _: Movable, _fits: bool) {}
}

impl Notes for () {}

/// The notes of one attempt.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub(super) conditions: Vec<(Subject, Condition)>,
    subject: Subject,
    /// Conditions whose groups are named by number, from the first on.
    numbered: usize,
    pub(super) gate: Option<GateInput>,
    /// What another release's rules would be given; empty under 4.19, whose statistics are others.
    pub(super) view: Option<DomainView>,
    pub(super) stats: Vec<GroupStats>,
    pub(super) groups: Vec<GroupSeen>,
    pub(super) found: Option<Found>,
    pub(super) source: Option<u32>,
    pub(super) candidates: Vec<Candidate>,
}

impl Why for Draft {
    const READ: bool = true;

    fn note(&mut self, condition: Condition) {
        self.conditions.push((self.subject, condition));
    }

    fn about(&mut self, subject: Subject) {
        self.subject = subject;
    }
}

impl Notes for Draft {
    fn gate(&mut self, input: &GateInput) {
        self.gate = Some(*input);
    }

    fn groups(
        &mut self,
        view: &DomainView,
        stats: Vec<GroupStats>,
        ids: &[u32],
        d: &Decision,
        indexed: bool,
    ) {
        if indexed {
            self.number(ids);
        }
        let busiest = d.busiest.and_then(|b| if indexed { ids.get(b).copied() } else { Some(b as u32) });
        self.groups = ids
            .iter()
            .zip(&stats)
            .map(|(id, s)| GroupSeen {
                group: *id,
                local: s.local,
                busiest: busiest == Some(*id),
                weight: s.weight,
                nr_running: s.nr_running,
                idle_cpus: s.idle_cpus,
                capacity: s.capacity,
                load: s.load,
                util: s.util,
                runnable: Some(s.runnable),
                group_type: Text::Borrowed(type_name(s.group_type)),
                avg_load: s.avg_load,
            })
            .collect();
        self.view = Some(view.clone());
        self.stats = stats;
        self.found(d);
    }

    fn avg_load_groups(&mut self, stats: &[AvgLoadStats], ids: &[u32], d: &Decision) {
        self.number(ids);
        self.groups = ids
            .iter()
            .zip(stats)
            .enumerate()
            .map(|(i, (id, s))| GroupSeen {
                group: *id,
                local: s.local,
                busiest: d.busiest == Some(i),
                weight: s.weight,
                nr_running: s.nr_running,
                idle_cpus: s.idle_cpus,
                capacity: s.capacity,
                load: s.load,
                util: s.util,
                runnable: None,
                group_type: Text::Borrowed(match s.group_type {
                    AvgLoadType::Other => "other",
                    AvgLoadType::Imbalanced => "imbalanced",
                    AvgLoadType::Overloaded => "overloaded",
                }),
                avg_load: s.avg_load,
            })
            .collect();
        self.found(d);
    }

    fn source(&mut self, cpu: u32) {
        self.source = Some(cpu);
    }

    fn candidate(&mut self, task: u32, movable: Movable, fits: bool) {
        let verdict = match movable {
            Movable::Yes { .. } if !fits => Verdict::TooBig,
            Movable::Yes { hot: true } => Verdict::MovedHot,
            Movable::Yes { hot: false } => Verdict::Moved,
            Movable::Throttled => Verdict::Throttled,
            Movable::Kthread => Verdict::Kthread,
            Movable::Pinned => Verdict::Pinned,
            Movable::Running => Verdict::Running,
            Movable::Delayed => Verdict::Delayed,
            Movable::Ineligible => Verdict::Ineligible,
            Movable::Hot => Verdict::Hot,
        };
        self.candidates.push(Candidate { task, verdict });
    }
}

impl Draft {
    /// Forgets everything, keeping the memory of the longest part.
    pub fn clear(&mut self) {
        let mut conditions = std::mem::take(&mut self.conditions);
        conditions.clear();
        *self = Self { conditions, ..Self::default() };
    }

    fn found(&mut self, d: &Decision) {
        self.found = Some(Found { pulls: d.pulls(), migration_type: d.migration_type, amount: d.amount });
    }

    /// Names groups by number in what was noted since this was last done.
    fn number(&mut self, ids: &[u32]) {
        for (subject, _) in &mut self.conditions[self.numbered..] {
            if let Subject::Group(index) = subject
                && let Some(id) = ids.get(*index as usize)
            {
                *index = *id;
            }
        }
        self.numbered = self.conditions.len();
    }
}

/// A group type in the kernel's words.
pub(super) fn type_name(group_type: GroupType) -> &'static str {
    match group_type {
        GroupType::HasSpare => "has_spare",
        GroupType::FullyBusy => "fully_busy",
        GroupType::Misfit => "misfit_task",
        GroupType::SmtBalance => "smt_balance",
        GroupType::AsymPacking => "asym_packing",
        GroupType::Imbalanced => "imbalanced",
        GroupType::Overloaded => "overloaded",
    }
}
