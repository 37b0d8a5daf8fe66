//! What a page and its simulation worker say to each other. Both directions travel as postcard bytes.

use crate::observe::{Frame, Reason};
use crate::scenario::{ChangeTo, Warning};
use serde::{Deserialize, Serialize};

/// Where a single step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum StepTo {
    Event,
    Tick,
    /// The next balance attempt.
    Balance,
}

/// From the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Builds a new world from a scenario's fragment and runs to its `at`, if it has one. Replaces any world.
    Open {
        /// The fragment, without `#`.
        fragment: String,
    },
    /// Runs on: `ns` more of simulated time, but no longer than about `budget_us` of work; then a frame. The
    /// page sends one per animation frame while it plays.
    Run {
        /// Simulated ns to go.
        ns: u64,
        /// Wall microseconds the worker may take; the worker's host measures them.
        budget_us: u32,
    },
    /// One step; then a frame with the state hash.
    Step(StepTo),
    /// Turns a knob now. Turned again before anything else has happened, as a knob is that is dragged while time
    /// stands still, only the last turn counts.
    Turn(ChangeTo),
    /// Asks for a frame with the state hash.
    Show,
    /// Goes to a moment, back or forth: [`Reply::Progress`] on the way, [`Reply::Known`], then a frame with the
    /// state hash. Any of the last 60 simulated seconds before the latest moment can be reached, and as much after
    /// it.
    Seek {
        /// The moment, simulated ns.
        at_ns: u64,
    },
    /// Goes back to where the step of that kind before this moment ended: [`Reply::Known`], then a frame with the
    /// state hash.
    StepBack(StepTo),
    /// Begins to keep the reasons of decisions, in this world and those opened later, or stops.
    ReadReasons(bool),
    /// Asks for reasons that are kept.
    Reasons(Ask),
}

/// Whose reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// Of the attempt with this number in the run.
    Attempt(u64),
    /// Of the latest attempts for this CPU, newest first.
    Cpu(u32),
}

/// From the worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// A world stands. The page builds the same tree from the same fragment.
    Opened {
        /// The canonical fragment that was opened.
        fragment: String,
        /// What could not be used.
        warnings: Vec<Warning>,
    },
    /// Progress of a long `Open` or `Seek`, thousandths.
    Progress(u16),
    /// The state.
    Frame(Box<Frame>),
    /// A knob was turned at this simulated time; the page adds it to the scenario's changes. Knobs that were turned
    /// live at later times, before the run was sought back to this one, are forgotten: the page drops them too.
    Turned {
        /// When.
        at_ns: u64,
        /// To what.
        to: ChangeTo,
        /// It takes the place of the turn before: the same knob at the very same place of the run.
        instead: bool,
    },
    /// From when to when the run is known: between these, [`Command::Seek`] only repeats what was.
    Known {
        /// Simulated ns.
        from_ns: u64,
        /// Simulated ns.
        to_ns: u64,
    },
    /// The command could not be carried out: one sentence. The world before it still stands.
    Refused(String),
    /// The reasons asked for, as far as they are still kept: of an attempt, one or none.
    Reasons {
        /// What was asked.
        ask: Ask,
        /// The answer.
        reasons: Vec<Reason>,
    },
}
