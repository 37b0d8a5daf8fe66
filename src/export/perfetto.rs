//! A trace for Perfetto: its scheduling events are the kernel's own, so its page draws tasks on CPUs; balance attempts
//! are slices on a track a CPU, and two counters say how many CPUs are busy and how many tasks balancing moved.

use super::names::{Named, Names};
use super::proto::Message;
use crate::observe::tape::{Event, Happening, Left, Who};
use crate::observe::{Kind, Outcome};
use crate::topology::DomainTree;

// Field numbers of perfetto's messages, by message.
mod packet {
    pub const FTRACE: u32 = 1;
    pub const TIMESTAMP: u32 = 8;
    pub const SEQUENCE: u32 = 10;
    pub const TRACK_EVENT: u32 = 11;
    pub const TRACK_DESCRIPTOR: u32 = 60;
}
mod bundle {
    pub const CPU: u32 = 1;
    pub const EVENT: u32 = 2;
}
mod ftrace {
    pub const TIMESTAMP: u32 = 1;
    pub const PID: u32 = 2;
    pub const SCHED_SWITCH: u32 = 4;
    pub const SCHED_WAKEUP: u32 = 17;
    pub const SCHED_WAKING: u32 = 20;
    pub const SCHED_WAKEUP_NEW: u32 = 114;
}
mod track {
    pub const UUID: u32 = 1;
    pub const NAME: u32 = 2;
    pub const PARENT: u32 = 5;
    pub const COUNTER: u32 = 8;
}
mod event {
    pub const ANNOTATION: u32 = 4;
    pub const TYPE: u32 = 9;
    pub const TRACK: u32 = 11;
    pub const CATEGORY: u32 = 22;
    pub const NAME: u32 = 23;
    pub const COUNTER_VALUE: u32 = 30;
    pub const BEGIN: u64 = 1;
    pub const END: u64 = 2;
    pub const INSTANT: u64 = 3;
    pub const COUNTER: u64 = 4;
}

/// Field of a packet in the whole trace.
const PACKET: u32 = 1;
/// Sequence of the kernel's events, and of ours.
const KERNEL: u64 = 1;
const OURS: u64 = 2;
/// Tracks: the parent of the CPUs', the counters, the first CPU's.
const ATTEMPTS: u64 = 1;
const BUSY: u64 = 2;
const MOVED: u64 = 3;
const FIRST_CPU: u64 = 16;
/// Kernel events of one CPU in one packet.
const BUNDLE: u32 = 512;

/// The trace, as bytes. Times are simulated ns from the start.
pub fn perfetto(events: &[Event], tree: &DomainTree, names: &Names<'_>) -> Vec<u8> {
    let mut writer = Writer {
        out: Message::default(),
        names,
        tree,
        bundles: vec![(Message::default(), 0); names.cpus()],
        current: vec![Who::Idle; names.cpus()],
        busy: 0,
        moved: 0,
    };
    writer.tracks();
    events.iter().for_each(|event| writer.event(event));
    (0..names.cpus()).for_each(|cpu| writer.flush(cpu));
    writer.out.into_bytes()
}

struct Writer<'a> {
    out: Message,
    names: &'a Names<'a>,
    tree: &'a DomainTree,
    /// Kernel events of each CPU that wait for their packet, and how many.
    bundles: Vec<(Message, u32)>,
    current: Vec<Who>,
    busy: i64,
    moved: i64,
}

