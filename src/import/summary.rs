//! The summary of `lscpu`, in lines of `key: value` or as JSON.

use super::Kind;
use super::found::{Found, Model, cache_index};
use super::lists::{MAX_CPUS, MAX_NODES, parse_list};
use super::notes::Notes;
use super::table::shown_name;

/// A key of the summary that is needed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Architecture,
    Vendor,
    Family,
    ModelNumber,
    ModelName,
    Cpus,
    Online,
    Offline,
    Threads,
    Cores,
    Sockets,
    Clusters,
    Nodes,
    NodeCpus(u32),
    Cache(usize),
    /// One of lscpu's that is not needed.
    Known,
}

/// Keys in the languages that lscpu speaks most; compared in lower case.
const KEYS: [(Key, &[&str]); 13] = [
    (
        Key::Architecture,
        &[
            "architecture",
            "architektur",
            "arquitectura",
            "arquitetura",
            "architektura",
            "архитектура",
            "架构",
            "アーキテクチャ",
        ],
    ),
    (
        Key::Vendor,
        &[
            "vendor id",
            "anbieterkennung",
            "identifiant constructeur",
            "id de fabricante",
            "id de fornecedor",
            "厂商 id",
            "ベンダー id",
        ],
    ),
    (
        Key::Family,
        &[
            "cpu family",
            "prozessorfamilie",
            "famille de processeur",
            "familia de cpu",
            "cpu 系列",
            "cpu ファミリー",
        ],
    ),
    (Key::ModelNumber, &["model", "modell", "modèle", "modelo", "型号", "モデル"]),
    (
        Key::ModelName,
        &[
            "model name",
            "modellname",
            "nom de modèle",
            "nombre del modelo",
            "nome do modelo",
            "nazwa modelu",
            "имя модели",
            "型号名称",
            "モデル名",
        ],
    ),
    (Key::Cpus, &["cpu(s)", "processeur(s)", BARE_CPU]),
    (
        Key::Online,
        &[
            "on-line cpu(s) list",
            "on-line cpu(s) mask",
            "liste der online-cpu(s)",
            "liste de processeur(s) en ligne",
            "lista de la(s) cpu(s) en línea",
            "lista de cpu(s) on-line",
            "lista aktywnych cpu",
            "在线 cpu 列表",
            "オンラインになっている cpu のリスト",
        ],
    ),
    (Key::Offline, &["off-line cpu(s) list", "off-line cpu(s) mask", "liste der offline-cpu(s)"]),
    (
        Key::Threads,
        &[
            "thread(s) per core",
            "thread(s) pro kern",
            "thread(s) par cœur",
            "hilo(s) de procesamiento por núcleo",
            "thread(s) per núcleo",
            "wątków na rdzeń",
            "потоков на ядро",
            "每个核的线程数",
            "コアあたりのスレッド数",
        ],
    ),
    (
        Key::Cores,
        &[
            "core(s) per socket",
            "core(s) per cluster",
            "kern(e) pro socket",
            "cœur(s) par socket",
            "núcleo(s) por «socket»",
            "núcleo(s) por soquete",
            "rdzeni na gniazdo",
            "ядер на сокет",
            "每个座的核数",
            "ソケットあたりのコア数",
        ],
    ),
    (
        Key::Sockets,
        &[
            "socket(s)",
            "cpu socket(s)",
            "sockel",
            "«socket(s)»",
            "soquete(s)",
            "gniazd",
            "сокетов",
            "座",
            "ソケット数",
        ],
    ),
    (Key::Clusters, &["cluster(s)"]),
    (
        Key::Nodes,
        &[
            "numa node(s)",
            "numa-knoten",
            "nœud(s) numa",
            "modo(s) numa",
            "nó(s) de numa",
            "węzłów numa",
            "numa 节点",
            "numa ノード数",
        ],
    ),
];

/// How some languages call the number of CPUs.
const BARE_CPU: &str = "cpu";

