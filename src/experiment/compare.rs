//! Two scenarios on the same seeds, and how far they differ.

use super::statistics::Spread;
use crate::scenario::Scenario;
use serde::Serialize;

/// A comparison: both scenarios, each on the same seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    a: Scenario,
    b: Scenario,
    seeds: u64,
}

/// One figure on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Its path in a report, such as `cpu.balance`.
    #[serde(skip)]
    pub name: String,
    /// Over A's runs.
    pub a: Spread,
    /// Over B's runs.
    pub b: Spread,
    /// B minus A, seed by seed, over the seeds on which both sides have the figure.
    pub difference: Spread,
}

/// All figures of the reports.
pub type Table = Vec<Figure>;

impl Comparison {
    /// Most seeds.
    pub const MOST_SEEDS: u64 = 1_000;

    /// Compares on this many seeds, counted up from A's. The error is one sentence.
    pub fn new(a: Scenario, b: Scenario, seeds: u64) -> Result<Self, String> {
        if !(1..=Self::MOST_SEEDS).contains(&seeds) {
            return Err(format!("{seeds} seeds cannot be compared; 1 to {} can.", Self::MOST_SEEDS));
        }
        Ok(Self { a, b, seeds })
    }

    /// The seeds.
    pub fn seeds(&self) -> Vec<u64> {
        (0..self.seeds).map(|i| self.a.seed.wrapping_add(i)).collect()
    }

    /// Every run, A's and B's in turn, seed by seed.
    pub fn scenarios(&self) -> Vec<Scenario> {
        let seeded = |scenario: &Scenario, seed| Scenario { seed, ..scenario.clone() };
        self.seeds().into_iter().flat_map(|seed| [seeded(&self.a, seed), seeded(&self.b, seed)]).collect()
    }

    /// The table of these runs' figures, which stand in the order of [`Comparison::scenarios`].
    pub fn table(runs: &[Vec<(String, f64)>]) -> Table {
        let (a, b): (Vec<_>, Vec<_>) =
            runs.chunks(2).filter_map(|pair| Some((&pair[0], pair.get(1)?))).unzip();
        names(a.iter().chain(&b).copied()).into_iter().map(|name| figure(name, &a, &b)).collect()
    }
}

type Run = Vec<(String, f64)>;

/// Every name once, in the order in which they first come.
fn names<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<&'a str> {
    let mut seen = std::collections::BTreeSet::new();
    runs.flatten().map(|(name, _)| name.as_str()).filter(|name| seen.insert(*name)).collect()
}

fn figure(name: &str, a: &[&Run], b: &[&Run]) -> Figure {
    let of = |run: &Run| run.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
    let (a, b): (Vec<_>, Vec<_>) = a.iter().zip(b).map(|(a, b)| (of(a), of(b))).unzip();
    let differences: Vec<f64> = a.iter().zip(&b).filter_map(|(a, b)| Some((*b)? - (*a)?)).collect();
    let spread = |side: Vec<Option<f64>>| Spread::of(&side.into_iter().flatten().collect::<Vec<_>>());
    Figure { name: name.to_owned(), a: spread(a), b: spread(b), difference: Spread::of(&differences) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(figures: &[(&str, f64)]) -> Run {
        figures.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    #[test]
    fn both_sides_get_the_seeds_of_a() {
        let (a, b) =
            (Scenario { seed: 5, ..Scenario::default() }, Scenario { load: 1, ..Scenario::default() });
        let comparison = Comparison::new(a, b, 2).unwrap();
        let runs: Vec<_> = comparison.scenarios().iter().map(|s| (s.load, s.seed)).collect();
        assert_eq!(runs, [(700, 5), (1, 5), (700, 6), (1, 6)]);
        assert!(Comparison::new(Scenario::default(), Scenario::default(), 0).is_err());
        assert!(Comparison::new(Scenario::default(), Scenario::default(), 1_001).is_err());
    }

    #[test]
    fn differences_are_taken_seed_by_seed() {
        let runs =
            [run(&[("x", 1.0), ("y", 4.0)]), run(&[("x", 3.0)]), run(&[("x", 10.0)]), run(&[("x", 12.0)])];
        let table = Comparison::table(&runs);
        assert_eq!(table.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["x", "y"]);
        // The sides spread, their difference does not.
        assert_eq!(table[0].difference, Spread { n: 2, mean: Some(2.0), sd: Some(0.0) });
        assert_eq!(table[0].a.mean, Some(5.5));
        assert_eq!((table[1].a.n, table[1].b.n, table[1].difference.n), (1, 0, 0));
    }
}
