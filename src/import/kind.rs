//! The kinds of text that are read.

use serde::{Deserialize, Serialize};

/// A kind of text that a machine or its tools leave behind.
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
    /// One snapshot of `/proc/schedstat`.
    Schedstat,
    /// Two snapshots of `/proc/schedstat`, and what happened between them.
    SchedstatDiff,
    /// The scheduler's domain files, from debugfs or sysctl, or a boot log with `sched_verbose`.
    SchedDomains,
    /// A trace of ftrace, trace-cmd or systrace, as text.
    Ftrace,
    /// A trace of `perf script` or `perf sched script`.
    PerfScript,
    /// rt-app's JSON.
    RtApp,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 12] = [
        Self::Lscpu,
        Self::LscpuP,
        Self::LscpuE,
        Self::LscpuJson,
        Self::Numactl,
        Self::Hwloc,
        Self::Schedstat,
        Self::SchedstatDiff,
        Self::SchedDomains,
        Self::Ftrace,
        Self::PerfScript,
        Self::RtApp,
    ];

    /// The name in JSON and on the command line: `lscpu-p`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lscpu => "lscpu",
            Self::LscpuP => "lscpu-p",
            Self::LscpuE => "lscpu-e",
            Self::LscpuJson => "lscpu-json",
            Self::Numactl => "numactl",
            Self::Hwloc => "hwloc",
            Self::Schedstat => "schedstat",
            Self::SchedstatDiff => "schedstat-diff",
            Self::SchedDomains => "sched-domains",
            Self::Ftrace => "ftrace",
            Self::PerfScript => "perf-script",
            Self::RtApp => "rt-app",
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
            Self::Schedstat => "/proc/schedstat",
            Self::SchedstatDiff => "two snapshots of /proc/schedstat",
            Self::SchedDomains => "scheduling-domain files",
            Self::Ftrace => "ftrace text",
            Self::PerfScript => "perf script",
            Self::RtApp => "rt-app JSON",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }
}
