//! Gates, levels and costs of new-idle passes.

use super::*;
use crate::balance::policy::Inputs;
use crate::balance::{GateOutcome::*, LevelOutcome::*};

const GATE: GateInput = GateInput {
    wakeup_pending: false,
    active: true,
    avg_idle: 500_000,
    overload: true,
    migration_cost: 500_000,
    lowest_max_cost: Some(500_000),
    rest: Inputs::NONE,
};

fn gate_of(release: Release, input: GateInput) -> GateOutcome {
    gate(&rules(release), &input, &mut ())
}

#[test]
fn equal_idle_time_passes_every_gate_and_one_ns_less_does_not() {
    let short = GateInput { avg_idle: 499_999, ..GATE };
    for release in Release::ALL {
        assert_eq!(gate_of(release, GATE), Pass, "{}", release.name());
    }
    assert_eq!(gate_of(Release::V4_19, short), BelowMigrationCost);
    assert_eq!(gate_of(Release::V6_6, short), BelowDomainCost);
}

#[test]
fn each_release_gates_on_its_own_cost() {
    let cheap_domain = GateInput { avg_idle: 100_000, lowest_max_cost: Some(20_000), ..GATE };
    assert_eq!(gate_of(Release::V4_19, cheap_domain), BelowMigrationCost);
    assert_eq!(gate_of(Release::V6_6, cheap_domain), Pass);
    let both = with(Release::V6_6, "newidle_gate", "both");
    assert_eq!(gate(&both, &cheap_domain, &mut ()), BelowMigrationCost);
    let dear_domain = GateInput { lowest_max_cost: Some(600_000), ..GATE };
    assert_eq!(gate(&both, &dear_domain, &mut ()), BelowDomainCost);
    assert_eq!(gate_of(Release::V4_19, dear_domain), Pass);
}

#[test]
fn gates_stand_in_the_kernels_order() {
    let nothing = GateInput {
        wakeup_pending: true,
        active: false,
        avg_idle: 0,
        overload: false,
        migration_cost: 500_000,
        lowest_max_cost: None,
        rest: Inputs::NONE,
    };
    assert_eq!(gate_of(Release::V4_19, nothing), Inactive);
    assert_eq!(gate_of(Release::V6_6, nothing), WakeupPending);
    let no_wakeup = GateInput { wakeup_pending: false, ..nothing };
    assert_eq!(gate_of(Release::V6_6, no_wakeup), Inactive);
    let active = GateInput { active: true, ..no_wakeup };
    assert_eq!(gate_of(Release::V6_1, active), NoDomain);
    assert_eq!(gate_of(Release::V6_6, active), OverloadClear);
    assert_eq!(gate_of(Release::V6_19, active), NoDomain);
    assert_eq!(gate_of(Release::V4_19, active), BelowMigrationCost);
    let with_domain = GateInput { lowest_max_cost: Some(1), ..active };
    assert_eq!(gate_of(Release::V6_6, with_domain), OverloadClear);
    assert!(!WakeupPending.stamps() && Inactive.stamps() && OverloadClear.stamps());
    assert!(OverloadClear.lowers_next_balance() && NoDomain.lowers_next_balance());
    assert!(!Inactive.lowers_next_balance() && !WakeupPending.lowers_next_balance());
}

#[test]
fn a_migration_cost_of_minus_one_is_unsigned_for_the_gate() {
    let always_hot = GateInput { migration_cost: -1, avg_idle: 4_294_967_294, ..GATE };
    assert_eq!(gate_of(Release::V4_19, always_hot), BelowMigrationCost);
    assert_eq!(gate_of(Release::V4_19, GateInput { avg_idle: 4_294_967_295, ..always_hot }), Pass);
    assert_eq!(gate_of(Release::V4_19, GateInput { migration_cost: 0, avg_idle: 0, ..GATE }), Pass);
}

const LEVEL: LevelInput = LevelInput {
    avg_idle: 300,
    curr_cost: 100,
    max_cost: 200,
    newidle_enabled: true,
    ratio: 512,
    rest: Inputs::NONE,
};

