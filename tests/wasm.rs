//! What must come out the same on every target: these tests run natively and, built for wasm32, in Chromium.

use balancescope::engine::World;
use balancescope::host::{Command, Host, Reply, StepTo};
use balancescope::scenario::{ChangeTo, MigrationCost, Scenario};
use balancescope::topology::Release;
use balancescope::workload::Stream;
use xxhash_rust::xxh3::Xxh3;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// Service times come from a logarithm, where targets could differ in the last bit. The hash was recorded on
/// x86-64 Linux.
#[test]
fn a_stream_draws_the_same_work() {
    let mut stream = Stream::new(1, 7);
    let mut hash = Xxh3::new();
    for mean in 1..=10_000_u64 {
        hash.update(&stream.exponential(mean * 1_000).to_le_bytes());
        hash.update(&stream.uniform(0, mean).to_le_bytes());
    }
    assert_eq!(hash.digest(), 0xa0c5_c083_19d4_4f31);
}

#[test]
fn commands_survive_the_way_to_the_worker() {
    let commands = [
        Command::Open { fragment: "release=6.6&machine=2x56x2".to_owned() },
        Command::Run { ns: u64::MAX, budget_us: 8_000 },
        Command::Step(StepTo::Balance),
        Command::Turn(ChangeTo::MigrationCost(MigrationCost::Ns(500_000))),
        Command::Show,
    ];
    for command in commands {
        let bytes = postcard::to_allocvec(&command).unwrap();
        assert_eq!(postcard::from_bytes::<Command>(&bytes).unwrap(), command);
    }
}

/// The state of a scenario after 50 ms, run in as many pieces.
fn state(pieces: u64) -> String {
    let mut host = Host::new();
    let mut refused = Vec::new();
    let mut hear = |reply| {
        if let Reply::Refused(why) = reply {
            refused.push(why);
        }
    };
    host.handle(Command::Open { fragment: "machine=1x4x2&load=0.8&seed=11".to_owned() }, &mut hear, || 0);
    for _ in 0..pieces {
        let command = Command::Run { ns: 50_000_000 / pieces, budget_us: u32::MAX };
        host.handle(command, &mut hear, || 0);
    }
    assert_eq!(refused, Vec::<String>::new());
    let reached = host.world().map(|world| (world.now(), world.state_hash()));
    assert_eq!(reached.map(|(now, _)| now), Some(50_000_000));
    reached.map_or(String::new(), |(_, hash)| format!("{hash:016x}"))
}

/// `./dev test` builds this test with the state that the native command line ends in.
#[test]
fn a_run_ends_in_one_state_on_every_target() {
    let whole = state(1);
    assert_eq!(state(100), whole);
    if let Some(native) = option_env!("BALANCESCOPE_NATIVE_STATE") {
        assert_eq!(whole, native);
    }
}

/// Every release on machines with one node, with two, and with unequal CPUs, under three kinds of work, twice.
fn matrix() -> impl Iterator<Item = String> {
    const MACHINES: [&str; 3] = ["1x4x2", "2x4x2", "biglittle-4p4"];
    const WORKLOADS: [&str; 3] = ["requests", "sleepers", "periodic"];
    let releases = Release::ALL.iter().map(|release| release.name());
    releases.flat_map(|release| {
        MACHINES.iter().flat_map(move |machine| {
            WORKLOADS.iter().flat_map(move |workload| {
                (1..=2).map(move |seed| {
                    format!("release={release}&machine={machine}&workload={workload}&load=0.9&seed={seed}")
                })
            })
        })
    })
}

/// A line of the matrix: the scenario, and its state after 20 ms.
fn line(fragment: &str) -> Result<String, String> {
    let (scenario, warnings) = Scenario::parse(fragment);
    assert_eq!(warnings, Vec::new(), "{fragment}");
    let mut world = World::new(&scenario)?;
    world.run_until(20_000_000);
    assert_eq!(world.check_invariants(), Vec::<String>::new(), "{fragment}");
    Ok(format!("{fragment} {:016x}", world.state_hash()))
}

/// Natively the states are written to target/tmp/states.txt, and `./dev test` builds this test for wasm32 with
/// them.
#[test]
fn a_matrix_of_scenarios_ends_in_one_state_each_on_every_target() {
    let lines: Vec<String> = matrix().map(|fragment| line(&fragment).unwrap()).collect();
    assert!(lines.len() >= 7 * 3 * 3 * 2);
    #[cfg(not(target_arch = "wasm32"))]
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/states.txt"), lines.join("\n")).unwrap();
    if let Some(native) = option_env!("BALANCESCOPE_NATIVE_STATES") {
        assert_eq!(lines, native.lines().collect::<Vec<_>>());
    }
}
