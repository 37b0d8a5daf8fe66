//! The world as the balancer's rules see it: statistics of CPUs and groups, and the decision they lead to.

use super::World;
use super::pass::Env;
use crate::balance::avg_load_scheme::{self, AvgLoadStats};
use crate::balance::rules::GroupScheme;
use crate::balance::{
    CpuStats, CpuView, Decision, DomainView, GroupStats, IdleType, find_busiest_group, overload,
};
use crate::observe::Notes;
use crate::topology::{GroupId, SdFlags};

/// More ticks without load than this leave nothing of any history.
const MISSED_MAX: u64 = 64;

/// Memory that is used again in every pass. It holds nothing between passes.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    groups: Vec<GroupStats>,
    avg_load: Vec<AvgLoadStats>,
}

impl World {
    pub(super) fn domain_view(&self, env: &Env) -> DomainView {
        let has = |flag| env.domain.flags.contains(flag);
        let child = env.level.checked_sub(1).map(|l| env.setup.domain(env.owner, l));
        DomainView {
            idle: env.idle,
            imbalance_pct: env.domain.imbalance_pct,
            child_prefer_sibling: child.is_some_and(|d| d.flags.contains(SdFlags::PREFER_SIBLING)),
            imb_numa_nr: env.domain.imb_numa_nr,
            numa: has(SdFlags::NUMA),
            share_llc: has(SdFlags::LLC),
            smt: has(SdFlags::SHARE_CPUCAPACITY),
            asym_capacity: has(SdFlags::ASYM_CPUCAPACITY),
            asym_packing: has(SdFlags::ASYM_PACKING),
            dst_capacity: env.setup.capacity(env.dst),
            dst_core_idle: Look(self).siblings_idle(env.dst),
            dst_priority: priority(env.dst),
            energy_aware: false,
        }
    }

