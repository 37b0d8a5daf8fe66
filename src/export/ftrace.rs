//! The kernel's trace file as text.

use super::names::{Named, Names};
use crate::observe::tape::{Event, Happening, Left, Who};
use std::fmt::Write;

/// The file: its header, and a line for each scheduler event. Balance attempts have no tracepoint and no line. Times
/// are rounded to microseconds, as the kernel prints them.
pub fn ftrace(events: &[Event], names: &Names<'_>) -> String {
    let lines = events.iter().filter(|event| name(&event.what).is_some()).count();
    let mut out = String::with_capacity(1_024 + lines * 144);
    head(&mut out, lines, names.cpus());
    let mut current = vec![Who::Idle; names.cpus()];
    for event in events {
        line(&mut out, event, names, &mut current);
    }
    out
}

fn head(out: &mut String, lines: usize, cpus: usize) {
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "# tracer: nop\n\
         #\n\
         # entries-in-buffer/entries-written: {lines}/{lines}   #P:{cpus}\n\
         #\n\
         #                                _-----=> irqs-off/BH-disabled\n\
         #                               / _----=> need-resched\n\
         #                              | / _---=> hardirq/softirq\n\
         #                              || / _--=> preempt-depth\n\
         #                              ||| / _-=> migrate-disable\n\
         #                              |||| /     delay\n\
         #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n\
         #              | |         |   |||||     |         |\n"
    );
}

/// The tracepoint's name.
fn name(what: &Happening) -> Option<&'static str> {
    Some(match what {
        Happening::Switch { .. } => "sched_switch",
        Happening::Waking { .. } => "sched_waking",
        Happening::Woken { .. } => "sched_wakeup",
        Happening::New { .. } => "sched_wakeup_new",
        Happening::Migrate { .. } => "sched_migrate_task",
        Happening::Fork { .. } => "sched_process_fork",
        Happening::Attempt { .. } => return None,
    })
}

fn line(out: &mut String, event: &Event, names: &Names<'_>, current: &mut [Who]) {
    let Some(tracepoint) = name(&event.what) else { return };
    let on = current.get(event.cpu as usize).copied().unwrap_or_default();
    let task = names.who(on, event.cpu);
    // The file shows idle without its CPU.
    let comm = if task.pid == 0 { "<idle>" } else { &task.comm };
    let us = event.at_ns.saturating_add(500) / 1_000;
    let _ = write!(
        out,
        "{comm:>16}-{:<7} [{:03}] {} {:>5}.{:06}: {tracepoint}: ",
        task.pid,
        names.cpu(event.cpu),
        if event.interrupt { "d.h2." } else { "d..2." },
        us / 1_000_000,
        us % 1_000_000
    );
    payload(out, event, names);
    out.push('\n');
    if let Happening::Switch { next, .. } = event.what
        && let Some(on) = current.get_mut(event.cpu as usize)
    {
        *on = next;
    }
}

fn payload(out: &mut String, event: &Event, names: &Names<'_>) {
    let _ = match event.what {
        Happening::Switch { prev, left, next } => {
            let (prev, next) = (names.who(prev, event.cpu), names.who(next, event.cpu));
            write!(
                out,
                "prev_comm={} prev_pid={} prev_prio={} prev_state={} ==> next_comm={} next_pid={} next_prio={}",
                prev.comm,
                prev.pid,
                prev.prio,
                state(left),
                next.comm,
                next.pid,
                next.prio
            )
        }
        Happening::Waking { task, target }
        | Happening::Woken { task, target }
        | Happening::New { task, target } => {
            write!(out, "{} target_cpu={:03}", plain(&names.task(task)), names.cpu(target))
        }
        Happening::Migrate { task, from, to } => {
            write!(
                out,
                "{} orig_cpu={} dest_cpu={}",
                plain(&names.task(task)),
                names.cpu(from),
                names.cpu(to)
            )
        }
        Happening::Fork { parent, child } => {
            let (parent, child) = (names.task(parent), names.task(child));
            write!(
                out,
                "comm={} pid={} child_comm={} child_pid={}",
                parent.comm, parent.pid, child.comm, child.pid
            )
        }
        Happening::Attempt { .. } => Ok(()),
    };
}

fn plain(task: &Named) -> String {
    format!("comm={} pid={} prio={}", task.comm, task.pid, task.prio)
}

fn state(left: Left) -> char {
    match left {
        Left::Runnable => 'R',
        Left::Asleep => 'S',
        Left::Dead => 'X',
    }
}
