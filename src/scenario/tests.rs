//! What holds for every scenario and every text.

use super::*;
use crate::topology::Release;
use proptest::prelude::*;

fn sentences(text: &str) -> Vec<String> {
    Scenario::parse(text).1.into_iter().map(|w| w.text.replace(['\u{a0}', '\u{2009}'], " ")).collect()
}

fn canonical(text: &str) -> String {
    Scenario::parse(text).0.fragment()
}

#[test]
fn nothing_said_is_the_default_and_says_nothing() {
    for text in ["", "#", " ", "&&", "https://example.org/", "{}"] {
        assert_eq!(Scenario::parse(text), (Scenario::default(), vec![]), "{text}");
    }
    assert_eq!(Scenario::default().fragment(), "");
}

#[test]
fn keys_come_in_one_order_and_defaults_go() {
    let text = "at=8.41236s&seed=7&overload=auto&load=0.90&migration_cost=4000us&release=4.19&machine=2x56x2";
    assert_eq!(canonical(text), "release=4.19&machine=2x56x2&load=0.9&migration_cost=4ms&seed=7&at=8.41236s");
    assert_eq!(sentences(text), [""; 0]);
}

#[test]
fn ends_of_the_migration_cost_have_names() {
    for (text, cost) in [
        ("0", MigrationCost::NeverHot),
        ("0us", MigrationCost::NeverHot),
        ("never", MigrationCost::NeverHot),
        ("always", MigrationCost::AlwaysHot),
        ("-1", MigrationCost::AlwaysHot),
        ("10ms", MigrationCost::Ns(10_000_000)),
    ] {
        let (scenario, warnings) = Scenario::parse(&format!("migration_cost={text}"));
        assert_eq!((scenario.knobs.migration_cost, warnings), (cost, vec![]), "{text}");
    }
}

#[test]
fn every_slip_has_its_sentence() {
    for (text, sentence) in [
        ("migration_cost=500", "migration_cost=500 has no unit. 500 µs is used; write 500us."),
        ("relase=6.6", "relase=6.6 is not a key. Did you mean release? 6.6 is used."),
        (
            "machine=2x4x2x9",
            "machine=2x4x2x9 has four parts; three are read: 2 × 4 × 2 (packages, cores and threads).",
        ),
        ("machine=0x4x2", "machine=0x4x2 has no CPUs. 2x4x2 is used."),
        ("machine=100000", "machine=100000 has 100 000 CPUs; 4 096 is the most. 2x4x2 is used."),
        ("machine=laptop4x2", "machine=laptop4x2 is not a machine. Did you mean laptop-4x2? 2x4x2 is used."),
        ("load=9", "load=9 is above the largest value. 2 is used."),
        ("load=-1", "load=-1 is below the smallest value. 0 is used."),
        ("load=0.12345", "load=0.12345 is finer than a thousandth. 0.123 is used."),
        ("load=90%", "load=90% has a broken % code. It is not used."),
        ("load=much", "load=much is not a number such as 0.9. 0.7 is used."),
        ("load", "load has no value; settings look like load=0.9. It is not used."),
        ("load=0.5&load=0.6", "load is given more than once. The last one, 0.6, is used."),
        ("migration_cost=20ms", "migration_cost=20ms is above the largest value. 10 ms is used."),
        ("migration_cost=soon", "migration_cost=soon is not a time, 0 or always. 500us is used."),
        ("overload=sett", "overload=sett is not known. Did you mean set? auto is used."),
        ("hz=500", "hz=500 is none of 100, 250, 300 and 1000. 1000 is used."),
        (
            "preempt=lots",
            "preempt=lots is not known; there is none, voluntary, full, dynamic and lazy. dynamic is used.",
        ),
        ("freq=low", "freq=low is not known; there is fixed and schedutil. fixed is used."),
        ("ticks=skewed", "ticks=skewed is not known; there is spread and together. spread is used."),
        ("seed=-1", "seed=-1 is not a whole number from 0 to 18446744073709551615. 1 is used."),
        ("cost.task_moved=1us", "cost.task_moved=1us is not a key. It is not used."),
        ("cost.scan_lcc=5ns", "cost.scan_lcc=5ns is not a key. Did you mean cost.scan_llc?"),
        ("cost.tail_permille=1001", "cost.tail_permille=1001 is above the largest value. 1000 is used."),
        ("colour=red", "colour=red is not a key. It is not used."),
        ("release=5.4", "release=5.4 is none of 4.19, 6.1, 6.6, 6.12, 6.17, 6.19 and 7.1. 6.6 is used."),
        (
            "set=1s:colour=red",
            "1s:colour=red in set cannot be used; write a time and a knob, such as 3.2s:load=0.7.",
        ),
        (
            "v=4",
            "This link was made by a later balancescope (format 4, this one reads 1). Reload to update. The link is kept.",
        ),
        ("v=x", "v=x is not a link format. 1 is used."),
        ("at=3", "at=3 has no unit. 3 s is used; write 3s."),
        (
            "https://example.org/?load=1",
            "This link has its settings after ?; they belong after #. None is used.",
        ),
        (
            "machine=z:AAAA",
            "The packed machine is cut off, damaged, or far larger than a machine can be. 2x4x2 is used.",
        ),
        ("{\"load\": [1]}", "load must be a list of texts. It is not used."),
    ] {
        assert_eq!(sentences(text), [sentence], "{text}");
    }
}

