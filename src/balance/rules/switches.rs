//! Switches by name: how a scenario or a link overrides one rule.

use super::Rules;
use super::choices::Choice;
use crate::balance::policy::{LONGEST, Policy};
use crate::sched::rules::Micros;

/// A switch's place in [`Rules`], read and written as text.
pub trait Value {
    /// As written in a URL.
    fn show(&self) -> String;
    /// Takes the written value. The error says why it is none, as the end of a sentence.
    fn read(&mut self, text: &str) -> Result<(), String>;
    /// What may be written, for a person.
    fn allowed(&self) -> String;
}

impl<T: Choice> Value for T {
    fn show(&self) -> String {
        let name = T::NAMES.iter().find(|(_, value)| value == self).map_or("", |(name, _)| name);
        name.to_owned()
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        let found = T::NAMES.iter().find(|(name, _)| *name == text);
        *self = found.ok_or_else(|| takes(self))?.1;
        Ok(())
    }

    fn allowed(&self) -> String {
        let names: Vec<&str> = T::NAMES.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }
}

fn takes(value: &impl Value) -> String {
    format!("it takes {}", value.allowed())
}

/// An expression, or none.
impl Value for Option<Policy> {
    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "off".to_owned(), |policy| policy.text().to_owned())
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = match text {
            "off" => None,
            text => Some(Policy::parse(text).map_err(|error| error.to_string())?),
        };
        Ok(())
    }

    fn allowed(&self) -> String {
        format!("off or an expression of up to {LONGEST} characters")
    }
}

/// The only number among the switches is a count of tasks.
impl Value for u32 {
    fn show(&self) -> String {
        self.to_string()
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        let read = text.parse().ok().filter(|number| (1..=1024).contains(number));
        *self = read.ok_or_else(|| takes(self))?;
        Ok(())
    }

    fn allowed(&self) -> String {
        "1 to 1024".to_owned()
    }
}

/// Slices may be set as the kernel lets them.
const SLICES: std::ops::RangeInclusive<u32> = 100..=1_000_000;

impl Value for Micros {
    fn show(&self) -> String {
        format!("{}us", self.0)
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        let micros = match (text.strip_suffix("us"), text.strip_suffix("ms")) {
            (Some(number), _) => number.parse().ok(),
            (_, Some(number)) => number.parse::<u32>().ok().and_then(|ms| ms.checked_mul(1_000)),
            _ => None,
        };
        let read = micros.filter(|micros| SLICES.contains(micros));
        self.0 = read.ok_or_else(|| takes(self))?;
        Ok(())
    }

    fn allowed(&self) -> String {
        "100us to 1000ms".to_owned()
    }
}

