//! One number for the whole state of a run, the same on every target.

use super::World;
use super::state::{Cpu, Pass};
use super::task::{Place, Task};
use crate::balance::nohz::Kick;
use crate::scenario::{MigrationCost, OverloadMode};
use crate::sched::pelt::Avg;
use crate::wakeup::Flips;
use xxhash_rust::xxh3::Xxh3;

impl World {
    /// xxh3 over all state, each field as a little-endian 64-bit number. Equal states have equal hashes however
    /// they were reached, and looking at frames does not change it.
    pub fn state_hash(&self) -> u64 {
        let mut hasher = Xxh3::new();
        let mut put = |v: u64| feed(&mut hasher, v);
        put(self.now);
        put(self.handled);
        self.events.write(&mut put);
        for cpu in &self.cpus {
            write_cpu(cpu, &mut put);
        }
        for sd in &self.sds {
            sd.write(&mut put);
        }
        for task in &self.tasks {
            write_task(task, &mut put);
        }
        self.workload.feed(&mut put);
        self.write_system(&mut put);
        self.seen.write(&mut put);
        hasher.digest()
    }

    fn write_system(&self, put: &mut impl FnMut(u64)) {
        put(self.arrival.0);
        for group in &self.groups {
            put(u64::from(group.imbalance));
        }
        for llc in &self.llcs {
            put(u64::from(llc.nr_busy) << 32 | u64::from(llc.nr_idle_scan));
            put(u64::from(llc.has_idle_cores));
        }
        put(u64::from(self.nohz.in_mask));
        self.nohz.mask.iter().for_each(|c| put(c as u64));
        put(self.nohz.next_balance);
        put(u64::from(self.nohz.needs_update));
        put(u64::from(self.lock.holder) << 32 | u64::from(self.lock.line_at));
        put(self.lock.line_free_at);
        put(self.lock.free_at);
        put(self.lock.tries);
        put(self.lock.lost);
        put(u64::from(self.overload));
        self.gates.write(put);
        put(self.sums.window);
        put(match self.overload_mode {
            OverloadMode::Auto => 0,
            OverloadMode::HeldSet => 1,
            OverloadMode::HeldClear => 2,
        });
        put(match self.migration_cost {
            MigrationCost::NeverHot => 0,
            MigrationCost::Ns(ns) => ns,
            MigrationCost::AlwaysHot => u64::MAX,
        });
        self.dice.iter().chain(&self.tails).for_each(|s| put(s.draws()));
        self.late.iter().for_each(|late| late.write(put));
        self.stalls.write(put);
    }
}

/// Not inlined: there are hundreds of places that write a field, and the hasher's code at each of them made two
/// thirds of the worker's size.
#[inline(never)]
fn feed(hasher: &mut Xxh3, v: u64) {
    hasher.update(&v.to_le_bytes());
}

fn write_avg(avg: &Avg, put: &mut impl FnMut(u64)) {
    for v in [avg.last_update, avg.load_sum, avg.runnable_sum, avg.util_sum] {
        put(v);
    }
    for v in [u64::from(avg.period_contrib), avg.load_avg, avg.runnable_avg, avg.util_avg] {
        put(v);
    }
}

fn write_cpu(cpu: &Cpu, put: &mut impl FnMut(u64)) {
    put(cpu.phase as u64);
    put(cpu.activity as u64);
    for v in [cpu.since, cpu.activity_since, cpu.debt, cpu.left, cpu.phase_end.0, cpu.uncharged] {
        put(v);
    }
    cpu.times.iter().for_each(|&v| put(v));
    cpu.rq.write(&mut *put);
    for v in [cpu.current, cpu.last, cpu.head, cpu.tail, cpu.pending_head, cpu.pending_tail, cpu.pending] {
        put(u64::from(v));
    }
    write_avg(&cpu.avg, put);
    put(cpu.util_est);
    put(cpu.misfit_load);
    put(cpu.rate);
    cpu.governor.write(&mut *put);
    cpu.clock.write(&mut *put);
    cpu.history.slots.iter().for_each(|&v| put(v));
    put(cpu.history_at);
    write_pass(&cpu.pass, put);
    for v in [cpu.next_balance, cpu.idle.avg_idle, cpu.idle.idle_stamp, cpu.max_idle_balance_cost] {
        put(v);
    }
    put(u64::from(cpu.push_cpu));
    put(kick(cpu.kicked) << 3 | kick(cpu.nohz_request));
    write_flips(&cpu.flips, put);
    put(cpu.avg_scan_cost);
    let flags = [
        cpu.idle_task,
        cpu.need_resched,
        cpu.idle_balance,
        cpu.softirq,
        cpu.active_balance,
        cpu.stop_pending,
        cpu.stopper,
        cpu.resched_sent,
        cpu.tick_on,
        cpu.tick_armed,
        cpu.got_tick,
    ];
    put(flags.iter().fold(0, |sum, &flag| sum << 1 | u64::from(flag)));
}

fn kick(kick: Kick) -> u64 {
    u64::from(kick.balance) << 2 | u64::from(kick.stats) << 1 | u64::from(kick.next)
}

fn write_flips(flips: &Flips, put: &mut impl FnMut(u64)) {
    put(u64::from(flips.last_wakee) << 32 | u64::from(flips.flips));
    put(flips.decayed_at);
}

fn write_pass(pass: &Pass, put: &mut impl FnMut(u64)) {
    put(pass.kind as u64);
    put(u64::from(pass.cpu) << 32 | u64::from(pass.level));
    put(pass.stage as u64);
    put(pass.idle as u64);
    for v in [pass.began, pass.t0, pass.cost, pass.next, pass.ilb_min] {
        put(v);
    }
    put(u64::from(pass.moved) << 32 | u64::from(pass.weight));
    put(pass.outcome as u64);
    put(u64::from(pass.ilb_next));
    // The sum is seen through what it would make of a cost of 0.
    put(pass.sum.settle(0, 0));
    put(pass.ilb_cost << 3 | kick(pass.ilb_kick));
    let flags = [
        pass.busy,
        pass.update_next,
        pass.holds_lock,
        pass.stopped,
        pass.refused,
        pass.ilb_started,
        pass.ilb_aborted,
    ];
    put(flags.iter().fold(0, |sum, &flag| sum << 1 | u64::from(flag)));
}

fn write_task(task: &Task, put: &mut impl FnMut(u64)) {
    put(match task.place {
        Place::Running => 0,
        Place::Queued => 1,
        Place::Pending => 2,
        Place::Asleep => 3,
        Place::Delayed => 4,
        Place::Gone => 5,
    });
    put(u64::from(task.cpu));
    put(task.timer.0);
    put(u64::from(task.timer_cpu));
    for v in [task.left, task.ran, task.exec_start] {
        put(v);
    }
    task.se.write(&mut *put);
    write_avg(&task.avg, put);
    for v in [task.util_est.ewma, task.util_est.enqueued, task.util_est.seen] {
        put(v);
    }
    put(u64::from(task.fresh));
    put(task.woken_at.unwrap_or(u64::MAX));
    put(task.moved.map_or(u64::MAX, |(cause, at)| at << 3 | cause as u64));
    put(u64::from(task.next) << 32 | u64::from(task.prev));
    write_flips(&task.flips, put);
    put(u64::from(task.recent_cpu));
}
