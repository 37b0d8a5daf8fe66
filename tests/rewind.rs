//! Going back in a run: whatever the way to a moment, the state there is the same.

use balancescope::host::{Command, Host, Reply, StepTo, WINDOW};
use balancescope::scenario::{Change, ChangeTo, OverloadMode, Scenario};
use proptest::prelude::*;
use std::collections::BTreeMap;

const MS: u64 = 1_000_000;
const S: u64 = 1_000 * MS;

fn ask(host: &mut Host, command: Command) -> Vec<Reply> {
    let mut replies = Vec::new();
    host.handle(command, &mut |reply| replies.push(reply), || 0);
    replies
}

fn open(fragment: &str) -> Host {
    let mut host = Host::that_remembers();
    let replies = ask(&mut host, Command::Open { fragment: fragment.to_owned() });
    assert!(matches!(replies.last(), Some(Reply::Frame(_))), "{replies:?}");
    host
}

fn run(host: &mut Host, ns: u64) {
    ask(host, Command::Run { ns, budget_us: u32::MAX });
}

/// Time and state after a command that ends in a frame; `None` if it was refused.
fn hash(host: &mut Host, command: Command) -> Option<(u64, u64)> {
    match ask(host, command).pop() {
        Some(Reply::Frame(frame)) => frame.state_hash.map(|hash| (frame.now_ns, hash)),
        _ => None,
    }
}

fn seek(host: &mut Host, at_ns: u64) -> Option<u64> {
    let (now, hash) = hash(host, Command::Seek { at_ns })?;
    assert_eq!(now, at_ns);
    Some(hash)
}

fn known(replies: &[Reply]) -> Option<(u64, u64)> {
    replies.iter().find_map(|reply| match reply {
        Reply::Known { from_ns, to_ns } => Some((*from_ns, *to_ns)),
        _ => None,
    })
}

/// A machine with little to do, so that 60 s are soon simulated.
const QUIET: &str = "machine=1x2x2&workload=periodic&periodic.period=1ms&hz=1000&seed=5";

#[test]
fn any_moment_of_the_last_minute_can_be_reached_again() {
    let mut host = open(QUIET);
    let mut seen = BTreeMap::new();
    for step in 0..33 {
        run(&mut host, 2 * S + 1_234_567);
        if step % 10 == 4 {
            ask(&mut host, Command::Turn(ChangeTo::Load(300 + step)));
        }
        if let Some((now, hash)) = hash(&mut host, Command::Show) {
            seen.insert(now, hash);
        }
    }
    let (latest, _) = seen.last_key_value().map(|(at, hash)| (*at, *hash)).unwrap();
    let mut moments: Vec<_> = seen.range(latest - WINDOW..).map(|(at, hash)| (*at, *hash)).collect();
    assert!(moments.len() > 25);
    // Back and forth: by a fixed stride that meets every one.
    for i in 0..moments.len() {
        let (at, hash) = moments[i * 11 % moments.len()];
        assert_eq!(seek(&mut host, at), Some(hash), "at {at} ns");
    }
    moments.reverse();
    for (at, hash) in moments {
        assert_eq!(seek(&mut host, at), Some(hash), "at {at} ns");
    }
    let replies = ask(&mut host, Command::Seek { at_ns: latest });
    let (from, to) = known(&replies).unwrap();
    assert!(from <= latest - WINDOW && to == latest);
    let refused = ask(&mut host, Command::Seek { at_ns: 0 });
    assert!(matches!(&refused[..], [Reply::Refused(why)] if why.contains("not before")), "{refused:?}");
}

#[test]
fn stepping_back_meets_the_steps_that_were_made() {
    for to in [StepTo::Event, StepTo::Tick, StepTo::Balance] {
        let mut host = open("machine=1x2x2&load=0.9&seed=2");
        let mut states = vec![hash(&mut host, Command::Show)];
        for _ in 0..60 {
            states.push(hash(&mut host, Command::Step(to)));
        }
        while let Some(last) = states.pop() {
            assert_eq!(hash(&mut host, Command::Show), last, "{to:?}, step {}", states.len());
            let before = hash(&mut host, Command::StepBack(to));
            assert_eq!(before, states.last().copied().flatten(), "{to:?}, back to {}", states.len());
        }
    }
}

