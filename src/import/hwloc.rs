//! hwloc's XML, versions 1 to 3: the tree of objects becomes one row a CPU.

use super::Kind;
use super::found::{CpuRow, Found, L1D, L2, NodeRow, cache_index};
use super::hwloc_numa::{self, NumaNode};
use super::lists::{MAX_CPUS, MAX_NODES, parse_mask, too_many};
use super::notes::{Notes, named};
use super::table::shown_name;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeMap;

/// More XML nodes than the largest machine needs, and few enough to hold in memory.
const MAX_XML_NODES: u32 = 1_000_000;
/// More attributes than any element of hwloc's has; checking them for doubles takes the square of their number.
const MAX_ATTRIBUTES: usize = 256;

/// Reads a whole XML text that begins on line `line`. An error is a sentence with its line.
pub(super) fn read(text: &str, line: usize, notes: &mut Notes) -> Result<Found, (usize, String)> {
    if text.contains("<!ENTITY") {
        return Err((line, "This XML defines entities, which hwloc never does; it was not read.".to_owned()));
    }
    if let Some(at) = overlong(text) {
        let at = line + text[..at].matches('\n').count();
        return Err((
            at,
            format!("An element here has more than {MAX_ATTRIBUTES} attributes; hwloc's have few."),
        ));
    }
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_XML_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| broken(&error, text, line))?;
    let root = document.root_element();
    match root.tag_name().name() {
        "topology" => {}
        "topologydiff" => {
            return Err((line, "This is hwloc's difference of two topologies, not a topology.".to_owned()));
        }
        other => {
            let other = super::lists::shown(other);
            return Err((line, format!("This XML is not hwloc's: its outermost element is <{other}>.")));
        }
    }
    let breaks = text.match_indices('\n').map(|(at, _)| at).collect();
    Reader { breaks, line, notes }.read(root)
}

/// Where and why XML is unreadable. The parser's words end in a place that counts from the beginning of the XML.
fn broken(error: &roxmltree::Error, text: &str, line: usize) -> (usize, String) {
    use roxmltree::Error;
    if matches!(error, Error::UnclosedRootNode | Error::UnexpectedEndOfStream) {
        let last = line + text.trim_end().matches('\n').count();
        return (last, "The XML is cut off: it ends here before it is complete.".to_owned());
    }
    let words = error.to_string();
    let words = match words.rsplit_once(" at ") {
        Some((words, place)) if place.chars().all(|c| c.is_ascii_digit() || c == ':') => words,
        _ => words.as_str(),
    };
    (line + (error.pos().row as usize).saturating_sub(1), format!("The XML is broken: {words}."))
}

/// Where an element with too many attributes is. A `<` cannot stand inside a tag.
fn overlong(text: &str) -> Option<usize> {
    let mut equals = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => equals = 0,
            b'=' => equals += 1,
            _ => {}
        }
        if equals > MAX_ATTRIBUTES {
            return Some(at);
        }
    }
    None
}

/// What reading the tree needs everywhere.
pub(super) struct Reader<'a> {
    /// Where the lines of the XML end.
    breaks: Vec<usize>,
    line: usize,
    pub(super) notes: &'a mut Notes,
}

/// What the ancestors of an object say about the CPUs below it.
#[derive(Clone, Default)]
struct Above {
    row: CpuRow,
    /// The NUMA node whose content this is, in version 1.
    node: Option<u32>,
}

