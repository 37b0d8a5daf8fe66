//! The scheduler's domains as the kernel tells them: files of debugfs or sysctl, and the boot log of
//! `sched_verbose`.

mod compare;
mod facts;
mod files;
mod log;
mod reader;
mod shape;

pub(super) use compare::compare;
pub(super) use facts::facts;
pub(super) use reader::Reader;
pub(super) use shape::spans;

use super::spans::Span;
use crate::topology::Release;
use std::collections::BTreeMap;

/// One domain of one CPU, as far as the text tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    name: Option<String>,
    flags: Option<Flags>,
    groups_flags: Option<Flags>,
    /// Numbers by the file's name: intervals, factors, tries, level.
    numbers: BTreeMap<&'static str, u64>,
    span: Option<Span>,
    groups: Option<String>,
}

/// Flags as printed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Flags {
    Names(Vec<String>),
    Number(u64),
}

/// Every domain that a text tells of.
#[derive(Clone, Debug, Default)]
pub(super) struct Domains {
    /// Where the first stands.
    pub(super) line: usize,
    /// By CPU and index.
    rows: BTreeMap<(u32, u32), Row>,
    /// CPUs, those without a domain too.
    cpus: std::collections::BTreeSet<u32>,
}

impl Domains {
    /// The CPUs, ascending.
    pub(super) fn cpu_ids(&self) -> Vec<u32> {
        self.cpus.iter().copied().collect()
    }

    /// Names spans of the same CPUs that came without.
    pub(super) fn name(&self, chains: &mut super::spans::CpuSpans) {
        for (cpu, chain) in chains {
            for (index, (name, _)) in (0_u32..).zip(chain) {
                if let Some(row) = self.rows.get(&(*cpu, index)).filter(|_| name.is_none()) {
                    name.clone_from(&row.name);
                }
            }
        }
    }

    /// The release whose tree is most like it, by the words that the text uses.
    pub(super) fn release(&self) -> Option<Release> {
        let any = |has: &dyn Fn(&Row) -> bool| self.rows.values().any(has);
        let flag = |name: &'static str| move |row: &Row| matches!(&row.flags, Some(Flags::Names(all)) if all.iter().any(|f| f == name));
        let name = if any(&|row| matches!(row.flags, Some(Flags::Number(_)))) {
            "4.19"
        } else if any(&|row| row.name.as_deref() == Some("PKG") || row.numbers.contains_key("level"))
            || any(&flag("SD_SHARE_LLC"))
        {
            "6.12"
        } else if any(&|row| row.groups_flags.is_some()) {
            "6.6"
        } else {
            "6.1"
        };
        Release::parse(name)
    }
}