#[test]
fn a_moment_between_events_steps_back_to_the_event_before() {
    let mut host = open("machine=1x1x1&load=0.5&seed=2");
    run(&mut host, 20 * MS);
    let here = hash(&mut host, Command::Step(StepTo::Event));
    let (now, _) = here.unwrap();
    seek(&mut host, now + 1);
    assert_eq!(hash(&mut host, Command::StepBack(StepTo::Event)), here);
}

#[test]
fn a_knob_turned_in_the_past_begins_another_future() {
    let mut host = open(QUIET);
    run(&mut host, S);
    ask(&mut host, Command::Turn(ChangeTo::Load(1500)));
    run(&mut host, S);
    ask(&mut host, Command::Turn(ChangeTo::Load(100)));
    run(&mut host, S);
    seek(&mut host, S + S / 2).unwrap();
    let turned = ask(&mut host, Command::Turn(ChangeTo::Overload(OverloadMode::HeldClear)));
    assert!(matches!(turned[..], [Reply::Turned { at_ns, .. }] if at_ns == S + S / 2));
    let live = seek(&mut host, 3 * S);
    let (mut scenario, _) = Scenario::parse(QUIET);
    scenario.changes = vec![
        Change { at_ns: S, to: ChangeTo::Load(1500) },
        Change { at_ns: S + S / 2, to: ChangeTo::Overload(OverloadMode::HeldClear) },
    ];
    scenario.at_ns = Some(3 * S);
    let mut replayed = open(&scenario.fragment());
    assert_eq!(live, hash(&mut replayed, Command::Show).map(|state| state.1));
}

#[test]
fn a_host_that_does_not_remember_says_so() {
    let mut host = Host::new();
    ask(&mut host, Command::Open { fragment: QUIET.to_owned() });
    for command in [Command::Seek { at_ns: 0 }, Command::StepBack(StepTo::Tick)] {
        let replies = ask(&mut host, command);
        assert!(matches!(&replies[..], [Reply::Refused(why)] if why.contains("remember")), "{replies:?}");
    }
}

#[test]
fn a_seek_far_ahead_is_refused() {
    let mut host = open(QUIET);
    let replies = ask(&mut host, Command::Seek { at_ns: u64::MAX });
    assert!(matches!(replies[..], [Reply::Refused(_)]));
    assert_eq!(host.world().map(|world| world.now()), Some(0));
}

fn command() -> impl Strategy<Value = Command> {
    let to = prop::sample::select(vec![StepTo::Event, StepTo::Tick, StepTo::Balance]);
    prop_oneof![
        4 => (1..40 * MS).prop_map(|ns| Command::Run { ns, budget_us: u32::MAX }),
        4 => (0..200 * MS).prop_map(|at_ns| Command::Seek { at_ns }),
        2 => to.clone().prop_map(Command::Step),
        2 => to.prop_map(Command::StepBack),
        1 => (0..1500u32).prop_map(|load| Command::Turn(ChangeTo::Load(load))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// However one wanders through a run, the state at the end is that of the link which holds the knobs turned.
    #[test]
    fn wandering_leaves_no_trace(commands in prop::collection::vec(command(), 1..25), seed in 0..100u32) {
        let link = format!("machine=1x4x2&load=0.8&seed={seed}");
        let mut host = open(&link);
        let mut turned: Vec<Change> = Vec::new();
        for command in commands {
            for reply in ask(&mut host, command) {
                if let Reply::Turned { at_ns, to, .. } = reply {
                    turned.retain(|change| change.at_ns <= at_ns);
                    turned.push(Change { at_ns, to });
                }
            }
        }
        let end = host.world().map_or(0, |world| world.now()).max(100 * MS);
        let wandered = seek(&mut host, end);
        let (mut scenario, _) = Scenario::parse(&link);
        scenario.changes = turned;
        scenario.at_ns = Some(end);
        let mut straight = open(&scenario.fragment());
        prop_assert_eq!(wandered, hash(&mut straight, Command::Show).map(|state| state.1));
    }
}
