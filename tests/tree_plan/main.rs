//! Where everything of the tree lies and moves, held without a browser.

#[allow(dead_code)]
#[path = "../../src/bin/app/units.rs"]
mod units;

#[path = "../../src/bin/app/tree/plan/mod.rs"]
#[allow(dead_code)]
mod plan;

mod machines;
mod motion;
mod places;
