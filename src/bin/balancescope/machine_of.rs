//! The machine behind an argument: a file, a link, a name, or `-`.

use crate::{opened, read_bytes};
use balancescope::import;
use balancescope::scenario::{Scenario, Warning};
use balancescope::topology::{Machine, Recorded, Release, TopologyRules, library};
use serde_json::Value;
use std::path::Path;

/// A machine, and whose rules the input asks for.
pub struct MachineOf {
    /// The machine.
    pub machine: Machine,
    /// The release that is used.
    pub release: Release,
    /// Its rules, with what a link overrides.
    pub rules: TopologyRules,
}

/// Finds the machine. `release` goes before what the input says. The error is one sentence.
pub fn machine_of(argument: &str, release: Option<Release>) -> Result<MachineOf, String> {
    let path = Path::new(argument);
    if argument != "-" && !path.exists() {
        return if looks_like_link(argument) {
            of_scenario(Scenario::parse(argument), release)
        } else if looks_like_path(argument) {
            Err(format!("{argument} cannot be opened: there is no such file."))
        } else {
            library::machine(argument).map(|machine| plain(machine, release))
        };
    }
    let bytes = read_bytes(path)?;
    of_bytes(&bytes, release).map_err(|sentence| format!("{argument}: {sentence}"))
}

fn of_bytes(bytes: &[u8], release: Option<Release>) -> Result<MachineOf, String> {
    let text = String::from_utf8_lossy(bytes);
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err("it is empty.".to_owned());
    }
    match json_kind(trimmed) {
        JsonKind::Recorded => of_recorded(trimmed, release),
        JsonKind::Scenario => of_scenario(Scenario::parse(trimmed), release),
        JsonKind::Other if is_one_word(trimmed) && looks_like_link(trimmed) => {
            of_scenario(Scenario::parse(trimmed), release)
        }
        JsonKind::Other if is_one_word(trimmed) && library::named(trimmed).is_some() => {
            library::machine(trimmed).map(|machine| plain(machine, release))
        }
        JsonKind::Other => of_import(bytes, release),
    }
}

fn plain(machine: Machine, release: Option<Release>) -> MachineOf {
    let release = release.unwrap_or(Scenario::default().release);
    MachineOf { machine, release, rules: TopologyRules::of(release) }
}

fn of_recorded(text: &str, release: Option<Release>) -> Result<MachineOf, String> {
    let recorded = Recorded::parse(text)?;
    let release = release.or(recorded.release.as_deref().and_then(Release::parse));
    Ok(plain(recorded.machine()?, release))
}

fn of_scenario(
    (mut scenario, warnings): (Scenario, Vec<Warning>),
    release: Option<Release>,
) -> Result<MachineOf, String> {
    // A link whose machine is unusable opens with the default one; the tree of that was not asked for.
    let instead = format!(" {} is used.", Scenario::default().machine.name());
    let of_machine = warnings.iter().filter(|warning| warning.key.as_deref() == Some("machine"));
    if let Some(broken) = of_machine.filter_map(|warning| warning.text.strip_suffix(&instead)).next() {
        return Err(broken.to_owned());
    }
    opened::say(&warnings);
    scenario.release = release.unwrap_or(scenario.release);
    Ok(MachineOf {
        machine: scenario.machine()?,
        release: scenario.release,
        rules: scenario.rules().topology,
    })
}

fn of_import(bytes: &[u8], release: Option<Release>) -> Result<MachineOf, String> {
    let import = import::read_bytes(bytes, None)?;
    for sentence in &import.assumed {
        eprintln!("{sentence}");
    }
    for warning in &import.warnings {
        match warning.line {
            Some(line) => eprintln!("Line {line}: {}", warning.text),
            None => eprintln!("{}", warning.text),
        }
    }
    let machine = import.machine.ok_or("it does not name the CPUs of a machine.")?;
    Ok(plain(machine, release))
}

enum JsonKind {
    Recorded,
    Scenario,
    Other,
}

/// Tells a recorded machine and a scenario from other JSON, such as lscpu's.
fn json_kind(text: &str) -> JsonKind {
    if !text.starts_with('{') {
        return JsonKind::Other;
    }
    let Ok(Value::Object(map)) = serde_json::from_str(text) else { return JsonKind::Other };
    let first = map.get("cpus").and_then(Value::as_array).and_then(|cpus| cpus.first());
    if first.is_some_and(|cpu| cpu.get("smt_siblings").is_some()) || map.contains_key("domains") {
        return JsonKind::Recorded;
    }
    let settings = ["scenario", "machine", "release", "workload"];
    match settings.iter().any(|key| map.contains_key(*key)) {
        true => JsonKind::Scenario,
        false => JsonKind::Other,
    }
}

fn is_one_word(text: &str) -> bool {
    !text.contains(char::is_whitespace)
}

fn looks_like_link(text: &str) -> bool {
    text.contains("://") || text.contains(['#', '=', '&'])
}

fn looks_like_path(text: &str) -> bool {
    text.contains(['/', '\\', '.'])
}
