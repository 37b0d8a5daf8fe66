//! What the state does with actions.

use super::*;

fn open(text: &str) -> State {
    State::open(text, ThemeChoice::Auto, false)
}

#[test]
fn a_link_opens_with_its_knobs() {
    let state = open("load=0.9&machine=1x2x2");
    assert_eq!((state.shown.load, state.world), (900, 1));
    assert_eq!(state.scene.map(|s| s.machine.cpus.len()), Some(4));
    assert_eq!(state.navigation, Navigation::Replace);
    assert!(state.playing);
}

#[test]
fn a_broken_link_stays_in_the_bar_and_says_each_thing() {
    let state = open("relase=6.1&machine=1x2x2&lod=7");
    assert_eq!((state.warnings.len(), state.navigation), (2, Navigation::Stay));
    let state = state.after(Action::Dismiss);
    assert!(state.warnings.is_empty());
}

#[test]
fn a_link_to_a_moment_stands_still_until_played() {
    let state = open("machine=1x2x2&at=5ms");
    assert!(!state.playing);
    let state = state.after(Action::Play(true));
    assert_eq!((state.scenario.at_ns, state.navigation), (None, Navigation::Replace));
}

#[test]
fn a_turned_knob_is_written_into_the_link_when_the_worker_says_when() {
    let state = open("machine=1x2x2").after(Action::Turn(ChangeTo::Load(900)));
    assert_eq!((state.shown.load, state.scenario.changes.len()), (900, 0));
    let state = state.after(Action::Turned(7, ChangeTo::Load(900)));
    assert_eq!(state.scenario.changes, [Change { at_ns: 7, to: ChangeTo::Load(900) }]);
    assert_eq!((state.world, state.passed), (1, 1));
    let again = Scenario::parse(&state.link(None)).0;
    assert_eq!(again, state.scenario);
}

#[test]
fn a_turn_falls_in_before_the_changes_that_are_still_to_come() {
    let state = open("machine=1x2x2&set=1ms:load=0.5,9ms:load=0.6").after(Action::Passed(1));
    assert_eq!(state.shown.load, 500);
    let state =
        state.after(Action::Turn(ChangeTo::Load(800))).after(Action::Turned(2_000_000, ChangeTo::Load(800)));
    let times: Vec<u64> = state.scenario.changes.iter().map(|c| c.at_ns).collect();
    assert_eq!(times, [1_000_000, 2_000_000, 9_000_000]);
    assert_eq!((state.passed, state.shown.load), (2, 800));
    assert_eq!(state.after(Action::Passed(3)).shown.load, 600);
}

#[test]
fn a_new_world_keeps_the_knobs_as_they_stand() {
    let state = open("machine=1x2x2&seed=7")
        .after(Action::Turn(ChangeTo::Load(900)))
        .after(Action::Turned(7, ChangeTo::Load(900)))
        .after(Action::Set(Setting::Release(Release::V4_19)));
    assert_eq!((state.scenario.load, state.scenario.seed), (900, 7));
    assert!(state.scenario.changes.is_empty());
    assert_eq!((state.world, state.navigation), (2, Navigation::Push));
}

#[test]
fn the_link_says_when_it_can_hold_no_more() {
    let mut state = open("machine=1x2x2");
    for i in 0..=Scenario::MOST_CHANGES as u64 {
        state = state.after(Action::Turned(i, ChangeTo::Load(i as u32)));
    }
    assert_eq!(state.scenario.changes.len(), Scenario::MOST_CHANGES);
    assert!(matches!(state.notice, Some(Notice::Refused(_))));
}

#[test]
fn a_file_without_a_machine_changes_nothing() {
    let before = open("machine=1x2x2");
    let reading = Reading::default();
    let after = before.clone().after(Action::UseMachine(Rc::new(reading)));
    assert_eq!((&after.scenario, after.world), (&before.scenario, before.world));
    assert!(matches!(after.notice, Some(Notice::Refused(_))));
}

#[test]
fn an_imported_machine_travels_in_the_link() {
    let state = open("machine=1x2x2");
    let machine = Scenario::parse("machine=1x3x1").0.machine().expect("a grid");
    let reading = Reading { machine: Some(machine.clone()), ..Reading::default() };
    let state = state.after(Action::UseMachine(Rc::new(reading)));
    assert_eq!((state.world, state.navigation), (2, Navigation::Push));
    let again = Scenario::parse(&state.link(None)).0;
    assert_eq!(again.machine(), Ok(machine));
}

#[test]
fn recorded_tasks_are_played_on_their_machine() {
    let trace = "a-1 [000] d..2. 1.0: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=R ==> next_comm=b next_pid=2 next_prio=120\n\
                 b-2 [000] d..2. 1.5: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=a next_pid=1 next_prio=120\n";
    let reading = Reading::from(balancescope::import::read(trace, None).expect("a trace"));
    let state = open("machine=1x2x2&release=6.12").after(Action::UseMachine(Rc::new(reading)));
    let again = Scenario::parse(&state.link(None)).0;
    assert_eq!((again.workload.kind.as_str(), again.load, again.machine.name()), ("replay", 1_000, "1x1x1"));
    assert_eq!(again.release, open("release=6.12").scenario.release);
    assert_eq!(again.script.map(|script| script.tasks.len()), Some(1));
}

#[test]
fn a_typed_machine_is_a_grid_or_a_sentence() {
    assert!(typed_machine(" 1x2x2 ").is_ok());
    let why = typed_machine("100000x1x1").expect_err("too many");
    assert!(why.ends_with("The machine shown stays.") && !why.contains("is used"), "{why}");
}

#[test]
fn after_a_breakdown_a_new_world_gets_a_new_worker() {
    let state = open("machine=1x2x2").after(Action::Stopped("why".to_owned()));
    assert!(!state.playing);
    let state = state.after(Action::Restart);
    assert_eq!((state.worker, state.world), (1, 2));
    assert_eq!(state.phase, Phase::Opening(0));
}
