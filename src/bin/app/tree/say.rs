//! Words and figures of the tree, for titles, cards and screen readers.

use super::plan::hit::Hit;
use super::plan::layout::{Layout, Region, level_name};
use super::plan::rates::{Rates, short, time};
use super::plan::shares::Shares;
use super::plan::walk::Spot;
use crate::scene::Scene;
use crate::units::fixed;
use balancescope::observe::{CpuFrame, Frame, Mark};
use balancescope::topology::cpu_list;

/// The kernel's number of a CPU index.
pub fn cpu_id(scene: &Scene, cpu: usize) -> u32 {
    scene.machine.cpus.get(cpu).map_or(cpu as u32, |c| c.id)
}

/// The kernel's numbers of CPU indices, as a list with en dashes: `0–7, 16–23`.
pub fn cpus(scene: &Scene, indices: impl IntoIterator<Item = usize>) -> String {
    let mut ids: Vec<usize> = Vec::new();
    for id in indices.into_iter().map(|c| cpu_id(scene, c) as usize) {
        ids.insert(ids.partition_point(|before| *before < id), id);
    }
    let word = if ids.len() == 1 { "cpu" } else { "cpus" };
    format!("{word} {}", cpu_list(ids).replace('-', "–").replace(',', ", "))
}

/// The kernel's number of a region's node.
pub fn node_id(scene: &Scene, region: &Region) -> u32 {
    scene.machine.nodes.get(region.node).map_or(region.node as u32, |n| n.id)
}

/// Title of a region, in three lengths.
pub fn region_titles(scene: &Scene, layout: &Layout, region: &Region) -> [String; 3] {
    let node = node_id(scene, region);
    let list = cpus(scene, region.cpus.iter().copied());
    let packages = layout.regions.iter().any(|r| r.package != region.package);
    let long = if packages {
        format!("node {node}, package {}, {list}", region.package)
    } else {
        format!("node {node}, {list}")
    };
    [long, format!("node {node}"), format!("{node}")]
}

/// Runnable tasks and idle CPUs of a region.
pub fn region_state(frame: &Frame, region: &Region) -> (u32, usize) {
    let states = region.cpus.iter().filter_map(|&c| frame.cpus.get(c));
    states.fold((0, 0), |(n, idle), c| (n + c.nr_running, idle + usize::from(c.nr_running == 0)))
}

/// Everything that is known, for whoever puts it into words.
pub struct Known<'a> {
    #[allow(missing_docs)]
    pub scene: &'a Scene,
    #[allow(missing_docs)]
    pub layout: &'a Layout,
    #[allow(missing_docs)]
    pub frame: Option<&'a Frame>,
    #[allow(missing_docs)]
    pub shares: &'a Shares,
    #[allow(missing_docs)]
    pub rates: &'a Rates,
}

/// A card: title, what stands at its right, and lines.
pub struct Words {
    /// What it is.
    pub title: String,
    /// Where it belongs.
    pub place: String,
    /// What is to say about it.
    pub lines: Vec<String>,
    /// The CPU whose time bar is shown.
    pub bar: Option<usize>,
}

