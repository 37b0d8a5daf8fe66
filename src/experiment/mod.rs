//! Comparisons of runs: pairs, sweeps and published numbers held against ours. Nothing is compared yet.
