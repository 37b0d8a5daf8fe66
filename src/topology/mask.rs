//! A set of CPUs.

use fixedbitset::FixedBitSet;

/// A set of CPU indices. Indices are dense, `0..machine.cpus.len()`, in ascending order of the kernel's CPU
/// numbers; [`crate::topology::Cpu::id`] holds the kernel's number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
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

impl FromIterator<usize> for CpuMask {
    fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Self {
        Self::from_cpus(iter)
    }
}
