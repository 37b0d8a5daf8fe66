//! The page: draws frames and sends commands. It holds no scheduler rule.
#![allow(dead_code)] // The page is being put together from these parts.

mod bus;
mod decisions;
#[cfg(test)]
mod fake;
mod meter;
mod scales;
mod scene;
mod state;
mod theme;
mod units;

fn main() {}
