//! `numactl --hardware`: nodes, their CPUs, distances.

use super::Kind;
use super::found::{Distances, Found, NodeRow};
use super::lists::{MAX_CPUS, MAX_NODES, parse_list};
use super::notes::{Notes, count};
use std::collections::BTreeMap;

/// The output while it is being read.
pub(super) struct Numactl {
    found: Found,
    /// Node whose list of CPUs may go on on the next line, and the list's text so far.
    open: Option<(u32, usize, String)>,
    /// Columns of the distance matrix, once its heading was seen.
    columns: Option<(usize, Vec<u32>)>,
    /// Distances by node; `None` for a number too large to be one.
    rows: BTreeMap<u32, (usize, Vec<Option<u32>>)>,
    last_row: Option<u32>,
}

/// What a line is.
enum Part<'a> {
    Available(&'a str),
    Cpus(u32, &'a str),
    Memory(u32),
    DistancesFollow,
    Heading(Vec<u32>),
    Row(u32, &'a str),
    Numbers,
    NoDistances,
    NoNuma,
}

/// Tells what a line of numactl's output is; `None` for any other line.
fn part(line: &str) -> Option<Part<'_>> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix("available:") {
        return rest.contains("node").then_some(Part::Available(rest));
    }
    match line {
        "node distances:" => return Some(Part::DistancesFollow),
        "No distance information available." => return Some(Part::NoDistances),
        "No NUMA available on this system" => return Some(Part::NoNuma),
        _ => {}
    }
    if let Some(rest) = line.strip_prefix("node ") {
        let (number, rest) = rest.trim_start().split_once(' ').unwrap_or((rest.trim_start(), ""));
        let number = number.parse().ok()?;
        return match rest.trim_start().split_once(':') {
            Some(("cpus", list)) => Some(Part::Cpus(number, list)),
            Some(("size" | "free", _)) => Some(Part::Memory(number)),
            Some(_) => None,
            None => numbers(line.strip_prefix("node")?).map(Part::Heading),
        };
    }
    if let Some((node, rest)) = line.split_once(':') {
        return Some(Part::Row(node.trim().parse().ok()?, rest)).filter(|_| numbers_only(rest));
    }
    (!line.is_empty() && numbers_only(line)).then_some(Part::Numbers)
}

fn numbers_only(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c.is_ascii_whitespace())
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split_whitespace().map(|n| n.parse().ok()).collect()
}

/// Whether numactl's output may begin with this line.
pub(super) fn begins(line: &str) -> bool {
    matches!(
        part(line),
        Some(Part::Available(_) | Part::Cpus(..) | Part::Memory(_) | Part::DistancesFollow | Part::NoNuma)
    )
}

impl Numactl {
    /// Output that begins on that line.
    pub(super) fn new(line: usize) -> Self {
        Self {
            found: Found::new(Kind::Numactl, line),
            open: None,
            columns: None,
            rows: BTreeMap::new(),
            last_row: None,
        }
    }

    /// Whether the first line of another machine's output stands here: nodes are announced once.
    pub(super) fn restarts(&self, line: &str) -> bool {
        self.found.node_count.is_some() && matches!(part(line), Some(Part::Available(_)))
    }

    /// Reads a line; false if it is not numactl's.
    pub(super) fn line(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        let Some(part) = part(text) else { return false };
        if let (Part::Numbers, Some((_, _, list))) = (&part, &mut self.open) {
            list.push(' ');
            list.push_str(text);
            return true;
        }
        if matches!(part, Part::Numbers) && self.last_row.is_none() {
            return false;
        }
        self.close(notes);
        match part {
            Part::Available(rest) => self.available(no, rest, notes),
            Part::Cpus(node, list) => self.open = Some((node, no, list.to_owned())),
            Part::Memory(node) => {
                self.node(node, no, notes);
            }
            Part::DistancesFollow | Part::NoDistances => {}
            Part::NoNuma => notes.warn(no, "numactl found no NUMA on this system."),
            Part::Heading(ids) => self.columns = Some((no, ids)),
            Part::Row(node, rest) => self.row(node, no, rest, notes),
            Part::Numbers => self.more_of_row(text, notes, no),
        }
        true
    }

