//! Size test, walk, active balance and overload.

use super::*;

fn left(rules: &Rules, migration_type: MigrationType, value: u64, failed: u32, amount: i64) -> Option<i64> {
    let input = SizeInput { migration_type, value, fits: true, nr_balance_failed: failed, amount };
    size_test(rules, &input, &mut ())
}

#[test]
fn load_is_refused_strictly_above_the_amount_and_less_so_after_failures() {
    let rules = rules(Release::V6_6);
    assert_eq!(left(&rules, MigrationType::Load, 100, 0, 100), Some(0));
    assert_eq!(left(&rules, MigrationType::Load, 101, 0, 100), None);
    assert_eq!(left(&rules, MigrationType::Load, 201, 1, 100), Some(-101));
    assert_eq!(left(&rules, MigrationType::Load, 202, 1, 100), None);
    assert_eq!(left(&rules, MigrationType::Load, 0, 0, 100), Some(99));
    assert_eq!(left(&rules, MigrationType::Load, 100, 200, 1), Some(-99));
}

#[test]
fn load_is_halved_in_4_19_whatever_failed() {
    let rules = rules(Release::V4_19);
    assert_eq!(left(&rules, MigrationType::Load, 201, 0, 100), Some(-101));
    assert_eq!(left(&rules, MigrationType::Load, 202, 9, 100), None);
}

#[test]
fn utilization_is_shifted_in_6_1_and_from_6_12() {
    let refused = |release| left(&rules(release), MigrationType::Util, 101, 1, 100).is_none();
    assert!(refused(Release::V6_6));
    assert!(!refused(Release::V6_1) && !refused(Release::V6_12) && !refused(Release::V7_1));
    assert_eq!(left(&rules(Release::V6_6), MigrationType::Util, 100, 0, 100), Some(0));
}

#[test]
fn tasks_count_one_each_and_a_misfit_goes_if_it_does_not_fit() {
    let rules = rules(Release::V6_6);
    assert_eq!(left(&rules, MigrationType::Task, 9999, 0, 3), Some(2));
    assert_eq!(left(&rules, MigrationType::Misfit, 9999, 0, 1), None);
    let misfit = SizeInput {
        migration_type: MigrationType::Misfit,
        value: 0,
        fits: false,
        nr_balance_failed: 0,
        amount: 1,
    };
    assert_eq!(size_test(&rules, &misfit, &mut ()), Some(0));
}

/// How many tasks a walk over `tasks` movable tasks of load 1 looks at and takes.
fn walked(rules: &Rules, idle: IdleType, preemption: bool, tasks: u32, amount: i64) -> (u32, u32) {
    let Some(mut walk) = Walk::new(rules, idle, preemption, tasks, amount) else {
        return (0, 0);
    };
    let mut looked = 0;
    loop {
        let on_source = tasks - walk.detached;
        match walk.next(rules, on_source, on_source, &mut ()) {
            Step::Look => looked += 1,
            Step::Breather if walk.after_breather(rules, on_source) => continue,
            Step::Breather | Step::Stop => return (looked, walk.detached),
        }
        walk.all_pinned = false;
        walk.take(walk.amount - 1);
    }
}

#[test]
fn an_idle_pass_leaves_one_task_and_a_busy_one_may_take_all() {
    let rules = rules(Release::V6_6);
    assert_eq!(walked(&rules, IdleType::Idle, false, 4, 100), (3, 3));
    assert_eq!(walked(&rules, IdleType::Newidle, false, 4, 100), (3, 3));
    assert_eq!(walked(&rules, IdleType::Busy, false, 4, 100), (4, 4));
    assert_eq!(walked(&rules, IdleType::Busy, false, 4, 2), (2, 2));
    assert_eq!(walked(&rules, IdleType::Busy, false, 4, 0), (0, 0));
}

#[test]
fn a_source_with_one_task_is_not_tried() {
    assert_eq!(walked(&rules(Release::V6_6), IdleType::Busy, false, 1, 100), (0, 0));
}

#[test]
fn preemption_lets_newidle_take_one() {
    let rules = rules(Release::V6_6);
    assert_eq!(walked(&rules, IdleType::Newidle, true, 9, 100), (1, 1));
    assert_eq!(walked(&rules, IdleType::Idle, true, 9, 100), (8, 8));
}

#[test]
fn nr_migrate_bounds_a_walk() {
    assert_eq!(walked(&rules(Release::V6_6), IdleType::Busy, false, 100, 1000), (32, 32));
    assert_eq!(walked(&with(Release::V6_6, "nr_migrate", "8"), IdleType::Busy, false, 100, 1000), (8, 8));
}

