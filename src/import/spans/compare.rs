//! The tree that a kernel built, beside the one that our rules build of the same machine.

use super::NamedSpans;
use crate::import::notes::{Notes, named, ranges};
use crate::topology::{CpuMask, DomainTree, LevelName, Machine, Release, TopologyRules};
use std::collections::BTreeMap;

/// Says where the chains of a text differ from those that the release would build of the machine.
pub(in crate::import) fn compare(
    machine: &Machine,
    chains: &NamedSpans,
    release: Option<Release>,
    notes: &mut Notes,
) {
    let Some(release) = release else { return };
    let Ok(tree) = DomainTree::build(machine, &TopologyRules::of(release)) else { return };
    let ids: Vec<u32> = machine.cpus.iter().map(|c| c.id).collect();
    let list = |mask: &CpuMask| ranges(&mask.iter().filter_map(|c| ids.get(c).copied()).collect::<Vec<_>>());
    // CPUs that differ alike are told together.
    let mut differ: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for (at, id) in ids.iter().enumerate() {
        let Some(theirs) = chains.get(id) else { continue };
        let ours: Vec<(LevelName, String)> = tree.chain(at).iter().map(|d| (d.name, list(&d.span))).collect();
        let theirs: Vec<(LevelName, String)> = theirs.iter().map(|(name, s)| (*name, ranges(s))).collect();
        if alike(&ours, &theirs) {
            continue;
        }
        differ.entry((shown(&theirs), shown(&ours))).or_default().push(*id);
    }
    let n = differ.len();
    for ((theirs, ours), cpus) in differ.into_iter().take(4) {
        notes.warn(
            None,
            format!(
                "The rules of {} build another tree for {}: {ours}, where the file has {theirs}.",
                release.name(),
                named("CPU", &cpus)
            ),
        );
    }
    if n > 4 {
        notes.warn(None, format!("The tree differs in {} more ways.", n - 4));
    }
}

/// Whether two chains are the same; DIE and PKG are two names of one level.
fn alike(a: &[(LevelName, String)], b: &[(LevelName, String)]) -> bool {
    let plain = |name: LevelName| if name == LevelName::Die { LevelName::Pkg } else { name };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plain(a.0) == plain(b.0) && a.1 == b.1)
}

fn shown(chain: &[(LevelName, String)]) -> String {
    if chain.is_empty() {
        return "no domain".to_owned();
    }
    let one = |(name, span): &(LevelName, String)| {
        let short: String = span.chars().take(40).collect();
        let more = if short.len() < span.len() { "…" } else { "" };
        format!("{} {short}{more}", name.as_str())
    };
    chain.iter().map(one).collect::<Vec<_>>().join(", ")
}
