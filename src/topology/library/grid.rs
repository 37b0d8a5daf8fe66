//! Grids: `PxCxT` is P packages of C cores of T threads.

use super::shape::Shape;
use crate::topology::{MAX_CPUS, MAX_NODES, Machine};

/// The machine of a grid name.
///
/// `2x56x2` is two packages of 56 cores of two threads, with one node and one last-level cache a package and
/// a distance of 21 between them. `-nodes4` splits each package into four nodes (distance 12 inside), and
/// `-llc8` gives each eight cores a cache of their own: `2x64x2-nodes4-llc8`. The error is one sentence.
pub fn grid(name: &str) -> Result<Machine, String> {
    let mut parts = name.split('-');
    let numbers: Option<Vec<u32>> = parts.next().unwrap_or_default().split('x').map(number).collect();
    let Some([packages, cores, threads]) = numbers.as_deref().and_then(|n| <[u32; 3]>::try_from(n).ok())
    else {
        return Err(format!(
            "{} is not a machine: give a name such as epyc-2x64x2, or packages x cores x threads such as 2x56x2.",
            shortened(name)
        ));
    };
    let mut nodes = 1;
    let mut cores_per_llc = None;
    for part in parts {
        if let Some(n) = part.strip_prefix("nodes").and_then(number) {
            nodes = n;
        } else if let Some(n) = part.strip_prefix("llc").and_then(number) {
            cores_per_llc = Some(n);
        } else {
            return Err(format!(
                "{} is not part of a grid: after 2x56x2 come -nodesN and -llcN.",
                shortened(part)
            ));
        }
    }
    checked(name, [packages, cores, threads], nodes, cores_per_llc)
}

/// Digits alone; a number too large for 32 bits becomes the largest, so that it is refused as too many.
fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u32::MAX))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

fn checked(
    name: &str,
    [packages, cores, threads]: [u32; 3],
    nodes_per_package: u32,
    cores_per_llc: Option<u32>,
) -> Result<Machine, String> {
    let cpus =
        [packages, cores, threads].iter().fold(1u64, |product, &n| product.saturating_mul(u64::from(n)));
    if cpus == 0 || nodes_per_package == 0 || cores_per_llc == Some(0) {
        return Err(format!("{} has no CPUs.", shortened(name)));
    }
    if cpus > MAX_CPUS as u64 {
        return Err(format!("{} has {cpus} CPUs; at most {MAX_CPUS} can be shown.", shortened(name)));
    }
    let nodes = u64::from(packages) * u64::from(nodes_per_package);
    if nodes > MAX_NODES as u64 || nodes_per_package > cores {
        return Err(format!("{} has {nodes} nodes for {cpus} CPUs, too many.", shortened(name)));
    }
    let cores_per_node = cores / nodes_per_package;
    let cores_per_llc = cores_per_llc.unwrap_or(cores_per_node);
    if !cores.is_multiple_of(nodes_per_package) || !cores_per_node.is_multiple_of(cores_per_llc) {
        return Err(format!("{}: its cores do not divide evenly.", shortened(name)));
    }
    let shape = Shape {
        packages,
        nodes_per_package,
        llcs_per_node: cores_per_node / cores_per_llc,
        cores_per_llc,
        threads,
        ..Shape::GRID
    };
    Ok(Machine { name: name.to_owned(), ..shape.machine() })
}