/// What stands before the number of a node.
const NODE_HEADS: [&str; 8] = [
    "numa node",
    "numa-knoten",
    "nœud numa",
    "cpu(s) del nodo numa",
    "cpu(s) de nó numa",
    "procesory węzła numa",
    "numa 节点",
    "numa ノード",
];

/// Keys that tell the summary from any other text in lines of `key: value`.
const OTHER_KEYS: [&str; 25] = [
    "cpu op-mode(s)",
    "address sizes",
    "byte order",
    "stepping",
    "bogomips",
    "flags",
    "virtualization",
    "virtualization features",
    "virtualization type",
    "hypervisor vendor",
    "caches (sum of all)",
    "numa",
    "vulnerabilities",
    "cpu max mhz",
    "cpu min mhz",
    "cpu mhz",
    "cpu(s) scaling mhz",
    "cpu dynamic mhz",
    "cpu static mhz",
    "frequency boost",
    "bios model name",
    "bios vendor id",
    "bios cpu family",
    "machine type",
    "dispatching mode",
];

fn key(name: &str) -> Option<Key> {
    // /proc/cpuinfo has some of the same keys in lower case.
    let name = name.trim();
    if name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return None;
    }
    let name = name.to_lowercase();
    if let Some((key, _)) = KEYS.iter().find(|(_, names)| names.contains(&name.as_str())) {
        return Some(*key);
    }
    if let Some(node) = node_of(&name) {
        return Some(Key::NodeCpus(node));
    }
    let after = [" cache", " 缓存", " キャッシュ"].iter().find_map(|word| name.strip_suffix(word));
    let before = ["cache ", "caché ", "pamięć podręczna "].iter().find_map(|word| name.strip_prefix(word));
    let cache = after.or(before).unwrap_or(&name);
    if let Some(level) = cache_index(cache) {
        return Some(Key::Cache(level));
    }
    let other = OTHER_KEYS.contains(&name.as_str()) || name.starts_with("vulnerability ");
    other.then_some(Key::Known)
}

