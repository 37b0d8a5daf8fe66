//! A whole machine inside a link: columns of small numbers, deflated, base64url.
//!
//! The packed form is its own record, apart from [`Machine`], so that a change of that type leaves old links
//! readable. A change of the record itself is a new first byte, and the old one stays.

use crate::topology::{Cpu, Machine, Node};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Marks a packed machine among the values of `machine`.
pub(super) const MARK: &str = "z:";

/// First byte of the packed bytes.
const FORMAT: u8 = 1;

/// A packed machine may not unpack to more than this, whatever its bytes claim.
const LARGEST: usize = 4 << 20;

/// Longest name of a machine in a link, in characters; a longer one is cut.
const LONGEST_NAME: usize = 80;

/// One column per field. Numbers that climb from CPU to CPU are kept as steps, which deflate well.
#[derive(Serialize, Deserialize)]
struct Record {
    name: String,
    ids: Vec<i64>,
    cores: Vec<i64>,
    /// Cluster plus one; 0 stands for unknown.
    clusters: Vec<i64>,
    llcs: Vec<i64>,
    packages: Vec<i64>,
    nodes_of_cpus: Vec<i64>,
    capacities: Vec<i64>,
    active: Vec<bool>,
    node_ids: Vec<i64>,
    distances: Vec<u32>,
    /// [`HYBRID`] and so on; bits that nobody knows are dropped.
    flags: u32,
    node_reclaim_distance: u32,
}

const HYBRID: u32 = 1 << 0;
const X86: u32 = 1 << 1;
const ITMT: u32 = 1 << 2;
const GRANITE_RAPIDS: u32 = 1 << 3;

fn flags(machine: &Machine) -> u32 {
    let bit = |set: bool, bit: u32| if set { bit } else { 0 };
    bit(machine.hybrid, HYBRID)
        | bit(machine.x86, X86)
        | bit(machine.itmt, ITMT)
        | bit(machine.granite_rapids, GRANITE_RAPIDS)
}

/// The packed form, without its mark.
pub(super) fn packed(machine: &Machine) -> Option<String> {
    let column = |of: fn(&Cpu) -> i64| steps(machine.cpus.iter().map(of));
    let record = Record {
        name: short_name(&machine.name),
        ids: column(|c| c.id.into()),
        cores: column(|c| c.core.into()),
        clusters: column(|c| c.cluster.map_or(0, |x| i64::from(x) + 1)),
        llcs: column(|c| c.llc.into()),
        packages: column(|c| c.package.into()),
        nodes_of_cpus: column(|c| c.node.into()),
        capacities: column(|c| c.capacity.into()),
        active: machine.cpus.iter().map(|c| c.active).collect(),
        node_ids: steps(machine.nodes.iter().map(|n| n.id.into())),
        distances: machine.distances.concat(),
        flags: flags(machine),
        node_reclaim_distance: machine.node_reclaim_distance,
    };
    pack(&(FORMAT, record))
}

/// Deflated base64url of a record behind its format's byte.
pub(super) fn pack(record: &impl Serialize) -> Option<String> {
    postcard::to_allocvec(record).ok().map(|bytes| squeezed(&bytes))
}

pub(super) fn squeezed(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec(bytes, 9))
}

/// Reads a record behind its format's byte. The error is a sentence about `what`.
pub(super) fn unpack<T: DeserializeOwned>(text: &str, format: u8, what: &str) -> Result<T, String> {
    let is = if what.ends_with('s') { "are" } else { "is" };
    let damaged = || format!("The packed {what} {is} damaged.");
    let deflated = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(|_| {
        let holds = if is == "are" { "hold" } else { "holds" };
        format!("The packed {what} {is} cut off or {holds} characters that base64url does not have.")
    })?;
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(&deflated, LARGEST).map_err(|_| {
        format!("The packed {what} {is} cut off, damaged, or far larger than a machine can be.")
    })?;
    match bytes.first() {
        Some(found) if *found == format => {}
        Some(later) if *later > format => {
            let made = if is == "are" { "were" } else { "was" };
            return Err(format!("The packed {what} {made} made by a later balancescope; reload to update."));
        }
        _ => return Err(damaged()),
    }
    postcard::from_bytes(bytes.get(1..).unwrap_or_default()).map_err(|_| damaged())
}

/// Unpacks what follows the mark. The error is a sentence.
pub(super) fn unpacked(text: &str) -> Result<Machine, String> {
    let record: Record = unpack(text, FORMAT, "machine")?;
    let machine = record.machine().ok_or("The packed machine contradicts itself.")?;
    match machine.check().errors.into_iter().next() {
        None => Ok(machine),
        Some(sentence) => Err(sentence),
    }
}

