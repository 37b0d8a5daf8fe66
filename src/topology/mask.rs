//! A set of CPUs.

use fixedbitset::FixedBitSet;
use std::hash::{Hash, Hasher};

/// A set of CPU indices. Indices are dense, `0..machine.cpus.len()`, in ascending order of the kernel's CPU
/// numbers; [`crate::topology::Cpu::id`] holds the kernel's number. Sets are equal if they hold the same CPUs,
/// however much room each was given.
#[derive(Clone, Default)]
pub struct CpuMask(FixedBitSet);

impl CpuMask {
    /// An empty set that can hold CPUs `0..cpus`.
    pub fn empty(cpus: usize) -> Self {
        Self(FixedBitSet::with_capacity(cpus))
    }

    /// The set of the given CPUs; it grows as needed.
    pub fn from_cpus(cpus: impl IntoIterator<Item = usize>) -> Self {
        Self(cpus.into_iter().collect())
    }

    /// Adds one CPU, growing the set if needed.
    pub fn insert(&mut self, cpu: usize) {
        self.0.grow_and_insert(cpu);
    }

    /// Removes one CPU.
    pub fn remove(&mut self, cpu: usize) {
        if cpu < self.0.len() {
            self.0.set(cpu, false);
        }
    }

    /// Whether the CPU is in the set.
    pub fn contains(&self, cpu: usize) -> bool {
        self.0.contains(cpu)
    }

    /// How many CPUs are in the set: the kernel's "weight" of a mask.
    pub fn weight(&self) -> usize {
        self.0.count_ones(..)
    }

    /// Whether no CPU is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// The lowest CPU of the set.
    pub fn first(&self) -> Option<usize> {
        self.0.minimum()
    }

    /// The CPUs of the set in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.ones()
    }

    /// The CPUs of the set from `start` upward, then wrapping to those below it.
    pub fn iter_from(&self, start: usize) -> impl Iterator<Item = usize> + '_ {
        self.iter().filter(move |&c| c >= start).chain(self.iter().take_while(move |&c| c < start))
    }

    /// The lowest CPU of the set that is not below `start`.
    pub fn next(&self, start: usize) -> Option<usize> {
        let bits = usize::BITS as usize;
        let words = self.0.as_slice();
        let first = words.get(start / bits)? >> (start % bits);
        if first != 0 {
            return Some(start + first.trailing_zeros() as usize);
        }
        let later = words.iter().enumerate().skip(start / bits + 1).find(|(_, word)| **word != 0);
        later.map(|(i, word)| i * bits + word.trailing_zeros() as usize)
    }

    /// How many CPUs are in both sets.
    pub fn weight_with(&self, other: &Self) -> usize {
        self.0.intersection_count(&other.0)
    }

    /// Whether every CPU of this set is also in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }

    /// Whether the sets share a CPU.
    pub fn intersects(&self, other: &Self) -> bool {
        !self.0.is_disjoint(&other.0)
    }

    /// Adds all CPUs of `other`.
    pub fn union_with(&mut self, other: &Self) {
        self.0.union_with(&other.0);
    }

    /// Keeps only the CPUs that are also in `other`.
    pub fn intersect_with(&mut self, other: &Self) {
        self.0.intersect_with(&other.0);
    }
}

impl CpuMask {
    fn words(&self) -> &[usize] {
        let words = self.0.as_slice();
        let used = words.iter().rposition(|&w| w != 0).map_or(0, |last| last + 1);
        &words[..used]
    }
}

impl PartialEq for CpuMask {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for CpuMask {}

impl Hash for CpuMask {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().hash(state);
    }
}

impl std::fmt::Debug for CpuMask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// As the kernel prints a CPU list: `0-3,8`.
impl std::fmt::Display for CpuMask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&cpu_list(self.iter()))
    }
}

/// Ascending numbers as the kernel writes a CPU list: `0-3,8`; an empty list is an empty text.
pub fn cpu_list(numbers: impl IntoIterator<Item = usize>) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for n in numbers {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == n => *end = n,
            _ => ranges.push((n, n)),
        }
    }
    let texts: Vec<String> =
        ranges.into_iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") }).collect();
    texts.join(",")
}

impl FromIterator<usize> for CpuMask {
    fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Self {
        Self::from_cpus(iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::DefaultHasher;

    fn hash(mask: &CpuMask) -> u64 {
        let mut hasher = DefaultHasher::new();
        mask.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn the_next_cpu_is_found_across_words() {
        let mask = CpuMask::from_cpus([3, 63, 64, 200]);
        for start in 0..=260 {
            assert_eq!(mask.next(start), mask.iter().find(|&c| c >= start), "{start}");
        }
        assert_eq!(CpuMask::default().next(0), None);
    }

    #[test]
    fn equality_ignores_room() {
        let mut roomy = CpuMask::empty(400);
        roomy.insert(3);
        let tight = CpuMask::from_cpus([3]);
        assert_eq!(roomy, tight);
        assert_eq!(hash(&roomy), hash(&tight));
        roomy.insert(300);
        assert_ne!(roomy, tight);
        roomy.remove(300);
        assert_eq!(roomy, tight);
    }

    #[test]
    fn lists_read_as_the_kernel_writes_them() {
        assert_eq!(CpuMask::from_cpus([0, 1, 2, 5, 7, 8]).to_string(), "0-2,5,7-8");
        assert_eq!(CpuMask::default().to_string(), "");
    }

    #[test]
    fn walking_wraps() {
        let mask = CpuMask::from_cpus([1, 4, 6]);
        assert_eq!(mask.iter_from(4).collect::<Vec<_>>(), [4, 6, 1]);
        assert_eq!(mask.iter_from(5).collect::<Vec<_>>(), [6, 1, 4]);
    }
}
