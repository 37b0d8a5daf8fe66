//! The JavaScript face of the npm package: a world to run and to ask, as the page's worker has it.
//! It holds no rule of its own; errors are thrown as sentences.

mod stats;

use crate::host::{Command, Host, Reply};
use crate::observe::Frame;
use crate::scenario::Warning;
use serde::Serialize;
use stats::Stats;
use wasm_bindgen::prelude::*;

/// The largest count of ns that a JavaScript number holds exactly: 2^53 - 1, some 104 days.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// A running world.
#[wasm_bindgen]
pub struct Simulation {
    host: Host,
    frame: Frame,
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
        let frame = ask(&mut host, Command::Open { fragment: fragment.to_owned() }, |reply| {
            if let Reply::Opened { fragment, warnings } = reply {
                opened = Some((fragment, warnings));
            }
        })?;
        let (fragment, warnings) = opened.ok_or_else(|| JsError::new("The scenario did not open."))?;
        Ok(Self { host, frame, fragment, warnings })
    }

    /// Runs on by `ns` nanoseconds of simulated time: a whole number from 0 to 2^53 - 1.
    ///
    /// # Errors
    /// One sentence, when `ns` is no such number.
    pub fn run(&mut self, ns: f64) -> Result<(), JsError> {
        if !(0.0..=MAX_EXACT).contains(&ns) || libm::trunc(ns) != ns {
            return Err(JsError::new("run takes a whole number of nanoseconds, from 0 to 2^53 - 1."));
        }
        self.frame = ask(&mut self.host, Command::Run { ns: ns as u64, budget_us: u32::MAX }, |_| ())?;
        Ok(())
    }

    /// What happened so far, as a plain object: `simulated_ns`, `events`, `cpus`, `overload`, `done`, `levels`
    /// (names, bottom up), `balance` (a row a level and kind), `cpu` (shares that sum to 1) and `migrations` by
    /// cause. The words are those of `balancescope run --json`.
    ///
    /// # Errors
    /// Never in practice: the object is written and read back as JSON.
    pub fn stats(&self) -> Result<JsValue, JsError> {
        let levels = self.host.world().map_or(&[][..], |world| &world.tree().levels);
        to_js(&Stats::new(&self.frame, levels))
    }

    /// The hash of the whole state: 16 hexadecimal digits, the same as `balancescope run` prints for the same
    /// scenario and time.
    ///
    /// # Errors
    /// Never in practice: a world that stands can be hashed.
    pub fn hash(&mut self) -> Result<String, JsError> {
        let frame = ask(&mut self.host, Command::Show, |_| ())?;
        let hash = frame.state_hash.ok_or_else(|| JsError::new("The state was not hashed."))?;
        Ok(format!("{hash:016x}"))
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

/// Sends a command and returns the last frame of the answer; `other` gets the answers that are no frame.
fn ask(host: &mut Host, command: Command, mut other: impl FnMut(Reply)) -> Result<Frame, JsError> {
    let mut last = Err("There was no answer.".to_owned());
    // The budget of a run is never spent on a clock that stands.
    let stopped_clock = || 0;
    host.handle(
        command,
        &mut |reply| match reply {
            Reply::Frame(frame) => last = Ok(*frame),
            Reply::Refused(why) => last = Err(why),
            reply => other(reply),
        },
        stopped_clock,
    );
    last.map_err(|why| JsError::new(&why))
}

fn to_js(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value)?;
    js_sys::JSON::parse(&text).map_err(|_| JsError::new("The answer could not be written as JSON."))
}
