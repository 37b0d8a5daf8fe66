//! The rules of each release as data.

use crate::topology::{Release, TopologyRules};

/// Switches and constants of one release. A scenario may override any single one by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How domains are built.
    pub topology: TopologyRules,
}

impl Rules {
    /// The rules of a release.
    pub fn of(release: Release) -> Self {
        Self { topology: TopologyRules::of(release) }
    }

    /// Every switch that a scenario may override, with its value as written in a URL, in a fixed order.
    pub fn switches(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Sets one switch by name. The error is one sentence for a person.
    pub fn set(&mut self, name: &str, _value: &str) -> Result<(), String> {
        Err(format!("{name} is not a switch."))
    }
}
