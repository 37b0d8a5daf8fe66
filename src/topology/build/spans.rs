//! Sets of CPUs that occur many times, kept once and named by a number.

use crate::topology::CpuMask;
use crate::topology::distinct::distinct;
use std::collections::HashMap;

/// Names a set of [`Spans`]: equal numbers, equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId(u32);

/// The distinct sets of a build, in the order in which they were first met.
#[derive(Default)]
pub struct Spans {
    masks: Vec<CpuMask>,
    weights: Vec<u32>,
    ids: HashMap<CpuMask, SpanId>,
}

impl Spans {
    /// The number of this set.
    pub fn id(&mut self, mask: CpuMask) -> SpanId {
        if let Some(&id) = self.ids.get(&mask) {
            return id;
        }
        let id = SpanId(self.masks.len() as u32);
        self.weights.push(mask.weight() as u32);
        self.masks.push(mask.clone());
        self.ids.insert(mask, id);
        id
    }

    /// These in ascending order, each once.
    pub fn distinct(ids: impl Iterator<Item = SpanId>) -> Vec<SpanId> {
        let numbers = distinct(ids.map(|id| id.0.into()).collect());
        numbers.into_iter().map(|number| SpanId(number as u32)).collect()
    }

    /// The set.
    pub fn mask(&self, id: SpanId) -> &CpuMask {
        &self.masks[id.0 as usize]
    }

    /// How many CPUs are in the set.
    pub fn weight(&self, id: SpanId) -> u32 {
        self.weights[id.0 as usize]
    }

    /// Whether all of `inner` is in `outer`.
    pub fn is_subset(&self, inner: SpanId, outer: SpanId) -> bool {
        inner == outer || self.mask(inner).is_subset(self.mask(outer))
    }

    /// The CPUs of both.
    pub fn intersection(&mut self, a: SpanId, b: SpanId) -> SpanId {
        let mut mask = self.mask(a).clone();
        mask.intersect_with(self.mask(b));
        self.id(mask)
    }

    /// The CPUs of either.
    pub fn union(&mut self, a: SpanId, b: SpanId) -> SpanId {
        let mut mask = self.mask(a).clone();
        mask.union_with(self.mask(b));
        self.id(mask)
    }
}
