//! Which machine: a name, a grid, or a whole machine packed into the link.

use super::report::{Report, grouped, listed, nearest};
use super::value::Written;
use super::{MachineSpec, Scenario, pack};
use crate::topology::{MAX_CPUS, Machine, library};

impl Scenario {
    /// The machine itself. The error is a sentence.
    pub fn machine(&self) -> Result<Machine, String> {
        match &self.machine {
            MachineSpec::Named(name) => library::machine(name),
            MachineSpec::Packed(machine) => match machine.check().errors.into_iter().next() {
                None => Ok(machine.as_ref().clone()),
                Some(sentence) => Err(sentence),
            },
        }
    }
}

impl MachineSpec {
    /// A short name for people.
    pub fn name(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Packed(machine) => &machine.name,
        }
    }
}

/// As written in a link.
pub(super) fn text(spec: &MachineSpec) -> String {
    match spec {
        MachineSpec::Named(name) => name.clone(),
        MachineSpec::Packed(machine) => {
            format!("{}{}", pack::MARK, pack::packed(machine).unwrap_or_default())
        }
    }
}

/// Reads a machine; the default, with a sentence, if there is none.
pub(super) fn read(written: Written, default: &MachineSpec, report: &mut Report) -> MachineSpec {
    match try_read(written, report) {
        Ok(spec) => spec,
        Err(why) => {
            report.say(written.key, format!("{why} {} is used.", default.name()));
            default.clone()
        }
    }
}

fn try_read(written: Written, report: &mut Report) -> Result<MachineSpec, String> {
    if let Some(packed) = written.text.strip_prefix(pack::MARK) {
        return pack::unpacked(packed).map(|machine| MachineSpec::Packed(Box::new(machine)));
    }
    if let Some(parts) = grid(written.text) {
        return from_grid(written, &parts, report).map(MachineSpec::Named);
    }
    match library::machine(written.text) {
        Ok(_) => Ok(MachineSpec::Named(written.text.to_owned())),
        Err(why) => match nearest(written.text, library::names()) {
            Some(near) => Err(format!("{} is not a machine. Did you mean {near}?", written.quoted())),
            None => Err(why),
        },
    }
}

/// The numbers of `2x56x2`, if the text is numbers and `x` alone. Numbers too large for 64 bits are held there.
fn grid(text: &str) -> Option<Vec<u64>> {
    let part = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| part.parse().unwrap_or(u64::MAX))
    };
    text.split(['x', 'X', '×']).map(|p| part(p.trim())).collect()
}

fn from_grid(written: Written, parts: &[u64], report: &mut Report) -> Result<String, String> {
    let quoted = written.quoted();
    let (packages, cores, threads) = match *parts {
        [cores] => (1, cores, 1),
        [cores, threads] => (1, cores, threads),
        [packages, cores, threads, ..] => (packages, cores, threads),
        [] => (0, 0, 0),
    };
    let cpus = packages.saturating_mul(cores).saturating_mul(threads);
    if cpus == 0 {
        return Err(format!("{quoted} has no CPUs."));
    }
    if cpus > MAX_CPUS as u64 {
        let most = grouped(MAX_CPUS as u64);
        return Err(format!("{quoted} has {} CPUs; {most} is the most.", grouped(cpus)));
    }
    if parts.len() != 3 {
        let count = match parts.len() {
            1 => "one part".to_owned(),
            2 => "two parts".to_owned(),
            4 => "four parts".to_owned(),
            more => format!("{more} parts"),
        };
        let read = listed(&["packages", "cores", "threads"]);
        let used = if parts.len() > 3 { "three are read" } else { "three are meant" };
        report.say(
            written.key,
            format!("{quoted} has {count}; {used}: {packages} × {cores} × {threads} ({read})."),
        );
    }
    let name = format!("{packages}x{cores}x{threads}");
    library::machine(&name).map(|_| name)
}