impl Reader<'_> {
    /// The line of an element in the whole text.
    pub(super) fn at(&self, node: Node<'_, '_>) -> usize {
        self.line + self.breaks.partition_point(|at| *at < node.range().start)
    }

    /// Reads a mask attribute; `None` if it is missing or cannot be read, which is noted.
    pub(super) fn mask(&mut self, node: Node<'_, '_>, name: &str) -> Option<Vec<u32>> {
        let text = node.attribute(name)?;
        match parse_mask(text, "CPUs", MAX_CPUS) {
            Ok(cpus) => Some(cpus),
            Err(sentence) => {
                self.notes.warn(self.at(node), format!("The {name} here was left out: {sentence}"));
                None
            }
        }
    }

    fn read(mut self, root: Node<'_, '_>) -> Result<Found, (usize, String)> {
        let mut found = Found::new(Kind::Hwloc, self.line);
        found.hwloc_version = root.attribute("version").map(str::to_owned);
        let mut rows = BTreeMap::new();
        let mut numa = Vec::new();
        self.objects(root, &mut rows, &mut numa, &mut found)?;
        if rows.is_empty() {
            return Err((self.line, "This hwloc XML holds no CPU: it has no object of type PU.".to_owned()));
        }
        self.offline(root, &mut rows, &mut found);
        hwloc_numa::assign(&numa, &mut rows, self.notes);
        for node in &numa {
            let online = rows.values().filter(|r| r.online != Some(false));
            let cpus = online.filter(|r| r.node == Some(node.id)).map(|r| r.cpu).collect();
            found.nodes.insert(node.id, NodeRow { cpus: Some(cpus) });
        }
        found.distances = self.distances(root, &numa);
        self.cpu_kinds(root, &mut rows, &mut found);
        infos(root, &mut found);
        found.rows = rows.into_values().collect();
        Ok(found)
    }

    /// Walks the objects in the order of the text. Sharing numbers count the objects that are shared.
    fn objects(
        &mut self,
        root: Node<'_, '_>,
        rows: &mut BTreeMap<u32, CpuRow>,
        numa: &mut Vec<NumaNode>,
        found: &mut Found,
    ) -> Result<(), (usize, String)> {
        let mut next = 0;
        let mut todo: Vec<(Node<'_, '_>, Above)> = push_children(root, &Above::default());
        while let Some((object, mut above)) = todo.pop() {
            let id = next;
            next += 1;
            match object.attribute("type").unwrap_or_default() {
                "PU" => self.pu(object, &above, rows)?,
                "NUMANode" | "Node" => {
                    if let Some(node) = self.numa_node(object) {
                        above.node = Some(node.id);
                        numa.push(node);
                    }
                }
                "Package" | "Socket" => above.row.package = Some(id),
                "Core" => (above.row.core, above.row.core_is_unique) = (Some(id), true),
                "Group" if object.attribute("subtype") == Some("Cluster") => above.row.cluster = Some(id),
                kind => {
                    if let Some(level) = cache_level(kind, object) {
                        above.row.caches[level] = Some(id);
                        found.cache_counts[level] = Some(None);
                    }
                }
            }
            todo.extend(push_children(object, &above));
        }
        Ok(())
    }

    fn pu(
        &mut self,
        object: Node<'_, '_>,
        above: &Above,
        rows: &mut BTreeMap<u32, CpuRow>,
    ) -> Result<(), (usize, String)> {
        let line = self.at(object);
        let Some(cpu) = object.attribute("os_index").and_then(|n| n.parse::<u32>().ok()) else {
            self.notes.warn(line, "This PU has no readable os_index; it was left out.");
            return Ok(());
        };
        if cpu >= MAX_CPUS {
            return Err((line, too_many("CPUs", MAX_CPUS)));
        }
        if let Some(first) = rows.get(&cpu) {
            let text = format!("CPU {cpu} was on line {} already; that one stands.", first.line);
            self.notes.warn(line, text);
            return Ok(());
        }
        let row = CpuRow { line, cpu, node: above.node, ..above.row.clone() };
        rows.insert(cpu, row);
        Ok(())
    }

    fn numa_node(&mut self, object: Node<'_, '_>) -> Option<NumaNode> {
        let line = self.at(object);
        let Some(id) = object.attribute("os_index").and_then(|n| n.parse::<u32>().ok()) else {
            self.notes.warn(line, "This NUMA node has no readable os_index; it was left out.");
            return None;
        };
        if id >= MAX_NODES {
            let text = format!("Node {id} was left out: Linux has at most {MAX_NODES} nodes.");
            self.notes.warn(line, text);
            return None;
        }
        let cpus = self.mask(object, "cpuset").unwrap_or_default();
        let gp_index = object.attribute("gp_index").and_then(|n| n.parse().ok());
        let special = object.attribute("subtype").is_some_and(|s| s != "DRAM");
        Some(NumaNode { id, gp_index, cpus, special })
    }

    /// CPUs that the outermost object knows and that are offline or not allowed.
    fn offline(&mut self, root: Node<'_, '_>, rows: &mut BTreeMap<u32, CpuRow>, found: &mut Found) {
        let Some(machine) = root.children().find(|n| n.has_tag_name("object")) else { return };
        if let Some(online) = self.mask(machine, "online_cpuset") {
            for row in rows.values_mut().filter(|row| online.binary_search(&row.cpu).is_err()) {
                row.online = Some(false);
            }
        }
        let complete = self.mask(machine, "complete_cpuset").unwrap_or_default();
        let hidden: Vec<u32> = complete.into_iter().filter(|cpu| !rows.contains_key(cpu)).collect();
        if !hidden.is_empty() {
            let text = format!(
                "The file names {} and does not describe them: offline or not allowed.",
                named("CPU", &hidden)
            );
            self.notes.warn(self.at(machine), text);
        }
        let offline: Vec<u32> = rows.values().filter(|r| r.online == Some(false)).map(|r| r.cpu).collect();
        found.offline = (!offline.is_empty()).then_some(offline);
    }

    /// Kinds of CPUs: hwloc 2.4 and later say which are which, and what capacity Linux gives them.
    fn cpu_kinds(&mut self, root: Node<'_, '_>, rows: &mut BTreeMap<u32, CpuRow>, found: &mut Found) {
        let mut types = Vec::new();
        for kind in root.descendants().filter(|n| n.has_tag_name("cpukind")) {
            let Some(cpus) = self.mask(kind, "cpuset") else { continue };
            let capacity = info(kind, "LinuxCapacity").and_then(|v| v.parse().ok());
            let max_khz = info(kind, "FrequencyMaxMHz").and_then(super::table::khz);
            types.extend(info(kind, "CoreType"));
            for cpu in cpus {
                if let Some(row) = rows.get_mut(&cpu) {
                    row.capacity = capacity.filter(|c| (1..=1024).contains(c)).or(row.capacity);
                    row.max_khz = max_khz.or(row.max_khz);
                }
            }
        }
        found.hybrid = Some(types.contains(&"IntelAtom") && types.contains(&"IntelCore")).filter(|h| *h);
    }
}