/// `numa node0 cpu(s)`, `numa-knoten0 cpu(s)`, `numa node0 cpu mask`.
fn node_of(name: &str) -> Option<u32> {
    let rest = NODE_HEADS.iter().find_map(|head| name.strip_prefix(head))?;
    let rest = rest.trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

/// Splits a line at its first colon, if the key is one of lscpu's.
fn split(line: &str) -> Option<(Key, &str)> {
    let (name, value) = line.split_once([':', '：'])?;
    let value = value.trim();
    // Other listings have a word of the same name.
    let bare = name.trim().eq_ignore_ascii_case(BARE_CPU);
    if name.len() > 100 || (bare && (value.is_empty() || !value.bytes().all(|b| b.is_ascii_digit()))) {
        return None;
    }
    key(name).map(|k| (k, value))
}

/// Whether the line is one of a summary's.
pub(super) fn is_line(line: &str) -> bool {
    split(line).is_some()
}

/// Whether a line within a summary can be one that lscpu has under another name: vulnerabilities, say.
fn is_pair(line: &str) -> bool {
    let line = line.trim();
    let wide = line.find('：').is_some_and(|at| at < 60);
    wide || (line.starts_with(char::is_uppercase) && line.find(':').is_some_and(|at| at < 60))
}

/// A summary while it is being read.
pub(super) struct Summary {
    found: Found,
    model: Model,
    /// Lines that said something needed.
    lines: usize,
}

impl Summary {
    /// A summary that begins on that line.
    pub(super) fn new(kind: Kind, line: usize) -> Self {
        Self { found: Found::new(kind, line), model: Model::default(), lines: 0 }
    }

    /// Whether another machine's summary begins here: some keys come once.
    pub(super) fn restarts(&self, line: &str) -> bool {
        match split(line) {
            Some((Key::Cpus, _)) => self.found.cpu_count.is_some(),
            Some((Key::Architecture, _)) => self.lines > 0,
            _ => false,
        }
    }

    /// Reads a line; false if it is none of a summary's.
    pub(super) fn line(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        let Some((key, value)) = split(text) else { return is_pair(text) };
        self.lines += usize::from(key != Key::Known);
        self.take(key, value, no, notes);
        true
    }

    /// Reads a field of JSON; a key may end in a colon. False if it is none of lscpu's.
    pub(super) fn field(&mut self, no: usize, name: &str, value: &str, notes: &mut Notes) -> bool {
        let Some(key) = key(name.trim().trim_end_matches(':')) else { return false };
        self.lines += usize::from(key != Key::Known);
        self.take(key, value.trim(), no, notes);
        true
    }

    fn take(&mut self, key: Key, value: &str, no: usize, notes: &mut Notes) {
        let found = &mut self.found;
        match key {
            Key::Architecture => found.architecture = text(value),
            Key::Vendor => found.vendor = found.vendor.take().or(text(value)),
            Key::Family => found.family = found.family.or(value.parse().ok()),
            Key::ModelNumber => found.model = found.model.or(value.parse().ok()),
            Key::ModelName => {
                if self.model.name.is_some() {
                    found.models.push(std::mem::take(&mut self.model));
                }
                self.model.name = text(value).map(|name| shown_name(&name));
            }
            Key::Threads => self.model.threads_per_core = number(value, no, notes),
            Key::Cores => self.model.cores_per_socket = number(value, no, notes),
            Key::Sockets => self.model.sockets = number(value, no, notes),
            Key::Clusters => self.model.clusters = number(value, no, notes),
            Key::Cpus => found.cpu_count = number(value, no, notes),
            Key::Nodes => found.node_count = number(value, no, notes),
            Key::Online => found.online = list(value, no, notes),
            Key::Offline => found.offline = list(value, no, notes),
            Key::NodeCpus(node) if node >= MAX_NODES => {
                notes.warn(no, format!("Node {node} was left out: Linux has at most {MAX_NODES} nodes."));
            }
            Key::NodeCpus(node) => {
                // A node without CPUs has nothing behind the colon, or a dash.
                let cpus = if text(value).is_none() { Some(Vec::new()) } else { list(value, no, notes) };
                let row = found.nodes.entry(node).or_default();
                if row.cpus.is_some() {
                    notes.warn(no, format!("Node {node} was listed before; the first list stands."));
                } else {
                    row.cpus = cpus;
                }
            }
            Key::Cache(level) => found.cache_counts[level] = Some(instances(value)),
            Key::Known => {}
        }
    }

    /// The finished summary; `None` if it says nothing that is needed here.
    pub(super) fn finish(mut self) -> Option<Found> {
        if self.model != Model::default() {
            self.found.models.push(self.model);
        }
        (self.lines > 0).then_some(self.found)
    }
}

/// Empty and `-` both mean unknown.
fn text(value: &str) -> Option<String> {
    (!value.is_empty() && value != "-").then(|| value.chars().take(200).collect())
}

fn number(value: &str, no: usize, notes: &mut Notes) -> Option<u32> {
    let value = text(value)?;
    let number = value.parse().ok();
    if number.is_none() {
        notes.warn(no, format!("“{}” is not a number; it was left out.", super::lists::shown(&value)));
    }
    number
}

fn list(value: &str, no: usize, notes: &mut Notes) -> Option<Vec<u32>> {
    match parse_list(value, "CPUs", MAX_CPUS) {
        Ok(cpus) => Some(cpus),
        Err(sentence) => {
            notes.warn(no, format!("This list of CPUs was left out: {sentence}"));
            None
        }
    }
}

/// `1 MiB (32 instances)`; older releases print the size of one cache and no count.
fn instances(value: &str) -> Option<u32> {
    let (_, rest) = value.split_once('(')?;
    rest.split(|c: char| !c.is_ascii_digit()).find(|d| !d.is_empty())?.parse().ok().filter(|n| *n > 0)
}
