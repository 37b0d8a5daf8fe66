//! The kinds of text that are read.

use serde::{Deserialize, Serialize};

/// A kind of text that holds a topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `lscpu`: a summary in lines of `key: value`.
    Lscpu,
    /// `lscpu -p`: comma-separated values with a `#` header.
    LscpuP,
    /// `lscpu -e`: a table with columns apart by spaces.
    LscpuE,
    /// `lscpu -J` or `lscpu -e -J`.
    LscpuJson,
    /// `numactl --hardware`.
    Numactl,
    /// hwloc's XML, versions 1 to 3.
    Hwloc,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Self::Lscpu, Self::LscpuP, Self::LscpuE, Self::LscpuJson, Self::Numactl, Self::Hwloc];

    /// The name in JSON and on the command line: `lscpu-p`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lscpu => "lscpu",
            Self::LscpuP => "lscpu-p",
            Self::LscpuE => "lscpu-e",
            Self::LscpuJson => "lscpu-json",
            Self::Numactl => "numactl",
            Self::Hwloc => "hwloc",
        }
    }

    /// For people: the command whose output it is.
    pub fn title(self) -> &'static str {
        match self {
            Self::Lscpu => "lscpu",
            Self::LscpuP => "lscpu -p",
            Self::LscpuE => "lscpu -e",
            Self::LscpuJson => "lscpu -J",
            Self::Numactl => "numactl --hardware",
            Self::Hwloc => "hwloc XML",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }
}
