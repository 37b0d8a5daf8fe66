//! Text from a real machine becomes facts, and where the facts allow, a [`Machine`].
//!
//! [`read`] and [`read_bytes`] are total: whatever the input, they return what could be read, what had to be
//! assumed and what could not be used (with its line), or one plain sentence that says why there is nothing
//! to read. A fact is never a number that the text does not hold; what a machine needs beyond the facts is
//! assumed and said.
//!
//! This room knows [`crate::topology`], and [`crate::scenario`] to hand a machine on.

mod activity;
mod build;
mod domains;
mod facts;
mod foreign;
mod found;
mod hwloc;
mod hwloc_numa;
mod json;
mod kind;
mod lists;
mod merge;
mod notes;
mod numactl;
mod reading;
mod report;
mod rtapp;
mod schedstat;
mod sections;
mod sift;
mod spans;
mod summary;
mod table;
mod text;
mod trace;

use crate::scenario::Scenario;
use crate::topology::Machine;
use notes::Notes;
use sift::Sifted;

pub use activity::{Activity, BalanceFacts, DomainFacts, TaskFacts, TraceFacts};
pub use kind::Kind;
pub use reading::Reading;
pub use report::{Facts, Import, ImportWarning};
pub use rtapp::RtAppFacts;

/// The most input that is read, in bytes: 64 MiB.
pub const MAX_BYTES: usize = 64 << 20;

/// Reads text: one file, or a terminal's or a mail's whole contents with several kinds in it.
///
/// The kind is told from the content; `as_kind` overrides that. An error is one plain sentence, with the line
/// where there is one.
pub fn read(text: &str, as_kind: Option<Kind>) -> Result<Import, String> {
    read_text(text, as_kind, Notes::default(), &mut |_| {})
}

/// Reads bytes of unknown encoding: UTF-8 or UTF-16, with what cannot be decoded passed over and said.
pub fn read_bytes(bytes: &[u8], as_kind: Option<Kind>) -> Result<Import, String> {
    read_watched(bytes, as_kind, &mut |_| {})
}

/// The same for whoever waits: `watch` is told, about once a mebibyte, how much of the text was read, from 0 to 1.
pub fn read_watched(
    bytes: &[u8],
    as_kind: Option<Kind>,
    watch: &mut dyn FnMut(f64),
) -> Result<Import, String> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut notes = Notes::default();
    let text = text::decode(bytes, &mut notes)?;
    read_text(&text, as_kind, notes, watch)
}

/// The refusal of input above [`MAX_BYTES`].
pub fn too_large() -> String {
    format!("This is larger than {} MiB, the most that is read.", MAX_BYTES >> 20)
}

/// A list of numbers as the kernel prints it: `0-3,8`.
pub fn cpu_list(numbers: &[u32]) -> String {
    notes::ranges(numbers)
}

/// Reads two snapshots of `/proc/schedstat`: the facts of what happened between them, or one sentence why they
/// cannot be compared.
pub fn read_two(before: &[u8], after: &[u8]) -> Result<Import, String> {
    sift::read_two(before, after)
}

fn read_text(
    text: &str,
    as_kind: Option<Kind>,
    mut notes: Notes,
    watch: &mut dyn FnMut(f64),
) -> Result<Import, String> {
    if text.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut sift = sift::Sift::new(as_kind);
    let whole = text.len().max(1) as f64;
    let mut share = |done: usize| watch((done as f64 / whole).min(1.0));
    let lines =
        text::lines(text, &mut notes, &mut share, |line, notes| sift.take(line.no, &line.text, notes));
    let sifted = sift.finish(&mut notes)?;
    let mut sections = sections::split(&lines, as_kind, &mut notes);
    let rt_app = sections.rt_app.take();
    let refused = sections.refused;
    let mut kinds: Vec<(usize, Kind)> = sections.found.iter().map(|f| (f.line, f.kind)).collect();
    kinds.extend(sifted.iter().flat_map(|s| s.kinds.iter().copied()));
    kinds.extend(rt_app.as_ref().map(|file| (file.line, Kind::RtApp)));
    kinds.sort_by_key(|(line, _)| *line);
    let found = merge::merge(sections.found, &mut notes).filter(found::Found::has_topology);
    let mut seen: Vec<Kind> = Vec::new();
    for (_, kind) in kinds {
        if !seen.contains(&kind) {
            seen.push(kind);
        }
    }
    if found.is_none() && sifted.is_none() && rt_app.is_none() {
        return Err(refusal(text, &lines, as_kind, refused));
    }
    sections::say_strange(sections.strange, &mut notes);
    if let Some((line, sentence)) = refused {
        notes.warn(line, sentence);
    }
    let mut sifted = sifted;
    let script = sifted.as_mut().and_then(|sifted| sifted.script.take());
    let (mut facts, machine) = together(found, sifted, &mut notes)?;
    let machine = machine.and_then(|machine| checked(machine, &mut notes));
    let script = match rt_app {
        None => script,
        Some(file) => {
            facts.rt_app = Some(file.facts);
            script.or(file.script)
        }
    };
    if script.is_some() && machine.is_none() {
        say_flat(&facts, &mut notes);
    }
    let (assumed, warnings) = notes.finish();
    let kind = seen.first().copied().unwrap_or(Kind::Lscpu);
    Ok(Import { kind, kinds: seen, facts, assumed, warnings, machine, script })
}