/// One rule that a scenario may override.
pub struct Switch {
    /// Its name in a URL.
    pub name: &'static str,
    /// What it decides, for a person.
    pub what: &'static str,
    field: Field,
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

type Field = fn(&mut Rules) -> &mut dyn Value;

const fn switch(name: &'static str, what: &'static str, field: Field) -> Switch {
    Switch { name, what, field }
}

const TABLE: &[Switch] = &[
    switch("newidle_gate", "What avg_idle is compared with before a new-idle pass starts", |r| {
        &mut r.newidle.gate
    }),
    switch(
        "newidle_policy",
        "An expression in the place of every test of the overload flag and avg_idle before a new-idle pass",
        |r| &mut r.newidle.policy,
    ),
    switch(
        "newidle_level_policy",
        "An expression in the place of the test of avg_idle at each level of a new-idle pass",
        |r| &mut r.newidle.level_policy,
    ),
    switch(
        "newidle_wakeup_gate",
        "A pending wake-up refuses a new-idle pass, before idle_stamp is set",
        |r| &mut r.newidle.wakeup_gate,
    ),
    switch("newidle_domain_gate", "A CPU without domains leaves before the gate", |r| {
        &mut r.newidle.domain_gate
    }),
    switch(
        "newidle_blocked_in_cost",
        "The update of blocked averages counts in the lowest level's cost",
        |r| &mut r.newidle.blocked_in_cost,
    ),
    switch(
        "newidle_next_balance",
        "Whether next_balance takes a level into account before or after it is balanced",
        |r| &mut r.newidle.next_balance,
    ),
    switch("newidle_stop", "What ends a new-idle pass besides a pulled task", |r| &mut r.newidle.stop),
    switch(
        "newidle_refuses_when_busy",
        "should_we_balance refuses a new-idle pass once a task or wake-up is there",
        |r| &mut r.newidle.refuses_when_busy,
    ),
    switch("ni_random", "Levels run in proportion to their success (NI_RANDOM)", |r| {
        &mut r.newidle.ni_random
    }),
    switch("ni_rate", "The proportion also follows the rate of calls (NI_RATE)", |r| &mut r.newidle.ni_rate),
    switch(
        "newidle_cost_bump",
        "A failed new-idle pass reports 3/2 of the maximum cost, and maxima are clamped",
        |r| &mut r.newidle.cost_bump,
    ),
    switch("newidle_cost_decay", "Where max_newidle_lb_cost decays", |r| &mut r.newidle.cost_decay),
    switch("decay_flag", "Which level decides whether max_idle_balance_cost is renewed", |r| {
        &mut r.newidle.decay_flag
    }),
    switch("avg_idle_sample", "Which events sample avg_idle", |r| &mut r.newidle.avg_idle_sample),
    switch("avg_idle_division", "How the difference to avg_idle is divided by eight", |r| {
        &mut r.newidle.avg_idle_division
    }),
    switch("avg_idle_zero_stamp", "A zero idle_stamp is sampled as idle since boot", |r| {
        &mut r.newidle.avg_idle_zero_stamp
    }),
    switch("busy_interval_minus_one", "A busy CPU's interval is one jiffy shorter", |r| {
        &mut r.periodic.busy_minus_one
    }),
    switch("sched_idle_is_idle", "A CPU with SCHED_IDLE tasks alone counts as idle for its interval", |r| {
        &mut r.periodic.sched_idle_is_idle
    }),
    switch("newidle_doubles_interval", "New-idle passes stretch the periodic interval too", |r| {
        &mut r.periodic.newidle_doubles
    }),
    switch(
        "misfit_spares_counters",
        "A failed misfit pass neither counts as failure nor doubles the interval",
        |r| &mut r.periodic.misfit_spares_counters,
    ),
    switch("serialize_lock", "Where the lock of SD_SERIALIZE domains is tried", |r| {
        &mut r.periodic.serialize_lock
    }),
    switch("serialize_newidle", "New-idle passes need that lock too", |r| &mut r.periodic.serialize_newidle),
    switch("should_we_balance", "Which CPU of a group balances for it", |r| &mut r.periodic.designated),
    switch("active_balance_started", "What a started active balance does to counter and interval", |r| {
        &mut r.periodic.active_started
    }),
    switch("group_scheme", "What groups are compared by", |r| &mut r.groups.scheme),
    switch("lb_bias", "CPU loads are biased with their history (LB_BIAS)", |r| &mut r.groups.lb_bias),
    switch("h_nr_runnable", "CFS counts leave out tasks whose dequeue is delayed", |r| {
        &mut r.groups.h_nr_runnable
    }),
    switch("smt_balance", "The group type smt_balance exists", |r| &mut r.groups.smt_balance),
    switch("asym_packing_rule", "How a group on less preferred CPUs is judged", |r| {
        &mut r.groups.asym_packing
    }),
    switch("asym_capacity_filter", "When groups of bigger CPUs are passed over", |r| {
        &mut r.groups.asym_filter
    }),
    switch("misfit_needs_idle_core", "A misfit task is pulled only to a core that is idle as a whole", |r| {
        &mut r.groups.misfit_needs_idle_core
    }),
    switch("fully_busy_tie", "Which of two fully busy groups is the busier", |r| {
        &mut r.groups.fully_busy_tie
    }),
    switch(
        "mixed_smt_rule",
        "A group with SMT and one without have a rule of their own when both have spare capacity",
        |r| &mut r.groups.mixed_smt,
    ),
    switch("prefer_sibling_from", "Whose flags hold SD_PREFER_SIBLING", |r| &mut r.groups.prefer_sibling),
    switch(
        "sibling_imbalance_cores",
        "The difference in tasks is weighed by numbers of cores, and is 0 for a busy CPU",
        |r| &mut r.groups.sibling_cores,
    ),
    switch("idle_cpus_difference", "How idle CPUs are subtracted", |r| &mut r.groups.idle_difference),
    switch("queue_util_boost", "The busiest queue by utilization counts at least runnable_avg", |r| {
        &mut r.detach.queue_util_boost
    }),
    switch("nr_migrate", "Tasks looked at in one go", |r| &mut r.detach.nr_migrate),
    switch("detach_loop_max", "When loop_max ends the walk over tasks", |r| &mut r.detach.loop_max),
    switch("detach_breather_goes_on", "The walk goes on after every breather", |r| {
        &mut r.detach.breather_goes_on
    }),
    switch("detach_load", "When a task's load is too big", |r| &mut r.detach.load),
    switch(
        "detach_util_shifted",
        "A task's utilization is shifted by nr_balance_failed before it is compared",
        |r| &mut r.detach.util_shifted,
    ),
    switch("detach_kthreads_stay", "Per-CPU kernel threads stay", |r| &mut r.detach.kthreads_stay),
    switch("detach_delayed_stay", "Tasks whose dequeue is delayed stay, unless load is to move", |r| {
        &mut r.detach.delayed_stay
    }),
    switch(
        "detach_ineligible_stay",
        "At first, tasks that would not be eligible on a busy destination stay",
        |r| &mut r.detach.ineligible_stay,
    ),
    switch("smt_never_hot", "No task is hot between siblings of a core", |r| &mut r.detach.smt_never_hot),
    switch("last_buddy_hot", "The last buddy is hot as well as the next", |r| &mut r.detach.last_buddy_hot),
    switch("active_balance_after_failures", "When repeated failure starts an active balance", |r| {
        &mut r.detach.active_after_failures
    }),
    switch(
        "active_balance_asym_newidle_only",
        "Priority between CPUs starts one in new-idle passes only",
        |r| &mut r.detach.active_asym_newidle_only,
    ),
    switch("active_balance_misfit", "A misfit task starts one", |r| &mut r.detach.active_misfit),
    switch("tick_stop", "When an idle CPU without cpuidle governor stops its tick", |r| {
        &mut r.nohz.tick_stop
    }),
    switch("timer_keeps_tick", "It goes on while a timer is due within a tick", |r| {
        &mut r.nohz.timer_keeps_tick
    }),
    switch("nohz_kick_llc_second", "The kick test looks at the cache's busy CPUs second", |r| {
        &mut r.nohz.kick_llc_second
    }),
    switch(
        "nohz_kick_misfit",
        "A misfit task kicks where capacities are unequal, instead of busy CPUs of the cache",
        |r| &mut r.nohz.kick_misfit,
    ),
    switch("nohz_kick_next_balance", "What a kick does to nohz.next_balance", |r| {
        &mut r.nohz.kick_next_balance
    }),
    switch("nohz_needs_update", "A CPU that joins the idle mask has nohz.next_balance collated anew", |r| {
        &mut r.nohz.needs_update
    }),
    switch("ilb_target", "Which idle CPU is kicked", |r| &mut r.nohz.ilb_target),
    switch("ilb_order", "In which order it serves the idle CPUs", |r| &mut r.nohz.ilb_order),
    switch("ilb_resched", "When a pending reschedule ends its work", |r| &mut r.nohz.ilb_resched),
    switch("ilb_abort_stores", "Ended early, it still stores nohz.next_balance", |r| {
        &mut r.nohz.ilb_abort_stores
    }),
    switch("nohz_idle_pass_lowers_next", "An idle CPU's own pass lowers nohz.next_balance", |r| {
        &mut r.nohz.idle_pass_lowers_next
    }),
    switch("wake_affine_prev_idle", "wake_affine leaves a task on its last CPU if that is idle", |r| {
        &mut r.wakeup.affine_prev_idle
    }),
    switch("wake_cap", "A waker pulls a task only if both CPUs are big enough for it", |r| {
        &mut r.wakeup.wake_cap
    }),
    switch("idle_search", "How a wake-up seeks an idle CPU around its target", |r| &mut r.wakeup.search),
    switch("idle_scan_limit", "What bounds the scan for an idle CPU", |r| &mut r.wakeup.scan_limit),
    switch("wakeup_sched_idle", "A CPU with SCHED_IDLE tasks alone counts as idle for a wake-up", |r| {
        &mut r.wakeup.sched_idle_is_idle
    }),
    switch("wakeup_siblings_in_llc", "Siblings of the last CPU count only within its cache's domain", |r| {
        &mut r.wakeup.siblings_in_llc
    }),
    switch(
        "wakeup_noted_in_llc",
        "Idle CPUs noted in the search for an idle core count only within the cache's domain",
        |r| &mut r.wakeup.noted_in_llc,
    ),
    switch("wakeup_asym_fit", "On unequal CPUs a wake-up takes an idle CPU only if the task fits it", |r| {
        &mut r.wakeup.asym_fit
    }),
    switch("slow_path", "How fork and exec compare groups", |r| &mut r.wakeup.slow_path),
    switch("slow_path_allowed_only", "Its statistics leave out CPUs where the task may not run", |r| {
        &mut r.wakeup.slow_path_allowed_only
    }),
    switch("numa_levels", "Domains above the node are built", |r| &mut r.topology.numa_levels),
    switch("ttwu_queue_if_empty", "Wake-ups within a cache are queued too if nothing runs there", |r| {
        &mut r.wakeup.queue_if_empty
    }),
    switch("picker", "How the next task of a CPU is chosen", |r| &mut r.pick.picker),
    switch(
        "base_slice",
        "sched_min_granularity, later sched_base_slice, before it grows with the CPUs",
        |r| &mut r.pick.base_slice,
    ),
    switch("wakeup_preemption", "A waking task may take the CPU (WAKEUP_PREEMPTION)", |r| {
        &mut r.pick.wakeup_preemption
    }),
    switch("slice_floor", "CFS: a slice is at least sched_min_granularity (BASE_SLICE)", |r| {
        &mut r.pick.slice_floor
    }),
    switch(
        "gentle_fair_sleepers",
        "CFS: a sleeper is put half a latency ahead, not a whole one (GENTLE_FAIR_SLEEPERS)",
        |r| &mut r.pick.gentle_sleepers,
    ),
    switch("start_debit", "CFS: a new task starts a slice behind (START_DEBIT)", |r| &mut r.pick.start_debit),
    switch("last_buddy", "CFS: a preempted task is preferred at the next pick (LAST_BUDDY)", |r| {
        &mut r.pick.last_buddy
    }),
    switch("place_lag", "EEVDF: a task keeps its lag while it is off the queue (PLACE_LAG)", |r| {
        &mut r.pick.place_lag
    }),
    switch(
        "place_deadline_initial",
        "EEVDF: a new task gets half a slice to its first deadline (PLACE_DEADLINE_INITIAL)",
        |r| &mut r.pick.place_deadline_initial,
    ),
    switch(
        "place_rel_deadline",
        "EEVDF: a moved task keeps its distance to its deadline (PLACE_REL_DEADLINE)",
        |r| &mut r.pick.place_rel_deadline,
    ),
    switch("run_to_parity", "EEVDF: how long a picked task keeps the CPU (RUN_TO_PARITY)", |r| {
        &mut r.pick.protection
    }),
    switch("preempt_short", "EEVDF: a shorter slice takes the CPU at wake-up (PREEMPT_SHORT)", |r| {
        &mut r.pick.preempt_short
    }),
    switch(
        "delay_dequeue",
        "EEVDF: a sleeper ahead of its share stays queued until it is not (DELAY_DEQUEUE)",
        |r| &mut r.pick.delay_dequeue,
    ),
    switch("delay_zero", "EEVDF: it comes back with no lag to its credit (DELAY_ZERO)", |r| {
        &mut r.pick.delay_zero
    }),
    switch("new_task_preempts", "EEVDF: a new task may take the CPU at once", |r| {
        &mut r.pick.new_task_preempts
    }),
    switch(
        "wakeup_ends_delay",
        "EEVDF: the wake-up test lets sleepers go whose delayed dequeue is due",
        |r| &mut r.pick.wakeup_ends_delay,
    ),
    switch("pelt_invariance", "What makes averages independent of capacity and frequency", |r| {
        &mut r.tracking.invariance
    }),
    switch("util_est", "What is learnt of a task's utilization when it sleeps (UTIL_EST)", |r| {
        &mut r.tracking.util_est
    }),
    switch(
        "initial_util_scaled",
        "A new task's utilization follows its weight times 1024, so nearly always the cap",
        |r| &mut r.tracking.initial_util_scaled,
    ),
    switch("misfit", "Which running tasks are marked as too big for their CPU", |r| &mut r.tracking.misfit),
    switch("schedutil_boost", "schedutil counts at least runnable_avg", |r| &mut r.tracking.schedutil_boost),
    switch("schedutil_headroom", "What schedutil adds its quarter to", |r| &mut r.tracking.headroom),
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
        let read = (switch.field)(self).read(value);
        read.map_err(|why| format!("{name} cannot be {}: {why}.", quoted(value)))
    }
}

