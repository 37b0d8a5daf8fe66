//! Where each CPU's time went lately: differences of the cumulative counters of frames.

use balancescope::observe::{CpuFrame, Frame};
use std::collections::VecDeque;

/// The window, simulated ns.
pub const WINDOW_NS: u64 = 100_000_000;
const STEP_NS: u64 = WINDOW_NS / 10;

/// Parts of a CPU's time, which sum to 1 unless no time has passed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Share {
    pub user: f64,
    pub balance: f64,
    pub lock: f64,
    pub system: f64,
    pub idle: f64,
}

type Counts = [u64; 5];

/// Counters of the last 100 simulated ms.
#[derive(Debug, Default)]
pub struct Shares {
    past: VecDeque<(u64, Vec<Counts>)>,
    now: Vec<Share>,
}

fn counts(c: &CpuFrame) -> Counts {
    [c.user_ns, c.balance_ns, c.lock_ns, c.system_ns, c.idle_ns]
}

impl Shares {
    /// Takes in a frame. A frame from the past of the last one starts anew: someone went back in time.
    pub fn arrive(&mut self, frame: &Frame) {
        let back =
            self.past.back().is_some_and(|(ns, cpus)| *ns > frame.now_ns || cpus.len() != frame.cpus.len());
        if back {
            self.past.clear();
        }
        while self.past.get(1).is_some_and(|(ns, _)| ns + WINDOW_NS <= frame.now_ns) {
            self.past.pop_front();
        }
        let base = self.past.front();
        self.now = frame
            .cpus
            .iter()
            .enumerate()
            .map(|(i, c)| {
                share(counts(c), base.and_then(|(_, cpus)| cpus.get(i)).copied().unwrap_or_default())
            })
            .collect();
        if self.past.back().is_none_or(|(ns, _)| frame.now_ns >= ns + STEP_NS) {
            self.past.push_back((frame.now_ns, frame.cpus.iter().map(counts).collect()));
        }
    }

    /// A CPU's share.
    pub fn of(&self, cpu: usize) -> Share {
        self.now.get(cpu).copied().unwrap_or_default()
    }

    /// A CPU's shares of each tenth of the window, oldest first; fewer before so much has passed.
    pub fn history(&self, cpu: usize) -> impl Iterator<Item = Share> + '_ {
        let steps = self.past.iter().zip(self.past.iter().skip(1));
        steps.filter_map(move |((_, a), (_, b))| Some(share(*b.get(cpu)?, *a.get(cpu)?)))
    }

    /// Forgets everything: another world.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

fn share(now: Counts, before: Counts) -> Share {
    let mut d = [0.0; 5];
    for i in 0..5 {
        d[i] = now[i].saturating_sub(before[i]) as f64;
    }
    let sum: f64 = d.iter().sum();
    if sum <= 0.0 {
        return Share::default();
    }
    let [user, balance, lock, system, idle] = d.map(|v| v / sum);
    Share { user, balance, lock, system, idle }
}