/// A topology's facts and what the machine did, and the machine from the better source.
fn together(
    found: Option<found::Found>,
    sifted: Option<Sifted>,
    notes: &mut Notes,
) -> Result<(Facts, Option<Machine>), String> {
    let mut facts = found.as_ref().map(facts::count).unwrap_or_default();
    let of_topology = match &found {
        Some(found) => build::machine(found, &facts, notes)?,
        None => None,
    };
    let Some(sifted) = sifted else { return Ok((facts, of_topology)) };
    facts.activity = sifted.activity;
    if of_topology.is_some() || facts.cpu_ids.is_some() {
        if let (Some(machine), Some(domains)) = (&of_topology, &sifted.domains) {
            domains::compare(machine, domains, domains.release(), notes);
        }
        return Ok((facts, of_topology));
    }
    facts.cpus = facts.cpus.or(sifted.cpus);
    facts.cpu_ids = sifted.cpu_ids;
    let machine = sifted.spans.as_ref().and_then(|s| spans::machine(&s.chains, s.title, notes));
    if let (Some(machine), Some(spans)) = (&machine, sifted.spans) {
        spans::compare(machine, &spans::named(spans.chains), spans.release, notes);
        if let Some(domains) = &sifted.domains {
            domains::compare(machine, domains, spans.release, notes);
        }
    }
    Ok((facts, machine))
}

/// Tasks need a machine to run on, and a trace tells no more of it than how many CPUs it has.
fn say_flat(facts: &Facts, notes: &mut Notes) {
    let machine = match facts.cpus {
        Some(1) => "1 CPU".to_owned(),
        Some(cpus) => format!("{cpus} CPUs that share one cache"),
        None => Scenario::default().machine.name().to_owned(),
    };
    notes.assume(format!(
        "machine assumed: {machine}; give the machine's lscpu -p beside the tasks, or choose another machine"
    ));
}

/// The machine, if a tree can be built of it.
fn checked(machine: Machine, notes: &mut Notes) -> Option<Machine> {
    let check = machine.check();
    for sentence in &check.errors {
        notes.warn(None, format!("No machine could be made of this: {sentence}"));
    }
    check.errors.is_empty().then_some(machine)
}

/// Why there is nothing to read, as well as can be told.
fn refusal(
    text: &str,
    lines: &[text::Line<'_>],
    as_kind: Option<Kind>,
    refused: Option<(usize, String)>,
) -> String {
    if let Some((line, sentence)) = refused {
        return format!("Line {line}: {sentence}");
    }
    if lines.iter().all(|line| line.text.trim().is_empty()) {
        let head = "This is the head of a trace or of /proc/schedstat, with nothing below it.";
        let empty = !text.chars().any(char::is_alphanumeric);
        return if empty { "This is empty.".to_owned() } else { head.to_owned() };
    }
    if let Some(kind) = as_kind {
        return format!("This is not {}: no line of it can be read as that.", kind.title());
    }
    foreign::recognise(lines.iter().map(|line| line.text.as_ref())).unwrap_or_else(|| {
        "There is nothing known in this: no topology (lscpu, numactl --hardware, hwloc XML), no counters \
         (/proc/schedstat), no domain files and no trace."
            .to_owned()
    })
}

#[cfg(test)]
mod tests;
