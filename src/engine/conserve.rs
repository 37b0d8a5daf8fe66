//! The world as the observer of work conservation sees it.

use super::World;
use super::task::{NONE, Place};
use crate::balance::intervals::{IntervalInput, balance_interval};
use crate::observe::{Conservation, Waiting};

impl World {
    /// An observer for this world. A CPU's limit is the idle interval of its widest domain at its longest, and one
    /// tick: after that a pass on its behalf was due at every level.
    pub fn conservation(&self) -> Conservation {
        let ticks = |c: usize| {
            let widest = self.setup.tree.chains[c].last().filter(|_| self.setup.machine.cpus[c].active)?;
            let input = IntervalInput {
                balance_interval: widest.max_interval,
                busy: false,
                busy_factor: widest.busy_factor,
                hz: self.setup.hz,
                online_cpus: self.setup.cpus() as u32,
            };
            Some(balance_interval(&self.setup.rules, &input) + 1)
        };
        Conservation::new((0..self.cpus.len()).map(|c| ticks(c).unwrap_or(0) * self.setup.tick_ns))
    }

    /// Shows the present moment to an observer made by [`World::conservation`]. Looking changes nothing.
    pub fn show_to(&self, observer: &mut Conservation) {
        let idle = |c: usize| self.setup.machine.cpus[c].active && self.cpus[c].is_idle();
        let busy = self.cpus.iter().enumerate().filter(|(_, cpu)| cpu.nr_running() > 1);
        let listed = |t: &u32| Some(self.tasks[*t as usize].next).filter(|next| *next != NONE);
        let waiting = busy
            .flat_map(move |(c, cpu)| {
                let tasks = std::iter::successors(Some(cpu.head).filter(|head| *head != NONE), listed);
                tasks.map(move |t| (c, &self.tasks[t as usize]))
            })
            .filter(|(_, task)| task.place == Place::Queued)
            .map(|(cpu, task)| Waiting { cpu, allowed: task.allowed.as_ref() });
        observer.show(self.now, idle, waiting);
    }
}
