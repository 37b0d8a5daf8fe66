//! Whatever a link may say, a world can be built of it or is refused in a sentence, and it runs.

use balancescope::balance::Rules;
use balancescope::engine::World;
use balancescope::scenario::{Scenario, costs::COSTS, library::SCENARIOS};
use balancescope::topology::Release;
use balancescope::workload::{KINDS, Unit};
use proptest::prelude::*;

/// Runs a link's scenario for that long; what is broken afterwards.
fn broken_after(fragment: &str, ns: u64) -> Vec<String> {
    let (scenario, warnings) = Scenario::parse(fragment);
    let said: Vec<String> = warnings.into_iter().map(|w| w.text).collect();
    if !said.is_empty() {
        return said;
    }
    match World::new(&scenario) {
        Ok(mut world) => {
            world.run_until(ns);
            world.check_invariants()
        }
        Err(sentence) if sentence.ends_with('.') => Vec::new(),
        Err(other) => vec![format!("no sentence: {other}")],
    }
}

#[test]
fn every_named_scenario_runs() {
    for named in SCENARIOS {
        let (scenario, _) = Scenario::parse(named.fragment);
        assert!(World::new(&scenario).is_ok(), "{}", named.name);
        assert_eq!(broken_after(named.fragment, 3_000_000), [""; 0], "{}", named.name);
    }
}

/// One key and value that a link may hold.
fn any_setting() -> impl Strategy<Value = String> {
    let switch = (proptest::sample::select(Release::ALL.to_vec()), any::<prop::sample::Index>()).prop_map(
        |(release, index)| {
            let switches = Rules::of(release).switches();
            let (name, value) = index.get(&switches);
            format!("{name}={value}")
        },
    );
    let cost = (proptest::sample::select(COSTS.to_vec()), 0..3_u64).prop_map(|(cost, size)| {
        let value = [0, cost.default * 10, cost.max / 100][size as usize].min(cost.max);
        let unit = if cost.unit == Unit::Time { "ns" } else { "" };
        format!("cost.{}={value}{unit}", cost.name)
    });
    let knob = proptest::sample::select(vec![
        "load=0",
        "load=2",
        "overload=set",
        "overload=clear",
        "migration_cost=0",
        "migration_cost=always",
        "hz=100",
        "hz=300",
        "preempt=none",
        "set=1ms:load=2,1ms:load=0,2ms:overload=set,2ms:migration_cost=10ms",
    ])
    .prop_map(str::to_owned);
    prop_oneof![switch, cost, knob]
}

/// A workload with one parameter at one of its ends.
fn any_workload() -> impl Strategy<Value = String> {
    let kinds = proptest::sample::select(KINDS.to_vec());
    (kinds, any::<prop::sample::Index>(), any::<bool>()).prop_map(|(kind, index, low)| {
        let param = index.get(kind.params);
        // Its largest, but not so many tasks that the test takes long.
        let value = if low { param.min } else { param.max.min(param.default.saturating_mul(20).max(20)) };
        let unit = if param.unit == Unit::Time { "ns" } else { "" };
        let value = value as i64 - if param.unit == Unit::Nice { 20 } else { 0 };
        format!("workload={0}&{0}.{1}={value}{unit}", kind.name, param.name)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_settings_run(
        release in proptest::sample::select(Release::ALL.to_vec()),
        machine in proptest::sample::select(vec!["1x1x1", "1x2x1", "2x2x2", "ring-4x2", "biglittle-4p4", "hybrid-8p8e"]),
        workload in any_workload(),
        settings in proptest::collection::btree_map("[a-f]", any_setting(), 0..6),
        seed in any::<u64>(),
    ) {
        let mut link = format!("release={}&machine={machine}&{workload}&seed={seed}", release.name());
        let mut keys = std::collections::BTreeSet::new();
        for setting in settings.values() {
            if keys.insert(setting.split('=').next().unwrap_or_default().to_owned()) {
                link.push('&');
                link.push_str(setting);
            }
        }
        prop_assert_eq!(broken_after(&link, 6_000_000), Vec::<String>::new(), "{}", link);
    }
}
