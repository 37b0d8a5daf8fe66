//! Balance attempts in words: who tried, how far it got, at which level, at what price. Actor first.

use crate::scene::Scene;
use crate::units;
use balancescope::observe::{Attempt, Cause, Frame, Kind, Move, Outcome};
use std::collections::VecDeque;

/// One attempt, ready to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its number in the run.
    pub id: u64,
    /// Whose hue it wears.
    pub cause: Cause,
    /// How far it got.
    pub outcome: Outcome,
    /// Who and what: `cpu 12 pulls t41`.
    pub head: String,
    /// The rest of the sentence: `from cpu 8`.
    pub tail: String,
    /// Kind, level and price: `newidle, MC, 3.1 µs`.
    pub small: String,
}

impl Decision {
    /// The whole as one sentence for the ear.
    pub fn sentence(&self) -> String {
        let tail = if self.tail.is_empty() { String::new() } else { format!(" {}", self.tail) };
        format!("{}{tail}, {}", self.head, self.small)
    }
}

/// The path whose hue a kind of pass wears.
pub fn cause(kind: Kind) -> Cause {
    match kind {
        Kind::Newidle => Cause::Newidle,
        Kind::Idle | Kind::Busy => Cause::Periodic,
        Kind::Nohz => Cause::Nohz,
    }
}

fn kind_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Newidle => "newidle",
        Kind::Idle => "periodic, idle",
        Kind::Busy => "periodic, busy",
        Kind::Nohz => "nohz",
    }
}

/// The kernel's number of a CPU.
fn cpu_id(scene: &Scene, index: u32) -> u32 {
    scene.machine.cpus.get(index as usize).map_or(index, |c| c.id)
}

/// The attempt in words; `moves` are those of the same frame.
pub fn decide(scene: &Scene, attempt: &Attempt, moves: &[Move]) -> Decision {
    let cpu = cpu_id(scene, attempt.cpu);
    let (head, tail) = match attempt.outcome {
        Outcome::Moved => pulled(scene, cpu, attempt, moves),
        Outcome::Gated => (format!("cpu {cpu} is refused"), "at the gate".to_owned()),
        Outcome::NotDue => (format!("cpu {cpu} is not due"), String::new()),
        Outcome::LockLost => (format!("cpu {cpu} loses the lock"), String::new()),
        Outcome::Balanced => (format!("cpu {cpu} finds balance"), String::new()),
        Outcome::Failed => (format!("cpu {cpu} fails to pull"), String::new()),
    };
    let level = scene.tree.levels.get(attempt.slot as usize).map_or("?", |l| l.name.as_str());
    let mut small = format!("{}, {level}", kind_words(attempt.kind));
    if attempt.took_ns > 0 {
        small = format!("{small}, {}", units::duration(attempt.took_ns));
    }
    Decision { id: attempt.id, cause: cause(attempt.kind), outcome: attempt.outcome, head, tail, small }
}

fn pulled(scene: &Scene, cpu: u32, attempt: &Attempt, moves: &[Move]) -> (String, String) {
    let until = attempt.at_ns + attempt.took_ns;
    let mine: Vec<&Move> = moves
        .iter()
        .filter(|m| m.to == attempt.cpu && m.cause == cause(attempt.kind))
        .filter(|m| (attempt.at_ns..=until).contains(&m.at_ns))
        .collect();
    match mine.as_slice() {
        [one] => (format!("cpu {cpu} pulls t{}", one.task), format!("from cpu {}", cpu_id(scene, one.from))),
        [first, ..] if mine.iter().all(|m| m.from == first.from) => {
            let from = cpu_id(scene, first.from);
            (format!("cpu {cpu} pulls {} tasks", mine.len()), format!("from cpu {from}"))
        }
        _ if attempt.moved == 1 => (format!("cpu {cpu} pulls a task"), String::new()),
        _ => (format!("cpu {cpu} pulls {} tasks", attempt.moved), String::new()),
    }
}

/// The last attempts that are worth a line: no outcome may crowd out the others.
#[derive(Debug, Default)]
pub struct Log {
    recent: VecDeque<Decision>,
}

impl Log {
    /// How many lines are shown.
    pub const LINES: usize = 5;
    /// Lines of one outcome, tasks moved apart.
    const SAME: usize = 2;

    /// Takes up the attempts of a frame.
    pub fn hear(&mut self, scene: &Scene, frame: &Frame) {
        let mut taken = [0_usize; 6];
        let mut fresh: Vec<Decision> = Vec::new();
        for attempt in frame.attempts.iter().rev() {
            let seen = &mut taken[attempt.outcome as usize];
            let room = if attempt.outcome == Outcome::Moved { Self::LINES } else { Self::SAME };
            if *seen < room {
                *seen += 1;
                fresh.push(decide(scene, attempt, &frame.moves));
            }
        }
        self.recent.extend(fresh.into_iter().rev());
        while self.recent.len() > 8 * Self::LINES {
            self.recent.pop_front();
        }
    }

    /// Newest first.
    pub fn lines(&self) -> Vec<Decision> {
        let mut taken = [0_usize; 6];
        let mut lines = Vec::new();
        for d in self.recent.iter().rev() {
            let seen = &mut taken[d.outcome as usize];
            let room = if d.outcome == Outcome::Moved { 3 } else { Self::SAME };
            if *seen < room && lines.len() < Self::LINES {
                *seen += 1;
                lines.push(d.clone());
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake;

    fn attempt(id: u64, outcome: Outcome) -> Attempt {
        Attempt {
            at_ns: 1_000 * id,
            cpu: 2,
            slot: 0,
            kind: Kind::Newidle,
            outcome,
            moved: u32::from(outcome == Outcome::Moved),
            took_ns: 3_140,
            id,
        }
    }

    #[test]
    fn a_pull_names_its_task_and_its_source() {
        let scene = fake::scene();
        let moves = [Move { at_ns: 2_000, task: 41, from: 1, to: 2, cause: Cause::Newidle, slot: Some(0) }];
        let d = decide(&scene, &attempt(1, Outcome::Moved), &moves);
        assert_eq!(d.sentence(), "cpu 2 pulls t41 from cpu 1, newidle, SMT, 3.14 µs");
    }

    #[test]
    fn a_move_by_another_path_is_not_claimed() {
        let scene = fake::scene();
        let moves = [Move { at_ns: 2_000, task: 41, from: 1, to: 2, cause: Cause::Wakeup, slot: Some(0) }];
        let d = decide(&scene, &attempt(1, Outcome::Moved), &moves);
        assert_eq!(d.head, "cpu 2 pulls a task");
    }

    #[test]
    fn refusals_do_not_crowd_out_a_move() {
        let scene = fake::scene();
        let mut frame = fake::frame(0);
        frame.attempts.push(attempt(0, Outcome::Moved));
        frame.attempts.extend((1..200).map(|i| attempt(i, Outcome::Gated)));
        let mut log = Log::default();
        log.hear(&scene, &frame);
        let outcomes: Vec<Outcome> = log.lines().iter().map(|d| d.outcome).collect();
        assert_eq!(outcomes, [Outcome::Gated, Outcome::Gated, Outcome::Moved]);
        assert_eq!(log.lines()[0].id, 199);
    }
}