#[test]
fn one_slip_does_not_cost_the_rest() {
    assert_eq!(canonical("load=much&seed=9&relase=6.6&%%%=1&hz=250"), "hz=250&seed=9");
}

#[test]
fn turns_come_back_in_order_of_time() {
    let text = "set=4s:overload=clear,3.2s:load=0.7,4s:migration_cost=always";
    assert_eq!(canonical(text), "set=3.2s:load=0.7,4s:overload=clear,4s:migration_cost=always");
    assert_eq!(canonical("set=3.2s%3Aload%3D0.7"), "set=3.2s:load=0.7");
}

#[test]
fn what_the_command_line_prints_can_be_opened_again() {
    assert_eq!(canonical(r#"{"fragment": "", "scenario": {"load": "0.9"}, "warnings": []}"#), "load=0.9");
    assert_eq!(canonical(r##"{"scenario": "#load=0.9&hz=250", "events": 12}"##), "load=0.9&hz=250");
}

#[test]
fn huge_links_stay_cheap() {
    let many = "a=b&".repeat(1_250_000);
    let long = format!("machine=z:{}&seed=4", "A".repeat(5_000_000));
    let turns = format!("set={}", "1s:load=0.5,".repeat(80_000));
    let noise = "x".repeat(5_000_000);
    for text in [&many, &long, &turns, &noise, &format!("{{{many}")] {
        let (_, warnings) = Scenario::parse(text);
        assert!((1..=21).contains(&warnings.len()));
        assert!(warnings.iter().all(|w| w.text.len() < 400));
    }
    assert_eq!(Scenario::parse(&turns).0.changes.len(), Scenario::MOST_CHANGES);
}

fn any_cost() -> impl Strategy<Value = MigrationCost> {
    prop_oneof![
        Just(MigrationCost::NeverHot),
        Just(MigrationCost::AlwaysHot),
        (1..=MigrationCost::MOST_NS).prop_map(MigrationCost::Ns),
    ]
}

fn any_mode() -> impl Strategy<Value = OverloadMode> {
    proptest::sample::select(OverloadMode::ALL.to_vec())
}

fn any_change() -> impl Strategy<Value = Change> {
    let to = prop_oneof![
        any_cost().prop_map(ChangeTo::MigrationCost),
        (0..=Scenario::MOST_LOAD).prop_map(ChangeTo::Load),
        any_mode().prop_map(ChangeTo::Overload),
    ];
    (0..=Scenario::LATEST_NS, to).prop_map(|(at_ns, to)| Change { at_ns, to })
}

fn any_spec() -> impl Strategy<Value = MachineSpec> {
    prop_oneof![
        proptest::sample::select(crate::topology::library::names())
            .prop_map(|name| MachineSpec::Named(name.to_owned())),
        (1..4_u32, 1..60_u32, 1..5_u32).prop_map(|(p, c, t)| MachineSpec::Named(format!("{p}x{c}x{t}"))),
        super::pack::tests::any_machine().prop_map(|m| MachineSpec::Packed(Box::new(m))),
    ]
}

/// A workload with some parameters away from their defaults.
fn any_workload() -> impl Strategy<Value = WorkloadSpec> {
    let kinds = proptest::sample::select(crate::workload::KINDS.to_vec());
    (kinds, proptest::collection::vec(any::<Option<u64>>(), 8)).prop_map(|(kind, values)| {
        let given = kind.params.iter().zip(values).filter_map(|(param, value)| {
            let value = param.min + value? % (param.max - param.min + 1);
            (value != param.default).then(|| (param.name.to_owned(), value))
        });
        WorkloadSpec { kind: kind.name.to_owned(), params: given.collect() }
    })
}

/// A release with some switches set as other releases have them.
fn any_rules() -> impl Strategy<Value = (Release, Vec<(String, String)>)> {
    let release = proptest::sample::select(Release::ALL.to_vec());
    (release, proptest::collection::vec((any::<proptest::sample::Index>(), 0..Release::ALL.len()), 0..4))
        .prop_map(|(release, picks)| {
            let mut scenario = Scenario { release, ..Scenario::default() };
            for (index, other) in picks {
                let switches = super::catalogue::switches(Release::ALL[other]);
                if !switches.is_empty() {
                    let (name, value) = index.get(&switches).clone();
                    scenario.overrides.push((name.to_owned(), value));
                }
            }
            (release, super::write::overrides(&scenario))
        })
}

fn any_costs() -> impl Strategy<Value = Vec<(String, u64)>> {
    proptest::collection::vec(proptest::option::weighted(0.1, any::<u64>()), costs::COSTS.len()).prop_map(
        |values| {
            let given = costs::COSTS.iter().zip(values).filter_map(|(cost, value)| {
                let value = value? % (cost.max + 1);
                (value != cost.default).then(|| (cost.name.to_owned(), value))
            });
            given.collect()
        },
    )
}

/// A scenario in its normal form: lists in order, nothing that equals a default.
fn any_scenario() -> impl Strategy<Value = Scenario> {
    let knobs = (
        any_cost(),
        any_mode(),
        proptest::sample::select(Hz::ALL.to_vec()),
        proptest::sample::select(Preempt::ALL.to_vec()),
        proptest::sample::select(Freq::ALL.to_vec()),
        proptest::sample::select(Ticks::ALL.to_vec()),
    )
        .prop_map(|(migration_cost, overload, hz, preempt, freq, ticks)| Knobs {
            migration_cost,
            overload,
            hz,
            preempt,
            freq,
            ticks,
        });
    let world = (any_rules(), any_spec(), any_workload(), 0..=Scenario::MOST_LOAD);
    let run = (
        any_costs(),
        any::<u64>(),
        proptest::collection::vec(any_change(), 0..6),
        proptest::option::of(0..=Scenario::LATEST_NS),
    );
    (world, knobs, run).prop_map(
        |(((release, overrides), machine, workload, load), knobs, (costs, seed, mut changes, at_ns))| {
            changes.sort_by_key(|c| c.at_ns);
            Scenario {
                release,
                overrides,
                machine,
                workload,
                script: None,
                load,
                knobs,
                costs,
                seed,
                changes,
                at_ns,
                show: Show::default(),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_scenario_comes_back_from_its_link(scenario in any_scenario()) {
        let fragment = scenario.fragment();
        prop_assert_eq!(Scenario::parse(&fragment), (scenario, vec![]));
    }

    #[test]
    fn every_scenario_comes_back_from_its_json(scenario in any_scenario()) {
        let text = serde_json::to_string(&scenario).unwrap();
        prop_assert_eq!(serde_json::from_str::<Scenario>(&text).unwrap(), scenario.clone());
        prop_assert_eq!(Scenario::parse(&text), (scenario, vec![]));
    }

    #[test]
    fn different_scenarios_have_different_links(a in any_scenario(), b in any_scenario()) {
        prop_assert_eq!(a == b, a.fragment() == b.fragment());
    }

    #[test]
    fn no_text_panics_and_what_is_read_is_canonical(text in ".{0,120}") {
        let (scenario, _) = Scenario::parse(&text);
        prop_assert_eq!(Scenario::parse(&scenario.fragment()), (scenario, vec![]));
    }

    #[test]
    fn no_near_link_panics(
        pieces in proptest::collection::vec(
            ("(release|machine|workload|load|migration_cost|overload|hz|seed|set|at|cost\\.a|v|requests\\.x)",
             "([0-9]{1,25}(\\.[0-9]{0,30})?(us|ms|s|x[0-9]{1,9}x[0-9]{1,12})?|[a-z:=,%.0-9-]{0,20})"),
            0..8,
        )
    ) {
        let text: Vec<String> = pieces.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let (scenario, _) = Scenario::parse(&text.join("&"));
        prop_assert_eq!(Scenario::parse(&scenario.fragment()), (scenario, vec![]));
    }
}
