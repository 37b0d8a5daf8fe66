//! What tests and benchmarks may read off the page: data attributes of the root element, and a measure
//! around the page's own work for each frame.

use balancescope::observe::Frame;
use std::cell::Cell;
use web_sys::Element;

/// The name of the measure.
const MEASURE: &str = "bs:frame";
const BEGIN: &str = "bs:frame-begin";
/// Measures kept by the browser before they are cleared.
const KEPT: u32 = 1_200;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// Measures a piece of work.
pub struct Timer(());

impl Timer {
    /// Begins.
    pub fn start() -> Self {
        if let Some(performance) = gloo::utils::window().performance() {
            let _ = performance.mark(BEGIN);
        }
        Self(())
    }

    /// Ends, leaving a measure behind.
    pub fn stop(self) {
        let Some(performance) = gloo::utils::window().performance() else { return };
        let _ = performance.measure_with_start_mark(MEASURE, BEGIN);
        performance.clear_marks_with_mark_name(BEGIN);
        COUNT.with(|count| {
            count.set(count.get() + 1);
            if count.get() >= KEPT {
                count.set(0);
                performance.clear_measures_with_measure_name(MEASURE);
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
    put("data-rate", &format!("{calls:.0}"));
}

/// Shows whether a world stands, stands still, or is on its way.
pub fn show_phase(words: &str) {
    put("data-phase", words);
}
