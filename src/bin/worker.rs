//! The simulation worker.
fn main() {}
