//! `/proc/schedstat`, versions 15 to 17.

use crate::observe::Tape;
use crate::observe::tape::{CpuCounts, DomainCounts, TypeCounts};
use crate::topology::{CpuMask, DomainTree, Machine};
use std::fmt::Write;

/// Layouts of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SchedstatVersion {
    /// To 6.8: idle types in the order idle, busy, newly idle.
    V15,
    /// From 6.9: busy comes first.
    V16,
    /// From 6.14: domains are named, and imbalances are told apart by unit.
    V17,
}

impl SchedstatVersion {
    fn number(self) -> u32 {
        match self {
            Self::V15 => 15,
            Self::V16 => 16,
            Self::V17 => 17,
        }
    }

    /// Idle types, as indices of [`DomainCounts::types`], in the file's order.
    fn order(self) -> [usize; 3] {
        if self == Self::V15 { [0, 1, 2] } else { [1, 0, 2] }
    }
}

/// What the file is made of.
#[derive(Clone, Copy, Debug)]
pub struct Schedstat<'a> {
    /// The machine, for the numbers of its CPUs.
    pub machine: &'a Machine,
    /// Its domains.
    pub tree: &'a DomainTree,
    /// What was counted since the start.
    pub tape: &'a Tape,
    /// Ticks a second.
    pub hz: u32,
    /// Simulated ns since the start.
    pub now_ns: u64,
}

/// The whole file. What no workload or rule here does is 0: yields, the third zero of a CPU line that the kernel keeps
/// for old scripts, exec and fork balancing (which the kernel no longer counts either) and `ttwu_move_balance`.
pub fn schedstat(version: SchedstatVersion, from: &Schedstat<'_>) -> String {
    let mut out = format!("version {}\ntimestamp {}\n", version.number(), timestamp(from));
    for (c, cpu) in from.machine.cpus.iter().enumerate() {
        cpu_line(&mut out, cpu.id, from.tape.cpu(c));
        for (level, domain) in from.tree.chain(c).iter().enumerate() {
            let _ = write!(out, "domain{level} ");
            if version == SchedstatVersion::V17 {
                let _ = write!(out, "{} ", domain.name.as_str());
            }
            out.push_str(&mask(from.machine, &domain.span));
            domain_counters(&mut out, version, from.tape.domain(c, level));
        }
    }
    out
}

/// Jiffies. The kernel's begin five minutes before 2^32, so that code which cannot bear the overflow shows early.
fn timestamp(from: &Schedstat<'_>) -> u64 {
    let hz = u64::from(from.hz);
    let elapsed = u128::from(from.now_ns) * u128::from(hz) / 1_000_000_000;
    (1 << 32) - 300 * hz + elapsed as u64
}

// Writing to a string cannot fail.

fn cpu_line(out: &mut String, id: u32, c: &CpuCounts) {
    let _ = writeln!(
        out,
        "cpu{id} 0 0 {} {} {} {} {} {} {}",
        narrow(c.schedules),
        narrow(c.went_idle),
        narrow(c.wakeups),
        narrow(c.local_wakeups),
        c.run_ns,
        c.wait_ns,
        c.timeslices
    );
}

/// The kernel keeps these in 32 bits, and they wrap.
fn narrow(count: u64) -> u32 {
    count as u32
}

fn domain_counters(out: &mut String, version: SchedstatVersion, counts: &DomainCounts) {
    for of_type in version.order() {
        let t: &TypeCounts = &counts.types[of_type];
        let mut put = |values: &[u64]| {
            for &value in values {
                let _ = write!(out, " {}", narrow(value));
            }
        };
        put(&[t.count, t.balanced, t.failed]);
        if version == SchedstatVersion::V17 {
            put(&t.imbalance);
        } else {
            put(&[t.imbalance.iter().fold(0, |sum, &i| sum.wrapping_add(i))]);
        }
        put(&[t.gained, t.hot_gained, t.nobusyq, t.nobusyg]);
    }
    let _ = writeln!(
        out,
        " {} {} {} 0 0 0 0 0 0 {} {} 0",
        narrow(counts.alb_count),
        narrow(counts.alb_failed),
        narrow(counts.alb_pushed),
        narrow(counts.ttwu_wake_remote),
        narrow(counts.ttwu_move_affine)
    );
}

/// CPUs as the kernel prints a mask: 32-bit words, highest first, as many digits as there are possible CPUs.
fn mask(machine: &Machine, span: &CpuMask) -> String {
    let bits = machine.cpus.last().map_or(1, |cpu| cpu.id as usize + 1);
    let mut words = vec![0_u32; bits.div_ceil(32)];
    for cpu in span.iter().filter_map(|c| machine.cpus.get(c)) {
        words[cpu.id as usize / 32] |= 1 << (cpu.id % 32);
    }
    let digits = match bits % 32 {
        0 => 8,
        rest => rest.div_ceil(4),
    };
    let mut words = words.into_iter().rev();
    let mut out = format!("{:0digits$x}", words.next().unwrap_or(0));
    for word in words {
        let _ = write!(out, ",{word:08x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::library;

    #[test]
    fn masks_are_as_wide_as_the_machine() {
        for (name, span, text) in [
            ("1x4x1", vec![0, 3], "9"),
            ("1x12x1", vec![0, 11], "801"),
            ("1x32x1", vec![31], "80000000"),
            ("1x36x1", vec![0, 35], "8,00000001"),
        ] {
            let machine = library::machine(name).unwrap();
            assert_eq!(mask(&machine, &CpuMask::from_cpus(span)), text, "{name}");
        }
    }
}
