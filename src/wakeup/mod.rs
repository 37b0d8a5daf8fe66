//! Where a waking or new task is placed: pure functions over a read-only view, each with its reasons.
//!
//! | step | functions |
//! |---|---|
//! | who wakes whom, and how often that changes | [`Flips`] |
//! | a wake-up (`select_task_rq_fair`) | [`select`] |
//! | the waker's CPU or the last one (`wake_wide`, `wake_cap`, `wake_affine`) | `affine` |
//! | an idle CPU around that (`select_idle_sibling`) | `sibling`, `one_scan` (6.1 and later), `three` (4.19) |
//! | the same on unequal CPUs (`select_idle_capacity`) | `capacity` |
//! | fork and exec (`find_idlest_cpu`) | [`slow_path`] |
//! | whether the wake-up is queued (`ttwu_queue`) | [`queues`] |
//!
//! Which release does what is in [`crate::balance::rules::WakeupRules`].

mod affine;
mod capacity;
mod flips;
mod one_scan;
mod queue;
mod select;
mod sibling;
mod slow;
#[cfg(test)]
mod tests;
mod three;
mod view;

pub use capacity::fits_capacity;
pub use flips::Flips;
pub use queue::queues;
pub use select::{Waking, select};
pub use sibling::{Choice, Reason};
pub use slow::{Placed, slow_path};
pub use view::{Task, View};
