//! What can be seen of a run: counters, frames, decisions with reasons. This room knows no engine.

mod conservation;
mod frame;
mod histogram;
pub mod reasons;
mod recorder;
pub mod tape;

pub use conservation::{Conservation, ConservationReport, Waiting};
pub use frame::{Activity, Attempt, Cause, CpuFrame, Frame, Kind, LevelCounts, Mark, Move, Outcome, Totals};
pub use histogram::Histogram;
pub use reasons::{
    Candidate, Draft, ENTRIES, Elsewhere, Found, GroupSeen, Notes, Reason, Reasons, Said, Says, Verdict,
    What, lines,
};
pub use recorder::{RING, Recorder, Since};
pub use tape::Tape;
