//! A log-linear histogram of times: 32 steps to each power of two, so a quantile is at most 3 % too high.

/// Steps to a power of two, as a power of two.
const SUB_BITS: u32 = 5;
const SUB: u64 = 1 << SUB_BITS;
/// Longer times count as this: about 18 minutes.
const MAX: u64 = (1 << 40) - 1;
const BUCKETS: usize = ((40 - SUB_BITS as usize) + 1) << SUB_BITS;

/// Counts of times in ns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS], total: 0, max: 0 }
    }
}

fn bucket(value: u64) -> usize {
    let v = value.min(MAX);
    if v < SUB {
        return v as usize;
    }
    let shift = 63 - v.leading_zeros() - SUB_BITS;
    (shift as usize * SUB as usize) + (v >> shift) as usize
}

/// The highest value that falls into a bucket.
fn top(bucket: usize) -> u64 {
    let b = bucket as u64;
    if b < 2 * SUB {
        return b;
    }
    let shift = b / SUB - 1;
    ((b % SUB + SUB + 1) << shift) - 1
}

impl Histogram {
    /// Counts one time.
    pub fn record(&mut self, ns: u64) {
        self.counts[bucket(ns)] += 1;
        self.total += 1;
        self.max = self.max.max(ns);
    }

    /// How many times were counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The longest time, exactly.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The time that `permille` thousandths of the counted ones do not exceed; `None` if there are none.
    pub fn quantile(&self, permille: u64) -> Option<u64> {
        if self.total == 0 {
            return None;
        }
        let rank = (self.total * permille).div_ceil(1000).max(1);
        let mut seen = 0;
        for (i, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Some(top(i).min(self.max));
            }
        }
        Some(self.max)
    }

    /// The filled buckets and their counts, shortest times first: how a histogram travels. A count beyond 32 bits
    /// is held there.
    pub fn filled(&self) -> Vec<(u16, u32)> {
        let held = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let all = self.counts.iter().enumerate().filter(|(_, c)| **c > 0);
        all.filter_map(|(i, c)| Some((u16::try_from(i).ok()?, held(*c)))).collect()
    }

    /// Adds buckets that came from [`Histogram::filled`]; each counts as the highest time that falls into it.
    pub fn add(&mut self, buckets: &[(u16, u32)]) {
        for &(bucket, count) in buckets {
            if let Some(here) = self.counts.get_mut(usize::from(bucket)) {
                *here += u64::from(count);
                self.total += u64::from(count);
                self.max = self.max.max(top(usize::from(bucket)));
            }
        }
    }

    /// What was counted after an earlier state of this histogram. The longest time is then known to a bucket.
    pub fn since(&self, earlier: &Self) -> Self {
        let counts: Vec<u64> =
            self.counts.iter().zip(&earlier.counts).map(|(now, then)| now.saturating_sub(*then)).collect();
        let last = counts.iter().rposition(|&count| count > 0);
        let max = last.map_or(0, |bucket| top(bucket).min(self.max));
        Self { total: counts.iter().sum(), counts, max }
    }

    /// Forgets everything, keeping its memory.
    pub fn clear(&mut self) {
        if self.total > 0 {
            self.counts.fill(0);
            self.total = 0;
            self.max = 0;
        }
    }

    /// Hands out the filled buckets, for a hash of the state.
    pub fn write(&self, mut put: impl FnMut(u64)) {
        put(self.total);
        put(self.max);
        for (i, &count) in self.counts.iter().enumerate().filter(|(_, c)| **c > 0) {
            put(i as u64);
            put(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_times_are_exact() {
        let mut h = Histogram::default();
        assert_eq!(h.quantile(500), None);
        for v in 1..=40 {
            h.record(v);
        }
        assert_eq!((h.quantile(500), h.quantile(1000), h.max()), (Some(20), Some(40), 40));
    }

    #[test]
    fn a_histogram_that_travelled_says_the_same() {
        let (mut here, mut there) = (Histogram::default(), Histogram::default());
        for v in [3, 40, 40, 5_000, 1_000_000] {
            here.record(v);
        }
        there.add(&here.filled());
        there.add(&[(u16::MAX, 1)]);
        assert_eq!(there.total(), here.total());
        assert_eq!(there.filled(), here.filled());
        assert_eq!(there.quantile(500), here.quantile(500));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn a_bucket_holds_its_value_within_three_percent(v in 0u64..MAX) {
            let t = top(bucket(v));
            prop_assert!(t >= v);
            prop_assert!(t - v <= v / 32);
            prop_assert_eq!(bucket(t), bucket(v));
        }
    }

    #[test]
    fn the_longest_time_has_a_bucket() {
        let mut h = Histogram::default();
        h.record(u64::MAX);
        assert_eq!(h.quantile(500), Some(MAX));
    }
}
