//! Whether a task may move, and whether it is hot.

use super::*;
use Movable::*;

const PASS: MoveInput = MoveInput {
    migration_type: MigrationType::Task,
    active: false,
    nr_balance_failed: 0,
    cache_nice_tries: 1,
};

const WARM: HotInput = HotInput {
    sched_idle: false,
    smt: false,
    next_buddy: false,
    last_buddy: false,
    dst_nr_running: 1,
    since_exec_start: 499_999,
    migration_cost: 500_000,
};

fn task() -> TaskInput {
    TaskInput { allowed: true, hot: WARM, ..TaskInput::default() }
}

fn moves(release: Release, pass: MoveInput, task: &TaskInput) -> Movable {
    can_migrate_task(&rules(release), &pass, task, &mut ())
}

#[test]
fn refusals_stand_in_the_kernels_order() {
    let mut all = TaskInput {
        throttled: true,
        percpu_kthread: true,
        allowed: false,
        running: true,
        delayed: true,
        ineligible: true,
        locality: Locality::Worse,
        hot: WARM,
    };
    let expected = [Delayed, Throttled, Ineligible, Kthread, Pinned, Running, Hot];
    for refusal in expected {
        assert_eq!(moves(Release::V6_19, PASS, &all), refusal);
        let lifts = matches!(refusal, Running | Hot);
        assert_eq!(refusal.lifts_all_pinned(), lifts);
        match refusal {
            Throttled => all.throttled = false,
            Kthread => all.percpu_kthread = false,
            Pinned => all.allowed = true,
            Running => all.running = false,
            Delayed => all.delayed = false,
            Ineligible => all.ineligible = false,
            Hot | Yes { .. } => {}
        }
    }
}

#[test]
fn releases_differ_in_whom_they_spare() {
    let kthread = TaskInput { percpu_kthread: true, hot: HotInput { migration_cost: 0, ..WARM }, ..task() };
    assert_eq!(moves(Release::V4_19, PASS, &kthread), Yes { hot: false });
    assert_eq!(moves(Release::V6_6, PASS, &kthread), Kthread);
    let delayed = TaskInput { percpu_kthread: false, delayed: true, ..kthread };
    assert_eq!(moves(Release::V6_6, PASS, &delayed), Yes { hot: false });
    assert_eq!(moves(Release::V6_19, PASS, &delayed), Delayed);
    let by_load = MoveInput { migration_type: MigrationType::Load, ..PASS };
    assert_eq!(moves(Release::V6_19, by_load, &delayed), Yes { hot: false });
}

#[test]
fn an_ineligible_task_stays_only_before_the_first_failure_and_on_a_busy_destination() {
    let lagging = TaskInput { ineligible: true, hot: HotInput { migration_cost: 0, ..WARM }, ..task() };
    assert_eq!(moves(Release::V6_19, PASS, &lagging), Ineligible);
    let failed = MoveInput { nr_balance_failed: 1, ..PASS };
    assert_eq!(moves(Release::V6_19, failed, &lagging), Yes { hot: false });
    let to_empty = TaskInput { hot: HotInput { dst_nr_running: 0, ..lagging.hot }, ..lagging };
    assert_eq!(moves(Release::V6_19, PASS, &to_empty), Yes { hot: false });
}

#[test]
fn hot_tasks_move_once_failures_exceed_the_tries() {
    let failed = |nr_balance_failed| MoveInput { nr_balance_failed, ..PASS };
    assert_eq!(moves(Release::V6_6, failed(1), &task()), Hot);
    assert_eq!(moves(Release::V6_6, failed(2), &task()), Yes { hot: true });
    assert_eq!(moves(Release::V6_6, MoveInput { active: true, ..PASS }, &task()), Yes { hot: false });
    let nearer = TaskInput { locality: Locality::Better, ..task() };
    assert_eq!(moves(Release::V6_6, PASS, &nearer), Yes { hot: false });
}

fn hot(release: Release, input: HotInput) -> bool {
    task_hot(&rules(release), &input, &mut ())
}

#[test]
fn a_task_is_hot_strictly_within_the_migration_cost() {
    for release in Release::ALL {
        assert!(hot(release, WARM));
        assert!(!hot(release, HotInput { since_exec_start: 500_000, ..WARM }));
        assert!(hot(release, HotInput { since_exec_start: i64::MAX, migration_cost: -1, ..WARM }));
        assert!(!hot(release, HotInput { since_exec_start: 0, migration_cost: 0, ..WARM }));
        assert!(!hot(release, HotInput { sched_idle: true, ..WARM }));
    }
}

#[test]
fn siblings_and_buddies_by_release() {
    let smt = HotInput { smt: true, ..WARM };
    assert!(hot(Release::V4_19, smt) && !hot(Release::V6_1, smt) && !hot(Release::V6_6, smt));
    let cold = HotInput { since_exec_start: 900_000, ..WARM };
    let next = HotInput { next_buddy: true, ..cold };
    let last = HotInput { last_buddy: true, ..cold };
    assert!(hot(Release::V6_6, next) && !hot(Release::V6_6, HotInput { dst_nr_running: 0, ..next }));
    assert!(hot(Release::V4_19, last) && hot(Release::V6_1, last) && !hot(Release::V6_6, last));
}
