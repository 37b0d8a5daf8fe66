//! The constructor: each release as a change to the one before it.

use super::{pick, tracking, *};
use crate::topology::Release;

const NAMES_4_19: Names = Names {
    newidle: "idle_balance",
    domains: "rebalance_domains",
    load_balance: "load_balance",
    busiest_group: "find_busiest_group",
    busiest_queue: "find_busiest_queue",
    newidle_cost: "idle_balance",
    avg_idle: "ttwu_do_wakeup",
    idlest_group: "find_idlest_group",
    idlest_group_cpu: "find_idlest_group_cpu",
};
const NAMES_6_6: Names =
    Names { newidle: "newidle_balance", newidle_cost: "update_newidle_cost", ..NAMES_4_19 };
const NAMES_6_1: Names = Names { newidle: "sched_balance_newidle", ..NAMES_6_6 };
const NAMES_6_12: Names = Names {
    newidle: "sched_balance_newidle",
    domains: "sched_balance_domains",
    load_balance: "sched_balance_rq",
    busiest_group: "sched_balance_find_src_group",
    busiest_queue: "sched_balance_find_src_rq",
    avg_idle: "ttwu_do_activate",
    idlest_group: "sched_balance_find_dst_group",
    idlest_group_cpu: "sched_balance_find_dst_group_cpu",
    ..NAMES_6_6
};

impl Rules {
    /// The rules of a release: 4.19, 6.1 (6.1.192), 6.6 (6.6.9), 6.12, 6.17, 6.19 or 7.1.
    pub fn of(release: Release) -> Self {
        let later = |from: Release| release >= from;
        let topology = TopologyRules::of(release);
        let mut rules = if later(Release::V6_1) { v6_6(topology) } else { v4_19(topology) };
        if release == Release::V6_1 {
            to_v6_1(&mut rules);
        }
        if later(Release::V6_12) {
            to_v6_12(&mut rules);
        }
        if later(Release::V6_17) {
            to_v6_17(&mut rules);
        }
        if later(Release::V6_19) {
            to_v6_19(&mut rules);
        }
        if later(Release::V7_1) {
            to_v7_1(&mut rules);
        }
        rules
    }
}

fn v4_19(topology: TopologyRules) -> Rules {
    Rules {
        names: NAMES_4_19,
        topology,
        newidle: NewidleRules {
            gate: NewidleGate::MigrationCost,
            policy: None,
            level_policy: None,
            wakeup_gate: false,
            domain_gate: false,
            blocked_in_cost: false,
            next_balance: NextBalance::After,
            stop: NewidleStop::NrRunning,
            refuses_when_busy: false,
            ni_random: false,
            ni_rate: false,
            cost_bump: false,
            cost_decay: CostDecay::Periodic,
            decay_flag: DecayFlag::Sticky,
            avg_idle_sample: AvgIdleSample::Activation,
            avg_idle_division: AvgIdleDivision::Shift,
            avg_idle_zero_stamp: false,
        },
        periodic: PeriodicRules {
            busy_minus_one: false,
            sched_idle_is_idle: false,
            newidle_doubles: true,
            misfit_spares_counters: false,
            serialize_lock: SerializeLock::BeforeDue,
            serialize_newidle: false,
            designated: Designated::FirstIdle,
            active_started: ActiveStarted::BackOff,
        },
        groups: GroupRules {
            scheme: GroupScheme::AvgLoad,
            lb_bias: true,
            h_nr_runnable: false,
            smt_balance: false,
            asym_packing: AsymPacking::BusyCpus,
            asym_filter: AsymFilter::Tie,
            misfit_needs_idle_core: false,
            fully_busy_tie: FullyBusyTie::AvgLoad,
            mixed_smt: false,
            prefer_sibling: PreferSibling::ChildDomain,
            sibling_cores: false,
            idle_difference: IdleDifference::Unsigned,
        },
        detach: DetachRules {
            queue_util_boost: false,
            nr_migrate: 32,
            loop_max: LoopMax::Always,
            breather_goes_on: true,
            load: DetachLoad::Half,
            util_shifted: false,
            kthreads_stay: false,
            delayed_stay: false,
            ineligible_stay: false,
            smt_never_hot: false,
            last_buddy_hot: true,
            active_after_failures: ActiveAfterFailures::AnyType,
            active_asym_newidle_only: true,
            active_misfit: false,
        },
        nohz: NohzRules {
            tick_stop: TickStop::IdleEntry,
            timer_keeps_tick: true,
            kick_llc_second: true,
            kick_misfit: false,
            kick_next_balance: KickNextBalance::Increment,
            needs_update: false,
            ilb_target: IlbTarget::First,
            ilb_order: IlbOrder::AscendingSelfLast,
            ilb_resched: IlbResched::Ends,
            ilb_abort_stores: true,
            idle_pass_lowers_next: true,
        },
        wakeup: WakeupRules {
            affine_prev_idle: false,
            wake_cap: true,
            search: IdleSearch::ThreeSearches,
            scan_limit: ScanLimit::Prop,
            sched_idle_is_idle: false,
            siblings_in_llc: false,
            noted_in_llc: false,
            asym_fit: false,
            slow_path: SlowPath::Load,
            slow_path_allowed_only: false,
            queue_if_empty: false,
        },
        pick: pick::v4_19(),
        tracking: tracking::v4_19(),
    }
}

