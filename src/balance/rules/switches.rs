//! Switches by name: how a scenario or a link overrides one rule.

use super::Rules;
use super::choices::Choice;

/// A switch's place in [`Rules`], read and written as text.
pub trait Value {
    /// As written in a URL.
    fn show(&self) -> String;
    /// Takes the written value; false if it is none.
    fn read(&mut self, text: &str) -> bool;
    /// What may be written, for a person.
    fn allowed(&self) -> String;
}

impl<T: Choice> Value for T {
    fn show(&self) -> String {
        let name = T::NAMES.iter().find(|(_, value)| value == self).map_or("", |(name, _)| name);
        name.to_owned()
    }

    fn read(&mut self, text: &str) -> bool {
        let found = T::NAMES.iter().find(|(name, _)| *name == text);
        if let Some((_, value)) = found {
            *self = *value;
        }
        found.is_some()
    }

    fn allowed(&self) -> String {
        let names: Vec<&str> = T::NAMES.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }
}

/// The only number among the switches is a count of tasks.
impl Value for u32 {
    fn show(&self) -> String {
        self.to_string()
    }

    fn read(&mut self, text: &str) -> bool {
        let read = text.parse().ok().filter(|number| (1..=1024).contains(number));
        if let Some(number) = read {
            *self = number;
        }
        read.is_some()
    }

    fn allowed(&self) -> String {
        "1 to 1024".to_owned()
    }
}

/// One rule that a scenario may override.
pub struct Switch {
    /// Its name in a URL.
    pub name: &'static str,
    field: fn(&mut Rules) -> &mut dyn Value,
}

impl Switch {
    /// Its value in these rules, as written in a URL.
    pub fn show(&self, rules: &Rules) -> String {
        (self.field)(&mut rules.clone()).show()
    }

    /// What may be written, for a person.
    pub fn allowed(&self, rules: &Rules) -> String {
        (self.field)(&mut rules.clone()).allowed()
    }
}

const fn switch(name: &'static str, field: fn(&mut Rules) -> &mut dyn Value) -> Switch {
    Switch { name, field }
}

