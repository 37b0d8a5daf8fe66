//! What the scheduler's own events say.

/// What a task is when it leaves the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Runnable,
    Asleep,
    /// It exited.
    Dead,
    /// A state printed as a number: what it means depends on the kernel.
    Unknown,
}

/// A task as an event names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named<'a> {
    pub(super) comm: &'a str,
    pub(super) pid: u32,
    pub(super) prio: Option<i64>,
}

/// An event that is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sched<'a> {
    Switch {
        prev: Named<'a>,
        left: Left,
        next: Named<'a>,
    },
    Waking(Named<'a>),
    Woken(Named<'a>),
    New(Named<'a>),
    Migrate(Named<'a>),
    Fork(Named<'a>),
    /// One of these whose text is cut off or unlike any known.
    Unreadable,
}

/// Reads an event; `None` if it is none that is followed.
pub(super) fn read<'a>(name: &str, payload: &'a str) -> Option<Sched<'a>> {
    let read = match name {
        "sched_switch" => switch(payload),
        "sched_waking" => woken(payload).map(Sched::Waking),
        "sched_wakeup" => woken(payload).map(Sched::Woken),
        "sched_wakeup_new" => woken(payload).map(Sched::New),
        "sched_migrate_task" => migrate(payload),
        "sched_process_fork" => fork(payload),
        _ => return None,
    };
    Some(read.unwrap_or(Sched::Unreadable))
}

/// Splits at the last place of a key: names may hold anything, and stand to the left of what is read.
fn split<'a>(text: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    let at = text.rfind(key)?;
    Some((&text[..at], &text[at + key.len()..]))
}

/// The number at the beginning.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    text[..end].parse().ok()
}

fn switch(payload: &str) -> Option<Sched<'_>> {
    let Some((prev, next)) = split(payload, " next_comm=") else { return plugin_switch(payload) };
    let prev = prev.trim_end().strip_suffix("==>").unwrap_or(prev).trim_end();
    let (prev, state) = split(prev, " prev_state=")?;
    let prev = fields(prev.strip_prefix("prev_comm=")?, " prev_pid=", " prev_prio=")?;
    let next = fields(next, " next_pid=", " next_prio=")?;
    Some(Sched::Switch { prev, left: left(state.trim()), next })
}

/// `comm` up to a pid and a priority, in this order.
fn fields<'a>(text: &'a str, pid: &str, prio: &str) -> Option<Named<'a>> {
    let (comm, rest) = split(text, pid)?;
    let prio = split(rest, prio).and_then(|(_, prio)| number(prio));
    Some(Named { comm, pid: number(rest)?, prio })
}

/// trace-cmd's own words: `bash:1234 [120] S ==> swapper/1:0 [120]`.
fn plugin_switch(payload: &str) -> Option<Sched<'_>> {
    let (prev, next) = split(payload, " ==> ")?;
    let (prev, state) = prev.trim_end().rsplit_once(' ')?;
    Some(Sched::Switch { prev: plugin_task(prev)?, left: left(state), next: plugin_task(next)? })
}

/// `comm:1234 [120]`.
fn plugin_task(text: &str) -> Option<Named<'_>> {
    let (task, prio) = text.trim().rsplit_once(" [")?;
    let (comm, pid) = task.rsplit_once(':')?;
    Some(Named { comm, pid: number(pid)?, prio: number(prio) })
}

fn woken(payload: &str) -> Option<Named<'_>> {
    match payload.strip_prefix("comm=") {
        Some(rest) => {
            // A cut line may end inside the pid; what follows it proves that it does not.
            split(rest, " target_cpu=").or_else(|| split(rest, " prio="))?;
            fields(rest, " pid=", " prio=")
        }
        None => {
            let (task, _) = split(payload, "]")?;
            plugin_task(&payload[..=task.len()])
        }
    }
}

fn migrate(payload: &str) -> Option<Sched<'_>> {
    let rest = payload.strip_prefix("comm=")?;
    let (rest, dest) = split(rest, " dest_cpu=")?;
    number::<u32>(dest)?;
    Some(Sched::Migrate(fields(rest, " pid=", " prio=")?))
}

fn fork(payload: &str) -> Option<Sched<'_>> {
    let (rest, child) = split(payload, " child_pid=")?;
    let (_, comm) = split(rest, " child_comm=")?;
    Some(Sched::Fork(Named { comm, pid: number(child)?, prio: None }))
}

/// Reads a state: `R` and anything with `+` can run on; a number is the kernel's own.
fn left(state: &str) -> Left {
    match state.as_bytes() {
        [b'0'] => Left::Runnable,
        [b'0'..=b'9' | b'-', ..] | [] => Left::Unknown,
        [b'R', ..] => Left::Runnable,
        [.., b'+'] => Left::Runnable,
        [b'X' | b'Z' | b'x', ..] => Left::Dead,
        _ => Left::Asleep,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(comm: &str, pid: u32, prio: i64) -> Named<'_> {
        Named { comm, pid, prio: Some(prio) }
    }

    #[test]
    fn switches_of_all_spellings() {
        for (text, state) in [
            (
                "prev_comm=a b=c prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120",
                Left::Asleep,
            ),
            (
                "prev_comm=a b=c prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=swapper/1 next_pid=0 next_prio=120",
                Left::Runnable,
            ),
            (
                "prev_comm=a b=c prev_pid=1 prev_prio=120 prev_state=256 next_comm=swapper/1 next_pid=0 next_prio=120",
                Left::Unknown,
            ),
            ("a b=c:1 [120] D ==> swapper/1:0 [120]", Left::Asleep),
        ] {
            let (prev, next) = (named("a b=c", 1, 120), named("swapper/1", 0, 120));
            assert_eq!(read("sched_switch", text), Some(Sched::Switch { prev, left: state, next }), "{text}");
        }
        for cut in [
            "prev_comm=bash prev_pid=14840",
            "",
            "prev_comm=a prev_pid=1 prev_prio=1 prev_state=S ==> next_comm=x",
        ] {
            assert_eq!(read("sched_switch", cut), Some(Sched::Unreadable), "{cut}");
        }
    }

    #[test]
    fn wake_ups_of_all_spellings() {
        for text in [
            "comm=a pid=3 prio=49 success=1 target_cpu=000",
            "comm=a pid=3 prio=49 target_cpu=1012",
            "a:3 [49] success=1 CPU:005",
            "a:3 [49] CPU:005",
        ] {
            assert_eq!(read("sched_wakeup", text), Some(Sched::Woken(named("a", 3, 49))), "{text}");
        }
        let text = "comm=a pid=3 prio=49 orig_cpu=0 dest_cpu=1";
        assert_eq!(read("sched_migrate_task", text), Some(Sched::Migrate(named("a", 3, 49))));
        let text = "comm=sh pid=3 child_comm=sh child_pid=4";
        assert_eq!(
            read("sched_process_fork", text),
            Some(Sched::Fork(Named { comm: "sh", pid: 4, prio: None }))
        );
        assert_eq!(read("sched_wakeup", "comm=a pid=3"), Some(Sched::Unreadable));
        assert_eq!(read("cpu_idle", "state=1"), None);
    }
}