/// The objects directly inside, last first, so that a stack pops them in order.
fn push_children<'a, 'd>(node: Node<'a, 'd>, above: &Above) -> Vec<(Node<'a, 'd>, Above)> {
    let inside = node.children().filter(|n| n.has_tag_name("object"));
    let mut children: Vec<_> = inside.map(|n| (n, above.clone())).collect();
    children.reverse();
    children
}

/// Which cache an object is: `L2Cache` since version 2, `Cache` with a depth before. Instruction caches do not
/// matter to the scheduler.
fn cache_level(kind: &str, object: Node<'_, '_>) -> Option<usize> {
    let level = match kind {
        "Cache" => {
            if object.attribute("cache_type") == Some("2") {
                return None;
            }
            object.attribute("depth")?
        }
        _ => kind.strip_prefix('L')?.strip_suffix("Cache")?,
    };
    match level {
        "1" => Some(L1D),
        "2" => Some(L2),
        "3" | "4" => cache_index(&format!("L{level}")),
        _ => None,
    }
}

/// The value of an `<info>` directly inside.
fn info<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.children()
        .find(|n| n.has_tag_name("info") && n.attribute("name") == Some(name))
        .and_then(|n| n.attribute("value"))
}

/// What the file says about the make of the machine.
fn infos(root: Node<'_, '_>, found: &mut Found) {
    for node in root.descendants().filter(|n| n.has_tag_name("info")) {
        let (Some(name), Some(value)) = (node.attribute("name"), node.attribute("value")) else { continue };
        let value = shown_name(value);
        match name {
            "Architecture" => found.architecture = found.architecture.take().or(Some(value)),
            "CPUVendor" => found.vendor = found.vendor.take().or(Some(value)),
            "CPUFamilyNumber" => found.family = found.family.or(value.parse().ok()),
            "CPUModel"
                if found.models.len() < 8 && found.models.iter().all(|m| m.name.as_ref() != Some(&value)) =>
            {
                found.models.push(super::found::Model { name: Some(value), ..Default::default() });
            }
            _ => {}
        }
    }
}
