//! The kernel releases whose rules are known.

use serde::{Deserialize, Serialize};

/// A kernel release whose rules are known. Only constructors of rules may ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Release {
    /// 4.19
    V4_19,
    /// 6.1.192
    V6_1,
    /// 6.6
    V6_6,
    /// 6.12
    V6_12,
    /// 6.17
    V6_17,
    /// 6.19
    V6_19,
    /// 7.1
    V7_1,
}

impl Release {
    /// All releases, oldest first.
    pub const ALL: [Release; 7] =
        [Self::V4_19, Self::V6_1, Self::V6_6, Self::V6_12, Self::V6_17, Self::V6_19, Self::V7_1];

    /// The name as written in a URL: `6.6`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V4_19 => "4.19",
            Self::V6_1 => "6.1",
            Self::V6_6 => "6.6",
            Self::V6_12 => "6.12",
            Self::V6_17 => "6.17",
            Self::V6_19 => "6.19",
            Self::V7_1 => "7.1",
        }
    }

    /// The release of that name; `6.1.192` is 6.1.
    pub fn parse(name: &str) -> Option<Self> {
        let name = if name == "6.1.192" { "6.1" } else { name };
        Self::ALL.into_iter().find(|r| r.name() == name)
    }
}
