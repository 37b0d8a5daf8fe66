//! Runnable tasks over time in lanes: a CPU each, or where there are many, a last-level cache or a node.

use crate::scene::Scene;
use balancescope::observe::Frame;
use std::collections::VecDeque;

/// Columns of the strip: ten seconds at ten a second.
pub const COLUMNS: usize = 100;
/// Columns that are kept, for when the run goes back.
const KEPT: usize = 6 * COLUMNS;
/// More lanes than this cannot be told apart.
const MOST: usize = 64;
/// Fewer lanes than this say little.
const FEWEST: usize = 4;

/// The lanes of a scene and what they showed lately.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes {
    names: Vec<String>,
    what: &'static str,
    /// Lane of every CPU.
    lane_of: Vec<usize>,
    /// CPUs of every lane.
    sizes: Vec<u32>,
    columns: VecDeque<Vec<u8>>,
    /// When each column was, simulated ns.
    times: VecDeque<u64>,
}

/// Neighbouring columns of a lane with one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// From the top.
    pub lane: usize,
    /// First column, from the oldest.
    pub from: usize,
    /// The column after the last.
    pub to: usize,
}

/// Lane of every CPU when those with the same key share one, and how many lanes there are.
fn group(keys: impl Iterator<Item = u32>) -> (Vec<usize>, Vec<u32>) {
    let mut seen: Vec<u32> = Vec::new();
    let lanes = keys.map(|key| {
        seen.iter().position(|k| *k == key).unwrap_or_else(|| {
            seen.push(key);
            seen.len() - 1
        })
    });
    let lane_of = lanes.collect();
    (lane_of, seen)
}

impl Lanes {
    /// The finest lanes that can be told apart.
    pub fn of(scene: &Scene) -> Self {
        let cpus = &scene.machine.cpus;
        let nodes = &scene.machine.nodes;
        let (by_cpu, ids) = group(cpus.iter().map(|c| c.id));
        let (by_core, cores) = group(cpus.iter().map(|c| c.core));
        let (by_llc, llcs) = group(cpus.iter().map(|c| c.llc));
        let (by_node, node_keys) = group(cpus.iter().map(|c| c.node));
        let chunk = cpus.len().div_ceil(MOST);
        let (lane_of, names, what): (Vec<usize>, Vec<String>, &str) = if ids.len() <= MOST {
            (by_cpu, ids.iter().map(|id| format!("cpu {id}")).collect(), "a lane a CPU")
        } else if cores.len() <= MOST && cores.len() < ids.len() {
            (by_core, (0..cores.len()).map(|i| format!("core {i}")).collect(), "mean of each core’s CPUs")
        } else if llcs.len() <= MOST && llcs.len() > node_keys.len() {
            (by_llc, (0..llcs.len()).map(|i| format!("LLC {i}")).collect(), "mean of each LLC’s CPUs")
        } else if node_keys.len() < FEWEST {
            // Neighbours by number share a lane: one lane for all would say little.
            let name = |first: &u32| format!("cpu {first}");
            let firsts: Vec<u32> = cpus.iter().step_by(chunk).map(|c| c.id).collect();
            let lanes = (0..cpus.len()).map(|i| i / chunk).collect();
            (lanes, firsts.iter().map(name).collect(), "mean of neighbouring CPUs")
        } else {
            let name = |n: &u32| format!("node {}", nodes.get(*n as usize).map_or(*n, |n| n.id));
            (by_node, node_keys.iter().map(name).collect(), "mean of each node’s CPUs")
        };
        let mut sizes = vec![0; names.len()];
        for lane in &lane_of {
            sizes[*lane] += 1;
        }
        Self { names, what, lane_of, sizes, columns: VecDeque::new(), times: VecDeque::new() }
    }

    /// Whether these lanes are of this scene's CPUs.
    pub fn fits(&self, scene: &Scene) -> bool {
        let fresh = Self::of(scene);
        self.names == fresh.names && self.lane_of == fresh.lane_of
    }

