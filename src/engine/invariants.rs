//! What must hold at any moment of any run.

use super::World;
use super::task::{NONE, Place};

impl World {
    /// Every broken invariant as a sentence; empty if all is well. For tests and for `balancescope run`.
    pub fn check_invariants(&self) -> Vec<String> {
        let mut broken = Vec::new();
        let mut listed = vec![0u32; self.tasks.len()];
        for c in 0..self.cpus.len() {
            self.check_cpu(c, &mut listed, &mut broken);
        }
        self.check_tasks(&listed, &mut broken);
        self.check_nohz(&mut broken);
        self.check_sums(&mut broken);
        if self.lock.holder != NONE && !self.cpus[self.lock.holder as usize].pass.holds_lock {
            broken.push(format!("CPU {} holds the serialise lock without a pass.", self.lock.holder));
        }
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
            if cpu.pending != pending[c] {
                broken.push(format!("CPU {c} expects {} wake-ups, not {}.", cpu.pending, pending[c]));
            }
        }
    }

    fn check_nohz(&self, broken: &mut Vec<String>) {
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
