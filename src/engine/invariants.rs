//! What must hold at any moment of any run.

use super::World;
use super::state::{Phase, Stage};
use super::task::{NONE, Place};
use crate::observe::{Cause, Kind};

impl World {
    /// Every broken invariant as a sentence; empty if all is well. For tests and for `balancescope run`, which looks at
    /// the end, and all along with `--check`.
    pub fn check_invariants(&self) -> Vec<String> {
        let mut broken = Vec::new();
        let mut listed = vec![0u32; self.tasks.len()];
        for c in 0..self.cpus.len() {
            self.check_cpu(c, &mut listed, &mut broken);
        }
        self.check_tasks(&listed, &mut broken);
        self.check_nohz(&mut broken);
        self.check_sums(&mut broken);
        self.check_lock(&mut broken);
        self.check_clocks(&mut broken);
        self.check_averages(&mut broken);
        self.check_counters(&mut broken);
        broken
    }

    fn check_cpu(&self, c: usize, listed: &mut [u32], broken: &mut Vec<String>) {
        let cpu = &self.cpus[c];
        let sum: u64 = self.times(c).iter().sum();
        if sum != self.now {
            broken.push(format!("CPU {c} accounts for {sum} ns of {}.", self.now));
        }
        let on_queue: Vec<u32> =
            cpu.rq.waiting().map(|e| e.task).chain(cpu.rq.current().map(|e| e.task)).collect();
        if cpu.rq.current().map_or(NONE, |e| e.task) != cpu.current {
            broken.push(format!("CPU {c} runs another task than its queue says."));
        }
        let mut list = Vec::new();
        let mut t = cpu.head;
        while t != NONE && list.len() <= self.tasks.len() {
            list.push(t);
            t = self.tasks[t as usize].next;
        }
        let sorted = |mut v: Vec<u32>| {
            v.sort_unstable();
            v
        };
        if sorted(on_queue.clone()) != sorted(list) {
            broken.push(format!("The task list of CPU {c} differs from its queue."));
        }
        for t in on_queue {
            listed[t as usize] += 1;
            let task = &self.tasks[t as usize];
            let fits = match task.place {
                Place::Running => t == cpu.current,
                Place::Queued | Place::Delayed => t != cpu.current,
                Place::Pending | Place::Asleep | Place::Gone => false,
            };
            if !fits || task.cpu as usize != c {
                broken.push(format!("Task {t} is on CPU {c} but does not know it."));
            }
        }
        self.check_counts(c, broken);
    }

    fn check_counts(&self, c: usize, broken: &mut Vec<String>) {
        let cpu = &self.cpus[c];
        let tasks = || cpu.rq.waiting().chain(cpu.rq.current());
        let weight: u64 = tasks().map(|e| u64::from(e.weight)).sum();
        if weight != cpu.rq.weight() {
            broken.push(format!("The weight of CPU {c} is {} and should be {weight}.", cpu.rq.weight()));
        }
        let runnable = tasks().filter(|e| !e.delayed);
        let util_est: u64 = runnable.map(|e| self.tasks[e.task as usize].util_est.value()).sum();
        if util_est != cpu.util_est {
            broken.push(format!("util_est of CPU {c} is {} and should be {util_est}.", cpu.util_est));
        }
        if cpu.idle_task && cpu.current != NONE {
            broken.push(format!("CPU {c} runs a task and the idle task."));
        }
    }

    fn check_tasks(&self, listed: &[u32], broken: &mut Vec<String>) {
        let mut pending = vec![0u32; self.cpus.len()];
        for (t, task) in self.tasks.iter().enumerate() {
            let expected = u32::from(matches!(task.place, Place::Running | Place::Queued | Place::Delayed));
            if listed[t] != expected {
                broken.push(format!("Task {t} is in {} queues.", listed[t]));
            }
            if task.place == Place::Pending {
                pending[task.cpu as usize] += 1;
            }
            if !task.may_run_on(task.cpu as usize) {
                broken.push(format!("Task {t} is on CPU {}, where it may not run.", task.cpu));
            }
        }
        for (c, cpu) in self.cpus.iter().enumerate() {
            let list = self.pending_list(c);
            if cpu.pending != pending[c] || list.len() != pending[c] as usize {
                broken.push(format!("CPU {c} expects {} wake-ups, not {}.", cpu.pending, pending[c]));
            }
            if list.iter().any(|&t| self.tasks[t as usize].place != Place::Pending) {
                broken.push(format!("The list of wake-ups of CPU {c} holds a task that is elsewhere."));
            }
        }
    }

    fn pending_list(&self, c: usize) -> Vec<u32> {
        let first = self.cpus[c].pending_head;
        let next = |t: &u32| Some(self.tasks[*t as usize].next).filter(|&t| t != NONE);
        let list = std::iter::successors((first != NONE).then_some(first), next);
        list.take(self.tasks.len() + 1).collect()
    }

