//! The tokens of the look as colour strings, for canvases. `www/style.css` holds the same values as custom
//! properties for everything else; a test keeps the two equal.

use balancescope::observe::{Cause, Outcome};

/// All colours of one theme, and whether things may travel across the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Theme {
    pub dark: bool,
    /// The person asked for less motion: nothing travels, nothing pulses.
    pub reduced_motion: bool,
    pub page: &'static str,
    pub surface: &'static str,
    pub well: &'static str,
    pub core: &'static str,
    pub cell: &'static str,
    pub line: &'static str,
    /// Edge of a control.
    pub edge: &'static str,
    pub ink1: &'static str,
    pub ink2: &'static str,
    pub ink3: &'static str,
    pub task: &'static str,
    /// User time.
    pub user: &'static str,
    /// Ground of the slot with the running task.
    pub slot: &'static str,
    pub wire: &'static str,
    pub stub: &'static str,
    pub wakeup: &'static str,
    pub fork: &'static str,
    pub newidle: &'static str,
    pub periodic: &'static str,
    pub nohz: &'static str,
    pub active: &'static str,
    pub gated: &'static str,
    pub not_due: &'static str,
    pub lock_lost: &'static str,
    pub balanced: &'static str,
    pub failed: &'static str,
    pub moved: &'static str,
    /// Ground of a CPU with 0, 1, 2, 3, 4 and 5 or more runnable tasks.
    pub runnable: [&'static str; 6],
    pub caution: &'static str,
    pub error: &'static str,
}

/// Ink on white paper.
pub const LIGHT: Theme = Theme {
    dark: false,
    reduced_motion: false,
    page: "#f2f4f6",
    surface: "#ffffff",
    well: "#e9edf1",
    core: "#f0f3f6",
    cell: "#ffffff",
    line: "#d8dee4",
    edge: "#7a8591",
    ink1: "#151b22",
    ink2: "#414c58",
    ink3: "#5b6672",
    task: "#3b4754",
    user: "#76899d",
    slot: "#dfe6ee",
    wire: "#dde3e9",
    stub: "#c3ccd5",
    wakeup: "#1c8dac",
    fork: "#9e8d06",
    newidle: "#2c56d3",
    periodic: "#ae5012",
    nohz: "#86297c",
    active: "#8f0022",
    gated: "#e3e8ed",
    not_due: "#cdd5dd",
    lock_lost: "#b2bdc8",
    balanced: "#8b98a6",
    failed: "#55626f",
    moved: "#151b22",
    runnable: ["#f0f3f6", "#cbd6e1", "#9db0c3", "#6b839c", "#3d5570", "#1a2c42"],
    caution: "#fff3d6",
    error: "#fde9e7",
};

/// Light ink on dark paper.
pub const DARK: Theme = Theme {
    dark: true,
    reduced_motion: false,
    page: "#0e1216",
    surface: "#151a20",
    well: "#0a0d11",
    core: "#1b2229",
    cell: "#11161b",
    line: "#29323b",
    edge: "#76828f",
    ink1: "#e9eef3",
    ink2: "#b4bec9",
    ink3: "#95a0ac",
    task: "#c5cfd9",
    user: "#6f8093",
    slot: "#2a3542",
    wire: "#232b34",
    stub: "#37424d",
    wakeup: "#62ece8",
    fork: "#d8dc70",
    newidle: "#7682ff",
    periodic: "#f09552",
    nohz: "#c99ae2",
    active: "#e8546f",
    gated: "#242c35",
    not_due: "#35404b",
    lock_lost: "#4b5865",
    balanced: "#74828f",
    failed: "#a9b5c0",
    moved: "#f2f6fa",
    runnable: ["#1a2129", "#2c3a48", "#45596d", "#6a839b", "#9db4ca", "#dce8f3"],
    caution: "#2c2410",
    error: "#33191a",
};

impl Theme {
    /// The theme for a page that is dark or not, with motion or less of it.
    pub fn of(dark: bool, reduced_motion: bool) -> Self {
        Self { reduced_motion, ..if dark { DARK } else { LIGHT } }
    }

    /// The hue of the path that moved a task.
    pub fn cause(&self, cause: Cause) -> &'static str {
        match cause {
            Cause::Wakeup => self.wakeup,
            Cause::Fork => self.fork,
            Cause::Newidle => self.newidle,
            Cause::Periodic => self.periodic,
            Cause::Nohz => self.nohz,
            Cause::Active => self.active,
        }
    }

    /// The ink of how far an attempt got.
    pub fn outcome(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Gated => self.gated,
            Outcome::NotDue => self.not_due,
            Outcome::LockLost => self.lock_lost,
            Outcome::Balanced => self.balanced,
            Outcome::Failed => self.failed,
            Outcome::Moved => self.moved,
        }
    }

    #[cfg(test)]
    /// Every token with its name as a custom property, without the leading dashes.
    pub fn tokens(&self) -> Vec<(String, &'static str)> {
        let named = [
            ("page", self.page),
            ("surface", self.surface),
            ("well", self.well),
            ("core", self.core),
            ("cell", self.cell),
            ("line", self.line),
            ("edge", self.edge),
            ("ink-1", self.ink1),
            ("ink-2", self.ink2),
            ("ink-3", self.ink3),
            ("task", self.task),
            ("user", self.user),
            ("slot", self.slot),
            ("wire", self.wire),
            ("stub", self.stub),
            ("wakeup", self.wakeup),
            ("fork", self.fork),
            ("newidle", self.newidle),
            ("periodic", self.periodic),
            ("nohz", self.nohz),
            ("active", self.active),
            ("gated", self.gated),
            ("not-due", self.not_due),
            ("lock-lost", self.lock_lost),
            ("balanced", self.balanced),
            ("failed", self.failed),
            ("moved", self.moved),
            ("caution", self.caution),
            ("error", self.error),
        ];
        let runnable = self.runnable.iter().enumerate().map(|(i, c)| (format!("runnable-{i}"), *c));
        named.into_iter().map(|(n, c)| (n.to_owned(), c)).chain(runnable).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: &str = include_str!("../../../www/style.css");

    /// The declarations of the first block after `marker`.
    fn block(marker: &str) -> &'static str {
        let start = STYLE.find(marker).expect("the style sheet has this block");
        let body = &STYLE[start..];
        &body[..body.find('}').expect("a block ends")]
    }

    #[test]
    fn the_style_sheet_has_the_same_tokens() {
        for (marker, theme) in [
            ("/* tokens: light */", LIGHT),
            ("/* tokens: dark, by the system */", DARK),
            ("/* tokens: dark, by choice */", DARK),
        ] {
            let css = block(marker);
            for (name, colour) in theme.tokens() {
                assert!(
                    css.contains(&format!("--{name}: {colour};")),
                    "--{name}: {colour}; is missing after {marker}"
                );
            }
        }
    }
}