fn level_of(release: Release, input: LevelInput, dice: u32) -> LevelOutcome {
    level(&rules(release), &input, || dice, &mut ())
}

#[test]
fn a_level_is_too_costly_only_strictly() {
    assert_eq!(level_of(Release::V6_6, LEVEL, 0), Run { dice: None, weight: 1 });
    assert_eq!(level_of(Release::V6_6, LevelInput { avg_idle: 299, ..LEVEL }, 0), TooCostly);
    assert_eq!(level_of(Release::V6_6, LevelInput { newidle_enabled: false, ..LEVEL }, 0), Disabled);
}

#[test]
fn the_dice_skip_strictly_above_one_plus_ratio() {
    for release in [Release::V6_1, Release::V6_19, Release::V7_1] {
        assert_eq!(level_of(release, LEVEL, 513), Run { dice: Some(513), weight: 2 });
        assert_eq!(level_of(release, LEVEL, 514), Skipped { dice: 514 });
        let hopeless = LevelInput { ratio: 0, ..LEVEL };
        assert_eq!(level_of(release, hopeless, 1), Run { dice: Some(1), weight: 1024 });
        assert_eq!(level_of(release, hopeless, 2), Skipped { dice: 2 });
    }
}

#[test]
fn a_full_ratio_needs_no_dice_from_7_1() {
    let full = LevelInput { ratio: 1024, ..LEVEL };
    let outcome = level(&rules(Release::V7_1), &full, || panic!("no dice are thrown"), &mut ());
    assert_eq!(outcome, Run { dice: None, weight: 1 });
    assert_eq!(level_of(Release::V6_19, full, 1023), Run { dice: Some(1023), weight: 1 });
}

#[test]
fn each_release_stops_by_its_own_test() {
    let quiet = StopInput { pulled: 0, nr_running: 0, wakeup_pending: false, designated: true };
    let stop = |release, input: StopInput| stops(&rules(release), &input, &mut ());
    for release in Release::ALL {
        assert!(!stop(release, quiet));
        assert!(stop(release, StopInput { pulled: 1, ..quiet }));
    }
    let cases = [
        StopInput { nr_running: 1, ..quiet },
        StopInput { wakeup_pending: true, ..quiet },
        StopInput { designated: false, ..quiet },
    ];
    assert_eq!(cases.map(|case| stop(Release::V4_19, case)), [true, false, false]);
    assert_eq!(cases.map(|case| stop(Release::V6_1, case)), [true, true, false]);
    assert_eq!(cases.map(|case| stop(Release::V6_6, case)), [true, true, false]);
    assert_eq!(cases.map(|case| stop(Release::V6_19, case)), [false, false, true]);
}

const NOW: Now = Now { ns: 1_000_000_000, jiffies: 2000, hz: 1000, migration_cost: 500_000 };

fn booked(release: Release, max: u64, stamp: u64, report: PassReport) -> (NewidleCost, NewidleStats) {
    let (mut cost, mut stats) = (NewidleCost { max, stamp }, NewidleStats::at_build(0));
    book_pass(&rules(release), &mut cost, &mut stats, &report, &NOW);
    (cost, stats)
}

#[test]
fn a_fresh_maximum_holds_a_second_and_then_decays() {
    let report = PassReport { cost: 300, pulled: 1, weight: 1 };
    assert_eq!(booked(Release::V6_6, 200, 0, report).0, NewidleCost { max: 300, stamp: 2000 });
    // 1000 jiffies later is not yet more than a second.
    assert_eq!(booked(Release::V6_6, 300, 1000, report).0, NewidleCost { max: 300, stamp: 1000 });
    assert_eq!(booked(Release::V6_6, 300, 999, report).0, NewidleCost { max: 296, stamp: 2000 });
    // 4.19 decays in the periodic pass alone, and a maximum does not postpone that.
    assert_eq!(booked(Release::V4_19, 300, 999, report).0, NewidleCost { max: 300, stamp: 999 });
    assert_eq!(booked(Release::V4_19, 200, 999, report).0, NewidleCost { max: 300, stamp: 999 });
}

