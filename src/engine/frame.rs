//! A frame of the world, as a page draws it.

use super::World;
use super::state::Phase;
use super::task::NONE;
use crate::observe::{Activity, CpuFrame, Frame, Mark};

/// Waiting tasks shown a CPU.
const QUEUE_SHOWN: usize = 16;

impl World {
    /// The state now and what happened since the frame before. Looking does not change the run: only the rings of
    /// what is reported are emptied.
    pub fn frame(&mut self, with_hash: bool) -> Frame {
        let since = self.seen.take_since();
        Frame {
            now_ns: self.now,
            events: self.handled,
            state_hash: with_hash.then(|| self.state_hash()),
            overload: self.overloaded(),
            cpus: (0..self.cpus.len()).map(|c| self.cpu_frame(c)).collect(),
            moves: since.moves,
            moves_dropped: since.moves_dropped,
            attempts: since.attempts,
            attempts_dropped: since.attempts_dropped,
            totals: self.seen.totals.clone(),
            wakeups: since.wakeups,
        }
    }

    /// ns of a CPU by activity, up to now: settled time and the part of the current phase that is not settled.
    pub(super) fn times(&self, c: usize) -> [u64; 5] {
        let cpu = &self.cpus[c];
        let mut times = cpu.times;
        let elapsed = self.now - cpu.since;
        let stolen = elapsed.min(cpu.debt);
        times[Activity::System as usize] += stolen;
        times[cpu.activity as usize] += elapsed - stolen;
        times
    }

    /// ns of all CPUs by activity, up to now, in the order of [`Activity`].
    pub fn cpu_times(&self) -> [u64; 5] {
        let mut sum = [0; 5];
        for c in 0..self.cpus.len() {
            for (total, part) in sum.iter_mut().zip(self.times(c)) {
                *total += part;
            }
        }
        sum
    }

    fn cpu_frame(&self, c: usize) -> CpuFrame {
        let cpu = &self.cpus[c];
        let times = self.times(c);
        CpuFrame {
            activity: cpu.activity,
            since_ns: cpu.activity_since,
            current: (cpu.current != NONE).then(|| self.mark(cpu.current)),
            slice_used: self.slice_used(c),
            queue: cpu.rq.waiting().take(QUEUE_SHOWN).map(|e| self.mark(e.task)).collect(),
            nr_running: cpu.rq.nr_running(),
            avg_idle: cpu.idle.avg_idle,
            gate_cost: if self.setup.depth(c) > 0 { self.sd(c, 0).cost.max } else { 0 },
            user_ns: times[Activity::User as usize],
            balance_ns: times[Activity::Balance as usize],
            lock_ns: times[Activity::Lock as usize],
            system_ns: times[Activity::System as usize],
            idle_ns: times[Activity::Idle as usize],
        }
    }

    fn slice_used(&self, c: usize) -> u16 {
        let cpu = &self.cpus[c];
        if cpu.current == NONE {
            return 0;
        }
        let elapsed =
            if cpu.phase == Phase::User { (self.now - cpu.since).saturating_sub(cpu.debt) } else { 0 };
        let ran = self.tasks[cpu.current as usize].ran + elapsed;
        let slice = cpu.rq.slice(&self.setup.picking).max(1);
        (u128::from(ran) * 1000 / u128::from(slice)).min(1000) as u16
    }

    fn mark(&self, t: u32) -> Mark {
        let task = &self.tasks[t as usize];
        Mark {
            task: t,
            hot: match self.migration_cost() {
                0 => false,
                cost => cost < 0 || (self.now.saturating_sub(task.exec_start) as i64) < cost,
            },
            pinned: task.allowed.is_some(),
            nice: task.nice,
            moved: task.moved,
        }
    }
}
