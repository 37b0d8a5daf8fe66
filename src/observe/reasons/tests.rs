//! The ring of reasons and what it says of other releases.

use super::*;
use crate::balance::{GateInput, Rules, Why, gate};
use crate::observe::{Kind, Outcome};
use crate::topology::Release;

fn attempt(id: u64, cpu: u32) -> Attempt {
    let (kind, outcome) = (Kind::Newidle, Outcome::Gated);
    Attempt { at_ns: id, cpu, slot: 0, kind, outcome, moved: 0, took_ns: 0, id }
}

fn input(avg_idle: u64) -> GateInput {
    GateInput {
        wakeup_pending: false,
        active: true,
        avg_idle,
        overload: true,
        migration_cost: 500_000,
        lowest_max_cost: Some(100_000),
        rest: crate::balance::policy::Inputs::NONE,
    }
}

#[test]
fn a_gate_is_told_in_order_and_judged_by_every_release() {
    let rules = Rules::of(Release::V6_6);
    let mut reasons = Reasons::new(2);
    let mut draft = reasons.lend(1);
    draft.gate(&input(200_000));
    gate(&rules, &input(200_000), &mut draft);
    reasons.give(1, draft);
    reasons.attempt(1, attempt(7, 1));
    let reason = reasons.of_attempt(&rules, 7).unwrap();
    let texts: Vec<&str> = reason.said.iter().map(|s| s.text.as_ref()).collect();
    assert_eq!(texts, ["ttwu_pending", "cpu_active", "rd->overload", "avg_idle < sd->max_newidle_lb_cost"]);
    assert!(reason.said.iter().all(|s| s.function == "newidle_balance"));
    // 200 us is enough for the domain's cost and too little for 4.19's migration cost.
    let says = |release| reason.elsewhere.iter().find(|e| e.release == release).map(|e| e.says.clone());
    assert_eq!(says(Release::V6_6), Some(Says::Passes));
    let text = Text::Borrowed("avg_idle < sysctl_sched_migration_cost");
    assert_eq!(says(Release::V4_19), Some(Says::Refuses(text, 200_000, 500_000)));
}

#[test]
fn the_ring_is_bounded_and_says_what_it_lost() {
    let rules = Rules::of(Release::V6_6);
    let mut reasons = Reasons::new(1);
    for id in 0..ENTRIES as u64 + 5 {
        reasons.attempt(0, attempt(id, 0));
    }
    assert_eq!(reasons.of_attempt(&rules, 4), None);
    assert!(reasons.of_attempt(&rules, 5).is_some());
    assert_eq!(reasons.of_cpu(&rules, 0, 3).len(), 3);
    let (taken, lost) = reasons.take(&rules);
    assert_eq!((taken.len(), lost), (ENTRIES, 5));
    assert_eq!(reasons.take(&rules), (Vec::new(), 0));
}

#[test]
fn a_reason_too_long_for_the_ring_pushes_out_all_others_but_stays() {
    let rules = Rules::of(Release::V6_6);
    let mut reasons = Reasons::new(1);
    reasons.attempt(0, attempt(0, 0));
    let mut draft = reasons.lend(0);
    for _ in 0..(1 << 16) + 1 {
        let (function, text, op) = ("f", "a < b", crate::balance::Op::Lt);
        draft.note(Condition { function, text: text.into(), left: 1, op, right: 2, holds: true });
    }
    reasons.give(0, draft);
    reasons.attempt(0, attempt(1, 0));
    assert_eq!(reasons.of_attempt(&rules, 0), None);
    assert!(reasons.of_attempt(&rules, 1).is_some());
}

#[test]
fn a_copy_reads_on_without_what_was_read() {
    let rules = Rules::of(Release::V6_6);
    let mut reasons = Reasons::new(1);
    reasons.attempt(0, attempt(0, 0));
    let mut copy = reasons.clone();
    assert_eq!(copy.take(&rules), (Vec::new(), 0));
    assert_eq!(reasons.take(&rules).0.len(), 1);
}