#[test]
fn the_periodic_pass_decays_once_a_second() {
    let mut cost = NewidleCost { max: 256_000, stamp: 0 };
    assert!(!cost.periodic(1000, 1000));
    assert!(cost.periodic(1001, 1000));
    assert_eq!(cost, NewidleCost { max: 253_000, stamp: 1001 });
    assert!(!cost.periodic(2001, 1000));
}

#[test]
fn a_failed_pass_of_6_17_reports_half_as_much_again_up_to_the_clamp() {
    let failed = PassReport { cost: 10, pulled: 0, weight: 1 };
    assert_eq!(booked(Release::V6_17, 1000, 2000, failed).0.max, 1500);
    assert_eq!(booked(Release::V6_17, 400_000, 2000, failed).0.max, 500_200);
    assert_eq!(booked(Release::V6_17, 500_200, 2000, failed).0.max, 500_200);
    let pulled = PassReport { cost: 900_000, pulled: 1, weight: 1 };
    assert_eq!(booked(Release::V6_17, 1000, 2000, pulled).0.max, 500_200);
    assert_eq!(booked(Release::V6_12, 1000, 2000, pulled).0.max, 900_000);
}

#[test]
fn success_is_counted_only_if_the_pass_took_time() {
    let pulled = PassReport { cost: 1, pulled: 3, weight: 2 };
    let stats = booked(Release::V6_19, 0, 0, pulled).1;
    assert_eq!((stats.call, stats.success), (513, 258));
    let stats = booked(Release::V6_19, 0, 0, PassReport { pulled: 0, ..pulled }).1;
    assert_eq!((stats.call, stats.success), (513, 256));
    let stats = booked(Release::V6_19, 0, 0, PassReport { cost: 0, ..pulled }).1;
    assert_eq!((stats.call, stats.success), (512, 256));
    assert_eq!(booked(Release::V6_6, 0, 0, pulled).1, NewidleStats::at_build(0));
}

#[test]
fn the_ratio_is_set_at_the_1024th_call() {
    let mut stats = NewidleStats { call: 1022, success: 301, ratio: 512, stamp_ns: 0 };
    stats.count(&rules(Release::V6_19), 0, 0);
    assert_eq!((stats.call, stats.ratio), (1023, 512));
    stats.count(&rules(Release::V6_19), 2, 0);
    assert_eq!(stats, NewidleStats { call: 512, success: 151, ratio: 303, stamp_ns: 0 });
}

#[test]
fn the_rate_adds_238_for_a_second_and_stops_at_1024() {
    let at = NewidleStats { call: 1023, success: 100, ratio: 512, stamp_ns: 5 };
    let after = |dt| {
        let mut stats = at;
        stats.count(&rules(Release::V7_1), 0, 5 + dt);
        stats
    };
    assert_eq!(
        after(1_000_000_000),
        NewidleStats { call: 512, success: 50, ratio: 338, stamp_ns: 1_000_000_005 }
    );
    assert_eq!(after(u64::MAX - 5).ratio, 1024);
}

#[test]
fn the_last_domain_or_any_decides_whether_the_balance_cost_is_renewed() {
    let sum = |release, decays: [bool; 2]| {
        let mut sum = CostSum::default();
        for decayed in decays {
            sum.visit(&rules(release), decayed, 400_000);
        }
        sum.settle(123, 500_000)
    };
    assert_eq!(sum(Release::V4_19, [true, false]), 800_000);
    assert_eq!(sum(Release::V6_6, [true, false]), 123);
    assert_eq!(sum(Release::V6_6, [false, true]), 800_000);
    assert_eq!(sum(Release::V4_19, [false, false]), 123);
    let mut small = CostSum::default();
    small.visit(&rules(Release::V6_6), true, 7);
    assert_eq!(small.settle(123, 500_000), 500_000);
}