/// The look at which a breather is due is spent on it.
#[test]
fn a_breather_comes_after_32_looks_whatever_nr_migrate_is() {
    let rules = with(Release::V6_19, "nr_migrate", "64");
    let mut walk = Walk::new(&rules, IdleType::Busy, false, 100, 1000).unwrap();
    walk.all_pinned = false;
    let steps: Vec<Step> = (0..65).map(|_| walk.next(&rules, 100, 100, &mut ())).collect();
    assert!(steps[..32].iter().all(|s| *s == Step::Look));
    assert_eq!(steps[32], Step::Breather);
    assert!(steps[33..64].iter().all(|s| *s == Step::Look));
    assert_eq!(steps[64], Step::Stop);
}

/// How many tasks are looked at when affinity forbids all of them.
fn looked_at_pinned(release: Release, tasks: u32) -> u32 {
    let rules = rules(release);
    let mut walk = Walk::new(&rules, IdleType::Busy, false, tasks, 1000).unwrap();
    let mut looked = 0;
    loop {
        match walk.next(&rules, tasks, tasks, &mut ()) {
            Step::Look => looked += 1,
            Step::Breather if walk.after_breather(&rules, tasks) => {}
            Step::Breather | Step::Stop => return looked,
        }
    }
}

#[test]
fn only_6_6_looks_on_until_a_movable_task_was_found() {
    assert_eq!(looked_at_pinned(Release::V6_1, 100), 32);
    assert_eq!(looked_at_pinned(Release::V6_12, 100), 32);
    // Breathers take the 33rd, 65th, 97th and 129th round without looking at a task; only the last finds all
    // 100 tasks looked through.
    assert_eq!(looked_at_pinned(Release::V6_6, 100), 125);
}

const ACTIVE: ActiveInput = ActiveInput {
    idle: IdleType::Idle,
    migration_type: MigrationType::Task,
    dst_preferred: false,
    dst_core_idle: true,
    nr_balance_failed: 3,
    cache_nice_tries: 1,
    src_h_nr_running: 1,
    src_capacity_reduced: false,
    src_capacity: 800,
    dst_capacity: 1024,
    imbalance_pct: 117,
};

fn active(release: Release, input: ActiveInput) -> bool {
    need_active_balance(&rules(release), &input, &mut ())
}

#[test]
fn failures_push_the_running_task_strictly_beyond_the_tries() {
    let four = ActiveInput { nr_balance_failed: 4, ..ACTIVE };
    let load = ActiveInput { migration_type: MigrationType::Load, ..four };
    for release in [Release::V4_19, Release::V6_6] {
        assert!(!active(release, ACTIVE));
        assert!(active(release, four));
    }
    assert!(active(Release::V4_19, load));
    assert!(!active(Release::V6_6, load));
}

#[test]
fn a_lone_task_short_of_capacity_is_pushed() {
    let short = ActiveInput { src_capacity_reduced: true, ..ACTIVE };
    assert!(active(Release::V6_6, short));
    // 875 x 117 = 102375 < 102400, 876 x 117 = 102492.
    assert!(active(Release::V6_6, ActiveInput { src_capacity: 875, ..short }));
    assert!(!active(Release::V6_6, ActiveInput { src_capacity: 876, ..short }));
    assert!(!active(Release::V6_6, ActiveInput { src_h_nr_running: 2, ..short }));
    assert!(!active(Release::V6_6, ActiveInput { idle: IdleType::Busy, ..short }));
}

#[test]
fn misfits_and_preferred_destinations_push_by_release() {
    let misfit = ActiveInput { migration_type: MigrationType::Misfit, ..ACTIVE };
    assert!(active(Release::V6_6, misfit) && !active(Release::V4_19, misfit));
    let packed = ActiveInput { dst_preferred: true, ..ACTIVE };
    assert!(active(Release::V6_6, packed) && !active(Release::V4_19, packed));
    let newidle = ActiveInput { idle: IdleType::Newidle, ..packed };
    assert!(active(Release::V6_6, newidle) && active(Release::V4_19, newidle));
    let half_idle = ActiveInput { dst_core_idle: false, ..packed };
    assert!(!active(Release::V6_6, half_idle) && active(Release::V6_1, half_idle));
}

#[test]
fn the_stopper_counts_itself() {
    assert!(stopper_moves(2) && !stopper_moves(1));
}

#[test]
fn a_walk_is_entered_while_the_source_has_more_than_one_task() {
    let rules = rules(Release::V6_6);
    let mut walk = Walk::new(&rules, IdleType::Busy, false, 3, 1000).unwrap();
    assert!(walk.enters(2) && walk.all_pinned);
    // Emptied by somebody else meanwhile: nothing is tried, and nothing counts as pinned.
    assert!(!walk.enters(1) && !walk.all_pinned);
    let mut done = Walk::new(&rules, IdleType::Busy, false, 3, 0).unwrap();
    assert!(!done.enters(3) && done.all_pinned);
}
