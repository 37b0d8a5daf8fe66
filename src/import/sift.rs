//! Lines of counters, domain files and traces are taken out of a text as they come by; the rest is topology.

use super::activity::Activity;
use super::domains::{self, Domains};
use super::notes::Notes;
use super::schedstat::{self, Snapshot};
use super::spans::CpuSpans;
use super::{Facts, Import, Kind, MAX_BYTES, text, too_large, trace};
use crate::scenario::Script;
use crate::topology::Release;

/// Spans from which a machine may be made, and whose they are.
pub(super) struct Spans {
    pub(super) chains: CpuSpans,
    pub(super) title: &'static str,
    /// The release whose rules the tree is compared with.
    pub(super) release: Option<Release>,
}

/// What was taken out of a text.
#[derive(Default)]
pub(super) struct Sifted {
    /// The kinds found, each with its first line.
    pub(super) kinds: Vec<(usize, Kind)>,
    pub(super) activity: Activity,
    pub(super) cpus: Option<u32>,
    pub(super) cpu_ids: Option<Vec<u32>>,
    pub(super) spans: Option<Spans>,
    /// Domains with their flags and numbers.
    pub(super) domains: Option<Domains>,
    /// What a trace's tasks did.
    pub(super) script: Option<Script>,
}

/// Takes lines as they come by.
pub(super) struct Sift {
    only: Option<Kind>,
    schedstat: schedstat::Reader,
    trace: trace::Reader,
    domains: domains::Reader,
}

impl Sift {
    /// With `only`, lines of that kind are taken and no others.
    pub(super) fn new(only: Option<Kind>) -> Self {
        Self { only, schedstat: Default::default(), trace: Default::default(), domains: Default::default() }
    }

    fn wants(&self, kinds: &[Kind]) -> bool {
        self.only.is_none_or(|only| kinds.contains(&only))
    }

    /// Takes the line if it is of a kind read here.
    pub(super) fn take(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        (self.wants(&[Kind::Ftrace, Kind::PerfScript]) && self.trace.line(no, text, notes))
            || (self.wants(&[Kind::Schedstat, Kind::SchedstatDiff]) && self.schedstat.line(no, text, notes))
            || (self.wants(&[Kind::SchedDomains]) && self.domains.line(no, text, notes))
    }

    /// What was taken; `None` if nothing was. An error is a sentence.
    pub(super) fn finish(self, notes: &mut Notes) -> Result<Option<Sifted>, String> {
        let mut out = Sifted::default();
        let snapshots = self.schedstat.finish(notes);
        counters(&mut out, &snapshots, self.only, notes)?;
        if let Some(domains) = self.domains.finish(notes) {
            tree(&mut out, domains, notes);
        }
        if let Some(found) = self.trace.finish(&mut out.activity, notes) {
            out.kinds.push((found.line, found.kind));
            out.script = found.script;
            if out.cpu_ids.is_none() {
                (out.cpus, out.cpu_ids) = (Some(found.cpus), Some(found.cpu_ids));
            }
        }
        Ok((!out.kinds.is_empty()).then_some(out))
    }
}

/// Facts of the snapshots of a text: of one, or of what happened between the first and the last.
fn counters(
    out: &mut Sifted,
    snapshots: &[Snapshot],
    only: Option<Kind>,
    notes: &mut Notes,
) -> Result<(), String> {
    let [first, rest @ ..] = snapshots else { return Ok(()) };
    let mut kind = Kind::Schedstat;
    let between = rest.last().filter(|_| only != Some(Kind::Schedstat)).map(|last| {
        let difference = schedstat::difference(first, last, notes);
        (difference, last.line)
    });
    out.activity = match between {
        Some((Ok(activity), _)) => {
            kind = Kind::SchedstatDiff;
            activity
        }
        Some((Err(sentence), line)) => {
            if only == Some(Kind::SchedstatDiff) {
                return Err(sentence);
            }
            notes.warn(line, format!("{sentence} The facts are those of the first."));
            schedstat::facts(first, notes)
        }
        None if only == Some(Kind::SchedstatDiff) => {
            return Err("This holds one snapshot of /proc/schedstat; a difference needs two.".to_owned());
        }
        None => schedstat::facts(first, notes),
    };
    if !rest.is_empty() {
        out.activity.snapshots = Some(snapshots.len() as u32);
    }
    out.kinds.push((first.line, kind));
    let chains = schedstat::spans(first);
    out.cpus = Some(chains.len() as u32);
    out.cpu_ids = Some(chains.keys().copied().collect());
    let release = Release::parse(match first.version {
        Some(17..) => "6.19",
        Some(16) => "6.12",
        _ => "6.1",
    });
    out.spans = Some(Spans { chains, title: Kind::Schedstat.title(), release });
    Ok(())
}

/// Facts of the domain files. Of spans, those that counters beside them print are better.
fn tree(out: &mut Sifted, domains: Domains, notes: &mut Notes) {
    let facts = domains::facts(&domains, notes);
    out.kinds.push((domains.line, Kind::SchedDomains));
    let release = domains.release();
    match &mut out.spans {
        None => {
            let ids = domains.cpu_ids();
            (out.cpus, out.cpu_ids) = (Some(ids.len() as u32), Some(ids));
            out.activity.domains = facts.domains;
            let title = Kind::SchedDomains.title();
            out.spans = domains::spans(&domains, notes).map(|chains| Spans { chains, title, release });
        }
        Some(spans) => {
            spans.release = release;
            domains.name(&mut spans.chains);
            out.activity.domains.extend(facts.domains);
        }
    }
    out.domains = Some(domains);
}

/// Reads a file that must hold one snapshot.
fn snapshot(bytes: &[u8], which: &str, notes: &mut Notes) -> Result<Snapshot, String> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let text = text::decode(bytes, notes)?;
    let mut reader = schedstat::Reader::default();
    text::lines(&text, notes, &mut |_| {}, |line, notes| {
        reader.line(line.no, &line.text, notes) || line.no > 0
    });
    let mut snapshots = reader.finish(notes).into_iter();
    let Some(first) = snapshots.next() else {
        return Err(format!("The {which} file holds no snapshot of /proc/schedstat."));
    };
    if snapshots.next().is_some() {
        return Err(format!("The {which} file holds several snapshots of /proc/schedstat; give it alone."));
    }
    Ok(first)
}

/// Reads two files of one snapshot each.
pub(super) fn read_two(before: &[u8], after: &[u8]) -> Result<Import, String> {
    let mut notes = Notes::default();
    let first = snapshot(before, "first", &mut notes)?;
    notes.prefix_lines("first file");
    let mut later = Notes::default();
    let second = snapshot(after, "second", &mut later)?;
    let mut out = Sifted::default();
    counters(&mut out, &[first, second], Some(Kind::SchedstatDiff), &mut later)?;
    later.prefix_lines("second file");
    notes.append(later);
    let (facts, machine) = super::together(None, Some(out), &mut notes)?;
    let machine = machine.and_then(|machine| super::checked(machine, &mut notes));
    let (assumed, warnings) = notes.finish();
    let kind = Kind::SchedstatDiff;
    let facts = Facts { activity: Activity { snapshots: Some(2), ..facts.activity }, ..facts };
    Ok(Import { kind, kinds: vec![kind], facts, assumed, warnings, machine, script: None })
}
