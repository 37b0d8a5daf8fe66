//! What can be seen of a run: counters, frames, decisions with reasons. This room knows no engine.

mod frame;

pub use frame::{Activity, Attempt, Cause, CpuFrame, Frame, Kind, LevelCounts, Mark, Move, Outcome, Totals};
