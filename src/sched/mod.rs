//! One CPU: weights, PELT, the runqueue and picking. This room knows no other CPU.

pub mod pelt;
pub mod runqueue;
pub mod weight;
