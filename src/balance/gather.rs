//! Group statistics: one CPU after another is added to its group (`update_sg_lb_stats`, 6.x).

use super::{CpuStats, DomainView, GroupStats, IdleType, Rules};

impl GroupStats {
    /// Adds one CPU of the group that is still a candidate. True if the CPU makes the root domain overloaded:
    /// it has more than one task of any class, or a task too big for it.
    ///
    /// Weight, capacities and flags are the whole group's and are the caller's to fill in.
    pub fn add(&mut self, rules: &Rules, domain: &DomainView, cpu: &CpuStats) -> bool {
        self.load = self.load.wrapping_add(cpu.load);
        self.util = self.util.wrapping_add(cpu.util());
        self.runnable = self.runnable.wrapping_add(cpu.runnable);
        self.nr_running += cpu.nr_running;
        self.h_nr_running += cfs_tasks(rules, cpu);
        let mut overload = cpu.nr_running > 1;
        if cpu.nr_running == 0 {
            self.idle_cpus += u32::from(cpu.idle);
            // An idle CPU cannot have a misfit or a reduced-capacity task.
            return overload;
        }
        if !self.local {
            overload |= self.add_misfit(rules, domain, cpu);
        }
        overload
    }

    fn add_misfit(&mut self, rules: &Rules, domain: &DomainView, cpu: &CpuStats) -> bool {
        if domain.asym_capacity {
            let bigger = cpu.misfit_load > self.misfit_load;
            self.misfit_load = self.misfit_load.max(cpu.misfit_load);
            return bigger;
        }
        let reduced = domain.idle != IdleType::Busy
            && cfs_tasks(rules, cpu) == 1
            && cpu.capacity_reduced(domain.imbalance_pct);
        if reduced {
            self.misfit_load = self.misfit_load.max(cpu.load);
        }
        false
    }
}

/// CFS tasks of a CPU as this release counts them.
pub fn cfs_tasks(rules: &Rules, cpu: &CpuStats) -> u32 {
    if rules.groups.h_nr_runnable { cpu.h_nr_runnable } else { cpu.h_nr_queued }
}
