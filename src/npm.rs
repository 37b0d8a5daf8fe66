//! The JavaScript face of the npm package: a world to run and to ask, as the page's worker has it.
//! It holds no rule of its own; errors are thrown as sentences.

use crate::engine::World;
use crate::host::{Command, Host, Reply, Report};
use crate::scenario::Warning;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// The largest count of ns that a JavaScript number holds exactly: 2^53 - 1, some 104 days.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// A running world.
#[wasm_bindgen]
pub struct Simulation {
    host: Host,
    fragment: String,
    warnings: Vec<Warning>,
}

#[wasm_bindgen]
impl Simulation {
    /// Builds the world of a link, of its fragment, or of a scenario's JSON. What could not be used is told by
    /// [`Simulation::warnings`].
    ///
    /// # Errors
    /// One sentence, when no world can be built, as for a machine that is too large.
    #[wasm_bindgen(constructor)]
    pub fn new(fragment: &str) -> Result<Simulation, JsError> {
        let mut host = Host::new();
        let mut opened = None;
        ask(&mut host, Command::Open { fragment: fragment.to_owned() }, |reply| {
            if let Reply::Opened { fragment, warnings } = reply {
                opened = Some((fragment, warnings));
            }
        })?;
        let (fragment, warnings) = opened.ok_or_else(|| JsError::new("The scenario did not open."))?;
        Ok(Self { host, fragment, warnings })
    }

    /// Runs on by `ns` nanoseconds of simulated time: a whole number from 0 to 2^53 - 1.
    ///
    /// # Errors
    /// One sentence, when `ns` is no such number.
    pub fn run(&mut self, ns: f64) -> Result<(), JsError> {
        if !(0.0..=MAX_EXACT).contains(&ns) || libm::trunc(ns) != ns {
            return Err(JsError::new("run takes a whole number of nanoseconds, from 0 to 2^53 - 1."));
        }
        ask(&mut self.host, Command::Run { ns: ns as u64, budget_us: u32::MAX }, |_| ())
    }

    /// What happened so far, as a plain object: what `balancescope run --json` prints, without `wall_ns`.
    ///
    /// # Errors
    /// Never in practice: the object is written and read back as JSON.
    pub fn stats(&self) -> Result<JsValue, JsError> {
        to_js(&Report::of(self.fragment.clone(), self.world()?, None))
    }

    /// The hash of the whole state: 16 hexadecimal digits, the same as `balancescope run` prints for the same
    /// scenario and time.
    ///
    /// # Errors
    /// Never in practice: a world that stands can be hashed.
    pub fn hash(&self) -> Result<String, JsError> {
        Ok(format!("{:016x}", self.world()?.state_hash()))
    }

    /// The canonical fragment of the scenario that was opened.
    pub fn fragment(&self) -> String {
        self.fragment.clone()
    }

    /// What could not be used of the scenario: an array of `{ key, text }`, `key` being null where the sentence
    /// is about no single key.
    ///
    /// # Errors
    /// Never in practice: the array is written and read back as JSON.
    pub fn warnings(&self) -> Result<JsValue, JsError> {
        to_js(&self.warnings)
    }
}

impl Simulation {
    fn world(&self) -> Result<&World, JsError> {
        self.host.world().ok_or_else(|| JsError::new("No scenario is open."))
    }
}

/// Sends a command; `hear` gets the answers that are no refusal.
fn ask(host: &mut Host, command: Command, mut hear: impl FnMut(Reply)) -> Result<(), JsError> {
    let mut refused = None;
    // The budget of a run is never spent on a clock that stands.
    let stopped_clock = || 0;
    host.handle(
        command,
        &mut |reply| match reply {
            Reply::Refused(why) => refused = Some(why),
            reply => hear(reply),
        },
        stopped_clock,
    );
    refused.map_or(Ok(()), |why| Err(JsError::new(&why)))
}

fn to_js(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value)?;
    js_sys::JSON::parse(&text).map_err(|_| JsError::new("The answer could not be written as JSON."))
}