    /// Statistics and decision by the scheme of the release, and the busiest group.
    pub(super) fn busiest_group(
        &mut self,
        env: &Env,
        view: &DomainView,
        why: &mut impl Notes,
    ) -> (Decision, Option<GroupId>) {
        let rules = &env.setup.rules;
        if rules.groups.scheme == GroupScheme::GroupType && env.candidates.is_none() && !view.asym_capacity {
            self.sum_up(env);
            let decision = self.sums.groups.find_busiest(rules, view, &env.domain.groups, why);
            if is_read(why) {
                let stats = env.domain.groups.iter().enumerate();
                let stats =
                    stats.map(|(i, id)| GroupStats { local: i == 0, ..self.sums.groups.get(*id).clone() });
                why.groups(view, stats.collect(), &ids(env), &decision, false);
            }
            return (decision, decision.busiest.map(|id| GroupId(id as u32)));
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let decision = match rules.groups.scheme {
            GroupScheme::GroupType => {
                self.gather(env, view, &mut scratch.groups);
                let decision = find_busiest_group(rules, view, &mut scratch.groups, why);
                if is_read(why) {
                    why.groups(view, scratch.groups.clone(), &ids(env), &decision, true);
                }
                decision
            }
            GroupScheme::AvgLoad => {
                self.gather_avg_load(env, view, &mut scratch.avg_load);
                let decision = avg_load_scheme::find_busiest_group(view, &mut scratch.avg_load, why);
                if is_read(why) {
                    why.avg_load_groups(&scratch.avg_load, &ids(env), &decision);
                }
                decision
            }
        };
        self.scratch = scratch;
        (decision, decision.busiest.map(|index| env.domain.groups[index]))
    }

    /// `update_sd_lb_stats` where every CPU is a candidate and none can have a misfit task: the sums have it all.
    fn sum_up(&mut self, env: &Env) {
        self.carry_over();
        let ids = &env.domain.groups;
        let overloaded = |world: &Self| ids.iter().any(|id| world.sums.overloads(*id));
        self.after_stats(env, overloaded, |world| ids.iter().map(|id| world.sums.groups.get(*id).util).sum());
    }

    /// `update_sd_lb_stats`: statistics of every group, from its CPUs.
    fn gather(&mut self, env: &Env, view: &DomainView, groups: &mut Vec<GroupStats>) {
        self.refresh_idle_queues();
        groups.clear();
        let mut overloaded = false;
        for (i, id) in env.domain.groups.iter().enumerate() {
            let mut stats = env.setup.group_stats[id.0 as usize].clone();
            stats.local = i == 0;
            stats.imbalance_flag = self.groups[env.setup.tree.group(*id).state].imbalance;
            for &cpu in &env.setup.group_cpus[id.0 as usize] {
                let cpu = cpu as usize;
                if env.candidates().contains(cpu) {
                    overloaded |= stats.add(&env.setup.rules, view, &Look(self).stats(cpu));
                }
            }
            groups.push(stats);
        }
        self.after_stats(env, |_| overloaded, |_| groups.iter().map(|g| g.util).sum());
    }

    /// What statistics are for beside the decision: at the top the overload flag, at the cache's level the number
    /// of CPUs a wake-up may probe.
    fn after_stats(
        &mut self,
        env: &Env,
        overloaded: impl FnOnce(&Self) -> bool,
        util: impl FnOnce(&Self) -> u64,
    ) {
        let has_parent = env.level + 1 < env.setup.depth(env.owner);
        let computed = !has_parent && overloaded(self);
        self.set_overload(env.owner, overload::after_stats(self.overload, has_parent, computed));
        if env.idle != IdleType::Newidle {
            let util = util(self);
            self.note_idle_scan(env, util);
        }
    }

    /// The same with 4.19's statistics.
    fn gather_avg_load(&mut self, env: &Env, view: &DomainView, groups: &mut Vec<AvgLoadStats>) {
        groups.clear();
        let mut overloaded = false;
        for (i, id) in env.domain.groups.iter().enumerate() {
            let fixed = &env.setup.group_stats[id.0 as usize];
            let mut stats = AvgLoadStats {
                local: i == 0,
                weight: fixed.weight,
                capacity: fixed.capacity,
                imbalance_flag: self.groups[env.setup.tree.group(*id).state].imbalance,
                ..AvgLoadStats::default()
            };
            for &cpu in &env.setup.group_cpus[id.0 as usize] {
                let cpu = cpu as usize;
                if env.candidates.as_ref().is_some_and(|m| !m.contains(cpu)) {
                    continue;
                }
                self.refresh_idle(cpu);
                let values = Look(self).stats(cpu);
                overloaded |= stats.add(&env.setup.rules, view, &self.cpus[cpu].history, &values);
            }
            groups.push(stats);
        }
        self.after_stats(env, |_| overloaded, |_| groups.iter().map(|g| g.util).sum());
    }

    /// An idle queue only decays, so its averages can be read as of now. A busy one was updated at its last tick
    /// or change and is read as it stands, as the kernel does.
    #[inline]
    fn refresh_idle(&mut self, cpu: usize) {
        if self.cpus[cpu].rq.nr_running() == 0 {
            self.update_queue(cpu);
        }
    }

    /// `update_idle_cpu_scan` (SIS_UTIL).
    fn note_idle_scan(&mut self, env: &Env, util: u64) {
        let llc = env.setup.llc[env.owner] as usize;
        let weight = env.setup.llc_cpus[llc].len() as u64;
        if u64::from(env.setup.fact(env.owner, env.level).weight) != weight {
            return;
        }
        let mean = util / weight;
        let pct = u64::from(env.domain.imbalance_pct);
        let used = (mean * mean * pct * pct / (10_000 * 1024)).min(1024);
        self.llcs[llc].nr_idle_scan = (weight * (1024 - used) / 1024) as u32;
    }

    /// 4.19's smoothed loads: a tick, and those that an idle CPU did not take.
    pub(super) fn update_history(&mut self, c: usize) {
        if self.setup.rules.groups.scheme != GroupScheme::AvgLoad {
            return;
        }
        let now = self.jiffies();
        let load = self.queued_load(c);
        let cpu = &mut self.cpus[c];
        let missed = now.saturating_sub(cpu.history_at).saturating_sub(1);
        cpu.history_at = now;
        for _ in 0..missed.min(MISSED_MAX) {
            cpu.history.tick(0);
        }
        cpu.history.tick(load);
    }

    /// `runnable_load_avg` of 4.19: the load of the tasks that are queued.
    fn queued_load(&self, c: usize) -> u64 {
        let rq = &self.cpus[c].rq;
        rq.waiting().chain(rq.current()).map(|e| self.tasks[e.task as usize].avg.load_avg).sum()
    }
}

/// Whether somebody reads, so that group tables are worth a copy.
fn is_read<W: Notes>(_: &W) -> bool {
    W::READ
}

/// Numbers of a domain's groups, in the CPU's own order.
fn ids(env: &Env) -> Vec<u32> {
    env.domain.groups.iter().map(|id| id.0).collect()
}

/// Default preference under asymmetric packing: the lower number.
pub(super) fn priority(cpu: usize) -> i64 {
    -(cpu as i64)
}

/// The world as the balancer's rules see it.
pub(super) struct Look<'a>(pub &'a World);

impl CpuView for Look<'_> {
    #[inline]
    fn stats(&self, c: usize) -> CpuStats {
        let cpu = &self.0.cpus[c];
        let tasks = cpu.rq.nr_running();
        let capacity = self.0.setup.capacity(c);
        CpuStats {
            load: match self.0.setup.rules.groups.scheme {
                GroupScheme::GroupType => cpu.avg.load_avg,
                GroupScheme::AvgLoad => self.0.queued_load(c),
            },
            util_avg: cpu.avg.util_avg,
            util_est: cpu.util_est,
            runnable: cpu.avg.runnable_avg,
            nr_running: cpu.nr_running(),
            h_nr_queued: tasks,
            h_nr_runnable: cpu.rq.nr_runnable(),
            idle: cpu.is_idle(),
            capacity,
            original_capacity: capacity,
            misfit_load: cpu.misfit_load,
        }
    }

    #[inline]
    fn idle(&self, c: usize) -> bool {
        self.0.cpus[c].is_idle()
    }

    fn siblings_idle(&self, c: usize) -> bool {
        let siblings = &self.0.setup.siblings[c];
        siblings.iter().all(|&s| s as usize == c || self.0.cpus[s as usize].is_idle())
    }
}
