//! The page: draws frames and sends commands. It holds no scheduler rule.
#![allow(dead_code)] // The page is being put together from these parts.

mod bus;
mod scene;
mod theme;

fn main() {}
