//! Flights, pulses, shares, rates and tags over time.

use crate::machines::{Grid, tree};
use crate::plan::attempts::{Pulses, Show};
use crate::plan::flights::{Flights, Mode};
use crate::plan::flows::Flows;
use crate::plan::geom::{Rect, pt};
use crate::plan::hit::{Hit, hit};
use crate::plan::layout::{Layout, Want};
use crate::plan::rates::{Rates, short, time};
use crate::plan::shares::Shares;
use crate::plan::tags::place;
use crate::plan::walk::{Spot, Step, walk};
use balancescope::observe::{
    Activity, Attempt, Cause, CpuFrame, Frame, Kind, LevelCounts, Move, Outcome, Totals,
};
use balancescope::topology::DomainTree;

fn desk() -> (DomainTree, Layout) {
    let machine = Grid(2, 1, 1, 4, 2).machine();
    let tree = tree(&machine);
    let layout = Layout::new(&machine, &tree, Want { width: 744.0, height: 480.0, viewer: 0 });
    (tree, layout)
}

fn mv(task: u32, from: u32, to: u32, slot: u8) -> Move {
    Move { at_ns: 0, task, from, to, cause: Cause::Newidle, slot: Some(slot) }
}

fn attempt(cpu: u32, outcome: Outcome, id: u64) -> Attempt {
    Attempt { at_ns: 0, cpu, slot: 1, kind: Kind::Newidle, outcome, moved: 0, took_ns: 1, id }
}

#[test]
fn a_flight_begins_and_ends_at_its_cpus_and_never_turns_back() {
    let (_, layout) = desk();
    let mut flights = Flights::default();
    flights.arrive(&layout, &[mv(7, 0, 13, 2)], 0, 100.0);
    let f = flights.live[0].clone();
    let mut last = 0.0;
    for ms in 0..=f.takes_ms as u32 {
        let p = f.progress(100.0 + f64::from(ms)).unwrap();
        assert!(p.along >= last - 1e-6, "went back at {ms} ms");
        last = p.along;
    }
    assert!(layout.cells[13].rect.contains(f.progress(1e9).unwrap().at));
    assert!((480.0..=720.0).contains(&f.takes_ms));
    flights.step(100.0 + f.takes_ms);
    assert!(flights.live.is_empty());
    assert_eq!(flights.mark_of(7), Some(Cause::Newidle), "the mark outlives the flight");
    flights.step(1101.0);
    assert_eq!(flights.mark_of(7), None);
}

#[test]
fn more_moves_a_second_are_drawn_with_less_each() {
    let (_, layout) = desk();
    let mut flights = Flights::default();
    let mut mode = |count: u32, now: f64| {
        let moves: Vec<Move> = (0..count).map(|t| mv(t, t % 8, 8 + t % 8, 2)).collect();
        flights.arrive(&layout, &moves, 0, now);
        flights.mode
    };
    assert_eq!(mode(12, 0.0), Mode::OneByOne);
    assert_eq!(mode(1, 10.0), Mode::Tokens);
    assert_eq!(mode(287, 20.0), Mode::Tokens);
    assert_eq!(mode(1, 30.0), Mode::Flows);
    assert_eq!(mode(250, 1100.0), Mode::Flows, "a rate near the border does not flicker");
    assert_eq!(mode(1, 2200.0), Mode::OneByOne);
}

#[test]
fn without_motion_the_way_stays_until_the_next_move() {
    let (_, layout) = desk();
    let mut flights = Flights::default();
    flights.still = true;
    flights.arrive(&layout, &[mv(7, 0, 13, 2)], 0, 0.0);
    flights.step(60_000.0);
    assert_eq!(flights.live.len(), 1);
    flights.arrive(&layout, &[mv(8, 1, 2, 1)], 0, 60_001.0);
    assert_eq!(flights.live.iter().map(|f| f.task).collect::<Vec<_>>(), [8]);
}

