//! What must come out the same on every target: these tests run natively and, built for wasm32, in Chromium.

use balancescope::host::{Command, Host, Reply, StepTo};
use balancescope::scenario::{ChangeTo, MigrationCost};
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
