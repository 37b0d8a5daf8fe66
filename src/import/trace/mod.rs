//! Traces as text: ftrace, trace-cmd report, systrace and perf script. Lines are followed as they come by, so
//! that memory grows with tasks and CPUs and not with the trace.

mod account;
mod facts;
mod head;
mod payload;
mod prefix;
mod reader;
mod script;

pub(super) use reader::Reader;

/// A time as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Time {
    /// Seconds with a fraction, as ns.
    Ns(u64),
    /// A number of an unknown unit.
    Ticks(u64),
}

impl Time {
    /// ns, where the unit is known.
    fn ns(self) -> Option<u64> {
        match self {
            Self::Ns(ns) => Some(ns),
            Self::Ticks(_) => None,
        }
    }
}
