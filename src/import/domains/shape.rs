//! The spans of domains: the log prints them; files only tell how many CPUs a level spans.

use super::{Domains, Row};
use crate::import::notes::Notes;
use crate::import::spans::{CpuSpans, Span};
use std::collections::BTreeMap;

/// The spans, as printed or as far as they can be told from the intervals. `None`, with a word, where not.
pub(in crate::import) fn spans(domains: &Domains, notes: &mut Notes) -> Option<CpuSpans> {
    let ids = domains.cpu_ids();
    let mut chains: CpuSpans = ids.iter().map(|cpu| (*cpu, Vec::new())).collect();
    let mut assumed = false;
    let mut known: BTreeMap<(bool, usize, usize), Span> = BTreeMap::new();
    for ((cpu, index), row) in &domains.rows {
        let span = match &row.span {
            Some(span) => span.clone(),
            None => {
                let (size, at) = (weight(row), ids.binary_search(cpu).ok()?);
                let Some(size) = size.filter(|size| *size > 0 && ids.len().is_multiple_of(*size)) else {
                    notes.warn(
                        domains.line,
                        format!(
                            "No machine was made: nothing tells which CPUs domain {index} of CPU {cpu} spans."
                        ),
                    );
                    return None;
                };
                assumed |= size > 1 && size < ids.len();
                let threads = row.name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case("SMT"));
                let first = at;
                let make = || guess(&ids, domains, threads, size, at);
                known.entry((threads, size, first)).or_insert_with(make).clone()
            }
        };
        chains.entry(*cpu).or_default().push((row.name.clone(), span));
    }
    if assumed {
        notes.assume(
            "spans assumed: the files do not list them, so levels were filled in the order of CPU numbers, with \
             the threads of a core numbered apart; /proc/schedstat beside them would tell",
        );
    }
    Some(chains)
}

/// How many CPUs the level spans: its lowest interval is as many milliseconds.
fn weight(row: &Row) -> Option<usize> {
    usize::try_from(*row.numbers.get("min_interval")?).ok()
}

/// The span of `size` CPUs that the CPU at that place probably has.
fn guess(ids: &[u32], domains: &Domains, threads: bool, size: usize, at: usize) -> Span {
    let n = ids.len();
    let smt = domains
        .rows
        .values()
        .filter(|row| row.name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case("SMT")))
        .find_map(weight)
        .filter(|w| *w > 0 && n.is_multiple_of(*w))
        .unwrap_or(1);
    let cores = n / smt;
    let core = at % cores;
    let all = || ids.iter().enumerate();
    if threads {
        return all().filter(|(i, _)| i % (n / size) == at % (n / size)).map(|(_, id)| *id).collect();
    }
    let width = (size / smt).max(1);
    all().filter(|(i, _)| (i % cores) / width == core / width).map(|(_, id)| *id).collect()
}
