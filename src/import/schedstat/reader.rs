//! Lines become snapshots.

use super::fields::{cpu, domain, known_length};
use super::{CpuRow, DomainRow, Snapshot};
use crate::import::lists::{MAX_CPUS, parse_mask, shown};
use crate::import::notes::Notes;
use crate::import::spans::{Span, SpanStore};

/// More snapshots than a person brings at once.
const MAX_SNAPSHOTS: usize = 64;
/// No kernel has more levels of domains.
const MAX_DOMAINS: u32 = 64;
/// More cells than any line of the file has.
const MAX_CELLS: usize = 256;

/// What the next line of bare numbers would continue.
struct Pending {
    line: usize,
    cpu: u32,
    head: Head,
    values: Vec<Option<u64>>,
}

enum Head {
    Cpu,
    Domain { index: u32, name: Option<String>, span: Span },
}

/// Takes the lines of a text that belong to `/proc/schedstat`.
#[derive(Default)]
pub(in crate::import) struct Reader {
    snapshots: Vec<Snapshot>,
    /// Whether a snapshot is open, so that lines of its kind belong to it.
    open: bool,
    cpu: Option<u32>,
    pending: Option<Pending>,
    full: bool,
    spans: SpanStore,
}

impl Reader {
    /// Takes a line if it is one of the file's.
    pub(in crate::import) fn line(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        let text = text.trim();
        let text = text.find("schedstat:").map_or(text, |at| text[at + "schedstat:".len()..].trim_start());
        let mut cells = text.split_ascii_whitespace();
        let Some(first) = cells.next() else { return false };
        let cells: Vec<&str> = cells.take(MAX_CELLS).collect();
        match first {
            "version" => self.version(no, &cells, notes),
            "timestamp" => self.timestamp(no, &cells, notes),
            _ => {
                if let Some(cpu) = numbered(first, "cpu") {
                    self.cpu(no, cpu, &cells, notes)
                } else if let Some(index) = numbered(first, "domain") {
                    self.domain(no, index, &cells, notes)
                } else {
                    self.continues(first, &cells)
                }
            }
        }
    }

    /// Ends the open snapshot: something else comes.
    fn begin(&mut self, no: usize, notes: &mut Notes) {
        self.settle(notes);
        self.cpu = None;
        self.open = true;
        if self.snapshots.len() >= MAX_SNAPSHOTS {
            if !self.full {
                notes.warn(
                    no,
                    format!("Only the first {MAX_SNAPSHOTS} snapshots were read; here begins another."),
                );
            }
            self.full = true;
            // The last is overwritten again and again.
            self.snapshots.pop();
        }
        self.snapshots.push(Snapshot { line: no, ..Snapshot::default() });
    }

    fn version(&mut self, no: usize, cells: &[&str], notes: &mut Notes) -> bool {
        let [version] = cells else { return false };
        let Ok(version) = version.parse::<u32>() else { return false };
        self.begin(no, notes);
        if let Some(snapshot) = self.snapshots.last_mut() {
            snapshot.version = Some(version);
        }
        match version {
            14..=17 => {}
            12 | 13 => notes.warn(
                no,
                format!(
                    "Version {version} is older than those whose layout is known; it was read as version 14."
                ),
            ),
            ..12 => notes.warn(
                no,
                format!("Version {version} is too old: its counters are read only where their number fits."),
            ),
            _ => notes.warn(
                no,
                format!("Version {version} is not known; it was read as version 17 where the columns fit."),
            ),
        }
        true
    }

    fn timestamp(&mut self, no: usize, cells: &[&str], notes: &mut Notes) -> bool {
        let [stamp] = cells else { return false };
        let parsed = stamp.parse::<u64>();
        if !self.open {
            if parsed.is_err() {
                return false;
            }
            self.begin(no, notes);
        }
        self.settle(notes);
        match (parsed, self.snapshots.last_mut()) {
            (Ok(stamp), Some(snapshot)) if snapshot.timestamp.is_none() => snapshot.timestamp = Some(stamp),
            (Ok(_), _) => notes.warn(no, "This snapshot has a timestamp already; the first stands."),
            (Err(_), _) => notes.warn(no, format!("“{}” is not a timestamp.", shown(stamp))),
        }
        true
    }

    fn cpu(&mut self, no: usize, id: u32, cells: &[&str], notes: &mut Notes) -> bool {
        // Lines of /proc/stat begin like these; outside a snapshot only the right number of fields will do.
        let counted = cells.iter().all(|c| looks_counted(c));
        if cells.is_empty() || !counted || (!self.open && !matches!(cells.len(), 9 | 12)) {
            return false;
        }
        if !self.open {
            self.begin(no, notes);
            notes.warn(no, "The snapshot's first lines, with its version, are missing.");
        }
        self.settle(notes);
        let Some(snapshot) = self.snapshots.last_mut() else { return false };
        if id >= MAX_CPUS {
            self.cpu = None;
            notes
                .warn(no, format!("CPU {id} is beyond the {MAX_CPUS} that Linux can have; it was left out."));
        } else if snapshot.cpus.contains_key(&id) {
            self.cpu = None;
            notes.warn(no, format!("CPU {id} stands in this snapshot already; the first stands."));
        } else {
            self.cpu = Some(id);
            snapshot.cpus.insert(id, CpuRow { line: no, ..CpuRow::default() });
            let values = values(no, cells, notes);
            self.pending = Some(Pending { line: no, cpu: id, head: Head::Cpu, values });
        }
        true
    }

