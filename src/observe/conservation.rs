//! Work conservation: how long CPUs were idle while tasks waited elsewhere that might have run on them.
//!
//! A pure observer: it is shown moments of a run and takes each to last until the next. What it is shown between
//! two events it measures exactly; what it is shown now and then, as exactly as that.

use crate::topology::CpuMask;
use serde::Serialize;

/// A task that waits in a queue while another runs.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    /// Where it waits.
    pub cpu: usize,
    /// Where it may run; `None`: on every CPU that takes part.
    pub allowed: Option<&'a CpuMask>,
}

/// One CPU as the observer keeps it.
#[derive(Clone, Copy, Debug, Default)]
struct Spell {
    /// Since when the CPU has been idle beside a waiting task; `None`: it is not now.
    since: Option<u64>,
    /// The task may come to it by a balance pass within this time, ns.
    limit: u64,
}

/// The observer of one run.
#[derive(Clone, Debug)]
pub struct Conservation {
    cpus: Vec<Spell>,
    /// Up to where the run was observed, ns.
    now: u64,
    began: Option<u64>,
    /// Idle CPUs and waiting tasks that might come together, as of the last moment shown.
    wasting: u64,
    losing: u64,
    report: ConservationReport,
}

/// What an observer found. Times are ns of simulated time, summed over CPUs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConservationReport {
    /// How long was observed.
    pub observed_ns: u64,
    /// The longest time between two moments that were shown.
    pub step_ns: u64,
    /// CPU time of CPUs that were idle while a task waited elsewhere that might have run there.
    pub idle_beside_waiting_ns: u64,
    /// The part of it that could have been used: as many CPUs as there were such tasks. Where affinities differ
    /// it may be less, never more.
    pub lost_ns: u64,
    /// How often a CPU began such a time.
    pub spells: u64,
    /// The longest such time of one CPU, which CPU that was, and what its release's intervals allow there.
    pub longest_ns: u64,
    #[allow(missing_docs)]
    pub longest_cpu: usize,
    #[allow(missing_docs)]
    pub limit_ns: u64,
    /// Spells that were longer than their CPU's intervals allow, and their time beyond that.
    pub spells_over_limit: u64,
    #[allow(missing_docs)]
    pub over_limit_ns: u64,
}

impl Conservation {
    /// An observer of as many CPUs as there are limits. A limit is the longest time, ns, after which a balance
    /// pass of that CPU would have been due; 0 for a CPU that never balances and whose spells are all too long.
    pub fn new(limits: impl IntoIterator<Item = u64>) -> Self {
        Self {
            cpus: limits.into_iter().map(|limit| Spell { since: None, limit }).collect(),
            now: 0,
            began: None,
            wasting: 0,
            losing: 0,
            report: ConservationReport::default(),
        }
    }

