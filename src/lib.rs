//! A laboratory for the Linux scheduler's load balancer.
//!
//! The library is a deterministic simulator and what surrounds it: it knows no screen, no wall clock,
//! no disk, no network and no chance of its own. Time is integer nanoseconds that a host asks it to reach.
//!
//! # The rooms
//!
//! | room | what it is for |
//! |---|---|
//! | [`topology`] | a machine becomes a tree of scheduling domains |
//! | [`sched`] | one CPU: weights, PELT, runqueue, picking |
//! | [`wakeup`] | where a waking or new task is placed |
//! | [`balance`] | the balancer's decisions, as pure functions, and the rules of each release |
//! | [`engine`] | events, clock, random streams, the world |
//! | [`workload`] | what tasks do |
//! | [`observe`] | counters, frames and decisions with reasons |
//! | [`scenario`] | everything a run depends on, and its URL |
//! | [`import`] | text from a real machine becomes a machine |
//! | [`export`] | text that the usual tools read |
//! | [`experiment`] | comparisons of runs |
//! | [`host`] | a running world in a host's hands: commands in, frames out |

pub mod balance;
pub mod engine;
pub mod experiment;
pub mod export;
pub mod host;
pub mod import;
pub mod observe;
pub mod scenario;
pub mod sched;
pub mod topology;
pub mod wakeup;
pub mod workload;

#[cfg(all(target_arch = "wasm32", feature = "npm"))]
pub mod npm;
