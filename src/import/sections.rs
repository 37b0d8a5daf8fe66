//! A text is cut into sections of the kinds it holds, in one pass over its lines.

use super::Kind;
use super::found::Found;
use super::notes::Notes;
use super::numactl::{self, Numactl};
use super::rtapp::{self, RtApp};
use super::summary::{self, Summary};
use super::table::{Columns, Table};
use super::text::Line;
use super::{hwloc, json};

/// More listings than a person pastes at once.
const MAX_SECTIONS: usize = 16;

/// The sections found, in the order of the text; what cannot be used goes to the notes. The error of the first
/// section that could not be read at all is kept for the case that there is no other.
pub(super) struct Sections {
    /// What each says.
    pub(super) found: Vec<Found>,
    /// Why the first unusable section is unusable: its line and a sentence.
    pub(super) refused: Option<(usize, String)>,
    /// Lines outside all sections: how many, and the first.
    pub(super) strange: Option<(usize, usize)>,
    /// The first rt-app file.
    pub(super) rt_app: Option<RtApp>,
}

/// The section that the next line may continue.
enum Open {
    Summary(Box<Summary>),
    Table(Box<Table>),
    Numactl(Box<Numactl>),
}

struct Splitter<'a, 't> {
    lines: &'a [Line<'t>],
    only: Option<Kind>,
    open: Option<Open>,
    out: Sections,
    /// Lines outside all sections: how many, and the first.
    strange: Option<(usize, usize)>,
    /// An rt-app file was sought; another is not.
    sought: bool,
}