    fn available(&mut self, no: usize, rest: &str, notes: &mut Notes) {
        let (n, list) = rest.split_once('(').unwrap_or((rest, ""));
        self.found.node_count = n.split_whitespace().next().and_then(|n| n.parse().ok());
        match parse_list(list.trim_end().trim_end_matches(')'), "nodes", MAX_NODES) {
            Ok(ids) => self.found.nodes.extend(ids.into_iter().map(|id| (id, NodeRow::default()))),
            Err(sentence) => notes.warn(no, sentence),
        }
    }

    fn node(&mut self, node: u32, no: usize, notes: &mut Notes) -> Option<&mut NodeRow> {
        if node >= MAX_NODES {
            notes.warn(no, format!("Node {node} was left out: Linux has at most {MAX_NODES} nodes."));
            return None;
        }
        Some(self.found.nodes.entry(node).or_default())
    }

    /// Ends a list of CPUs that may have gone over several lines.
    fn close(&mut self, notes: &mut Notes) {
        let Some((node, no, list)) = self.open.take() else { return };
        if self.found.nodes.get(&node).is_some_and(|row| row.cpus.is_some()) {
            return notes.warn(no, format!("Node {node} was listed before; the first list stands."));
        }
        match parse_list(&list, "CPUs", MAX_CPUS) {
            Ok(cpus) => {
                if let Some(row) = self.node(node, no, notes) {
                    row.cpus = Some(cpus);
                }
            }
            Err(sentence) => notes.warn(no, format!("The CPUs of node {node} were left out: {sentence}")),
        }
    }

    fn row(&mut self, node: u32, no: usize, rest: &str, notes: &mut Notes) {
        if let Some((first, _)) = self.rows.get(&node) {
            let text = format!("The distances of node {node} were on line {first} already; those stand.");
            self.last_row = None;
            return notes.warn(no, text);
        }
        self.rows.insert(node, (no, values(rest)));
        self.last_row = Some(node);
    }

    fn more_of_row(&mut self, text: &str, notes: &mut Notes, no: usize) {
        if let Some((_, row)) = self.last_row.and_then(|node| self.rows.get_mut(&node)) {
            row.extend(values(text));
        } else {
            notes.warn(no, "These numbers belong to no row.");
        }
    }

    /// The finished output.
    pub(super) fn finish(mut self, notes: &mut Notes) -> Found {
        self.close(notes);
        let line = self.found.line;
        let (stated, seen) = (self.found.node_count, self.found.nodes.len());
        if let Some(stated) = stated.filter(|n| *n as usize != seen && seen > 0) {
            let text = format!("It announces {} and names {seen}.", count(stated as usize, "node"));
            notes.warn(line, text);
        }
        let lists: Vec<u32> =
            self.found.nodes.iter().filter(|(_, n)| n.cpus.is_none()).map(|(id, _)| *id).collect();
        if !lists.is_empty() && lists.len() < seen {
            notes.warn(line, format!("The CPUs of node {} are not listed.", super::notes::ranges(&lists)));
        }
        self.found.distances = self.matrix(notes);
        self.found
    }

    fn matrix(&self, notes: &mut Notes) -> Option<Distances> {
        let (line, ids) = match &self.columns {
            Some((line, ids)) => (*line, ids.clone()),
            None => {
                let (line, _) = self.rows.values().next()?;
                (*line, self.rows.keys().copied().collect())
            }
        };
        let not_square =
            |what: String| format!("The distance matrix is not square: {what}. It was not used.");
        let mut rows = Vec::new();
        for id in &ids {
            let Some((no, row)) = self.rows.get(id) else {
                notes.warn(line, not_square(format!("node {id} has a column and no row")));
                return None;
            };
            if row.len() != ids.len() {
                let counts = format!("{} in the row of node {id}", count(row.len(), "distance"));
                notes.warn(*no, not_square(format!("{counts}, {} in the heading", count(ids.len(), "node"))));
                return None;
            }
            let Some(row) = row.iter().copied().collect::<Option<Vec<u32>>>() else {
                notes.warn(*no, "A number here is too large to be a distance. The distances were not used.");
                return None;
            };
            rows.push(row);
        }
        if let Some((id, (no, _))) = self.rows.iter().find(|(id, _)| !ids.contains(id)) {
            notes.warn(*no, not_square(format!("node {id} has a row and no column")));
            return None;
        }
        Some(Distances { line, ids, rows })
    }
}

fn values(text: &str) -> Vec<Option<u32>> {
    text.split_whitespace().map(|n| n.parse().ok()).collect()
}
