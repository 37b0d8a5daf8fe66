//! Recorded tasks, played again: each runs as long as it ran, sleeps as long as it slept, and wakes and forks whom it
//! woke and forked. When it gets the CPU is the scheduler's affair.

use super::{Effects, Fork, Step, TaskSpec, Wake, Waker};
use crate::scenario::{Op, Script};
use std::sync::Arc;

/// One task.
#[derive(Clone, Debug, Default)]
struct Player {
    /// The next step.
    at: u32,
    /// How often it was done with all of them.
    rounds: u64,
    /// Wake-ups that came while it did not wait.
    early: u32,
    waiting: bool,
    /// It began, and if it is forked, was not over yet.
    alive: bool,
    /// The time before of [`Op::Every`], ns.
    due: u64,
}

/// All of them.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    script: Arc<Script>,
    /// Thousandths of the recorded run times.
    load: u32,
    players: Vec<Player>,
}

impl Replay {
    /// Prepares a script that was checked.
    pub(super) fn new(script: &Arc<Script>, load: u32) -> Self {
        let players = vec![Player::default(); script.tasks.len()];
        Self { script: Arc::clone(script), load, players }
    }

    pub(super) fn tasks(&self) -> u64 {
        self.players.len() as u64
    }

    pub(super) fn specs(&self) -> Vec<TaskSpec> {
        self.script.tasks.iter().map(|task| TaskSpec { nice: task.nice, ..TaskSpec::PLAIN }).collect()
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.script.tasks.iter().map(|task| task.name.clone()).collect()
    }

    /// The script with its run times at the load.
    pub(super) fn script(&self) -> Script {
        let mut script = Script::clone(&self.script);
        for op in script.tasks.iter_mut().flat_map(|task| &mut task.ops) {
            if let Op::Run(ns) = op {
                *ns = self.work(*ns);
            }
        }
        script
    }

    pub(super) fn set_load(&mut self, load: u32) {
        self.load = load;
    }

    fn work(&self, ns: u64) -> u64 {
        (u128::from(ns) * u128::from(self.load) / 1_000).max(1) as u64
    }

    pub(super) fn next(&mut self, task: u32, now: u64, effects: &mut Effects) -> Step {
        let script = Arc::clone(&self.script);
        let Some(this) = script.tasks.get(task as usize) else { return Step::Exit };
        if !self.players[task as usize].alive {
            if this.forked {
                return Step::Exit;
            }
            self.players[task as usize].alive = true;
            if this.delay_ns > 0 {
                self.players[task as usize].due = now.saturating_add(this.delay_ns);
                return Step::SleepUntil(now.saturating_add(this.delay_ns));
            }
        }
        loop {
            let player = &mut self.players[task as usize];
            let Some(op) = this.ops.get(player.at as usize) else {
                match self.round_over(task, now) {
                    Some(step) => return step,
                    None => continue,
                }
            };
            player.at += 1;
            match *op {
                Op::Run(ns) => return Step::Run(self.work(ns)),
                Op::Sleep(ns) => {
                    effects.done += 1;
                    return Step::SleepUntil(now.saturating_add(ns));
                }
                Op::Every(ns) => {
                    effects.done += 1;
                    player.due = player.due.saturating_add(ns);
                    if player.due > now {
                        return Step::SleepUntil(player.due);
                    }
                }
                Op::Wait if player.early > 0 => player.early -= 1,
                Op::Wait => {
                    effects.done += 1;
                    player.waiting = true;
                    return Step::Block;
                }
                Op::Wake(other) => self.wake(other, effects),
                Op::Fork(other) => self.fork(other, now, effects),
            }
        }
    }

    fn wake(&mut self, other: u32, effects: &mut Effects) {
        let player = &mut self.players[other as usize];
        if std::mem::take(&mut player.waiting) {
            effects.wake.push(Wake { task: other, waker: Waker::Task { sync: false } });
        } else {
            player.early = player.early.saturating_add(1);
        }
    }

    /// A task that is still alive from an earlier round is not forked again.
    fn fork(&mut self, other: u32, now: u64, effects: &mut Effects) {
        let player = &mut self.players[other as usize];
        if player.alive {
            return;
        }
        *player = Player { alive: true, due: now, rounds: player.rounds, ..Player::default() };
        let this = &self.script.tasks[other as usize];
        let work = match this.ops.first() {
            Some(Op::Run(ns)) if this.delay_ns == 0 => {
                self.players[other as usize].at = 1;
                self.work(*ns)
            }
            // It has to look at its script before it can sleep.
            _ => 1,
        };
        effects.forks.push(Fork { task: other, work });
    }

