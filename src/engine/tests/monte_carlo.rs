//! Random machines under random loads, looked at again and again while they run: the invariants hold at any moment.

use super::{MS, world};
use crate::scenario::{ChangeTo, MigrationCost, OverloadMode};
use crate::topology::Release;
use crate::workload::KINDS;
use proptest::prelude::*;

/// Events of a run, and how often it is looked at.
const EVENTS: u64 = 12_000;
const LOOKS: u64 = 60;

prop_compose! {
    fn machine()(nodes in 1..5u32, cores in 1..7u32, threads in 1..3u32, named in 0..8usize) -> String {
        match named {
            0 => "biglittle-4p4".to_owned(),
            1 => "hybrid-8p8e".to_owned(),
            2 => "spr-2x56x2-snc4".to_owned(),
            _ => format!("{nodes}x{cores}x{threads}"),
        }
    }
}

prop_compose! {
    fn scenario()(
        machine in machine(),
        release in prop::sample::select(Release::ALL.to_vec()),
        workload in 0..KINDS.len(),
        load in 1..20u32,
        hz in prop::sample::select(vec![100, 250, 300, 1000]),
        seed in 0..1_000_000u32,
    ) -> String {
        let workload = KINDS[workload].name;
        let load = f64::from(load) / 10.0;
        format!("release={}&machine={machine}&workload={workload}&load={load}&hz={hz}&seed={seed}", release.name())
    }
}

fn knob() -> impl Strategy<Value = ChangeTo> {
    prop_oneof![
        (0..2_000u32).prop_map(ChangeTo::Load),
        (0..2_000_000u64).prop_map(|ns| ChangeTo::MigrationCost(MigrationCost::Ns(ns))),
        prop::sample::select(vec![OverloadMode::Auto, OverloadMode::HeldSet, OverloadMode::HeldClear])
            .prop_map(ChangeTo::Overload),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn invariants_hold_at_any_moment(text in scenario(), knobs in prop::collection::vec(knob(), 3)) {
        let mut w = world(&text);
        for look in 1..=LOOKS {
            w.run_to_event(EVENTS * look / LOOKS, 2_000 * MS);
            // What passes would read now, in a copy: reading it brings idle queues up to date.
            let mut read = w.clone();
            read.carry_over();
            prop_assert_eq!(read.check_invariants(), Vec::<String>::new(), "{} at {} ns", text, w.now());
            prop_assert_eq!(w.check_invariants(), Vec::<String>::new(), "{} at {} ns", text, w.now());
            if let Some(knob) = knobs.get(look as usize / 15).filter(|_| look % 15 == 0) {
                prop_assert_eq!(w.turn(*knob), Ok(()));
            }
        }
        prop_assert!(w.now() > 0);
    }
}