    /// Shows a moment: whether each CPU is idle and takes part, and all waiting tasks. Moments come in order of
    /// time.
    pub fn show<'a>(
        &mut self,
        now: u64,
        idle: impl Fn(usize) -> bool,
        waiting: impl Iterator<Item = Waiting<'a>> + Clone,
    ) {
        self.advance(now);
        let tasks = waiting.clone().filter(|task| {
            let may = |c: usize| c != task.cpu && task.allowed.is_none_or(|mask| mask.contains(c));
            (0..self.cpus.len()).any(|c| idle(c) && may(c))
        });
        let tasks = tasks.count() as u64;
        self.wasting = 0;
        for c in 0..self.cpus.len() {
            let may = |task: Waiting| c != task.cpu && task.allowed.is_none_or(|mask| mask.contains(c));
            if tasks > 0 && idle(c) && waiting.clone().any(may) {
                self.wasting += 1;
                if self.cpus[c].since.is_none() {
                    self.cpus[c].since = Some(now);
                    self.report.spells += 1;
                }
            } else if let Some(since) = self.cpus[c].since.take() {
                Self::book(&mut self.report, c, now - since, self.cpus[c].limit);
            }
        }
        self.losing = self.wasting.min(tasks);
    }

    /// What was found up to a time, with the spells that still last then.
    pub fn report(&self, now: u64) -> ConservationReport {
        let mut all = self.clone();
        all.advance(now);
        for (c, spell) in all.cpus.iter().enumerate() {
            if let Some(since) = spell.since {
                Self::book(&mut all.report, c, all.now - since, spell.limit);
            }
        }
        all.report
    }

    /// The last moment lasts until now.
    fn advance(&mut self, now: u64) {
        let passed = self.began.map_or(0, |_| now.saturating_sub(self.now));
        self.began.get_or_insert(now);
        self.now = now.max(self.now);
        self.report.observed_ns += passed;
        self.report.step_ns = self.report.step_ns.max(passed);
        self.report.idle_beside_waiting_ns += self.wasting * passed;
        self.report.lost_ns += self.losing * passed;
    }

    fn book(report: &mut ConservationReport, cpu: usize, length: u64, limit: u64) {
        if length > report.longest_ns {
            (report.longest_ns, report.longest_cpu, report.limit_ns) = (length, cpu, limit);
        }
        if length > limit {
            report.spells_over_limit += 1;
            report.over_limit_ns += length - limit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows moments of three CPUs: (time, which are idle, where tasks wait).
    fn seen(limits: [u64; 3], moments: &[(u64, [bool; 3], &[Waiting])], end: u64) -> ConservationReport {
        let mut observer = Conservation::new(limits);
        for (now, idle, waiting) in moments {
            observer.show(*now, |c| idle[c], waiting.iter().copied());
        }
        observer.report(end)
    }

    const ANY: Waiting = Waiting { cpu: 0, allowed: None };
    const ONE: [bool; 3] = [false, true, false];
    const TWO: [bool; 3] = [false, true, true];
    const NONE: [bool; 3] = [false; 3];

    #[test]
    fn idle_cpus_alone_and_waiting_tasks_alone_waste_nothing() {
        let report = seen([5; 3], &[(0, TWO, &[]), (10, NONE, &[ANY])], 30);
        assert_eq!(report, ConservationReport { observed_ns: 30, step_ns: 20, ..Default::default() });
    }

    #[test]
    fn one_waiting_task_loses_one_cpu_however_many_are_idle() {
        let report = seen([5; 3], &[(0, TWO, &[ANY]), (10, ONE, &[ANY, ANY]), (14, NONE, &[ANY])], 20);
        // CPUs 1 and 2 for 10, then 1 for 4: 24. One task, then one CPU: 14.
        assert_eq!((report.idle_beside_waiting_ns, report.lost_ns), (24, 14));
        assert_eq!((report.spells, report.longest_ns, report.longest_cpu), (2, 14, 1));
        // 14 - 5 and 10 - 5.
        assert_eq!((report.spells_over_limit, report.over_limit_ns, report.limit_ns), (2, 14, 5));
    }

    #[test]
    fn a_spell_ends_when_the_cpu_gets_work_or_nobody_waits_any_more() {
        let moments: &[(u64, [bool; 3], &[Waiting])] =
            &[(0, ONE, &[ANY]), (3, ONE, &[]), (4, ONE, &[ANY]), (8, NONE, &[ANY]), (9, ONE, &[ANY])];
        let report = seen([4; 3], moments, 12);
        assert_eq!((report.spells, report.longest_ns, report.lost_ns), (3, 4, 10));
        assert_eq!((report.spells_over_limit, report.over_limit_ns), (0, 0), "4 is not longer than 4.");
    }

    #[test]
    fn a_task_that_may_not_come_wastes_nothing() {
        let (here, there) = (CpuMask::from_cpus([0]), CpuMask::from_cpus([0, 2]));
        let pinned = Waiting { cpu: 0, allowed: Some(&here) };
        let partly = Waiting { cpu: 0, allowed: Some(&there) };
        assert_eq!(seen([0; 3], &[(0, TWO, &[pinned])], 10).idle_beside_waiting_ns, 0);
        let report = seen([0; 3], &[(0, TWO, &[pinned, partly])], 10);
        assert_eq!((report.idle_beside_waiting_ns, report.longest_cpu, report.spells), (10, 2, 1));
        assert_eq!(seen([0; 3], &[(0, ONE, &[partly])], 10).lost_ns, 0);
    }

    #[test]
    fn a_spell_that_lasts_at_the_end_counts_up_to_then_and_reporting_changes_nothing() {
        let mut observer = Conservation::new([100; 3]);
        observer.show(50, |c| ONE[c], [ANY].into_iter());
        assert_eq!(observer.report(80).longest_ns, 30);
        assert_eq!(observer.report(80), observer.report(80));
        let report = observer.report(200);
        assert_eq!((report.longest_ns, report.observed_ns, report.over_limit_ns), (150, 150, 50));
    }

    #[test]
    fn a_task_on_the_idle_cpu_itself_is_about_to_run_there() {
        let own = Waiting { cpu: 1, allowed: None };
        assert_eq!(
            seen([0; 3], &[(0, ONE, &[own])], 10),
            ConservationReport { observed_ns: 10, step_ns: 10, ..Default::default() }
        );
    }
}