/// Finds the sections of a text; with `only`, those of one kind.
pub(super) fn split(lines: &[Line<'_>], only: Option<Kind>, notes: &mut Notes) -> Sections {
    let out = Sections { found: Vec::new(), refused: None, strange: None, rt_app: None };
    let mut splitter = Splitter { lines, only, open: None, out, strange: None, sought: false };
    let mut next = 0;
    while next < lines.len() {
        if splitter.out.found.len() == MAX_SECTIONS {
            notes.warn(
                lines[next].no,
                format!("From here on nothing was read: {MAX_SECTIONS} listings came before."),
            );
            break;
        }
        next += splitter.step(next, notes).max(1);
    }
    splitter.close(notes);
    splitter.out.strange = splitter.strange;
    splitter.out
}

/// Says that lines belong to nothing.
pub(super) fn say_strange(strange: Option<(usize, usize)>, notes: &mut Notes) {
    let Some((n, first)) = strange else { return };
    notes.warn(
        first,
        if n == 1 {
            "This line belongs to nothing known and was passed over.".to_owned()
        } else {
            format!("From here on {n} lines belong to nothing known and were passed over.")
        },
    );
}

impl Splitter<'_, '_> {
    fn wants(&self, kind: Kind) -> bool {
        self.only.is_none_or(|only| only == kind)
    }

    /// Takes the line at `at`, or several; returns how many.
    fn step(&mut self, at: usize, notes: &mut Notes) -> usize {
        let lines = self.lines;
        let line = &lines[at];
        let text = line.text.trim();
        if text.is_empty() {
            return 1;
        }
        if let Some(taken) = self.block(at, text, notes) {
            return taken;
        }
        if !self.heading(line.no, text, notes)
            && !self.continues(line.no, &line.text, notes)
            && !self.begins(line.no, &line.text, notes)
            && !is_prompt_or_comment(text)
        {
            let (n, first) = self.strange.unwrap_or((0, line.no));
            self.strange = Some((n + 1, first));
        }
        1
    }

    /// XML and JSON, which span lines. Returns how many lines they take.
    fn block(&mut self, at: usize, text: &str, notes: &mut Notes) -> Option<usize> {
        let xml = ["<?xml", "<!DOCTYPE topology", "<topology"].iter().any(|head| text.starts_with(head));
        let no = self.lines[at].no;
        if xml && self.wants(Kind::Hwloc) {
            self.close(notes);
            let rest = &self.lines[at..];
            let end =
                rest.iter().position(|l| l.text.contains("</topology>")).map_or(rest.len(), |end| end + 1);
            let mut whole = joined(&rest[..end]);
            let start = whole.len() - whole.trim_start().len();
            whole.drain(..start);
            // Text behind the last tag on its line is not XML any more.
            if let Some(last) = whole.rfind("</topology>") {
                whole.truncate(last + "</topology>".len());
            }
            self.keep(hwloc::read(&whole, no, notes));
            return Some(end);
        }
        if text.starts_with('{') && self.wants(Kind::RtApp) && !self.sought {
            let taken = self.rt_app(at, notes);
            if taken.is_some() {
                return taken;
            }
        }
        if text.starts_with('{') && self.wants(Kind::LscpuJson) {
            // In a paste of many kinds a brace may be anything; it must look like lscpu's soon.
            let near: String =
                joined(&self.lines[at..self.lines.len().min(at + 8)]).chars().take(400).collect();
            if self.only.is_none()
                && !["\"lscpu\"", "\"cpus\"", "\"caches\""].iter().any(|k| near.contains(k))
            {
                return None;
            }
            self.close(notes);
            let whole = joined(&self.lines[at..]);
            return Some(match json::read(&whole, no, notes) {
                Ok(block) => {
                    self.out.found.push(block.found);
                    whole.get(..block.bytes).map_or(1, |used| used.matches('\n').count() + 1)
                }
                Err(refused) => {
                    self.out.refused.get_or_insert(refused);
                    self.lines.len() - at
                }
            });
        }
        None
    }

    /// An rt-app file from the line at `at` on. Returns how many lines it takes.
    fn rt_app(&mut self, at: usize, notes: &mut Notes) -> Option<usize> {
        let near = joined(&self.lines[at..self.lines.len().min(at + 12)]);
        let names = ["\"tasks\"", "\"global\"", "\"resources\"", "/*"];
        if self.only.is_none() && !names.iter().any(|name| near.contains(name)) {
            return None;
        }
        let whole = joined(&self.lines[at..]);
        let start = whole.len() - whole.trim_start().len();
        if !rtapp::looks_like(&whole[start..]) {
            return None;
        }
        self.sought = true;
        self.close(notes);
        Some(match rtapp::read(&whole[start..], self.lines[at].no, notes) {
            Ok((file, taken)) => {
                self.out.rt_app = Some(file);
                whole[..start].matches('\n').count() + taken
            }
            Err(refused) => {
                self.out.refused.get_or_insert(refused);
                self.lines.len() - at
            }
        })
    }

    fn keep(&mut self, read: Result<Found, (usize, String)>) {
        match read {
            Ok(found) => self.out.found.push(found),
            Err(refused) => drop(self.out.refused.get_or_insert(refused)),
        }
    }

    /// Headings of tables.
    fn heading(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        let comma = self.wants(Kind::LscpuP).then(|| Columns::from_comment(text)).flatten();
        let blank = self.wants(Kind::LscpuE).then(|| Columns::from_heading(text)).flatten();
        let (kind, columns) = match (comma, blank) {
            (Some(columns), _) => (Kind::LscpuP, columns),
            (None, Some(columns)) => (Kind::LscpuE, columns),
            (None, None) => return false,
        };
        self.close(notes);
        if columns.have_cpu() {
            self.open = Some(Open::Table(Box::new(Table::new(kind, no, columns))));
        } else {
            let text = "This table has no CPU column, so its rows cannot be used.";
            notes.warn(no, text);
            self.out.refused.get_or_insert((no, text.to_owned()));
        }
        true
    }

    /// Gives the line to the section that is open.
    fn continues(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        match &mut self.open {
            Some(Open::Summary(summary)) => !summary.restarts(text) && summary.line(no, text, notes),
            Some(Open::Numactl(numactl)) => !numactl.restarts(text) && numactl.line(no, text, notes),
            Some(Open::Table(table)) => {
                let takes = table.takes(text);
                if takes {
                    table.row(no, text, notes);
                }
                takes
            }
            None => false,
        }
    }

    /// Opens the section that begins with this line.
    fn begins(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        if self.wants(Kind::Numactl) && numactl::begins(text) {
            self.close(notes);
            let mut numactl = Numactl::new(no);
            numactl.line(no, text, notes);
            self.open = Some(Open::Numactl(Box::new(numactl)));
        } else if self.wants(Kind::Lscpu) && summary::is_line(text) {
            self.close(notes);
            let mut summary = Summary::new(Kind::Lscpu, no);
            summary.line(no, text, notes);
            self.open = Some(Open::Summary(Box::new(summary)));
        } else if self.wants(Kind::LscpuP) && is_bare_row(text) {
            self.close(notes);
            notes.assume(
                "columns assumed: the table has no heading, so they are those of lscpu -p without a list",
            );
            let mut table = Table::new(Kind::LscpuP, no, Columns::usual());
            table.row(no, text, notes);
            self.open = Some(Open::Table(Box::new(table)));
        } else {
            return false;
        }
        true
    }

    /// Ends the open section and keeps what it says.
    fn close(&mut self, notes: &mut Notes) {
        let found = match self.open.take() {
            None => return,
            Some(Open::Summary(summary)) => summary.finish(),
            Some(Open::Numactl(numactl)) => Some(numactl.finish(notes)),
            Some(Open::Table(table)) => table.finish(),
        };
        self.out.found.extend(found);
    }
}

fn joined(lines: &[Line<'_>]) -> String {
    let mut whole = String::with_capacity(lines.iter().map(|l| l.text.len() + 1).sum());
    for line in lines {
        whole.push_str(&line.text);
        whole.push('\n');
    }
    whole
}

/// A row of `lscpu -p` without its heading: at least four numbers, and an empty cell before the caches if there
/// are more.
fn is_bare_row(text: &str) -> bool {
    let cells: Vec<&str> = text.trim().split(',').take(16).collect();
    let number = |cell: &&str| cell.chars().all(|c| c.is_ascii_digit()) || **cell == *"-";
    cells.len() >= 4
        && cells.iter().all(|c| number(&c.trim()))
        && !cells[0].is_empty()
        && cells.get(4).is_none_or(|fifth| fifth.is_empty())
}

/// Lines that need no word: a shell's prompt and lscpu's own comments.
fn is_prompt_or_comment(text: &str) -> bool {
    text.starts_with('#')
        || text.ends_with(['$', '%'])
        || ["$ ", "# ", "% ", "❯ "].iter().any(|p| text.contains(p))
}
