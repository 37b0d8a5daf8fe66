//! NUMA nodes and distances of hwloc's XML.

use super::found::{CpuRow, Distances};
use super::hwloc::Reader;
use super::lists::{MAX_NODES, shown};
use super::notes::{Notes, count, named};
use roxmltree::Node;
use std::collections::BTreeMap;

/// A NUMA node object.
pub(super) struct NumaNode {
    pub(super) id: u32,
    pub(super) gp_index: Option<u64>,
    /// CPUs inside it (version 1) or near it (since version 2).
    pub(super) cpus: Vec<u32>,
    /// Memory that is not the CPUs' own: MCDRAM, HBM, graphics cards, …
    pub(super) special: bool,
}

/// Gives each CPU that has no node yet the nearest: since version 2 a node's cpuset names the CPUs near it, and
/// nodes without CPUs of their own share theirs with a node that has them.
pub(super) fn assign(numa: &[NumaNode], rows: &mut BTreeMap<u32, CpuRow>, notes: &mut Notes) {
    let mut order: Vec<&NumaNode> = numa.iter().filter(|n| !n.cpus.is_empty()).collect();
    order.sort_by_key(|n| (n.special, n.cpus.len(), n.id));
    let mut passed_over = Vec::new();
    for node in order {
        let mut taken = 0;
        for cpu in &node.cpus {
            match rows.get_mut(cpu) {
                Some(row) if row.node.is_none() => row.node = Some(node.id),
                Some(row) if row.node != Some(node.id) => taken += 1,
                _ => {}
            }
        }
        if taken > 0 && !rows.values().any(|r| r.node == Some(node.id)) {
            passed_over.push(node.id);
        }
    }
    if !passed_over.is_empty() {
        passed_over.sort_unstable();
        notes.assume(format!(
            "{} taken to have no CPUs: every CPU near by was given to another node near it (ordinary memory first, \
             then fewer CPUs, then the lower number)",
            named("node", &passed_over)
        ));
    }
}

impl Reader<'_> {
    /// The matrix of latencies between NUMA nodes, if the file has one that can be used.
    pub(super) fn distances(&mut self, root: Node<'_, '_>, numa: &[NumaNode]) -> Option<Distances> {
        for node in root.descendants().filter(Node::is_element) {
            let read = match node.tag_name().name() {
                "distances" => self.version_1(node, numa),
                "distances2" => self.version_2(node, numa),
                _ => continue,
            };
            match read {
                Ok(Some(distances)) => return Some(distances),
                Ok(None) => {}
                Err(sentence) => {
                    self.notes.warn(self.at(node), format!("{sentence} The distances were not used."))
                }
            }
        }
        None
    }

    /// `<distances nbobjs relative_depth latency_base>` with nbobjs² values relative to the base, in the order
    /// in which the nodes stand in the file.
    fn version_1(&mut self, node: Node<'_, '_>, numa: &[NumaNode]) -> Result<Option<Distances>, String> {
        let n = objects(node)?;
        let base = number(node.attribute("latency_base").unwrap_or("1"))?;
        let inside = node.parent().map_or(0, |p| {
            let types = p.descendants().filter(|d| d.has_tag_name("object"));
            types.filter(|d| matches!(d.attribute("type"), Some("NUMANode" | "Node"))).count()
        });
        // Distances between other objects (packages, say) do not reach the scheduler.
        if n != numa.len() || inside != n {
            return if inside == n || numa.len() < 2 {
                Ok(None)
            } else {
                Err(format!(
                    "It relates {} and the file has {}.",
                    count(n, "object"),
                    count(numa.len(), "NUMA node")
                ))
            };
        }
        let values = node.children().filter(|c| c.has_tag_name("latency"));
        let values = values
            .take(n * n + 1)
            .map(|v| number(v.attribute("value").unwrap_or_default()).map(|v| rounded(v * base)))
            .collect::<Result<Vec<u32>, String>>()?;
        let ids = numa.iter().map(|node| node.id).collect();
        self.square(node, ids, &values).map(Some)
    }

    /// `<distances2 type="NUMANode" kind indexing>` with lists of node numbers and of values.
    fn version_2(&mut self, node: Node<'_, '_>, numa: &[NumaNode]) -> Result<Option<Distances>, String> {
        // Bit 4 of kind: latencies. Bit 8: bandwidths, which the scheduler does not see.
        let kind = node.attribute("kind").and_then(|k| k.parse::<u64>().ok()).unwrap_or(4);
        if node.attribute("type") != Some("NUMANode") || kind & 4 == 0 {
            return Ok(None);
        }
        let n = objects(node)?;
        let by_gp = node.attribute("indexing") == Some("gp");
        let mut ids = Vec::new();
        for index in words(node, "indexes").take(n + 1) {
            let index: u64 = index.parse().map_err(|_| format!("“{}” is not an index.", shown(index)))?;
            let found = numa
                .iter()
                .find(|node| if by_gp { node.gp_index == Some(index) } else { u64::from(node.id) == index });
            ids.push(found.ok_or(format!("It names NUMA node {index}, which the file does not have."))?.id);
        }
        if ids.len() != n {
            return Err(format!("It announces {} and lists {}.", count(n, "object"), ids.len()));
        }
        let values = words(node, "u64values")
            .take(n * n + 1)
            .map(|v| v.parse().map_err(|_| format!("“{}” is not a distance.", shown(v))))
            .collect::<Result<Vec<u32>, String>>()?;
        self.square(node, ids, &values).map(Some)
    }

    fn square(&self, node: Node<'_, '_>, ids: Vec<u32>, values: &[u32]) -> Result<Distances, String> {
        let n = ids.len();
        if values.len() != n * n {
            let have = if values.len() > n * n { "more".to_owned() } else { values.len().to_string() };
            return Err(format!(
                "The distance matrix is not square: {n} nodes need {} values, it has {have}.",
                n * n
            ));
        }
        Ok(Distances { line: self.at(node), ids, rows: values.chunks(n).map(<[u32]>::to_vec).collect() })
    }
}

fn objects(node: Node<'_, '_>) -> Result<usize, String> {
    let n = node.attribute("nbobjs").and_then(|n| n.parse::<u32>().ok());
    let n = n.filter(|n| (1..=MAX_NODES).contains(n));
    n.map(|n| n as usize).ok_or("It does not say how many objects it relates.".to_owned())
}

/// The words of all chunks of that name.
fn words<'a>(node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = &'a str> {
    let chunks = node.children().filter(move |c| c.has_tag_name(name));
    chunks.filter_map(|c| c.text()).flat_map(str::split_whitespace)
}

fn number(text: &str) -> Result<f64, String> {
    let bad = || format!("“{}” is not a distance.", shown(text));
    text.trim().parse::<f64>().ok().filter(|v| v.is_finite() && *v >= 0.0).ok_or_else(bad)
}

/// Version 1 stores distances as fractions of the base with six digits.
fn rounded(value: f64) -> u32 {
    (value + 0.5) as u32
}
