//! The engine: a deterministic discrete-event simulation of a machine's CPUs, tasks and balance passes.
//!
//! A [`World`] is built from a scenario and asked to reach a simulated time. Events have one total order, all
//! state is in flat arrays, and everything that takes time in the kernel takes time here: a balance pass is a row
//! of stages between which the rest of the machine goes on. The engine knows no rule of any release: what is
//! decided, [`crate::balance`] decides.

mod conserve;
mod cost;
mod cpu;
mod detach;
mod event;
mod frame;
mod gates;
mod hash;
mod idle;
mod invariants;
mod late;
mod learned;
mod listen;
mod load;
mod lock;
mod newidle;
mod nohz;
mod pass;
mod periodic;
mod pick;
mod placement;
mod reasons;
mod rewind;
mod sd;
mod setup;
mod state;
mod stats;
mod sums;
mod task;
#[cfg(test)]
mod tests;
mod tick;
mod timers;
mod wake;
mod world;

pub use cost::Costs;
pub use gates::GateCounts;
pub use rewind::Place;
use sd::Sd;
pub use world::{StepTo, World};