const TABLE: &[Switch] = &[
    switch("newidle_gate", |r| &mut r.newidle.gate),
    switch("newidle_wakeup_gate", |r| &mut r.newidle.wakeup_gate),
    switch("newidle_domain_gate", |r| &mut r.newidle.domain_gate),
    switch("newidle_blocked_in_cost", |r| &mut r.newidle.blocked_in_cost),
    switch("newidle_next_balance", |r| &mut r.newidle.next_balance),
    switch("newidle_stop", |r| &mut r.newidle.stop),
    switch("newidle_refuses_when_busy", |r| &mut r.newidle.refuses_when_busy),
    switch("ni_random", |r| &mut r.newidle.ni_random),
    switch("ni_rate", |r| &mut r.newidle.ni_rate),
    switch("newidle_cost_bump", |r| &mut r.newidle.cost_bump),
    switch("newidle_cost_decay", |r| &mut r.newidle.cost_decay),
    switch("decay_flag", |r| &mut r.newidle.decay_flag),
    switch("avg_idle_sample", |r| &mut r.newidle.avg_idle_sample),
    switch("avg_idle_division", |r| &mut r.newidle.avg_idle_division),
    switch("avg_idle_zero_stamp", |r| &mut r.newidle.avg_idle_zero_stamp),
    switch("busy_interval_minus_one", |r| &mut r.periodic.busy_minus_one),
    switch("sched_idle_is_idle", |r| &mut r.periodic.sched_idle_is_idle),
    switch("newidle_doubles_interval", |r| &mut r.periodic.newidle_doubles),
    switch("misfit_spares_counters", |r| &mut r.periodic.misfit_spares_counters),
    switch("serialize_lock", |r| &mut r.periodic.serialize_lock),
    switch("serialize_newidle", |r| &mut r.periodic.serialize_newidle),
    switch("should_we_balance", |r| &mut r.periodic.designated),
    switch("active_balance_started", |r| &mut r.periodic.active_started),
    switch("group_scheme", |r| &mut r.groups.scheme),
    switch("lb_bias", |r| &mut r.groups.lb_bias),
    switch("h_nr_runnable", |r| &mut r.groups.h_nr_runnable),
    switch("smt_balance", |r| &mut r.groups.smt_balance),
    switch("asym_packing_rule", |r| &mut r.groups.asym_packing),
    switch("asym_capacity_filter", |r| &mut r.groups.asym_filter),
    switch("misfit_needs_idle_core", |r| &mut r.groups.misfit_needs_idle_core),
    switch("fully_busy_tie", |r| &mut r.groups.fully_busy_tie),
    switch("mixed_smt_rule", |r| &mut r.groups.mixed_smt),
    switch("prefer_sibling_from", |r| &mut r.groups.prefer_sibling),
    switch("sibling_imbalance_cores", |r| &mut r.groups.sibling_cores),
    switch("idle_cpus_difference", |r| &mut r.groups.idle_difference),
    switch("queue_util_boost", |r| &mut r.detach.queue_util_boost),
    switch("nr_migrate", |r| &mut r.detach.nr_migrate),
    switch("detach_loop_max", |r| &mut r.detach.loop_max),
    switch("detach_breather_goes_on", |r| &mut r.detach.breather_goes_on),
    switch("detach_load", |r| &mut r.detach.load),
    switch("detach_util_shifted", |r| &mut r.detach.util_shifted),
    switch("detach_kthreads_stay", |r| &mut r.detach.kthreads_stay),
    switch("detach_delayed_stay", |r| &mut r.detach.delayed_stay),
    switch("detach_ineligible_stay", |r| &mut r.detach.ineligible_stay),
    switch("smt_never_hot", |r| &mut r.detach.smt_never_hot),
    switch("last_buddy_hot", |r| &mut r.detach.last_buddy_hot),
    switch("active_balance_after_failures", |r| &mut r.detach.active_after_failures),
    switch("active_balance_asym_newidle_only", |r| &mut r.detach.active_asym_newidle_only),
    switch("active_balance_misfit", |r| &mut r.detach.active_misfit),
    switch("tick_stop", |r| &mut r.nohz.tick_stop),
    switch("nohz_kick_llc_second", |r| &mut r.nohz.kick_llc_second),
    switch("nohz_kick_misfit", |r| &mut r.nohz.kick_misfit),
    switch("nohz_kick_next_balance", |r| &mut r.nohz.kick_next_balance),
    switch("ilb_target", |r| &mut r.nohz.ilb_target),
    switch("ilb_order", |r| &mut r.nohz.ilb_order),
    switch("ilb_resched", |r| &mut r.nohz.ilb_resched),
    switch("ilb_abort_stores", |r| &mut r.nohz.ilb_abort_stores),
    switch("nohz_idle_pass_lowers_next", |r| &mut r.nohz.idle_pass_lowers_next),
];

/// Every switch, in the fixed order in which links write them.
pub fn table() -> &'static [Switch] {
    TABLE
}

impl Rules {
    /// Every switch that a scenario may override, with its value as written in a URL, in a fixed order.
    pub fn switches(&self) -> Vec<(&'static str, String)> {
        let mut rules = self.clone();
        TABLE.iter().map(|switch| (switch.name, (switch.field)(&mut rules).show())).collect()
    }

    /// Sets one switch by name. The error is one sentence for a person.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some(switch) = TABLE.iter().find(|switch| switch.name == name) else {
            return Err(format!("{name} is not a switch."));
        };
        let place = (switch.field)(self);
        if place.read(value) {
            return Ok(());
        }
        Err(format!("{name} cannot be {value}: it takes {}.", place.allowed()))
    }
}