/// A person's own text, fit to stand in a sentence.
fn quoted(text: &str) -> String {
    let mut out: String =
        text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Release;

    #[test]
    fn every_switch_is_written_as_it_is_read() {
        for release in Release::ALL {
            let rules = Rules::of(release);
            let mut again = Rules::of(Release::V4_19);
            again.names = rules.names;
            again.topology = rules.topology.clone();
            for (name, value) in rules.switches() {
                again.set(name, &value).unwrap();
            }
            assert_eq!(again, rules, "{}", release.name());
        }
    }

    #[test]
    fn every_value_that_a_switch_names_can_be_set_and_stands_in_the_list() {
        for switch in table() {
            let mut rules = Rules::of(Release::V6_6);
            let allowed = switch.allowed(&rules);
            let values: Vec<&str> = match (allowed.as_str(), allowed.split_once(" to ")) {
                (policy, _) if policy.starts_with("off or ") => vec!["off", "overload and avg_idle>=100us"],
                (_, Some((least, _))) => vec![least],
                (names, None) => names.split(", ").collect(),
            };
            for value in values {
                rules.set(switch.name, value).unwrap();
                assert_eq!(switch.show(&rules), value);
                assert!(rules.switches().contains(&(switch.name, value.to_owned())));
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = table().iter().map(|switch| switch.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), table().len());
    }

    #[test]
    fn a_wrong_name_or_value_is_one_sentence_and_changes_nothing() {
        let mut rules = Rules::of(Release::V6_6);
        let before = rules.clone();
        assert_eq!(rules.set("newidle", "on").unwrap_err(), "newidle is not a switch.");
        let wrong = rules.set("newidle_gate", "none").unwrap_err();
        assert_eq!(wrong, "newidle_gate cannot be none: it takes migration_cost, domain_cost, both.");
        for number in ["0", "1025", "-1", "8.0", ""] {
            assert!(rules.set("nr_migrate", number).is_err());
        }
        let policy = rules.set("newidle_policy", "avg_idle<foo").unwrap_err();
        let begin =
            "newidle_policy cannot be avg_idle<foo: at column 10 foo is no input; there are avg_idle, ";
        assert!(policy.starts_with(begin), "{policy}");
        for time in ["99us", "1001ms", "1s", "us", "750", "-1us", "5000000ms"] {
            assert!(rules.set("base_slice", time).is_err());
        }
        assert_eq!(rules, before);
        rules.set("base_slice", "3ms").unwrap();
        assert!(rules.switches().contains(&("base_slice", "3000us".to_owned())));
    }
}
