//! What tests and benchmarks may read off the page: data attributes of the root element, and a measure
//! around the page's own work for each frame.

use balancescope::observe::Frame;
use js_sys::{Object, Reflect};
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// The name of the measure: one for every drawn frame, as long as all of the page's work for it.
const MEASURE: &str = "bs:frame";
/// Measures kept by the browser before they are cleared.
const KEPT: u32 = 1_200;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
    /// Work since the last drawn frame, ms.
    static SPENT: Cell<f64> = const { Cell::new(0.0) };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = measure, catch)]
    fn measure(name: &str, options: &Object) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now_ms() -> f64;
    #[wasm_bindgen(js_namespace = performance, js_name = clearMeasures)]
    fn clear_measures(name: &str);
}

/// Measures a piece of work.
pub struct Timer(f64);

impl Timer {
    /// Begins.
    pub fn start() -> Self {
        Self(now_ms())
    }

    /// Ends work that is to be seen with the next drawn frame.
    pub fn stop(self) {
        SPENT.with(|spent| spent.set(spent.get() + now_ms() - self.0));
    }

    /// Ends a drawing: leaves a measure of it and of all that was done for it.
    pub fn drawn(self) {
        let end = now_ms();
        let start = self.0 - SPENT.with(|spent| spent.replace(0.0));
        let options = Object::new();
        let _ = Reflect::set(&options, &"start".into(), &start.max(0.0).into());
        let _ = Reflect::set(&options, &"end".into(), &end.into());
        let _ = measure(MEASURE, &options);
        COUNT.with(|count| {
            count.set(count.get() + 1);
            if count.get() >= KEPT {
                count.set(0);
                clear_measures(MEASURE);
            }
        });
    }
}

fn root() -> Option<Element> {
    gloo::utils::document().document_element()
}

fn put(name: &str, value: &str) {
    if let Some(root) = root() {
        let _ = root.set_attribute(name, value);
    }
}

/// Shows where the run stands. The hash is of exactly this moment, or not there.
pub fn show(frame: &Frame) {
    put("data-now-ns", &frame.now_ns.to_string());
    put("data-events", &frame.events.to_string());
    put("data-cpus", &frame.cpus.len().to_string());
    match frame.state_hash {
        Some(hash) => put("data-state-hash", &format!("{hash:016x}")),
        None => {
            if let Some(root) = root() {
                let _ = root.remove_attribute("data-state-hash");
            }
        }
    }
}

/// Shows the rate of balance calls as the chart draws it, in calls a simulated second.
pub fn show_rate(calls: f64) {
    put("data-rate", &crate::units::fixed(calls, 0));
}

/// Shows whether a world stands, stands still, or is on its way.
pub fn show_phase(words: &str) {
    put("data-phase", words);
}
