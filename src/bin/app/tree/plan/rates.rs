//! Balance calls a simulated second, by wire.

use super::layout::Layout;
use crate::units::fixed;
use balancescope::observe::{Attempt, Frame, Outcome};

/// Smoothed calls by wire: counts of each level from the frame's totals, split among its domains as the
/// attempts that the frames tell.
#[derive(Debug, Default)]
pub struct Rates {
    last: Option<(u64, Vec<u64>)>,
    /// By slot: smoothed calls and simulated seconds.
    calls: Vec<f64>,
    seconds: f64,
    /// By wire: smoothed attempts told.
    told: Vec<f64>,
    told_slot: Vec<f64>,
}

/// Whether an attempt ran `load_balance`.
fn is_call(a: &Attempt) -> bool {
    !matches!(a.outcome, Outcome::Gated | Outcome::NotDue)
}

impl Rates {
    /// Takes in a frame, `screen_ms` after the one before.
    pub fn arrive(&mut self, layout: &Layout, frame: &Frame, screen_ms: f64) {
        let now: Vec<u64> = frame.totals.levels.iter().map(|l| l.iter().map(|k| k.calls).sum()).collect();
        let keep = libm::exp2(-screen_ms / 700.0);
        self.calls.resize(now.len(), 0.0);
        self.told.resize(layout.wires.len(), 0.0);
        self.told_slot.resize(now.len(), 0.0);
        for v in self.calls.iter_mut().chain(&mut self.told).chain(&mut self.told_slot) {
            *v *= keep;
        }
        self.seconds *= keep;
        if let Some((ns, before)) = &self.last
            && *ns <= frame.now_ns
            && before.len() == now.len()
        {
            self.seconds += (frame.now_ns - ns) as f64 / 1e9;
            for (calls, (a, b)) in self.calls.iter_mut().zip(now.iter().zip(before)) {
                *calls += a.saturating_sub(*b) as f64;
            }
        }
        self.last = Some((frame.now_ns, now));
        for a in frame.attempts.iter().filter(|a| is_call(a)) {
            let slot = usize::from(a.slot);
            if let (Some(wire), Some(sum)) =
                (layout.wire_of(a.cpu as usize, slot), self.told_slot.get_mut(slot))
            {
                self.told[wire] += 1.0;
                *sum += 1.0;
            }
        }
    }

    /// Calls a simulated second on a wire; `None` before any time has passed.
    pub fn of(&self, layout: &Layout, wire: usize) -> Option<f64> {
        let slot = layout.wires.get(wire)?.slot;
        let all = self.calls.get(slot).filter(|_| self.seconds > 0.0)? / self.seconds;
        let told = self.told_slot.get(slot).copied().unwrap_or(0.0);
        if told <= 0.0 { Some(0.0) } else { Some(all * self.told.get(wire)? / told) }
    }

    /// Forgets everything: another world or another layout.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// A rate in at most four characters and a unit: `950`, `3.9k`, `24k`, `1.2M`.
pub fn short(rate: f64) -> String {
    match rate {
        r if r < 9.95 => fixed(r, 1).trim_end_matches(".0").to_owned(),
        r if r < 999.5 => fixed(r, 0),
        r if r < 9_950.0 => fixed(r / 1e3, 1) + "k",
        r if r < 999_500.0 => fixed(r / 1e3, 0) + "k",
        r if r < 9_950_000.0 => fixed(r / 1e6, 1) + "M",
        r => fixed(r / 1e6, 0) + "M",
    }
}

/// A time in three significant digits: `212 ns`, `38.4 µs`, `1.9 ms`.
pub fn time(ns: u64) -> String {
    let f = ns as f64;
    let (value, unit) = match ns {
        0..=999 => return format!("{ns} ns"),
        1_000..=999_999 => (f / 1e3, "µs"),
        1_000_000..=999_999_999 => (f / 1e6, "ms"),
        _ => (f / 1e9, "s"),
    };
    format!("{} {unit}", fixed(value, if value < 9.95 { 1 } else { 0 }))
}
