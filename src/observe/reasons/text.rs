//! Reasons as lines that a person can read.

use super::{Candidate, GroupSeen, Reason, Said, Verdict, What};
use crate::balance::{MigrationType, Op, Subject};
use crate::observe::{Attempt, Kind, Outcome};
use crate::topology::{DomainTree, Machine};

/// One reason: a head line, then its conditions, each indented below.
pub fn lines(reason: &Reason, machine: &Machine, tree: &DomainTree) -> Vec<String> {
    let place = Place { machine, tree };
    let mut out = vec![format!("{} {}", time(reason.at_ns), place.head(reason))];
    let mut last = (Subject::Pass, "");
    for said in &reason.said {
        let mut line = String::from("    ");
        // A function is named where it begins, and again for each thing that it looks at.
        if last != (said.subject, said.function.as_ref()) {
            last = (said.subject, said.function.as_ref());
            line.push_str(&format!("{:<34}", place.function(said)));
        } else {
            line.push_str(&" ".repeat(34));
        }
        line.push_str(&condition(said));
        out.push(line);
    }
    out.extend(place.table(&reason.groups));
    if let Some(found) = reason.found.filter(|f| f.pulls) {
        out.push(format!("    to move: {}", amount(found.migration_type, found.amount)));
    }
    if let Some(source) = reason.source {
        out.push(format!("    from: cpu {}", place.cpu(source)));
    }
    out.extend(reason.candidates.iter().map(|c| format!("    task {}: {}", c.task, verdict(c))));
    out
}

/// Where reasons are told: CPUs and groups are named as this machine's.
pub struct Place<'a> {
    /// Whose CPUs they are.
    pub machine: &'a Machine,
    /// Its domains.
    pub tree: &'a DomainTree,
}

impl Place<'_> {
    /// The kernel's number of a CPU.
    pub fn cpu(&self, index: u32) -> u32 {
        self.machine.cpus.get(index as usize).map_or(index, |c| c.id)
    }

    /// A group by its CPUs: `{0,4}`, or `{0..23}` where they are many.
    pub fn group(&self, id: u32) -> String {
        let Some(group) = self.tree.groups.get(id as usize) else { return format!("group {id}") };
        let cpus: Vec<String> = group.span.iter().map(|c| self.cpu(c as u32).to_string()).collect();
        if cpus.len() > 8 {
            return format!("{{{}..{}}}", cpus[0], cpus[cpus.len() - 1]);
        }
        format!("{{{}}}", cpus.join(","))
    }

    /// The kernel function of a condition, and what it looks at.
    pub fn function(&self, said: &Said) -> String {
        match said.subject {
            Subject::Pass => said.function.to_string(),
            Subject::Group(id) => format!("{} {}", said.function, self.group(id)),
            Subject::Cpu(cpu) => format!("{} cpu {}", said.function, self.cpu(cpu)),
            Subject::Task(task) => format!("{} task {task}", said.function),
        }
    }

    /// What happened, in one line.
    pub fn head(&self, reason: &Reason) -> String {
        let cpu = self.cpu(reason.cpu);
        match reason.what {
            What::Attempt(attempt) => self.attempt(cpu, &attempt),
            What::Kick(Some(to)) => format!("cpu {cpu} kicks cpu {}", self.cpu(to)),
            What::Kick(None) => format!("cpu {cpu} finds no idle CPU to kick"),
            What::Overload(true) => "overload flag set".to_owned(),
            What::Overload(false) => "overload flag cleared".to_owned(),
            What::ActiveStarted(from, to) => {
                format!("active balance started from cpu {} to cpu {}", self.cpu(from), self.cpu(to))
            }
            What::Pushed(to, Some(task)) => {
                format!("cpu {cpu}, stopper: pushes task {task} to cpu {}", self.cpu(to))
            }
            What::Placed(task, to) => format!("cpu {cpu} places task {task} on cpu {}", self.cpu(to)),
            What::Pushed(to, None) => format!("cpu {cpu}, stopper: pushes nothing to cpu {}", self.cpu(to)),
        }
    }

    fn attempt(&self, by: u32, a: &Attempt) -> String {
        let level = self.tree.levels.get(a.slot as usize).map_or("?", |l| l.name.as_str());
        let kind = match a.kind {
            Kind::Newidle => "newidle",
            Kind::Idle => "periodic, idle",
            Kind::Busy => "periodic, busy",
            Kind::Nohz => "nohz",
        };
        let whom = self.cpu(a.cpu);
        let whom = if whom == by { String::new() } else { format!(" for cpu {whom}") };
        let outcome = match a.outcome {
            Outcome::Gated => "refused".to_owned(),
            Outcome::NotDue => "not due".to_owned(),
            Outcome::LockLost => "lock lost".to_owned(),
            Outcome::Balanced => "balanced".to_owned(),
            Outcome::Failed => "failed".to_owned(),
            Outcome::Moved => format!("moved {}", a.moved),
        };
        format!("cpu {by}{whom}, {kind}, {level}: {outcome}, took {} ns", a.took_ns)
    }

    fn table(&self, groups: &[GroupSeen]) -> Vec<String> {
        if groups.is_empty() {
            return Vec::new();
        }
        let row = |cells: [&str; 10]| {
            let [group, rest @ ..] = cells;
            let rest: Vec<String> = rest.iter().map(|c| format!("{c:>9}")).collect();
            format!("    {group:<12}{}", rest.join("")).trim_end().to_owned()
        };
        let titles =
            ["group", "tasks", "idle", "cpus", "capacity", "load", "util", "runnable", "avg_load", "type"];
        let mut out = vec![row(titles)];
        out.extend(groups.iter().map(|g| {
            let runnable = g.runnable.map_or("-".to_owned(), |r| r.to_string());
            let numbers = [
                g.nr_running.to_string(),
                g.idle_cpus.to_string(),
                g.weight.to_string(),
                g.capacity.to_string(),
                g.load.to_string(),
                g.util.to_string(),
                runnable,
                g.avg_load.to_string(),
            ];
            let [a, b, c, d, e, f, h, i] = numbers.each_ref().map(String::as_str);
            let mark = match (g.local, g.busiest) {
                (true, _) => " local",
                (_, true) => " busiest",
                _ => "",
            };
            let name = self.group(g.group);
            format!("{}  {}{mark}", row([&name, a, b, c, d, e, f, h, i, ""]), g.group_type)
        }));
        out
    }
}