    /// Names, top down.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What a lane is.
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// How many columns are shown.
    pub fn shown(&self) -> usize {
        self.columns.len().min(COLUMNS)
    }

    /// What is to be painted, gathered by runnable tasks a CPU, 0 to 5 and more: a colour is set once and a
    /// stretch of one colour is one rectangle.
    pub fn runs(&self) -> [Vec<Run>; 6] {
        let mut runs: [Vec<Run>; 6] = Default::default();
        for lane in 0..self.names.len() {
            let first = self.columns.len() - self.shown();
            let value = |column: usize| self.columns.get(first + column).map(|c| usize::from(c[lane]).min(5));
            let mut from = 0;
            while let Some(shown) = value(from) {
                let to = (from..).find(|c| value(*c) != Some(shown)).unwrap_or(from);
                runs[shown].push(Run { lane, from, to });
                from = to;
            }
        }
        runs
    }

    /// Adds a column. A frame of another world is left out.
    pub fn push(&mut self, frame: &Frame) {
        if frame.cpus.len() != self.lane_of.len() {
            return;
        }
        let mut sums = vec![0_u32; self.names.len()];
        for (cpu, lane) in frame.cpus.iter().zip(&self.lane_of) {
            sums[*lane] = sums[*lane].saturating_add(cpu.nr_running);
        }
        let mean = |(sum, size): (&u32, &u32)| {
            let rounded = (sum.saturating_mul(2).saturating_add(*size)) / (2 * (*size).max(1));
            u8::try_from(rounded).unwrap_or(u8::MAX)
        };
        while self.times.back().is_some_and(|last| *last > frame.now_ns) {
            self.times.pop_back();
            self.columns.pop_back();
        }
        self.columns.push_back(sums.iter().zip(&self.sizes).map(mean).collect());
        self.times.push_back(frame.now_ns);
        if self.columns.len() > KEPT {
            self.columns.pop_front();
            self.times.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use balancescope::scenario::Scenario;

    fn lanes(machine: &str) -> Lanes {
        let (scenario, _) = Scenario::parse(&format!("machine={machine}"));
        Lanes::of(&Scene::of(&scenario).expect("a grid has a tree"))
    }

    #[test]
    fn few_cpus_have_a_lane_each_and_many_share() {
        assert_eq!(lanes("2x4x2").names().len(), 16);
        assert_eq!(lanes("2x24x2").names().len(), 48);
        assert_eq!(lanes("2x96x2").names().len(), 64);
        assert_eq!(lanes("gnr-2x96x2-snc3").names().len(), 6);
    }

    #[test]
    fn every_column_of_every_lane_lies_in_one_run_of_its_value() {
        let mut lanes = lanes("1x2x1");
        for column in [[0, 1], [0, 1], [2, 9], [0, 5]] {
            lanes.columns.push_back(column.to_vec());
        }
        let of =
            |value: usize| lanes.runs()[value].iter().map(|r| (r.lane, r.from, r.to)).collect::<Vec<_>>();
        assert_eq!(of(0), [(0, 0, 2), (0, 3, 4)]);
        assert_eq!(of(1), [(1, 0, 2)]);
        assert_eq!(of(2), [(0, 2, 3)]);
        assert_eq!(of(5), [(1, 2, 4)]);
    }

    #[test]
    fn going_back_shows_again_what_was_before() {
        let mut lanes = lanes("1x2x1");
        for ns in [10, 20, 30, 15] {
            let mut frame = crate::fake::frame(ns);
            frame.cpus = vec![crate::fake::cpu(); 2];
            lanes.push(&frame);
        }
        assert_eq!(lanes.times, [10, 15]);
        assert_eq!(lanes.shown(), 2);
    }

    #[test]
    fn a_frame_of_another_machine_is_left_out() {
        let mut lanes = lanes("1x2x2");
        lanes.push(&crate::fake::frame(0));
        assert!(lanes.columns.is_empty());
    }
}
