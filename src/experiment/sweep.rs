//! A scenario at every combination of some settings' values.

use super::{Axis, policies};
use crate::scenario::Scenario;

/// A sweep: every combination of the axes' values, the last axis fastest. Nothing is stored for its points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    base: Scenario,
    axes: Vec<Axis>,
    len: u64,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its number in the whole sweep, from 0.
    pub index: u64,
    /// What varies, as it is here: (key, value) in the order of the axes.
    pub settings: Vec<(String, String)>,
    /// What is run.
    pub scenario: Scenario,
}

impl Sweep {
    /// Most runs of one sweep.
    pub const MOST_RUNS: u64 = 100_000;

    /// A sweep of these axes around a scenario. The error is one sentence.
    pub fn new(base: Scenario, axes: Vec<Axis>) -> Result<Self, String> {
        for (i, axis) in axes.iter().enumerate() {
            if axes[..i].iter().any(|earlier| earlier.key == axis.key) {
                return Err(format!("{} varies twice; give all its values in one --vary.", axis.key));
            }
        }
        let sizes = axes.iter().map(|axis| axis.values.len() as u64);
        let len = sizes.fold(1, u64::saturating_mul);
        if len > Self::MOST_RUNS {
            return Err(format!("This sweep has {len} runs; {} are the most.", Self::MOST_RUNS));
        }
        let sweep = Self { base, axes, len };
        sweep.check()?;
        Ok(sweep)
    }

    /// How many runs it has.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// True if it has no run.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The run of that number, below [`Sweep::len`].
    pub fn point(&self, index: u64) -> Point {
        let settings = self.settings(index);
        let scenario = self.base.with(&written(&settings)).0;
        Point { index, settings, scenario }
    }

    fn settings(&self, index: u64) -> Vec<(String, String)> {
        let mut rest = index;
        let mut settings = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            let count = axis.values.len() as u64;
            settings.push((axis.key.clone(), axis.values[(rest % count) as usize].clone()));
            rest /= count;
        }
        settings.reverse();
        settings
    }

    /// Tries every value of every axis where the others have their first, so that a slip is told before
    /// anything is run. No more is needed: whether a value can be used hangs on no other axis but the
    /// workload, and with another workload its own parameters are refused whichever of the two is first.
    fn check(&self) -> Result<(), String> {
        let first: Vec<_> = self.axes.iter().map(|axis| (axis.key.clone(), axis.values[0].clone())).collect();
        for (i, axis) in self.axes.iter().enumerate() {
            for value in &axis.values {
                let mut settings = first.clone();
                settings[i].1.clone_from(value);
                let (_, warnings) = self.base.with(&written(&settings));
                if let Some(warning) = warnings.into_iter().next() {
                    return Err(format!("--vary cannot be used as it is: {}", warning.text));
                }
            }
        }
        Ok(())
    }
}

/// The key that stands for a named newidle policy or an expression of one.
const POLICY: &str = "policy";

/// Settings as a link has them.
fn written(settings: &[(String, String)]) -> Vec<(String, String)> {
    let one = |(key, value): &(String, String)| match key.as_str() {
        POLICY => policies::settings(value),
        _ => vec![(key.clone(), value.clone())],
    };
    settings.iter().flat_map(one).collect()
}

/// A share of a sweep's runs: every n-th, so that shards take about equally long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// The whole.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// Reads `i/n`, from `1/n` to `n/n`. The error is one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let whole = |text: &str| text.trim().parse::<u64>().ok();
        let read = text.split_once('/').and_then(|(i, n)| Some((whole(i)?, whole(n)?)));
        match read {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            Some((number, of)) if of > 0 => Err(format!(
                "There is no shard {number} of {of}; shards are counted from 1/{of} to {of}/{of}."
            )),
            _ => Err(format!("--shard {text:?} is no shard; write it as i/n, from 1/n to n/n.")),
        }
    }

    /// Whether a run belongs to it.
    pub fn has(self, index: u64) -> bool {
        index % self.of == self.number - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sweep(base: &str, axes: &[&str]) -> Result<Sweep, String> {
        let axes = axes.iter().map(|text| Axis::parse(text)).collect::<Result<Vec<_>, _>>()?;
        Sweep::new(Scenario::parse(base).0, axes)
    }

    #[test]
    fn the_last_axis_is_the_fastest() {
        let sweep = sweep("load=0.5", &["release=4.19,6.6", "seed=1..2/2"]).unwrap();
        let links: Vec<_> = (0..sweep.len()).map(|i| sweep.point(i).scenario.fragment()).collect();
        let expected =
            ["release=4.19&load=0.5", "release=4.19&load=0.5&seed=2", "load=0.5", "load=0.5&seed=2"];
        assert_eq!(links, expected);
        assert_eq!(sweep.point(1).settings[0], ("release".to_owned(), "4.19".to_owned()));
    }

    #[test]
    fn policies_go_by_name_or_expression() {
        let sweep = sweep("", &["policy=4.19,6.6,min(avg_idle,1)"]).unwrap();
        let links: Vec<_> = (0..sweep.len()).map(|i| sweep.point(i).scenario.fragment()).collect();
        assert_eq!(links, ["newidle_gate=migration_cost", "", "newidle_policy=min(avg_idle,1)"]);
    }

    #[test]
    fn a_sweep_of_nothing_is_one_run() {
        assert_eq!(sweep("", &[]).unwrap().len(), 1);
    }

    #[test]
    fn slips_are_told_before_anything_is_run() {
        for (axes, part) in [
            (vec!["laod=1,2"], "laod=1 is not a key. Did you mean load?"),
            (vec!["release=6.6,6.5"], "release=6.5 is none of"),
            (vec!["load=0.5,3"], "load=3 is above the largest value."),
            (vec!["hogs.max=1,2"], "belongs to workload=hogs"),
            (vec!["policy=4.19,4.20"], "newidle_policy cannot be 4.20: at column 2"),
            (vec!["seed=1,2", "seed=3"], "seed varies twice"),
            (
                vec!["seed=1..1000/1000", "load=0..1/1000"],
                "This sweep has 1000000 runs; 100000 are the most.",
            ),
        ] {
            let sentence = sweep("", &axes).unwrap_err();
            assert!(sentence.contains(part), "{axes:?}: {sentence}");
        }
    }

    #[test]
    fn shards_that_are_none_are_refused() {
        for text in ["0/4", "5/4", "1/0", "0/0", "1", "/", "a/b", "-1/4", "1/99999999999999999999"] {
            assert!(Shard::parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_run_is_in_one_shard(of in 1_u64..40, index in 0_u64..1_000) {
            let shards = (1..=of).map(|i| Shard::parse(&format!("{i}/{of}")).unwrap());
            prop_assert_eq!(shards.filter(|shard| shard.has(index)).count(), 1);
        }
    }
}