fn v6_6(topology: TopologyRules) -> Rules {
    let old = v4_19(topology);
    Rules {
        names: NAMES_6_6,
        topology: old.topology,
        newidle: NewidleRules {
            gate: NewidleGate::DomainCost,
            wakeup_gate: true,
            blocked_in_cost: true,
            next_balance: NextBalance::Before,
            stop: NewidleStop::NrRunningOrPending,
            refuses_when_busy: true,
            cost_decay: CostDecay::Update,
            decay_flag: DecayFlag::LastDomain,
            avg_idle_division: AvgIdleDivision::Signed,
            ..old.newidle
        },
        periodic: PeriodicRules {
            busy_minus_one: true,
            sched_idle_is_idle: true,
            newidle_doubles: false,
            designated: Designated::IdleCore,
            active_started: ActiveStarted::Keep,
            ..old.periodic
        },
        groups: GroupRules {
            scheme: GroupScheme::GroupType,
            lb_bias: false,
            smt_balance: true,
            asym_packing: AsymPacking::IdleCore,
            fully_busy_tie: FullyBusyTie::KeepSmt,
            mixed_smt: true,
            prefer_sibling: PreferSibling::BusiestGroup,
            sibling_cores: true,
            ..old.groups
        },
        detach: DetachRules {
            queue_util_boost: true,
            loop_max: LoopMax::OnceMovable,
            breather_goes_on: false,
            load: DetachLoad::Shifted,
            kthreads_stay: true,
            smt_never_hot: true,
            last_buddy_hot: false,
            active_after_failures: ActiveAfterFailures::TaskOnly,
            active_asym_newidle_only: false,
            active_misfit: true,
            ..old.detach
        },
        nohz: NohzRules {
            tick_stop: TickStop::IdleEntry,
            timer_keeps_tick: true,
            kick_llc_second: false,
            kick_misfit: true,
            kick_next_balance: KickNextBalance::NextJiffy,
            needs_update: true,
            ilb_target: IlbTarget::FirstIdle,
            ilb_order: IlbOrder::WrapFromNext,
            ilb_resched: IlbResched::Ends,
            ilb_abort_stores: false,
            idle_pass_lowers_next: false,
        },
        wakeup: WakeupRules {
            affine_prev_idle: true,
            wake_cap: false,
            search: IdleSearch::OneScan,
            scan_limit: ScanLimit::Util,
            sched_idle_is_idle: true,
            asym_fit: true,
            slow_path: SlowPath::GroupType,
            queue_if_empty: true,
            ..old.wakeup
        },
        pick: pick::v6_6(),
        tracking: tracking::v6_6(),
    }
}

/// 6.1.192: older than 6.6 in its group rules, newer in what stable brought back to it.
fn to_v6_1(rules: &mut Rules) {
    rules.names = NAMES_6_1;
    rules.newidle.domain_gate = true;
    rules.newidle.ni_random = true;
    rules.newidle.avg_idle_sample = AvgIdleSample::AnyWakeup;
    rules.periodic.designated = Designated::FirstIdle;
    rules.groups = GroupRules {
        smt_balance: false,
        asym_packing: AsymPacking::BusyCpus,
        asym_filter: AsymFilter::Always,
        misfit_needs_idle_core: true,
        fully_busy_tie: FullyBusyTie::AvgLoad,
        mixed_smt: false,
        prefer_sibling: PreferSibling::ChildDomain,
        sibling_cores: false,
        ..rules.groups
    };
    rules.detach = DetachRules {
        queue_util_boost: false,
        loop_max: LoopMax::Always,
        breather_goes_on: true,
        util_shifted: true,
        last_buddy_hot: true,
        ..rules.detach
    };
    rules.nohz.tick_stop = TickStop::AfterIdleTick;
    rules.nohz.ilb_resched = IlbResched::EndsIfBusy;
    rules.wakeup.siblings_in_llc = true;
    rules.wakeup.noted_in_llc = true;
    rules.wakeup.slow_path_allowed_only = true;
    rules.pick = pick::v6_1();
    rules.tracking = tracking::v6_1();
}

fn to_v6_12(rules: &mut Rules) {
    rules.names = NAMES_6_12;
    rules.periodic.misfit_spares_counters = true;
    rules.groups.idle_difference = IdleDifference::Clamped;
    rules.detach.loop_max = LoopMax::Always;
    rules.detach.breather_goes_on = true;
    rules.detach.util_shifted = true;
    rules.wakeup.siblings_in_llc = true;
    rules.wakeup.noted_in_llc = true;
    rules.pick = pick::v6_12();
    rules.tracking = tracking::v6_12();
}

fn to_v6_17(rules: &mut Rules) {
    rules.pick = pick::v6_17();
    rules.newidle.cost_bump = true;
    rules.groups.h_nr_runnable = true;
    rules.detach.delayed_stay = true;
    rules.detach.ineligible_stay = true;
}

fn to_v6_19(rules: &mut Rules) {
    rules.pick = pick::v6_19();
    rules.newidle.cost_bump = false;
    rules.newidle.domain_gate = true;
    rules.newidle.ni_random = true;
    rules.newidle.stop = NewidleStop::NotDesignated;
    rules.periodic.serialize_lock = SerializeLock::AfterShouldWeBalance;
    rules.periodic.serialize_newidle = true;
    rules.nohz.ilb_resched = IlbResched::EndsIfBusy;
    rules.wakeup.slow_path_allowed_only = true;
}

fn to_v7_1(rules: &mut Rules) {
    rules.names.avg_idle = "put_prev_task_idle";
    rules.newidle.ni_rate = true;
    rules.newidle.avg_idle_sample = AvgIdleSample::IdleSwitchOut;
    rules.newidle.avg_idle_zero_stamp = true;
}
