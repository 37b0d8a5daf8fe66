//! The tables of `lscpu -p`, `lscpu -e` and `lscpu -e -J`: one CPU a row, any list of columns.

use super::Kind;
use super::found::{CACHES, CpuRow, Found, cache_index};
use super::lists::{MAX_CPUS, MAX_NODES, shown};
use super::notes::Notes;
use std::collections::BTreeMap;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Cpu,
    Core,
    Socket,
    Node,
    Cache(usize),
    Online,
    MaxMhz,
    ModelName,
    /// Known and not needed, or unknown, or the empty column before the caches.
    Other,
}

/// A column; those joined by colons in the header share a `group`.
#[derive(Clone, Copy, Debug)]
struct Column {
    what: What,
    group: usize,
}

/// The columns of a table, in order.
#[derive(Clone, Debug)]
pub(super) struct Columns(Vec<Column>);

/// Columns that lscpu knows and that are not needed here. CLUSTER is among them: lscpu prints the socket there.
const OTHER: [&str; 13] = [
    "book",
    "drawer",
    "cluster",
    "polarization",
    "address",
    "configured",
    "mhz",
    "scalmhz%",
    "minmhz",
    "cache",
    "vulnerability",
    "l2i",
    "",
];

fn what(name: &str) -> Option<What> {
    Some(match name.to_ascii_lowercase().as_str() {
        "cpu" => What::Cpu,
        "core" => What::Core,
        "socket" => What::Socket,
        "node" => What::Node,
        "online" => What::Online,
        "maxmhz" => What::MaxMhz,
        "modelname" => What::ModelName,
        other if OTHER.contains(&other) => What::Other,
        other => What::Cache(cache_index(other)?),
    })
}

impl Columns {
    /// The columns of these names; names joined by colons become several columns. `None` unless most are
    /// lscpu's own.
    pub(super) fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let (mut columns, mut strange) = (Vec::new(), 0);
        for (group, name) in names.into_iter().enumerate().take(64) {
            for part in name.trim().split(':') {
                strange += usize::from(what(part).is_none());
                columns.push(Column { what: what(part).unwrap_or(What::Other), group });
            }
        }
        let named = columns.iter().filter(|c| c.what != What::Other).count();
        (named > strange).then_some(Self(columns))
    }

    /// `# CPU,Core,Socket,Node,,L1d,L1i,L2,L3`
    pub(super) fn from_comment(line: &str) -> Option<Self> {
        let names = line.trim_start().strip_prefix('#')?.trim();
        if names.contains(char::is_whitespace) {
            return None;
        }
        Self::from_names(names.split(','))
    }

    /// `CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE`
    pub(super) fn from_heading(line: &str) -> Option<Self> {
        let names: Vec<&str> = line.split_whitespace().collect();
        let known = |name: &&str| name.split(':').all(|part| what(part).is_some());
        let upper = |name: &&str| name.split(':').all(|part| !part.is_empty() && cased(part));
        if names.len() < 2 && names != ["CPU"] || !names.iter().all(|n| known(n) && upper(n)) {
            return None;
        }
        Self::from_names(names)
    }

    /// The columns of `lscpu -p` without a list.
    pub(super) fn usual() -> Self {
        let names = ["CPU", "Core", "Socket", "Node", "", "L1d", "L1i", "L2", "L3"];
        Self::from_names(names).unwrap_or(Self(Vec::new()))
    }

    /// Whether the table says which CPU a row is about.
    pub(super) fn have_cpu(&self) -> bool {
        self.0.iter().any(|c| c.what == What::Cpu)
    }

    /// How many cells a row has.
    fn groups(&self) -> usize {
        self.0.last().map_or(0, |c| c.group + 1)
    }

    /// Splits a row at blanks; a model name may hold some.
    fn split_blanks(&self, line: &str) -> Vec<String> {
        let mut cells: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let model = self.0.iter().find(|c| c.what == What::ModelName).map(|c| c.group);
        if let Some(at) = model.filter(|at| *at < cells.len()) {
            let extra = cells.len().saturating_sub(self.groups());
            let name = cells.drain(at..=at + extra).collect::<Vec<_>>().join(" ");
            cells.insert(at, name);
        }
        cells
    }
}

/// Headings are upper case, except the caches' (`L1d`).
fn cased(name: &str) -> bool {
    cache_index(name).is_some() || !name.contains(|c: char| c.is_ascii_lowercase())
}

/// A table that is being read.
pub(super) struct Table {
    kind: Kind,
    line: usize,
    columns: Columns,
    rows: BTreeMap<u32, CpuRow>,
}

impl Table {
    /// A table whose heading stands on that line.
    pub(super) fn new(kind: Kind, line: usize, columns: Columns) -> Self {
        Self { kind, line, columns, rows: BTreeMap::new() }
    }

