//! Comparisons of runs: pairs, sweeps and published numbers held against ours.

pub mod published;