    fn domain(&mut self, no: usize, index: u32, cells: &[&str], notes: &mut Notes) -> bool {
        let looks = cells.len() >= 9 && cells.iter().skip(2).all(|c| looks_counted(c));
        if !self.open && !looks {
            return false;
        }
        if cells.iter().any(|c| c.contains('=')) {
            return false;
        }
        if !self.open {
            self.begin(no, notes);
        }
        self.settle(notes);
        let Some(cpu) = self.cpu else {
            notes.warn(no, "No CPU stands above this domain; it was left out.");
            return true;
        };
        let named = cells.first().is_some_and(|c| !is_mask(c));
        let name = cells.first().filter(|_| named).map(|c| shown(c));
        let rest = &cells[usize::from(named).min(cells.len())..];
        let Some((mask, counters)) = rest.split_first() else {
            notes.warn(no, "The domain's line ends before its mask; it was left out.");
            return true;
        };
        let span = self.spans.get(mask, |m| parse_mask(m, "CPUs", MAX_CPUS)).unwrap_or_else(|sentence| {
            notes.warn(no, format!("The domain's mask cannot be read: {sentence}"));
            Span::default()
        });
        if index >= MAX_DOMAINS {
            notes.warn(no, format!("A domain numbered {index} was left out: no kernel has so many."));
            return true;
        }
        let head = Head::Domain { index, name, span };
        self.pending = Some(Pending { line: no, cpu, head, values: values(no, counters, notes) });
        true
    }

    /// A mail's or a terminal's line break inside a line of the file.
    fn continues(&mut self, first: &str, cells: &[&str]) -> bool {
        let Some(pending) = &mut self.pending else {
            self.open = self.open && first.starts_with('#');
            return false;
        };
        let all: Vec<u64> = std::iter::once(&first).chain(cells).map_while(|c| c.parse().ok()).collect();
        let have = pending.values.len();
        let whole = match pending.head {
            Head::Cpu => have >= 9,
            Head::Domain { .. } => have >= 36 && all.len() + have > 45 || have >= 45,
        };
        if all.len() != cells.len() + 1 || whole || have + all.len() > MAX_CELLS {
            return false;
        }
        pending.values.extend(all.into_iter().map(Some));
        true
    }

    /// Puts the line that is being read where it belongs.
    fn settle(&mut self, notes: &mut Notes) {
        let Some(Pending { line, cpu: id, head, values }) = self.pending.take() else { return };
        let Some(snapshot) = self.snapshots.last_mut() else { return };
        let version = snapshot.version;
        let Some(row) = snapshot.cpus.get_mut(&id) else { return };
        match head {
            Head::Cpu => {
                row.counts = cpu(&values);
                if row.counts.is_none() {
                    notes.warn(
                        line,
                        format!(
                            "CPU {id}'s line has {} counters, not 9 or 12; they were left out.",
                            values.len()
                        ),
                    );
                }
            }
            Head::Domain { index, name, span } => {
                if row.domains.iter().any(|d| d.index == index) {
                    notes.warn(line, format!("CPU {id} has a domain {index} already; the first stands."));
                    return;
                }
                let counts = domain(&values, version);
                if !known_length(values.len()) {
                    notes.warn(
                        line,
                        format!(
                            "This domain has {} counters, not 36 or 45; its span was read and they were left out.",
                            values.len()
                        ),
                    );
                }
                row.domains.push(DomainRow { line, index, name, span, counts });
            }
        }
    }

    /// The snapshots, in the order of the text.
    pub(in crate::import) fn finish(mut self, notes: &mut Notes) -> Vec<Snapshot> {
        self.settle(notes);
        for snapshot in &mut self.snapshots {
            for row in snapshot.cpus.values_mut() {
                row.domains.sort_by_key(|d| d.index);
            }
        }
        let mismatched = |s: &Snapshot| {
            s.domains().any(|(_, d)| {
                d.counts.as_ref().is_some_and(|c| s.version.is_some_and(|v| c.by_unit != (v >= 17)))
            })
        };
        for snapshot in self.snapshots.iter().filter(|s| mismatched(s)) {
            notes.warn(
                snapshot.line,
                "The domain lines have another number of counters than the version stated; they were read by their number.",
            );
        }
        self.snapshots.retain(Snapshot::is_filled);
        self.snapshots
    }
}

/// The number behind a word: `cpu12`.
fn numbered(cell: &str, word: &str) -> Option<u32> {
    let digits = cell.strip_prefix(word)?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(u32::MAX))
}

fn is_mask(cell: &str) -> bool {
    cell.bytes().all(|b| b.is_ascii_hexdigit() || b == b',' || b == b'x')
}

/// A count, or what damage makes of one.
fn looks_counted(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

/// The counters; each that is none is said.
fn values(no: usize, cells: &[&str], notes: &mut Notes) -> Vec<Option<u64>> {
    let read = |(at, cell): (usize, &&str)| {
        let value = cell.parse::<u64>().ok();
        if value.is_none() {
            notes.warn(no, format!("Counter {} is “{}”, not a count; it was left out.", at + 1, shown(cell)));
        }
        value
    };
    cells.iter().enumerate().map(read).collect()
}
