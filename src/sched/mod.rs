//! One CPU: weights, PELT, frequency, the runqueue and picking. This room knows no other CPU.

pub mod cfs;
mod choose;
pub mod clock;
pub mod eevdf;
mod entity;
pub mod pelt;
pub mod preempt;
pub mod rules;
pub mod runqueue;
pub mod schedutil;
pub mod tracking;
pub mod util_est;
pub mod weight;

pub use entity::Entity;
