//! The experiments of all rows that need runs.

mod contention;
mod gate;
mod newidle;
mod requests;
mod serialize;
mod shares;

use super::case::Case;

/// The experiment of a row; `None` for a row of kind `exact`.
pub fn case(id: &str) -> Option<&'static Case> {
    cases().find(|case| case.id == id)
}

/// All experiments, in the order of the rows.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    [requests::CASES, gate::CASES, newidle::CASES, serialize::CASES, shares::CASES, contention::CASES]
        .into_iter()
        .flatten()
}
