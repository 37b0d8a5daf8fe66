//! The flags of a domain.

// The flags are the kernel's own words; the spec says what each does.
#![allow(missing_docs)]

use super::{LlcFlagName, TopologyRules};
use bitflags::bitflags;

bitflags! {
    /// Domain flags, in 6.1's ascending bit order. `LLC` prints as SD_SHARE_PKG_RESOURCES or SD_SHARE_LLC.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SdFlags: u32 {
        const BALANCE_NEWIDLE = 1 << 0;
        const BALANCE_EXEC = 1 << 1;
        const BALANCE_FORK = 1 << 2;
        const BALANCE_WAKE = 1 << 3;
        const WAKE_AFFINE = 1 << 4;
        const ASYM_CPUCAPACITY = 1 << 5;
        const ASYM_CPUCAPACITY_FULL = 1 << 6;
        const SHARE_CPUCAPACITY = 1 << 7;
        const CLUSTER = 1 << 8;
        const LLC = 1 << 9;
        const SERIALIZE = 1 << 10;
        const ASYM_PACKING = 1 << 11;
        const PREFER_SIBLING = 1 << 12;
        const OVERLAP = 1 << 13;
        const NUMA = 1 << 14;
        const LOAD_BALANCE = 1 << 15;
    }
}

impl SdFlags {
    /// The kernel's names of the flags that are set, in ascending order of that release's bits.
    pub fn names(self, rules: &TopologyRules) -> Vec<&'static str> {
        let first = self & Self::LOAD_BALANCE;
        first.iter().chain((self - first).iter()).map(|flag| flag.kernel_name(rules.llc_flag)).collect()
    }

    fn kernel_name(self, llc: LlcFlagName) -> &'static str {
        match self {
            Self::BALANCE_NEWIDLE => "SD_BALANCE_NEWIDLE",
            Self::BALANCE_EXEC => "SD_BALANCE_EXEC",
            Self::BALANCE_FORK => "SD_BALANCE_FORK",
            Self::BALANCE_WAKE => "SD_BALANCE_WAKE",
            Self::WAKE_AFFINE => "SD_WAKE_AFFINE",
            Self::ASYM_CPUCAPACITY => "SD_ASYM_CPUCAPACITY",
            Self::ASYM_CPUCAPACITY_FULL => "SD_ASYM_CPUCAPACITY_FULL",
            Self::SHARE_CPUCAPACITY => "SD_SHARE_CPUCAPACITY",
            Self::CLUSTER => "SD_CLUSTER",
            Self::LLC if llc == LlcFlagName::ShareLlc => "SD_SHARE_LLC",
            Self::LLC => "SD_SHARE_PKG_RESOURCES",
            Self::SERIALIZE => "SD_SERIALIZE",
            Self::ASYM_PACKING => "SD_ASYM_PACKING",
            Self::PREFER_SIBLING => "SD_PREFER_SIBLING",
            Self::OVERLAP => "SD_OVERLAP",
            Self::NUMA => "SD_NUMA",
            _ => "SD_LOAD_BALANCE",
        }
    }
}
