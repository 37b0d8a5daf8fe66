//! Every recorded machine's tree comes out as its kernel built it.

// A helper of a test may fail as the test does.
#![allow(clippy::unwrap_used)]

use balancescope::topology::{DomainTree, Recorded, RecordedChain, Release, TopologyRules};
use std::path::Path;

fn recordings() -> Vec<(String, Recorded)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/domains");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Recorded::parse(&std::fs::read_to_string(path).unwrap()).unwrap())
    };
    files.iter().map(read).collect()
}

/// Our value of what the recording does not hold is not compared.
fn without_imb_numa_nr(mut chains: Vec<RecordedChain>) -> Vec<RecordedChain> {
    for level in chains.iter_mut().flat_map(|chain| &mut chain.levels) {
        level.imb_numa_nr = None;
    }
    chains
}

#[test]
fn trees_equal_the_recorded_ones() {
    let recordings = recordings();
    assert_eq!(recordings.len(), 18);
    let rules = TopologyRules::of(Release::V6_1);
    for (name, recorded) in recordings {
        let machine = recorded.machine().unwrap();
        let tree = DomainTree::build(&machine, &rules).unwrap();
        let ours = without_imb_numa_nr(Recorded::of(&machine, &tree, &rules, "6.1").domains);
        for (theirs, ours) in recorded.domains.iter().zip(&ours) {
            assert_eq!(theirs, ours, "{name}");
        }
        assert_eq!(recorded.domains.len(), ours.len(), "{name}");
    }
}

#[test]
fn writing_and_reading_a_machine_keeps_it() {
    for (name, recorded) in recordings() {
        let machine = recorded.machine().unwrap();
        let rules = TopologyRules::of(Release::V6_1);
        let tree = DomainTree::build(&machine, &rules).unwrap();
        let written = serde_json::to_string(&Recorded::of(&machine, &tree, &rules, "6.1")).unwrap();
        let again = Recorded::parse(&written).unwrap().machine().unwrap();
        assert_eq!(again, machine, "{name}");
    }
}