impl Record {
    /// The machine, if all columns have equal length and every number fits its field.
    fn machine(self) -> Option<Machine> {
        let count = self.ids.len();
        let mut columns = [
            self.ids,
            self.cores,
            self.clusters,
            self.llcs,
            self.packages,
            self.nodes_of_cpus,
            self.capacities,
        ];
        if columns.iter().any(|c| c.len() != count) || self.active.len() != count {
            return None;
        }
        columns.iter_mut().for_each(|column| add_up(column));
        let cpus = (0..count)
            .map(|i| {
                let field = |column: usize| u32::try_from(columns[column][i]).ok();
                Some(Cpu {
                    id: field(0)?,
                    core: field(1)?,
                    cluster: match columns[2][i] {
                        0 => None,
                        known => Some(u32::try_from(known - 1).ok()?),
                    },
                    llc: field(3)?,
                    package: field(4)?,
                    node: field(5)?,
                    capacity: field(6)?,
                    active: self.active[i],
                })
            })
            .collect::<Option<Vec<Cpu>>>()?;
        let mut node_ids = self.node_ids;
        add_up(&mut node_ids);
        let nodes: Option<Vec<Node>> =
            node_ids.iter().map(|&id| u32::try_from(id).ok().map(|id| Node { id })).collect();
        let nodes = nodes?;
        if nodes.is_empty() || self.distances.len() != nodes.len().checked_mul(nodes.len())? {
            return None;
        }
        Some(Machine {
            name: short_name(&self.name),
            cpus,
            distances: self.distances.chunks(nodes.len()).map(<[u32]>::to_vec).collect(),
            nodes,
            hybrid: self.flags & HYBRID != 0,
            x86: self.flags & X86 != 0,
            itmt: self.flags & ITMT != 0,
            granite_rapids: self.flags & GRANITE_RAPIDS != 0,
            node_reclaim_distance: self.node_reclaim_distance,
        })
    }
}

fn short_name(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

fn steps(values: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut before = 0;
    values.map(|value| value - std::mem::replace(&mut before, value)).collect()
}

fn add_up(steps: &mut [i64]) {
    let mut sum = 0_i64;
    for step in steps {
        sum = sum.saturating_add(*step);
        *step = sum;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Machines that can be built, but are otherwise odd.
    pub fn any_machine() -> impl Strategy<Value = Machine> {
        let cpu = (0..3_u32, 0..99_u32, any::<Option<u32>>(), any::<u32>(), any::<u32>(), 1..=1024_u32);
        let cpus = proptest::collection::vec((cpu, any::<bool>()), 1..12);
        (cpus, 1..4_u32, "[a-zA-Zé &=#%]{0,20}", any::<[bool; 4]>(), any::<u32>()).prop_map(
            |(cpus, nodes, name, [hybrid, x86, itmt, granite_rapids], node_reclaim_distance)| Machine {
                name,
                cpus: cpus
                    .into_iter()
                    .zip(0..)
                    .map(|(((gap, core, cluster, llc, package, capacity), active), i)| Cpu {
                        id: i * 4 + gap,
                        core,
                        cluster,
                        llc,
                        package,
                        // Siblings share a node.
                        node: core % nodes,
                        capacity,
                        active,
                    })
                    .collect(),
                nodes: (0..nodes).map(|id| Node { id: id * 3 }).collect(),
                distances: (0..nodes).map(|a| (0..nodes).map(|b| 10 + a * 7 + b).collect()).collect(),
                hybrid,
                x86,
                itmt,
                granite_rapids,
                node_reclaim_distance,
            },
        )
    }

    #[test]
    fn a_bomb_is_refused() {
        let bomb = miniz_oxide::deflate::compress_to_vec(&vec![FORMAT; 64 << 20], 9);
        let sentence = unpacked(&URL_SAFE_NO_PAD.encode(bomb)).unwrap_err();
        assert!(sentence.contains("larger"), "{sentence}");
    }

    #[test]
    fn a_machine_that_cannot_be_built_is_refused() {
        let mut machine = crate::topology::library::machine("2x2x1").unwrap();
        machine.distances[0][1] = 0;
        assert!(unpacked(&packed(&machine).unwrap()).unwrap_err().contains("distance"));
        machine.cpus.clear();
        assert!(unpacked(&packed(&machine).unwrap()).unwrap_err().contains("no CPUs"));
    }

    #[test]
    fn machines_pack_small() {
        for name in crate::topology::library::names() {
            let machine = crate::topology::library::machine(name).unwrap();
            let text = packed(&machine).unwrap();
            assert!(text.len() < 300, "{name}: {} characters", text.len());
            assert_eq!(unpacked(&text), Ok(machine), "{name}");
        }
    }

    #[test]
    fn a_later_record_says_so() {
        let later = miniz_oxide::deflate::compress_to_vec(&[FORMAT + 1, 0, 0], 9);
        assert!(unpacked(&URL_SAFE_NO_PAD.encode(later)).unwrap_err().contains("later"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_machine_comes_back(machine in any_machine()) {
            prop_assert_eq!(unpacked(&packed(&machine).unwrap()), Ok(machine));
        }

        #[test]
        fn no_text_panics(text in "[A-Za-z0-9_-]{0,80}") {
            let _ = unpacked(&text);
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let mut framed = vec![FORMAT];
            framed.extend(bytes);
            let deflated = miniz_oxide::deflate::compress_to_vec(&framed, 1);
            let _ = unpacked(&URL_SAFE_NO_PAD.encode(deflated));
        }

        #[test]
        fn damage_never_panics(machine in any_machine(), at in any::<prop::sample::Index>(), with in "[A-Za-z]") {
            let mut text = packed(&machine).unwrap();
            let at = at.index(text.len());
            text.replace_range(at..=at, &with);
            let _ = unpacked(&text);
        }
    }
}
