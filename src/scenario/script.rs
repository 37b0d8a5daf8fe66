//! Recorded tasks: what each did, so that a workload can do it again. In a link they travel packed, as a machine does.

use super::pack;
use serde::{Deserialize, Serialize};

/// What a task does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// To run this long, ns on a CPU of capacity 1024; at least 1.
    Run(u64),
    /// To sleep this long, ns, from when it goes to sleep.
    Sleep(u64),
    /// To sleep until this long, ns, after the time before of this kind (at first: after its start). A time that is
    /// over does not wait.
    Every(u64),
    /// To wait until another task wakes it. A wake-up that came before counts.
    Wait,
    /// To wake the task with this number.
    Wake(u32),
    /// To fork the task with this number.
    Fork(u32),
}

/// One recorded task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptTask {
    /// For people; at most [`Script::LONGEST_NAME`] characters.
    pub name: String,
    /// -20 to 19.
    pub nice: i8,
    /// It does not exist until another task forks it.
    pub forked: bool,
    /// How often it does what it does, where the script has no length of its own; 0 is for ever.
    pub times: u32,
    /// When it first begins, ns after the start or its fork.
    pub delay_ns: u64,
    /// What it does, in order.
    pub ops: Vec<Op>,
}

/// Recorded tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Length of the recording, ns: after it, all begin anew. 0: each task begins anew as soon as it is done.
    pub length_ns: u64,
    /// The tasks, by number.
    pub tasks: Vec<ScriptTask>,
}

impl Script {
    /// Most tasks of a script.
    pub const MOST_TASKS: usize = 10_000;
    /// Most steps of all tasks together: a link must hold them.
    pub const MOST_OPS: usize = 60_000;
    /// Longest name of a task, in characters.
    pub const LONGEST_NAME: usize = 32;
    /// Longest time in a script, ns: an hour.
    pub const LONGEST_NS: u64 = 3_600_000_000_000;

    /// How many steps there are.
    pub fn ops(&self) -> usize {
        self.tasks.iter().map(|t| t.ops.len()).sum()
    }

    /// Whether a workload can be made of it; the error is a sentence.
    pub fn check(&self) -> Result<(), String> {
        if self.tasks.is_empty() {
            return Err("The recorded tasks are none.".to_owned());
        }
        if self.tasks.len() > Self::MOST_TASKS || self.ops() > Self::MOST_OPS {
            let (tasks, ops) = (Self::MOST_TASKS, Self::MOST_OPS);
            return Err(format!(
                "The recorded tasks are too many; {tasks} tasks and {ops} steps are the most."
            ));
        }
        if self.length_ns > Self::LONGEST_NS {
            return Err("The recording is longer than an hour.".to_owned());
        }
        self.tasks.iter().enumerate().try_for_each(|(at, task)| self.check_task(at, task))
    }

    fn check_task(&self, at: usize, task: &ScriptTask) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("The recorded task {at} {what}."));
        if !(-20..=19).contains(&task.nice) {
            return wrong("has a nice level beyond -20 to 19");
        }
        if task.delay_ns > Self::LONGEST_NS {
            return wrong("begins after more than an hour");
        }
        let mut runs = false;
        for op in &task.ops {
            match *op {
                Op::Run(ns) | Op::Sleep(ns) | Op::Every(ns) if ns > Self::LONGEST_NS => {
                    return wrong("has a time longer than an hour");
                }
                Op::Run(0) => return wrong("runs for no time at all"),
                Op::Run(_) => runs = true,
                Op::Wake(other) | Op::Fork(other) if other as usize == at => {
                    return wrong("wakes or forks itself");
                }
                Op::Fork(other) if self.tasks.get(other as usize).is_some_and(|t| !t.forked) => {
                    return wrong("forks one that is there from the start");
                }
                Op::Wake(other) | Op::Fork(other) if other as usize >= self.tasks.len() => {
                    return wrong("wakes or forks one that is not there");
                }
                _ => {}
            }
        }
        if runs { Ok(()) } else { wrong("never runs") }
    }
}

/// First byte of the packed bytes.
const FORMAT: u8 = 1;

#[derive(Serialize, Deserialize)]
struct Record {
    length: u64,
    /// What times are multiples of, ns.
    unit: u64,
    tasks: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    nice: i8,
    forked: bool,
    times: u32,
    delay: u64,
    /// What to do in the lowest three bits, how long or whom above.
    ops: Vec<u64>,
}