    /// Who holds the serialise lock is in a pass that knows it.
    fn check_lock(&self, broken: &mut Vec<String>) {
        for (c, cpu) in self.cpus.iter().enumerate() {
            if cpu.pass.holds_lock != (self.lock.holder == c as u32) {
                broken.push(format!("CPU {c} and the serialise lock disagree about who holds it."));
            }
        }
    }

    /// Time never goes back: nothing waits for a time that is over, and nothing happened in the future.
    fn check_clocks(&self, broken: &mut Vec<String>) {
        if self.events.earliest().is_some_and(|at| at < self.now) {
            broken.push("An event waits for a time that is over.".to_owned());
        }
        for (c, cpu) in self.cpus.iter().enumerate() {
            let jiffies = self.jiffies();
            let ahead = (0..self.setup.depth(c)).any(|level| self.sd(c, level).last_balance > jiffies);
            let clocks = [cpu.since, cpu.activity_since, cpu.avg.last_update];
            if ahead || clocks.iter().any(|&clock| clock > self.now) {
                broken.push(format!("A clock of CPU {c} is ahead of time."));
            }
            if cpu.tick_on && !cpu.tick_armed {
                broken.push(format!("The tick of CPU {c} is on and never comes."));
            }
        }
        for (t, task) in self.tasks.iter().enumerate() {
            if !self.cpus[task.timer_cpu as usize].timers.knows(task.timer) {
                broken.push(format!("The timer of task {t} is not known where it was armed."));
            }
            let clocks = [task.exec_start, task.avg.last_update, task.woken_at.unwrap_or(0)];
            if clocks.iter().any(|&clock| clock > self.now) {
                broken.push(format!("A clock of task {t} is ahead of time."));
            }
        }
    }

    /// PELT: a task is at most always there.
    fn check_averages(&self, broken: &mut Vec<String>) {
        for (c, cpu) in self.cpus.iter().enumerate() {
            if cpu.avg.period_contrib >= 1024 {
                broken.push(format!("The averages of CPU {c} are out of their period."));
            }
        }
        for (t, task) in self.tasks.iter().enumerate() {
            let avg = &task.avg;
            let weight = u64::from(task.weight);
            if avg.util_avg > 1024 || avg.runnable_avg > 1024 || avg.load_avg > weight {
                broken.push(format!("The averages of task {t} are beyond those of a task that always runs."));
            }
            if avg.period_contrib >= 1024 {
                broken.push(format!("The averages of task {t} are out of their period."));
            }
        }
    }

    /// Counters equal the events that caused them.
    fn check_counters(&self, broken: &mut Vec<String>) {
        let totals = &self.seen.totals;
        let rows = || totals.levels.iter().flatten();
        if rows().any(|r| r.calls != r.balanced + r.failed + r.moved_calls) {
            broken.push("The calls of a level are not the sum of their outcomes.".to_owned());
        }
        let attempts: u64 = rows().map(|r| r.calls + r.gated + r.lock_failed).sum();
        if attempts != self.seen.attempts_made() {
            broken.push(format!("{} attempts were made, {attempts} counted.", self.seen.attempts_made()));
        }
        let of_cause: [(Cause, &[Kind]); 3] = [
            (Cause::Newidle, &[Kind::Newidle]),
            (Cause::Periodic, &[Kind::Idle, Kind::Busy]),
            (Cause::Nohz, &[Kind::Nohz]),
        ];
        for (cause, kinds) in of_cause {
            let ended =
                totals.levels.iter().flat_map(|level| kinds.iter().map(|k| level[*k as usize].moved_tasks));
            let moved = ended.sum::<u64>() + self.moving(kinds);
            if moved != totals.migrations[cause as usize] {
                let made = totals.migrations[cause as usize];
                broken.push(format!("{made} tasks moved by {cause:?} and passes moved {moved}."));
            }
        }
    }

    /// Tasks that passes have moved whose attempt is not over.
    fn moving(&self, kinds: &[Kind]) -> u64 {
        let under_way = self.cpus.iter().filter(|cpu| {
            matches!(cpu.phase, Phase::Newidle | Phase::Softirq)
                && cpu.pass.stage == Stage::Detach
                && kinds.contains(&cpu.pass.kind)
        });
        under_way.map(|cpu| u64::from(cpu.pass.moved)).sum()
    }

    fn check_nohz(&self, broken: &mut Vec<String>) {
        if self.nohz.in_mask as usize != self.nohz.mask.weight() {
            broken.push(format!("{} CPUs are counted in the nohz mask.", self.nohz.in_mask));
        }
        for (i, cpus) in self.setup.llc_cpus.iter().enumerate() {
            let busy = cpus.iter().filter(|&&c| !self.nohz.mask.contains(c as usize)).count();
            if busy != self.llcs[i].nr_busy as usize {
                broken.push(format!(
                    "nr_busy_cpus of cache {i} is {} and should be {busy}.",
                    self.llcs[i].nr_busy
                ));
            }
        }
    }
}
