//! Names of levels, stated or inferred.

use super::{CpuSpans, NamedSpans, Span};
use crate::topology::LevelName;

/// The level of that name.
pub(in crate::import) fn parse(name: &str) -> Option<LevelName> {
    use LevelName::{Cls, Die, Mc, Node, Numa, Pkg, Smt};
    let all = [Smt, Cls, Mc, Die, Pkg, Node, Numa];
    // Before 3.16 a level was called after what its CPUs share.
    let name = match name.to_ascii_uppercase().as_str() {
        "SIBLING" => "SMT".to_owned(),
        "CPU" => "DIE".to_owned(),
        "CLUSTER" => "CLS".to_owned(),
        other => other.to_owned(),
    };
    all.into_iter().find(|level| level.as_str() == name)
}

/// Names every level of every CPU; those without a name, or with one that is not known, by their spans.
pub(in crate::import) fn named(spans: CpuSpans) -> NamedSpans {
    let name = |chain: Vec<(Option<String>, Span)>| {
        let stated: Option<Vec<LevelName>> =
            chain.iter().map(|(name, _)| parse(name.as_deref().unwrap_or_default())).collect();
        let all: Vec<Span> = chain.into_iter().map(|(_, span)| span).collect();
        let names = stated.unwrap_or_else(|| inferred(&all));
        names.into_iter().zip(all).collect()
    };
    spans.into_iter().map(|(cpu, chain)| (cpu, name(chain))).collect()
}

/// Which levels spans like these usually are.
fn inferred(spans: &[Span]) -> Vec<LevelName> {
    let mut names = Vec::new();
    let strided = |span: &[u32]| span.windows(2).all(|w| w[1] != w[0] + 1);
    let rest = match spans {
        [] => return names,
        [first, rest @ ..] if !rest.is_empty() && threads(first.len(), strided(first)) => {
            names.push(LevelName::Smt);
            rest
        }
        all => all,
    };
    for (at, span) in rest.iter().enumerate() {
        names.push(match at {
            0 => LevelName::Mc,
            // Two last-level caches are most often those of two packages, each a node.
            1 if rest.len() == 2 && span.len() == 2 * rest[0].len() => LevelName::Numa,
            1 => LevelName::Die,
            _ => LevelName::Numa,
        });
    }
    names
}

/// Whether a lowest span of that many CPUs is a core's threads: two, or more if they are numbered apart.
fn threads(cpus: usize, strided: bool) -> bool {
    cpus == 2 || (strided && matches!(cpus, 4 | 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::LevelName::{Die, Mc, Numa, Smt};

    #[test]
    fn usual_machines_are_named_as_they_are() {
        let to = |n: u32| (0..n).collect::<Vec<u32>>();
        for (spans, names) in [
            (vec![vec![0, 4], to(8)], vec![Smt, Mc]),
            (vec![to(2)], vec![Mc]),
            (vec![to(4), to(8)], vec![Mc, Numa]),
            (vec![vec![0, 8], to(4), to(16)], vec![Smt, Mc, Die]),
            (vec![vec![0, 56], to(56), to(112)], vec![Smt, Mc, Numa]),
            (vec![vec![0, 56], to(8), to(32), to(64), to(128)], vec![Smt, Mc, Die, Numa, Numa]),
            (vec![], vec![]),
        ] {
            let spans: Vec<Span> = spans.into_iter().map(Span::from).collect();
            assert_eq!(inferred(&spans), names, "{spans:?}");
        }
    }
}
