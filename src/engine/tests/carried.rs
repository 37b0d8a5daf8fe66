//! What is carried along: the kind of a pass through its levels, a pass's next time into the nohz state, flips
//! from a parent to its child.

use super::{MS, world};
use crate::engine::World;
use crate::engine::state::Phase;
use crate::engine::task::Place;
use crate::observe::Kind;
use crate::wakeup::Flips;

/// Short sleepers whose CPUs' passes take so long that wake-ups fall into them.
fn slow_passes(release: &str) -> World {
    world(&format!(
        "release={release}&machine=2x2x2&workload=spinners&load=1&cost.pass_fixed=300us\
         &spinners.threads=6&spinners.hogs=0&spinners.run_min=100us&spinners.run_max=300us\
         &spinners.sleep_min=500us&spinners.sleep_max=2ms"
    ))
}

#[test]
fn a_pass_keeps_its_kind_when_a_task_wakes_in_it() {
    let mut w = slow_passes("6.6");
    let mut begun = [None; 8];
    let mut overtaken = 0;
    while w.now() < 500 * MS {
        w.run_budget(500 * MS, 1);
        for (c, cpu) in w.cpus.iter().enumerate() {
            let own = cpu.phase == Phase::Softirq && cpu.pass.kind == Kind::Idle;
            if !own || cpu.pass.moved > 0 {
                begun[c] = None;
                continue;
            }
            let (at, idle, busy) = *begun[c].get_or_insert((cpu.since, cpu.pass.idle, cpu.pass.busy));
            if cpu.since == at {
                assert_eq!((cpu.pass.idle, cpu.pass.busy), (idle, busy), "CPU {c} at {}", w.now());
                overtaken += u32::from(!cpu.is_idle());
            } else {
                begun[c] = None;
            }
        }
    }
    assert!(overtaken > 10, "{overtaken}");
}

/// How often a CPU's own idle pass ended with a next time before the nohz state's.
fn left_behind(release: &str) -> u32 {
    let mut w = slow_passes(release);
    let mut own = [false; 8];
    let (mut passes, mut behind) = (0, 0);
    while w.now() < 500 * MS {
        w.run_budget(500 * MS, 1);
        for (c, own) in own.iter_mut().enumerate() {
            let cpu = &w.cpus[c];
            let now = cpu.phase == Phase::Softirq && cpu.pass.kind == Kind::Idle;
            if std::mem::replace(own, now) && !now && cpu.pass.update_next {
                passes += 1;
                behind += u32::from(cpu.pass.next < w.nohz.next_balance);
            }
        }
    }
    assert!(passes > 50, "{release}: {passes}");
    behind
}

#[test]
fn an_idle_pass_of_4_19_lowers_the_next_time_of_the_nohz_state() {
    assert_eq!(left_behind("4.19"), 0);
    assert!(left_behind("6.6") > 0);
}

#[test]
fn a_child_inherits_its_parents_flips() {
    let mut w = world("release=6.6&machine=1x4x1&workload=forks&forks.parents=1&load=0.8");
    let known = Flips { last_wakee: 7, flips: 5, decayed_at: 0 };
    let mut children = 0;
    while w.now() < 300 * MS {
        let gone: Vec<bool> = w.tasks.iter().map(|task| task.place == Place::Gone).collect();
        w.tasks[0].flips = known;
        w.run_budget(300 * MS, 1);
        for (t, task) in w.tasks.iter().enumerate().skip(1) {
            if gone[t] && task.place != Place::Gone {
                assert_eq!(task.flips, known, "task {t} at {}", w.now());
                children += 1;
            }
        }
    }
    assert!(children > 10, "{children}");
}
