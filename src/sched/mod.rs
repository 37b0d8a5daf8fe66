//! One CPU: weights, PELT, the runqueue and picking. This room knows no other CPU.

pub mod cfs;
mod choose;
pub mod eevdf;
mod entity;
pub mod pelt;
pub mod preempt;
pub mod rules;
pub mod runqueue;
pub mod weight;

pub use entity::Entity;
