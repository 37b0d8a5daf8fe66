//! `balancescope import`.

use crate::End;
use balancescope::import::{self, Import, Kind};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// A file from a real machine: lscpu (also -p, -e, -J), numactl --hardware, hwloc XML, /proc/schedstat, domain
    /// files or a trace as text; - for standard input.
    file: PathBuf,
    /// A later snapshot of /proc/schedstat: what happened between the two.
    #[arg(conflicts_with = "as_kind")]
    after: Option<PathBuf>,
    /// Read the file as this kind instead of telling it from the content.
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    as_kind: Option<Kind>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::parse(name).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.into_iter().map(Kind::name).collect();
        format!("the kinds that can be read are {}", names.join(", "))
    })
}

/// Runs the subcommand.
pub fn run(args: Args) -> End {
    let read = match &args.after {
        None => read_file(&args.file)
            .and_then(|bytes| import::read_bytes(&bytes, args.as_kind))
            .map_err(|sentence| format!("{}: {sentence}", shown(&args.file))),
        Some(after) => read_two(&args.file, after),
    };
    let import = match read {
        Ok(import) => import,
        Err(sentence) => return End::Refused(sentence),
    };
    let text = if args.json { json(&import) } else { summary(&import) };
    if !args.json {
        for warning in &import.warnings {
            match warning.line {
                Some(line) => eprintln!("{}:{line}: {}", shown(&args.file), warning.text),
                None => eprintln!("{}: {}", shown(&args.file), warning.text),
            }
        }
    }
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that closed the pipe has what it wanted.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            End::Refused(format!("Standard output cannot be written: {error}."))
        }
        _ => End::Done,
    }
}

/// Two snapshots.
fn read_two(before: &Path, after: &Path) -> Result<Import, String> {
    if is_stdin(before) && is_stdin(after) {
        return Err("Standard input can be one of the two files, not both.".to_owned());
    }
    let read = |file| read_file(file).map_err(|sentence| format!("{}: {sentence}", shown(file)));
    let (first, second) = (read(before)?, read(after)?);
    let both = |sentence| format!("{} and {}: {sentence}", shown(before), shown(after));
    import::read_two(&first, &second).map_err(both)
}

fn shown(file: &Path) -> String {
    if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() }
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Reads a file or standard input, and not more of it than is allowed.
fn read_file(file: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("cannot be read: {error}.");
    let source: Box<dyn Read> = if is_stdin(file) {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(file).map_err(unreadable)?)
    };
    let mut bytes = Vec::new();
    source.take(import::MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

fn json(import: &Import) -> String {
    let value = serde_json::json!({
        "kind": import.kind,
        "kinds": import.kinds,
        "facts": import.facts,
        "assumed": import.assumed,
        "warnings": import.warnings,
        "scenario": import.scenario().map(|scenario| scenario.fragment()),
    });
    format!("{value:#}\n")
}

/// For people: what was read, counted, then what was assumed.
fn summary(import: &Import) -> String {
    let facts = &import.facts;
    let kinds: Vec<&str> = import.kinds.iter().map(|k| k.title()).collect();
    let mut out = format!("Read as {}.\n", kinds.join(" and "));
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            out.push_str(&format!("{name:<22}{value}\n"));
        }
    };
    line("model", facts.model_name.clone());
    line("architecture", facts.architecture.clone());
    line("CPUs", facts.cpus.map(|n| with_list(n, facts.cpu_ids.as_deref())));
    line("offline CPUs", facts.offline_cpu_ids.as_deref().map(import::cpu_list));
    line("NUMA nodes", facts.nodes.map(|n| with_list(n, facts.node_ids.as_deref())));
    for (node, cpus) in facts.node_cpus.iter().flatten() {
        let cpus = if cpus.is_empty() { "none".to_owned() } else { import::cpu_list(cpus) };
        line(&format!("  node {node} CPUs"), Some(cpus));
    }
    line("packages", facts.packages.map(|n| n.to_string()));
    line("cores", facts.cores.map(|n| n.to_string()));
    line("threads per core", facts.threads_per_core.map(|n| n.to_string()));
    line("last-level caches", facts.llcs.map(|n| n.to_string()));
    for row in facts.distances.iter().flatten() {
        let row: Vec<String> = row.iter().map(|d| format!("{d:>4}")).collect();
        line("  distances", Some(row.concat()));
    }
    out.push_str(&super::activity::summary(&facts.activity));
    if !import.assumed.is_empty() {
        out.push_str("Assumed:\n");
    }
    for sentence in &import.assumed {
        out.push_str(&format!("  {sentence}\n"));
    }
    out
}

fn with_list(n: u32, ids: Option<&[u32]>) -> String {
    match ids {
        Some(ids) => format!("{n} ({})", import::cpu_list(ids)),
        None => n.to_string(),
    }
}