    /// Whether the line looks like a row of this table, be it a broken one.
    pub(super) fn takes(&self, line: &str) -> bool {
        let line = line.trim();
        if !line.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            // A row whose first cell is damaged still has the table's shape.
            let cells = if self.kind == Kind::LscpuP { line.split(',').count() } else { 0 };
            return cells > 2 && cells == self.columns.groups() && !line.starts_with('#');
        }
        match self.kind {
            Kind::LscpuP => {
                line.chars().all(|c| c.is_ascii_alphanumeric() || ",:.- ()@+%".contains(c))
                    && (line.contains(',') || self.columns.0.len() == 1)
            }
            _ => line.split_whitespace().next().is_some_and(|first| !first.contains(',')),
        }
    }

    /// Reads a row of text. What is wrong with it goes to the notes.
    pub(super) fn row(&mut self, line: usize, text: &str, notes: &mut Notes) {
        let cells = match self.kind {
            Kind::LscpuP => text.trim().split(',').map(str::to_owned).collect(),
            _ => self.columns.split_blanks(text),
        };
        self.cells(line, &cells, notes);
    }

    /// Reads a row that is already in cells.
    pub(super) fn cells(&mut self, line: usize, cells: &[String], notes: &mut Notes) {
        let (values, short) = self.align(cells);
        let mut row = CpuRow { line, cut: short, ..CpuRow::default() };
        let mut cpu = None;
        for (column, value) in self.columns.0.iter().zip(&values) {
            let Some(value) = value.as_deref() else { continue };
            if column.what == What::Cpu {
                cpu = value.parse::<u32>().ok();
            } else if let Err(sentence) = set(&mut row, column.what, value) {
                notes.warn(line, sentence);
            }
        }
        let Some(cpu) = cpu else {
            return notes.warn(line, "This row has no readable CPU number; it was left out.");
        };
        if cpu >= MAX_CPUS {
            return notes.warn(line, format!("CPU {cpu} was left out: Linux has at most {MAX_CPUS} CPUs."));
        }
        if short {
            notes.warn(
                line,
                format!("The row of CPU {cpu} is shorter than the heading; the rest is unknown."),
            );
        }
        row.cpu = cpu;
        if let Some(first) = self.rows.get(&cpu) {
            let text = format!("CPU {cpu} was on line {} already; that row stands.", first.line);
            return notes.warn(line, text);
        }
        self.rows.insert(cpu, row);
    }

    /// Lays cells under the columns. Caches may be one cell with colons, or one each, whatever the heading
    /// says. Returns the value under each column and whether the row ended early.
    fn align(&self, cells: &[String]) -> (Vec<Option<String>>, bool) {
        let columns = &self.columns.0;
        let mut values: Vec<Option<String>> = Vec::with_capacity(columns.len());
        for (i, cell) in cells.iter().enumerate() {
            let at = values.len();
            let Some(column) = columns.get(at) else { break };
            let cell = cell.trim();
            let joined = columns[at..].iter().take_while(|c| c.group == column.group).count();
            let is_cache = matches!(column.what, What::Cache(_));
            if is_cache && cell.contains(':') {
                values.extend(cell.split(':').map(known));
                // Fewer numbers than caches: the row lacks the last ones, the columns behind it do not move.
                let missing = (at + joined).saturating_sub(values.len());
                values.extend(std::iter::repeat_n(None, missing));
            } else if joined > 1 && cells.len() - i < columns.len() - at {
                values.push(known(cell));
                values.extend(std::iter::repeat_n(None, joined - 1));
            } else {
                values.push(known(cell));
            }
        }
        let short = values.len() < columns.len();
        values.resize(columns.len(), None);
        (values, short)
    }

    /// The finished table; `None` if it has no row.
    pub(super) fn finish(self) -> Option<Found> {
        if self.rows.is_empty() {
            return None;
        }
        let mut found = Found::new(self.kind, self.line);
        found.rows = self.rows.into_values().collect();
        for level in 0..CACHES.len() {
            if self.columns.0.iter().any(|c| c.what == What::Cache(level)) {
                found.cache_counts[level] = Some(None);
            }
        }
        Some(found)
    }
}

/// Empty and `-` both mean unknown.
fn known(cell: &str) -> Option<String> {
    let cell = cell.trim();
    (!cell.is_empty() && cell != "-").then(|| cell.to_owned())
}

fn set(row: &mut CpuRow, what: What, value: &str) -> Result<(), String> {
    let number = |name: &str| {
        let sentence = format!("“{}” is not a {name} number; it was left out.", shown(value));
        value.parse::<u32>().map(Some).map_err(|_| sentence)
    };
    match what {
        What::Core => row.core = number("core")?,
        What::Socket => row.package = number("socket")?,
        What::Node => {
            row.node = number("node")?;
            if row.node.is_some_and(|n| n >= MAX_NODES) {
                row.node = None;
                return Err(format!("Node {value} was left out: Linux has at most {MAX_NODES} nodes."));
            }
        }
        What::Cache(level) => row.caches[level] = number("cache")?,
        What::Online => row.online = yes(value),
        What::MaxMhz => row.max_khz = khz(value),
        What::ModelName => row.model = Some(shown_name(value)),
        What::Cpu | What::Other => {}
    }
    Ok(())
}

fn yes(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "y" | "true" | "1" => Some(true),
        "no" | "n" | "false" | "0" => Some(false),
        _ => None,
    }
}

/// `3000.0000` megahertz in kHz. Some languages print a comma.
pub(super) fn khz(value: &str) -> Option<u64> {
    let (whole, fraction) = value.split_once(['.', ',']).unwrap_or((value, ""));
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(digits.parse().ok()?)
}

/// A name with single blanks and of bearable length.
pub(super) fn shown_name(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    name.chars().take(80).collect()
}