/// The packed form, with its mark.
pub(super) fn packed(script: &Script) -> Option<String> {
    let times = script.tasks.iter().flat_map(|t| &t.ops).filter_map(|op| match op {
        Op::Run(ns) | Op::Sleep(ns) | Op::Every(ns) => Some(*ns),
        _ => None,
    });
    let delays = script.tasks.iter().map(|t| t.delay_ns);
    let mut all = times.chain(delays).chain([script.length_ns]);
    let unit = if all.all(|ns| ns % 1_000 == 0) { 1_000 } else { 1 };
    let row = |task: &ScriptTask| Row {
        name: task.name.chars().take(Script::LONGEST_NAME).collect(),
        nice: task.nice,
        forked: task.forked,
        times: task.times,
        delay: task.delay_ns / unit,
        ops: task.ops.iter().map(|op| code(*op, unit)).collect(),
    };
    let tasks = script.tasks.iter().map(row).collect();
    let packed = pack::pack(&(FORMAT, Record { length: script.length_ns / unit, unit, tasks }))?;
    Some(format!("{}{packed}", pack::MARK))
}

/// Reads the packed form, with its mark. The error is a sentence.
pub(super) fn unpacked(text: &str) -> Result<Script, String> {
    let text = text.strip_prefix(pack::MARK).ok_or("Recorded tasks begin with z:.")?;
    let record: Record = pack::unpack(text, FORMAT, "recorded tasks")?;
    let unit = record.unit;
    let whole = || "The packed recorded tasks contradict themselves.".to_owned();
    let task = |row: Row| {
        let ops = row.ops.into_iter().map(|op| decoded(op, unit)).collect::<Option<Vec<Op>>>()?;
        let name = row.name.chars().take(Script::LONGEST_NAME).collect();
        let delay_ns = row.delay.checked_mul(unit)?;
        Some(ScriptTask { name, nice: row.nice, forked: row.forked, times: row.times, delay_ns, ops })
    };
    let script = Script {
        length_ns: record.length.checked_mul(unit).ok_or_else(whole)?,
        tasks: record.tasks.into_iter().map(task).collect::<Option<_>>().ok_or_else(whole)?,
    };
    script.check().map(|()| script)
}

fn code(op: Op, unit: u64) -> u64 {
    let (what, value) = match op {
        Op::Run(ns) => (0, ns / unit),
        Op::Sleep(ns) => (1, ns / unit),
        Op::Every(ns) => (2, ns / unit),
        Op::Wait => (3, 0),
        Op::Wake(task) => (4, task.into()),
        Op::Fork(task) => (5, task.into()),
    };
    value << 3 | what
}

fn decoded(code: u64, unit: u64) -> Option<Op> {
    let value = code >> 3;
    let time = || value.checked_mul(unit);
    let task = || u32::try_from(value).ok();
    Some(match code & 7 {
        0 => Op::Run(time()?),
        1 => Op::Sleep(time()?),
        2 => Op::Every(time()?),
        3 => Op::Wait,
        4 => Op::Wake(task()?),
        5 => Op::Fork(task()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ops() -> impl Strategy<Value = Vec<Op>> {
        let op = prop_oneof![
            (1..1_000_000_u64).prop_map(Op::Run),
            (0..1_000_u64).prop_map(|us| Op::Sleep(us * 1_000)),
            (1..1_000_000_u64).prop_map(Op::Every),
            Just(Op::Wait),
            Just(Op::Wake(7)),
        ];
        prop::collection::vec(op, 0..20).prop_map(|mut ops| {
            ops.push(Op::Run(5_000));
            ops
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn every_script_comes_back(all in prop::collection::vec((ops(), "[a-z/:0 ]{0,15}", -20..20_i8), 1..5), length in 0..9_u64) {
            let mut tasks: Vec<ScriptTask> = all
                .into_iter()
                .map(|(ops, name, nice)| ScriptTask { name, nice, ops, ..ScriptTask::default() })
                .collect();
            tasks.resize(8, ScriptTask { forked: true, ops: vec![Op::Run(1)], ..ScriptTask::default() });
            tasks[0].ops.push(Op::Fork(6));
            // Task 7 must not wake itself.
            let script = Script { length_ns: length, tasks };
            prop_assert_eq!(unpacked(&packed(&script).unwrap()), Ok(script));
        }

        #[test]
        fn no_text_panics(text in "z:[A-Za-z0-9_-]{0,80}") {
            let _ = unpacked(&text);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let mut framed = vec![FORMAT];
            framed.extend(bytes);
            let _ = unpacked(&format!("z:{}", pack::squeezed(&framed)));
        }
    }

    #[test]
    fn scripts_that_cannot_run_are_refused() {
        let of =
            |ops: Vec<Op>| Script { length_ns: 0, tasks: vec![ScriptTask { ops, ..ScriptTask::default() }] };
        for (script, word) in [
            (Script::default(), "none"),
            (of(vec![]), "never runs"),
            (of(vec![Op::Sleep(1), Op::Wait]), "never runs"),
            (of(vec![Op::Run(0)]), "no time"),
            (of(vec![Op::Run(1), Op::Wake(0)]), "itself"),
            (of(vec![Op::Run(1), Op::Wake(1)]), "not there"),
            (of(vec![Op::Run(u64::MAX)]), "hour"),
            (of(vec![Op::Run(1); Script::MOST_OPS + 1]), "too many"),
        ] {
            assert!(script.check().unwrap_err().contains(word), "{script:?}");
        }
    }
}