    /// A task is done with its steps: it begins anew, now or when the recording does, or it is over.
    fn round_over(&mut self, task: u32, now: u64) -> Option<Step> {
        let (script, player) = (&self.script, &mut self.players[task as usize]);
        let this = &script.tasks[task as usize];
        player.at = 0;
        player.rounds += 1;
        if this.forked || (this.times > 0 && player.rounds >= u64::from(this.times)) {
            player.alive = false;
            // Nobody wakes a task that does not wait.
            return Some(if this.forked { Step::Exit } else { Step::Block });
        }
        let begins = player.rounds.saturating_mul(script.length_ns);
        if script.length_ns > 0 {
            player.due = begins;
        }
        (begins > now).then_some(Step::SleepUntil(begins))
    }

    pub(super) fn feed(&self, sink: &mut dyn FnMut(u64)) {
        sink(u64::from(self.load));
        for p in &self.players {
            sink(u64::from(p.at) << 32 | u64::from(p.early));
            sink(p.rounds);
            sink(p.due);
            sink(u64::from(p.waiting) << 1 | u64::from(p.alive));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::ScriptTask;

    fn task(ops: &[Op]) -> ScriptTask {
        ScriptTask { ops: ops.to_vec(), ..ScriptTask::default() }
    }

    fn replay(length_ns: u64, tasks: Vec<ScriptTask>) -> Replay {
        let script = Script { length_ns, tasks };
        script.check().unwrap();
        Replay::new(&Arc::new(script), 1_000)
    }

    fn step(replay: &mut Replay, task: u32, now: u64) -> (Step, Effects) {
        let mut effects = Effects::default();
        (replay.next(task, now, &mut effects), effects)
    }

    #[test]
    fn steps_come_in_order_and_begin_anew_with_the_recording() {
        let mut r = replay(100, vec![task(&[Op::Run(5), Op::Sleep(7), Op::Run(3)])]);
        let steps: Vec<Step> = [0, 5, 12, 15, 100, 105].map(|now| step(&mut r, 0, now).0).to_vec();
        let expected =
            [Step::Run(5), Step::SleepUntil(12), Step::Run(3), Step::SleepUntil(100), Step::Run(5)];
        assert_eq!(steps[..5], expected);
        assert_eq!(steps[5], Step::SleepUntil(112));
        // Too late for its round, it goes on at once.
        let late: Vec<Step> = [112, 230].map(|now| step(&mut r, 0, now).0).to_vec();
        assert_eq!(late, [Step::Run(3), Step::Run(5)]);
    }

    #[test]
    fn a_wake_up_that_comes_early_is_not_lost() {
        let mut r = replay(0, vec![task(&[Op::Run(1), Op::Wake(1)]), task(&[Op::Run(1), Op::Wait])]);
        assert_eq!(step(&mut r, 1, 0).0, Step::Run(1));
        assert_eq!(step(&mut r, 0, 0).0, Step::Run(1));
        let (next, effects) = step(&mut r, 0, 1);
        assert_eq!((next, effects.wake.len()), (Step::Run(1), 0));
        assert_eq!(step(&mut r, 1, 1).0, Step::Run(1));
        assert_eq!(step(&mut r, 1, 2).0, Step::Block);
        let (_, effects) = step(&mut r, 0, 3);
        assert_eq!(effects.wake, [Wake { task: 1, waker: Waker::Task { sync: false } }]);
    }

    #[test]
    fn a_forked_task_lives_once_a_round() {
        let child = ScriptTask { forked: true, ..task(&[Op::Run(9)]) };
        let mut r = replay(50, vec![task(&[Op::Run(1), Op::Fork(1), Op::Run(2)]), child]);
        assert_eq!(step(&mut r, 1, 0).0, Step::Exit);
        assert_eq!(step(&mut r, 0, 0).0, Step::Run(1));
        let (next, effects) = step(&mut r, 0, 1);
        assert_eq!((next, effects.forks.as_slice()), (Step::Run(2), [Fork { task: 1, work: 9 }].as_slice()));
        assert_eq!(step(&mut r, 1, 10).0, Step::Exit);
        assert_eq!(step(&mut r, 0, 12).0, Step::SleepUntil(50));
    }

    #[test]
    fn the_load_scales_what_is_run_and_periods_do_not_drift() {
        let mut r = replay(0, vec![task(&[Op::Run(400), Op::Every(1_000)])]);
        r.set_load(500);
        assert_eq!(step(&mut r, 0, 0).0, Step::Run(200));
        assert_eq!(step(&mut r, 0, 300).0, Step::SleepUntil(1_000));
        assert_eq!(step(&mut r, 0, 1_050).0, Step::Run(200));
        assert_eq!(step(&mut r, 0, 1_250).0, Step::SleepUntil(2_000));
        // A period that is over does not wait.
        assert_eq!(step(&mut r, 0, 2_000).0, Step::Run(200));
        assert_eq!(step(&mut r, 0, 3_500).0, Step::Run(200));
    }
}
