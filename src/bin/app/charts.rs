//! The charts' side of `www/charts.js`, which dresses uPlot.

use crate::meter::{KINDS, Rates, Window};
use crate::units::fixed;
use js_sys::{Array, Float64Array};
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// A live chart.
    pub type Chart;

    #[wasm_bindgen(js_namespace = bsCharts, js_name = create, catch)]
    fn create(host: &Element, readout: &Element, spec: &str) -> Result<Chart, JsValue>;

    #[wasm_bindgen(method)]
    fn update(this: &Chart, now: f64, columns: &Array, marks: &Array, times: &Float64Array);

    /// Takes the colours of the theme that holds now.
    #[wasm_bindgen(method)]
    pub fn dress(this: &Chart);

    /// Removes the chart from the page.
    #[wasm_bindgen(method)]
    pub fn destroy(this: &Chart);
}

/// What a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Show {
    Calls,
    Moved,
    Balance,
    Busy,
    Latency,
}

impl Show {
    /// All, in the order of the page.
    pub const ALL: [Self; 5] = [Self::Calls, Self::Moved, Self::Balance, Self::Busy, Self::Latency];
}

const KIND_LINES: [(&str, &str, &str, f64); KINDS] = [
    ("newidle", "newidle", "[]", 2.0),
    ("periodic", "periodic", "[5,3]", 1.5),
    ("nohz", "nohz", "[6,3,1.5,3]", 1.5),
];

/// Dash patterns and inks of the levels, bottom up: hue is not theirs.
const LEVEL_LINES: [(&str, &str); 7] = [
    ("ink-2", "[1.5,2.5]"),
    ("ink-1", "[]"),
    ("ink-2", "[5,3]"),
    ("ink-3", "[8,3,2,3]"),
    ("ink-1", "[2,4]"),
    ("ink-3", "[]"),
    ("ink-2", "[10,4]"),
];

fn series(label: &str, token: &str, dash: &str, width: f64) -> String {
    format!(r#"{{"label":"{label}","token":"{token}","dash":{dash},"width":{}}}"#, fixed(width, 1))
}

/// The chart's spec as JSON; `axis`: it shows the time axis.
pub fn spec(show: Show, levels: &[&str], axis: bool) -> String {
    let kinds = || KIND_LINES.iter().map(|(l, t, d, w)| series(l, t, d, *w)).collect::<Vec<_>>();
    let (unit, log, stacked, lines) = match show {
        Show::Calls => ("rate", true, false, kinds()),
        Show::Moved => {
            let line = |(name, (token, dash)): (&&str, &(&str, &str))| series(name, token, dash, 1.5);
            ("share", false, false, levels.iter().zip(&LEVEL_LINES).map(line).collect())
        }
        Show::Balance => ("share", false, true, kinds()),
        Show::Busy => ("share", false, false, vec![series("", "user", "[]", 2.0)]),
        Show::Latency => {
            ("time", true, false, vec![series("p50", "ink-3", "[]", 1.5), series("p99", "ink-1", "[]", 2.0)])
        }
    };
    let words = show == Show::Calls;
    format!(
        r#"{{"unit":"{unit}","log":{log},"stacked":{stacked},"axis":{axis},"words":{words},"series":[{}]}}"#,
        lines.join(",")
    )
}

/// A chart inside `host`; numbers under the pointer are written into `readout`.
pub fn make(host: &Element, readout: &Element, spec: &str) -> Option<Chart> {
    create(host, readout, spec).ok()
}

/// The lines of a chart at one moment, NaN where there is nothing.
fn values(show: Show, rates: &Rates) -> Vec<f64> {
    match show {
        Show::Calls => rates.calls.to_vec(),
        Show::Moved => rates.moved.iter().take(LEVEL_LINES.len()).map(|m| m.unwrap_or(f64::NAN)).collect(),
        Show::Balance => {
            let mut sum = 0.0;
            let stacked = rates.balance.iter().map(|b| {
                sum += b;
                sum
            });
            stacked.collect()
        }
        Show::Busy => vec![rates.busy],
        Show::Latency => rates.latency.map_or(vec![f64::NAN; 2], |(p50, p99)| vec![p50, p99]),
    }
}

/// Draws a window.
pub fn draw(chart: &Chart, show: Show, window: &Window) {
    let Some(now) = window.now() else { return };
    let xs: Vec<f64> = window.rates.iter().map(|r| r.x).collect();
    let rows: Vec<Vec<f64>> = window.rates.iter().map(|r| values(show, r)).collect();
    let columns = Array::of1(&Float64Array::from(xs.as_slice()));
    for line in 0..rows.first().map_or(0, Vec::len) {
        let column: Vec<f64> = rows.iter().map(|row| row.get(line).copied().unwrap_or(f64::NAN)).collect();
        columns.push(&Float64Array::from(column.as_slice()));
    }
    let mark = |(at, words): &(f64, String)| Array::of2(&(*at).into(), &words.as_str().into());
    let marks: Array = window.marks.iter().map(mark).collect();
    let times: Vec<f64> = window.rates.iter().map(|r| r.now_ns as f64).collect();
    chart.update(now.x, &columns, &marks, &Float64Array::from(times.as_slice()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spec_is_json_with_a_line_for_every_value() {
        let levels = ["SMT", "MC", "NUMA"];
        let rates = Rates { moved: vec![Some(0.1); levels.len()], ..Rates::default() };
        for show in Show::ALL {
            let json: serde_json::Value = serde_json::from_str(&spec(show, &levels, true)).expect("JSON");
            let lines = json["series"].as_array().expect("a list").len();
            assert_eq!(lines, values(show, &rates).len(), "{show:?}");
        }
    }

    #[test]
    fn balancing_is_stacked() {
        let rates = Rates { balance: [0.25, 0.5, 0.125], ..Rates::default() };
        assert_eq!(values(Show::Balance, &rates), [0.25, 0.75, 0.875]);
    }
}