#[test]
fn flows_count_a_simulated_second_and_forget() {
    let (_, layout) = desk();
    let mut flows = Flows::default();
    let moves: Vec<Move> = (0..50).map(|t| mv(t, 0, 13, 2)).collect();
    for _ in 0..100 {
        flows.arrive(&layout, &moves, 1.0, 0.01, 16.7);
    }
    let top = flows.strongest(8);
    assert_eq!(top.len(), 1);
    assert!((top[0].rate - 5000.0).abs() < 1.0, "{}", top[0].rate);
    let wire = layout.wire_of(13, 2).unwrap();
    assert!((flows.on_wire(wire)[2] - 5000.0).abs() < 1.0);
    for _ in 0..1000 {
        flows.arrive(&layout, &[], 1.0, 0.01, 16.7);
    }
    assert!(flows.strongest(8).is_empty());
}

#[test]
fn a_place_flashes_at_most_three_times_a_second() {
    let (_, layout) = desk();
    let mut pulses = Pulses::default();
    let mut rings = Vec::new();
    for i in 0..600u32 {
        let now = f64::from(i) * 10.0;
        pulses.arrive(&layout, &[attempt(3, Outcome::Balanced, u64::from(i))], 0, now, 10.0);
        let ring = pulses.live[0].ring_ms;
        if rings.last() != Some(&ring) {
            rings.push(ring);
        }
    }
    assert!(rings.len() <= 18, "{} rings in 6 s", rings.len());
    assert!(rings.windows(2).all(|w| w[1] - w[0] >= 333.0));
}

#[test]
fn attempts_become_glyphs_and_then_bars() {
    let (_, layout) = desk();
    let mut pulses = Pulses::default();
    let many: Vec<Attempt> = (0..9).map(|c| attempt(c, Outcome::Gated, u64::from(c))).collect();
    pulses.arrive(&layout, &many[..8], 0, 0.0, 16.0);
    assert_eq!(pulses.show, Show::Rings);
    pulses.arrive(&layout, &many, 0, 16.0, 16.0);
    assert_eq!(pulses.show, Show::Glyphs);
    pulses.arrive(&layout, &many, 44, 32.0, 16.0);
    assert_eq!(pulses.show, Show::Bars);
    let wire = layout.wire_of(3, 1).unwrap();
    let sum: f64 = pulses.bars[wire].bins.iter().map(|b| b.0[0]).sum();
    assert!(sum > 8.0 && pulses.bars[wire].outcomes[Outcome::Gated as usize] > 8.0);
}

fn cpu(user_ns: u64, idle_ns: u64) -> CpuFrame {
    CpuFrame {
        activity: Activity::User,
        since_ns: 0,
        current: None,
        slice_used: 0,
        queue: Vec::new(),
        nr_running: 0,
        avg_idle: 0,
        gate_cost: 0,
        user_ns,
        balance_ns: 0,
        lock_ns: 0,
        system_ns: 0,
        idle_ns,
    }
}

fn frame(now_ns: u64, cpus: Vec<CpuFrame>, calls: u64, attempts: Vec<Attempt>) -> Frame {
    let mut level = [LevelCounts::default(); 4];
    level[0].calls = calls;
    Frame {
        now_ns,
        events: 0,
        state_hash: None,
        overload: false,
        cpus,
        moves: Vec::new(),
        moves_dropped: 0,
        attempts,
        attempts_dropped: 0,
        totals: Totals { levels: vec![[LevelCounts::default(); 4], level], ..Totals::default() },
        wakeups: Vec::new(),
    }
}

