//! The scenario as JSON: the same keys and spellings as the link, and a packed machine as an object.

use super::link::{Pairs, fragment_of, split};
use super::report::{Report, grouped, shortened};
use super::{MachineSpec, Scenario, keys::Key, machine, read, write};
use crate::topology::Machine;
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A scenario's JSON is read up to here; the largest machine is far smaller.
const LONGEST: usize = 8 << 20;

/// Whether a text means to be JSON rather than a link.
pub(super) fn looks_like(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The keys and values of a JSON text; none, with a sentence, if it is broken.
pub(super) fn pairs(text: &str, report: &mut Report) -> Pairs {
    if text.len() > LONGEST {
        let (long, most) = (grouped(text.len() as u64), grouped(LONGEST as u64));
        report
            .say_of_link(format!("This JSON is {long} bytes long; {most} is the most. None of it is used."));
        return Pairs::default();
    }
    match serde_json::from_str::<Map<String, Value>>(text) {
        Ok(mut map) => match map.remove("scenario") {
            // What `url`, `run` and `import` print holds the scenario among other things.
            Some(Value::Object(scenario)) => pairs_of(scenario, report),
            Some(Value::String(link)) => split(fragment_of(&link, report), report),
            _ => pairs_of(map, report),
        },
        Err(error) => {
            report.say_of_link(format!("This is not a scenario's JSON: {error}. None of it is used."));
            Pairs::default()
        }
    }
}

fn pairs_of(map: Map<String, Value>, report: &mut Report) -> Pairs {
    let mut pairs = Pairs::default();
    for (key, value) in map {
        match text_of(&key, value) {
            Ok(Some(text)) => pairs.put(key, text),
            Ok(None) => {}
            Err(why) => report.say(&key, format!("{} {why} It is not used.", shortened(&key))),
        }
    }
    pairs
}

fn text_of(key: &str, value: Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        Value::Number(number) => Ok(Some(number.to_string())),
        Value::Object(_) if key == Key::Machine.name() => packed(value).map(Some),
        Value::Array(items) => {
            let items: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            items.map(|items| Some(items.join(","))).ok_or_else(|| "must be a list of texts.".to_owned())
        }
        _ => Err("must be a text or a number.".to_owned()),
    }
}

fn packed(value: Value) -> Result<String, String> {
    let machine: Machine =
        serde_json::from_value(value).map_err(|error| format!("is not a machine: {error}."))?;
    if let Some(why) = machine.check().errors.first() {
        return Err(format!("cannot be used. {why}"));
    }
    Ok(machine::text(&MachineSpec::Packed(Box::new(machine))))
}

impl Serialize for Scenario {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = write::all_pairs(self);
        let mut map = serializer.serialize_map(Some(pairs.len()))?;
        for (key, value) in &pairs {
            match &self.machine {
                MachineSpec::Packed(machine) if key == Key::Machine.name() => {
                    map.serialize_entry(key, machine)?
                }
                _ => map.serialize_entry(key, value)?,
            }
        }
        map.end()
    }
}

/// Strict where [`Scenario::parse`] is lenient: whatever would be a sentence there is an error here.
impl<'de> Deserialize<'de> for Scenario {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map = Map::<String, Value>::deserialize(deserializer)?;
        let mut report = Report::default();
        let pairs = pairs_of(map, &mut report);
        let scenario = read::read(pairs, &mut report);
        match report.finish().into_iter().next() {
            None => Ok(scenario),
            Some(warning) => Err(D::Error::custom(warning.text)),
        }
    }
}