/// `  12.345678 ms`.
fn time(ns: u64) -> String {
    format!("{:>6}.{:06} ms", ns / 1_000_000, ns % 1_000_000)
}

/// The test, its numbers as they stand to each other, and whether it holds.
fn condition(said: &Said) -> String {
    let verdict = if said.holds { "yes" } else { "no" };
    if said.is_fact() {
        return format!("{}: {verdict}", said.text);
    }
    format!("{}: {} {} {}, {verdict}", said.text, said.left, relation(said), said.right)
}

/// How the two numbers of a condition do stand to each other.
pub fn relation(said: &Said) -> &'static str {
    match (said.op, said.holds) {
        (Op::Lt, true) | (Op::Ge, false) => "<",
        (Op::Le, true) | (Op::Gt, false) => "<=",
        (Op::Gt, true) | (Op::Le, false) => ">",
        (Op::Ge, true) | (Op::Lt, false) => ">=",
        (Op::Eq, true) | (Op::Ne, false) => "==",
        (Op::Ne, true) | (Op::Eq, false) => "!=",
    }
}

/// How much is to move, with its unit; 4.19 counts load alone.
pub fn amount(unit: Option<MigrationType>, amount: i64) -> String {
    match unit {
        None | Some(MigrationType::Load) => format!("load {amount}"),
        Some(MigrationType::Util) => format!("utilization {amount}"),
        Some(MigrationType::Task) if amount == 1 => "1 task".to_owned(),
        Some(MigrationType::Task) => format!("{amount} tasks"),
        Some(MigrationType::Misfit) => "a misfit task".to_owned(),
    }
}

/// What came of a task that was looked at.
pub fn verdict(candidate: &Candidate) -> &'static str {
    match candidate.verdict {
        Verdict::Moved => "moved",
        Verdict::MovedHot => "moved although hot",
        Verdict::TooBig => "stays, too big",
        Verdict::Throttled => "stays, throttled",
        Verdict::Kthread => "stays, a per-CPU kernel thread",
        Verdict::Pinned => "stays, pinned",
        Verdict::Running => "stays, running",
        Verdict::Delayed => "stays, its dequeue is delayed",
        Verdict::Ineligible => "stays, not eligible there",
        Verdict::Hot => "stays, cache-hot",
    }
}