#[test]
fn shares_are_those_of_the_last_hundred_milliseconds() {
    let mut shares = Shares::default();
    // One second of user time, then idle.
    for ms in (0..=1000u64).step_by(5) {
        shares.arrive(&frame(ms * 1_000_000, vec![cpu(ms * 1_000_000, 0)], 0, vec![]));
    }
    assert_eq!(shares.of(0).user, 1.0);
    for ms in (1005..=1050u64).step_by(5) {
        shares.arrive(&frame(ms * 1_000_000, vec![cpu(1_000_000_000, (ms - 1000) * 1_000_000)], 0, vec![]));
    }
    assert!((shares.of(0).idle - 0.5).abs() < 0.06, "{:?}", shares.of(0));
    shares.arrive(&frame(0, vec![cpu(0, 0)], 0, vec![]));
    assert_eq!(shares.of(0).user, 0.0, "going back starts anew");
}

#[test]
fn rates_split_a_levels_calls_among_its_domains() {
    let (_, layout) = desk();
    let mut rates = Rates::default();
    let (a, b) = (layout.wire_of(0, 1).unwrap(), layout.wire_of(4, 1).unwrap());
    for i in 0..200u64 {
        let told = [0, 1, 2, 4].map(|c| attempt(c, Outcome::Balanced, i)).to_vec();
        rates.arrive(&layout, &frame(i * 1_000_000, vec![], i * 40, told), 16.7);
    }
    assert!((rates.of(&layout, a).unwrap() - 30_000.0).abs() < 300.0);
    assert!((rates.of(&layout, b).unwrap() - 10_000.0).abs() < 300.0);
}

#[test]
fn figures_are_short_and_have_units() {
    let shorts = [0.0, 3.25, 12.0, 950.0, 3_940.0, 23_941.0, 1_240_000.0].map(short);
    assert_eq!(shorts, ["0", "3.2", "12", "950", "3.9k", "24k", "1.2M"]);
    assert_eq!([212, 2_400, 388_000, 1_900_000].map(time), ["212 ns", "2.4 µs", "388 µs", "1.9 ms"]);
}

#[test]
fn a_tag_covers_neither_tags_nor_tokens() {
    let view = Rect::new(0.0, 0.0, 400.0, 300.0);
    let first = place(pt(200.0, 150.0), (80.0, 18.0), view, &[], &[]).unwrap();
    let second = place(pt(210.0, 150.0), (80.0, 18.0), view, &[first], &[]).unwrap();
    assert_eq!(first.overlap(&second), 0.0);
    assert!(place(pt(200.0, 150.0), (80.0, 18.0), view, &[view], &[]).is_none());
}

#[test]
fn the_pointer_finds_cpus_wires_and_titles() {
    let (_, layout) = desk();
    assert_eq!(hit(&layout, None, layout.cells[9].rect.centre()), Some(Hit::Cpu(9)));
    let numa = layout.wire_of(9, 2).unwrap();
    let w = &layout.wires[numa];
    assert!(matches!(hit(&layout, None, pt(w.x0 + 60.0, w.y)), Some(Hit::Wire { wire, .. }) if wire == numa));
    assert_eq!(hit(&layout, None, layout.regions[1].header.centre()), Some(Hit::Region(1)));
}

#[test]
fn arrow_keys_walk_parents_children_and_neighbours() {
    let (tree, layout) = desk();
    let go = |spot, step| walk(&layout, &tree, spot, step);
    let smt = go(Spot::Cpu(0), Step::Parent);
    assert_eq!(smt, Spot::Domain { cpu: 0, slot: 0 });
    let mc = go(smt, Step::Parent);
    let numa = go(mc, Step::Parent);
    assert_eq!(numa, Spot::Domain { cpu: 0, slot: 2 });
    assert_eq!(go(numa, Step::Parent), numa);
    assert_eq!(go(mc, Step::Next), Spot::Domain { cpu: 4, slot: 1 });
    assert_eq!(go(go(numa, Step::Child), Step::Child), smt);
    assert_eq!(go(Spot::Cpu(0), Step::Next), Spot::Cpu(8), "threads of a core lie side by side");
    assert_eq!(go(Spot::Cpu(0), Step::Previous), Spot::Cpu(0));
}
