//! Several listings of one machine complete each other.

use super::Kind;
use super::found::{CpuRow, Found};
use super::notes::{Notes, count};

/// Puts the sections of a text together. The first to say a thing is believed; a later one fills what is
/// unknown. A section that is about other CPUs is left out.
pub(super) fn merge(sections: Vec<Found>, notes: &mut Notes) -> Option<Found> {
    let mut sections = sections.into_iter();
    let mut all = sections.next()?;
    for next in sections {
        if same_machine(&all, &next, notes) {
            fill(&mut all, next, notes);
        }
    }
    missing_rows(&all, notes);
    Some(all)
}

/// Whether the next section can be about the same machine: of two lists of CPUs one must hold the other, and
/// counts must agree.
fn same_machine(all: &Found, next: &Found, notes: &mut Notes) -> bool {
    let (kind, line) = (next.kind.title(), next.line);
    if let (Some(have), Some(new)) = (known_ids(all), known_ids(next)) {
        let inside = |a: &[u32], b: &[u32]| a.iter().all(|id| b.binary_search(id).is_ok());
        if !inside(&have, &new) && !inside(&new, &have) {
            let text =
                format!("The {kind} from here on names other CPUs than what stands above; it was left out.");
            notes.warn(line, text);
            return false;
        }
    } else if let (Some(have), Some(new)) = (all.cpu_count, next.cpu_count)
        && have != new
    {
        let text =
            format!("The {kind} from here on counts {new} CPUs, not {have} as above; it was left out.");
        notes.warn(line, text);
        return false;
    }
    true
}

/// All CPUs that a section names, offline ones too.
fn known_ids(found: &Found) -> Option<Vec<u32>> {
    if found.rows.is_empty() { found.cpu_ids() } else { Some(found.rows.iter().map(|r| r.cpu).collect()) }
}

fn fill(all: &mut Found, next: Found, notes: &mut Notes) {
    if !all.rows.is_empty() && !next.rows.is_empty() {
        let text = if all.kind == next.kind {
            "Here begins another table of the same CPUs; of it, only what the first leaves open was used."
        } else {
            "Here the same CPUs are listed once more; of it, only what the first listing leaves open was used."
        };
        notes.warn(next.line, text);
    }
    fill_rows(&mut all.rows, next.rows);
    if all.models.is_empty() {
        all.models = next.models;
    }
    fill_nodes(all, &next.nodes, next.line, notes);
    for (have, new) in all.cache_counts.iter_mut().zip(next.cache_counts) {
        *have = match (*have, new) {
            (Some(Some(n)), _) => Some(Some(n)),
            (_, Some(Some(n))) => Some(Some(n)),
            (have, new) => have.or(new),
        };
    }
    let Found { cpu_count, online, offline, node_count, distances, .. } = next;
    all.cpu_count = all.cpu_count.or(cpu_count);
    all.online = all.online.take().or(online);
    all.offline = all.offline.take().or(offline);
    all.node_count = all.node_count.or(node_count);
    all.distances = all.distances.take().or(distances);
    all.architecture = all.architecture.take().or(next.architecture);
    all.vendor = all.vendor.take().or(next.vendor);
    all.family = all.family.or(next.family);
    all.model = all.model.or(next.model);
    all.hwloc_version = all.hwloc_version.take().or(next.hwloc_version);
    all.hybrid = all.hybrid.or(next.hybrid);
}

/// Fills columns that are empty in all rows. Columns with some values stay as they are: two tables may number
/// the same things differently.
fn fill_rows(rows: &mut Vec<CpuRow>, next: Vec<CpuRow>) {
    if rows.is_empty() {
        *rows = next;
        return;
    }
    let empty = |has: fn(&CpuRow) -> bool| !rows.iter().any(has);
    let core = empty(|r| r.core.is_some() || r.caches.iter().any(Option::is_some));
    let package = empty(|r| r.package.is_some());
    let node = empty(|r| r.node.is_some());
    let caches = empty(|r| r.caches.iter().any(Option::is_some));
    let rest = empty(|r| r.max_khz.is_some() || r.model.is_some() || r.capacity.is_some());
    let online = empty(|r| r.online.is_some());
    for row in rows {
        let Ok(at) = next.binary_search_by_key(&row.cpu, |r| r.cpu) else { continue };
        let new = &next[at];
        if core && row.core.is_none() {
            row.core = new.core;
        }
        if package {
            row.package = new.package;
        }
        if node {
            row.node = new.node;
        }
        if caches {
            row.caches = new.caches;
            row.cluster = new.cluster;
        }
        if online {
            row.online = new.online;
        }
        if rest {
            (row.max_khz, row.capacity) = (new.max_khz, new.capacity);
            row.model.clone_from(&new.model);
        }
    }
}

fn fill_nodes(
    all: &mut Found,
    next: &std::collections::BTreeMap<u32, super::found::NodeRow>,
    line: usize,
    notes: &mut Notes,
) {
    let mut differ = Vec::new();
    for (id, new) in next {
        let row = all.nodes.entry(*id).or_default();
        match (&row.cpus, &new.cpus) {
            (Some(have), Some(new)) if have != new => differ.push(*id),
            (None, Some(new)) => row.cpus = Some(new.clone()),
            _ => {}
        }
    }
    if !differ.is_empty() {
        let text = format!(
            "Node {} has other CPUs here than above; the first stand.",
            super::notes::ranges(&differ)
        );
        notes.warn(line, text);
    }
}

/// A table that was cut off has fewer CPUs than the summary beside it.
fn missing_rows(all: &Found, notes: &mut Notes) {
    let (Some(online), false) = (&all.online, all.rows.is_empty()) else { return };
    let missing: Vec<u32> =
        online.iter().copied().filter(|id| all.rows.binary_search_by_key(id, |r| r.cpu).is_err()).collect();
    if !missing.is_empty() && all.kind != Kind::Hwloc {
        let text = format!(
            "{} ({}) are online by the summary and have no row in the table; they were left out.",
            count(missing.len(), "CPU"),
            super::notes::ranges(&missing)
        );
        notes.warn(all.rows.first().map(|r| r.line), text);
    }
}