impl Known<'_> {
    fn cpu_state(&self, cpu: usize) -> Option<&CpuFrame> {
        self.frame?.cpus.get(cpu)
    }

    /// What a card says about a thing.
    pub fn words(&self, hit: Hit) -> Words {
        match hit {
            Hit::Cpu(cpu) => self.cpu_words(cpu),
            Hit::Task { task, cpu } => self.task_words(task, cpu),
            Hit::Wire { wire, cpu } => self.wire_words(wire, cpu),
            Hit::Region(r) => self.region_words(r),
        }
    }

    fn cpu_words(&self, cpu: usize) -> Words {
        let info = self.scene.machine.cpus.get(cpu);
        let place = info.map_or(String::new(), |c| {
            let node = self.scene.machine.nodes.get(c.node as usize).map_or(c.node, |n| n.id);
            format!("core {}, node {node}", c.core)
        });
        let mut lines = Vec::new();
        if let Some(c) = self.cpu_state(cpu) {
            let waiting = c.nr_running.saturating_sub(u32::from(c.current.is_some()));
            lines.push(format!("{} runnable, {waiting} waiting", c.nr_running));
            let s = self.shares.of(cpu);
            let mut shares = format!(
                "user {}, balancing {}, idle {}",
                percent(s.user),
                percent(s.balance),
                percent(s.idle)
            );
            if s.lock >= 0.005 {
                shares += &format!(", lock {}", percent(s.lock));
            }
            lines.push(shares);
            let against = if c.avg_idle < c.gate_cost { "refuses newidle" } else { "lets newidle pass" };
            lines.push(format!("avg_idle {}, gate {}: {against}", time(c.avg_idle), time(c.gate_cost)));
        }
        if let Some(info) = info.filter(|c| c.capacity != 1024) {
            lines.push(format!("capacity {} of 1024", info.capacity));
        }
        if info.is_some_and(|c| !c.active) {
            lines.push("kept out of all domains".to_owned());
        }
        Words { title: format!("cpu {}", cpu_id(self.scene, cpu)), place, lines, bar: Some(cpu) }
    }

    fn task_words(&self, task: u32, cpu: usize) -> Words {
        let mut lines = Vec::new();
        let state = self.cpu_state(cpu);
        if let Some(mark) = state.and_then(|c| find(c, task)) {
            let runs = state.is_some_and(|c| c.current.is_some_and(|m| m.task == task));
            let heat = if mark.hot { "cache-hot" } else { "cold: may be moved" };
            lines.push(format!("{}, {heat}", if runs { "running" } else { "waiting" }));
            if mark.nice != 0 {
                lines.push(format!("nice {}", mark.nice));
            }
            if mark.pinned {
                lines.push("pinned: may not run everywhere".to_owned());
            }
            if let (Some((cause, at)), Some(frame)) = (mark.moved, self.frame) {
                let ago = time(frame.now_ns.saturating_sub(at));
                lines.push(format!("moved by {} {ago} ago", super::marks::cause_word(cause)));
            }
        }
        Words {
            title: format!("t{task}"),
            place: format!("on cpu {}", cpu_id(self.scene, cpu)),
            lines,
            bar: None,
        }
    }

    fn wire_words(&self, wire: usize, cpu: usize) -> Words {
        let w = &self.layout.wires[wire];
        let name = level_name(&self.scene.tree, w.slot);
        let seen_by = if w.region.is_some() { cpu } else { w.seen_by };
        let mut lines =
            vec![format!("{} CPUs: {}", w.cpus.len(), shorten(&cpus(self.scene, w.cpus.iter().copied())))];
        if let Some(d) = super::plan::lanes::domain(&self.scene.tree, seen_by, w.slot) {
            let groups = d.groups.len();
            if groups > 0 {
                lines.push(format!("{groups} groups, every {} to {} ms", d.min_interval, d.max_interval));
                lines.push(format!("imbalance_pct {}, busy_factor {}", d.imbalance_pct, d.busy_factor));
            }
        }
        if let Some(rate) = self.rates.of(self.layout, wire) {
            lines.push(format!("{} balance calls a second", short(rate)));
        }
        Words {
            title: format!("{name} domain"),
            place: format!("as cpu {} sees it", cpu_id(self.scene, seen_by)),
            lines,
            bar: None,
        }
    }

    fn region_words(&self, region: usize) -> Words {
        let r = &self.layout.regions[region];
        let mut lines = vec![shorten(&cpus(self.scene, r.cpus.iter().copied()))];
        if let Some(frame) = self.frame {
            let (runnable, idle) = region_state(frame, r);
            lines.push(format!("{runnable} runnable, {idle} idle"));
        }
        let to = self.scene.machine.distances.get(r.node);
        let far: Vec<String> = to.into_iter().flatten().map(u32::to_string).collect();
        if far.len() > 1 && far.len() <= 16 {
            lines.push(format!("distances {}", far.join(" ")));
        }
        let node = node_id(self.scene, r);
        Words { title: format!("node {node}"), place: format!("package {}", r.package), lines, bar: None }
    }

    /// What a screen reader says about a place of the keyboard.
    pub fn spoken(&self, spot: Spot) -> String {
        let words = match spot {
            Spot::Cpu(cpu) => self.cpu_words(cpu),
            Spot::Domain { cpu, slot } => match self.layout.wire_of(cpu, slot) {
                Some(wire) => self.wire_words(wire, cpu),
                None => return level_name(&self.scene.tree, slot).to_owned(),
            },
        };
        format!("{}, {}. {}", words.title, words.place, words.lines.join(". "))
    }
}

fn find(c: &CpuFrame, task: u32) -> Option<Mark> {
    c.current.into_iter().chain(c.queue.iter().copied()).find(|m| m.task == task)
}

/// A share of one as per cent.
fn percent(share: f64) -> String {
    let p = share * 100.0;
    let places = if p > 0.0 && p < 0.95 { 1 } else { 0 };
    format!("{} %", fixed(p, places))
}

/// A list that fits on a line.
fn shorten(list: &str) -> String {
    const MOST: usize = 44;
    if list.chars().count() <= MOST {
        return list.to_owned();
    }
    list.chars().take(MOST - 1).chain(['…']).collect()
}
