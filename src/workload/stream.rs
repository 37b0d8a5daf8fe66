//! One stream of random numbers, owned by one task or one source.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A seeded stream. Two streams of one seed with different owners share nothing.
#[derive(Clone, Debug)]
pub struct Stream {
    rng: Xoshiro256PlusPlus,
    draws: u64,
}

/// Spreads owners over seeds: the odd number nearest to 2^64 / golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Stream {
    /// The stream of `owner` under `seed`.
    pub fn new(seed: u64, owner: u64) -> Self {
        let mixed = seed ^ owner.wrapping_add(1).wrapping_mul(SPREAD);
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(mixed), draws: 0 }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.draws += 1;
        self.rng.next_u64()
    }

    /// How many numbers were drawn: with the seed and the owner this is the stream's whole state.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Uniform in `low..=high`.
    pub fn uniform(&mut self, low: u64, high: u64) -> u64 {
        let width = u128::from(high.saturating_sub(low)) + 1;
        low + ((u128::from(self.bits()) * width) >> 64) as u64
    }

    /// Uniform in (0, 1].
    pub fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// Exponential with the given mean, rounded to whole ns, at least 1. The logarithm is libm's on every
    /// target, so native and wasm agree to the last bit.
    pub fn exponential(&mut self, mean: u64) -> u64 {
        let drawn = -libm::log(self.unit()) * mean as f64;
        (drawn as u64).max(1)
    }
}