impl Writer<'_> {
    fn tracks(&mut self) {
        self.track(ATTEMPTS, "balance attempts", None, false);
        self.track(BUSY, "busy CPUs", None, true);
        self.track(MOVED, "tasks moved by balancing", None, true);
        for cpu in 0..self.names.cpus() as u32 {
            let name = format!("balance on CPU {}", self.names.cpu(cpu));
            self.track(FIRST_CPU + u64::from(cpu), &name, Some(ATTEMPTS), false);
        }
    }

    fn track(&mut self, uuid: u64, name: &str, parent: Option<u64>, counter: bool) {
        let mut track = Message::default();
        track.number(track::UUID, uuid).text(track::NAME, name);
        if let Some(parent) = parent {
            track.number(track::PARENT, parent);
        }
        if counter {
            track.message(track::COUNTER, &Message::default());
        }
        let mut packet = Message::default();
        packet.number(packet::SEQUENCE, OURS).message(packet::TRACK_DESCRIPTOR, &track);
        self.out.message(PACKET, &packet);
    }

    fn event(&mut self, event: &Event) {
        match event.what {
            Happening::Switch { prev, left, next } => {
                let body = self.switch(event, prev, left, next);
                self.kernel(event, ftrace::SCHED_SWITCH, &body);
                self.switched(event, next);
            }
            Happening::Waking { task, target } => {
                self.kernel(event, ftrace::SCHED_WAKING, &self.wakeup(task, target));
            }
            Happening::Woken { task, target } => {
                self.kernel(event, ftrace::SCHED_WAKEUP, &self.wakeup(task, target));
            }
            Happening::New { task, target } => {
                self.kernel(event, ftrace::SCHED_WAKEUP_NEW, &self.wakeup(task, target));
            }
            Happening::Attempt { cpu, slot, kind, outcome, moved, took_ns } => {
                self.attempt(event, (cpu, slot), kind, outcome, moved, took_ns);
            }
            // A migration shows in the switches and wake-ups around it.
            Happening::Migrate { .. } | Happening::Fork { .. } => {}
        }
    }

    fn switch(&self, event: &Event, prev: Who, left: Left, next: Who) -> Message {
        let mut body = Message::default();
        let (prev, next) = (self.names.who(prev, event.cpu), self.names.who(next, event.cpu));
        let put = |body: &mut Message, at: u32, task: &Named| {
            body.text(at, &task.comm).number(at + 1, task.pid.into()).signed(at + 2, task.prio.into());
        };
        put(&mut body, 1, &prev);
        body.signed(4, state(left));
        put(&mut body, 5, &next);
        body
    }

    fn wakeup(&self, task: u32, target: u32) -> Message {
        let task = self.names.task(task);
        let mut body = Message::default();
        body.text(1, &task.comm).number(2, task.pid.into()).signed(3, task.prio.into());
        body.number(4, 1).number(5, self.names.cpu(target).into());
        body
    }

    fn kernel(&mut self, event: &Event, field: u32, body: &Message) {
        let cpu = event.cpu as usize;
        let on = self.names.who(self.current[cpu], event.cpu);
        let mut entry = Message::default();
        entry.number(ftrace::TIMESTAMP, event.at_ns).number(ftrace::PID, on.pid.into()).message(field, body);
        let (bundle, count) = &mut self.bundles[cpu];
        if bundle.is_empty() {
            bundle.number(bundle::CPU, self.names.cpu(event.cpu).into());
        }
        bundle.message(bundle::EVENT, &entry);
        *count += 1;
        if *count == BUNDLE {
            self.flush(cpu);
        }
    }

    fn flush(&mut self, cpu: usize) {
        let (bundle, _) = std::mem::take(&mut self.bundles[cpu]);
        if bundle.is_empty() {
            return;
        }
        let mut packet = Message::default();
        packet.number(packet::SEQUENCE, KERNEL).message(packet::FTRACE, &bundle);
        self.out.message(PACKET, &packet);
    }

    fn switched(&mut self, event: &Event, next: Who) {
        let before = std::mem::replace(&mut self.current[event.cpu as usize], next);
        let change = i64::from(next != Who::Idle) - i64::from(before != Who::Idle);
        if change != 0 {
            self.busy += change;
            self.count(BUSY, event.at_ns, self.busy);
        }
    }

    fn count(&mut self, track: u64, at: u64, value: i64) {
        let mut body = Message::default();
        body.number(event::TYPE, event::COUNTER).number(event::TRACK, track);
        body.signed(event::COUNTER_VALUE, value);
        self.ours(at, &body);
    }

    fn ours(&mut self, at: u64, body: &Message) {
        let mut packet = Message::default();
        packet.number(packet::TIMESTAMP, at).number(packet::SEQUENCE, OURS);
        packet.message(packet::TRACK_EVENT, body);
        self.out.message(PACKET, &packet);
    }

    fn attempt(
        &mut self,
        event: &Event,
        (cpu, slot): (u32, u8),
        kind: Kind,
        outcome: Outcome,
        moved: u32,
        took: u64,
    ) {
        let track = FIRST_CPU + u64::from(event.cpu);
        let level = self.tree.levels.get(slot as usize).map_or("?", |level| level.name.as_str());
        let mut body = Message::default();
        body.number(event::TYPE, if took > 0 { event::BEGIN } else { event::INSTANT });
        body.number(event::TRACK, track).text(event::CATEGORY, "balance");
        body.text(event::NAME, &format!("{level} {}: {}", kind_name(kind), outcome_name(outcome)));
        body.message(event::ANNOTATION, &annotation("for CPU", self.names.cpu(cpu).into()));
        body.message(event::ANNOTATION, &annotation("tasks moved", moved.into()));
        self.ours(event.at_ns.saturating_sub(took), &body);
        if took > 0 {
            let mut end = Message::default();
            end.number(event::TYPE, event::END).number(event::TRACK, track);
            self.ours(event.at_ns, &end);
        }
        if moved > 0 {
            self.moved += i64::from(moved);
            self.count(MOVED, event.at_ns, self.moved);
        }
    }
}

fn annotation(name: &str, value: u64) -> Message {
    let mut out = Message::default();
    out.text(10, name).number(3, value);
    out
}

/// The kernel's bits.
fn state(left: Left) -> i64 {
    match left {
        Left::Runnable => 0,
        Left::Asleep => 1,
        Left::Dead => 16,
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Newidle => "newidle",
        Kind::Idle => "idle",
        Kind::Busy => "busy",
        Kind::Nohz => "nohz",
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Gated => "refused by a gate",
        Outcome::NotDue => "not due",
        Outcome::LockLost => "lock lost",
        Outcome::Balanced => "balanced",
        Outcome::Failed => "failed",
        Outcome::Moved => "moved",
    }
}
