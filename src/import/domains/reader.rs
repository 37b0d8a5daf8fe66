//! Lines become domains.

use super::files::{self, File};
use super::log::{self, Log};
use super::{Domains, Flags, Row};
use crate::import::lists::{MAX_CPUS, parse_list, shown};
use crate::import::notes::Notes;
use crate::import::spans::SpanStore;

/// No kernel has more levels of domains.
const MAX_DOMAINS: u32 = 64;
/// Files whose value is a number.
const NUMBERS: [&str; 7] = [
    "busy_factor",
    "cache_nice_tries",
    "imbalance_pct",
    "level",
    "max_interval",
    "max_newidle_lb_cost",
    "min_interval",
];

/// Takes the lines of a text that tell of domains.
#[derive(Default)]
pub(in crate::import) struct Reader {
    domains: Domains,
    /// A file that was named and whose value comes next: CPU, index and field.
    named: Option<(u32, u32, String)>,
    /// The CPU and domain of the log that a line may continue.
    cpu: Option<u32>,
    index: Option<u32>,
    unknown: Option<(usize, String)>,
    spans: SpanStore,
}

impl Reader {
    /// Takes a line if it tells of a domain.
    pub(in crate::import) fn line(&mut self, no: usize, text: &str, notes: &mut Notes) -> bool {
        if let Some((cpu, index, field)) = self.named.take()
            && files::read(text).is_none()
        {
            if text.trim().is_empty() {
                self.named = Some((cpu, index, field));
            } else {
                self.file(no, cpu, index, &field, text.trim(), notes);
            }
            return true;
        }
        if let Some(File { cpu, index, field, value }) = files::read(text) {
            match value {
                Some(value) => self.file(no, cpu, index, field, value, notes),
                None => self.named = Some((cpu, index, field.to_owned())),
            }
            return true;
        }
        let Some(log) = log::read(text, self.index.is_some()) else { return false };
        self.log(no, log, notes);
        true
    }

    fn row(&mut self, no: usize, cpu: u32, index: u32, notes: &mut Notes) -> Option<&mut Row> {
        if cpu >= MAX_CPUS || index >= MAX_DOMAINS {
            notes.warn(no, format!("CPU {cpu}, domain {index}: Linux has no such numbers; it was left out."));
            return None;
        }
        if self.domains.line == 0 {
            self.domains.line = no;
        }
        self.domains.cpus.insert(cpu);
        Some(self.domains.rows.entry((cpu, index)).or_default())
    }

    fn file(&mut self, no: usize, cpu: u32, index: u32, field: &str, value: &str, notes: &mut Notes) {
        let Some(row) = self.row(no, cpu, index, notes) else { return };
        let twice = match field {
            "name" => set(&mut row.name, shown(value)),
            "flags" => set(&mut row.flags, flags(value)),
            "groups_flags" => set(&mut row.groups_flags, flags(value)),
            // Loads by index were dropped from the kernel around 5.3.
            _ if field.ends_with("_idx") => false,
            _ => match NUMBERS.into_iter().find(|name| *name == field) {
                None => {
                    self.unknown.get_or_insert((no, shown(field)));
                    false
                }
                Some(name) => match value.parse::<u64>() {
                    Ok(value) => row.numbers.insert(name, value).is_some_and(|before| before != value),
                    Err(_) => {
                        notes
                            .warn(no, format!("{name} is “{}”, not a count; it was left out.", shown(value)));
                        false
                    }
                },
            },
        };
        if twice {
            notes.warn(
                no,
                format!(
                    "{field} of CPU {cpu}'s domain {index} stands above with another value; the last stands."
                ),
            );
        }
    }

    fn log(&mut self, no: usize, log: Log<'_>, notes: &mut Notes) {
        match log {
            Log::Cpu(cpu) if cpu < MAX_CPUS => {
                (self.cpu, self.index) = (Some(cpu), None);
                self.domains.cpus.insert(cpu);
                if self.domains.line == 0 {
                    self.domains.line = no;
                }
                // Domains are attached anew when they were rebuilt; the last build counts.
                let above: Vec<(u32, u32)> = self
                    .domains
                    .rows
                    .range((cpu, 0)..(cpu, MAX_DOMAINS))
                    .filter(|(_, row)| row.span.is_some())
                    .map(|(key, _)| *key)
                    .collect();
                above.iter().for_each(|key| drop(self.domains.rows.remove(key)));
            }
            Log::Cpu(_) => self.cpu = None,
            Log::Domain { index, span, name } => {
                let Some(cpu) = self.cpu else {
                    notes.warn(no, "No CPU stands above this domain; it was left out.");
                    return;
                };
                self.index = Some(index);
                let span = self.spans.get(span, |text| parse_list(text, "CPUs", MAX_CPUS));
                let Some(row) = self.row(no, cpu, index, notes) else { return };
                if !name.is_empty() {
                    row.name = Some(shown(name));
                }
                match span {
                    Ok(span) if !span.is_empty() => row.span = Some(span),
                    Ok(_) => notes.warn(no, "The domain's span is empty."),
                    Err(sentence) => notes.warn(no, format!("The domain's span cannot be read: {sentence}")),
                }
            }
            Log::Groups(groups) => {
                if let (Some(cpu), Some(index)) = (self.cpu, self.index)
                    && let Some(row) = self.row(no, cpu, index, notes)
                {
                    row.groups = Some(groups.chars().take(400).collect());
                }
            }
            Log::Error(text) => notes.warn(no, format!("The kernel itself says: {}", shown(text))),
            Log::Root => {}
        }
    }

    /// What was read; `None` if nothing was.
    pub(in crate::import) fn finish(self, notes: &mut Notes) -> Option<Domains> {
        if let Some((no, field)) = self.unknown {
            notes.warn(no, format!("Files like “{field}” are not known and were passed over."));
        }
        (!self.domains.rows.is_empty()).then_some(self.domains)
    }
}

/// Sets a value; true if another stood there.
fn set<T: PartialEq>(to: &mut Option<T>, value: T) -> bool {
    let twice = to.as_ref().is_some_and(|before| *before != value);
    *to = Some(value);
    twice
}

fn flags(value: &str) -> Flags {
    let number = match value.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => value.parse().ok(),
    };
    number.map_or_else(
        || Flags::Names(value.split_ascii_whitespace().take(64).map(shown).collect()),
        Flags::Number,
    )
}
