//! Removal of levels that balance nothing (`cpu_attach_domain`).

use super::chain::Proto;
use super::groups::State;
use super::spans::Spans;
use crate::topology::{GroupFlags, SdFlags, TopologyRules};

/// Takes degenerate levels out of chains, one CPU after another, ascending.
pub struct Attach<'a> {
    pub rules: &'a TopologyRules,
    pub spans: &'a Spans,
    /// Several nodes are possible, with or without CPUs.
    pub several_nodes: bool,
}

impl Attach<'_> {
    /// Removes what is degenerate from one chain. Flags of groups shared with other CPUs change in `states`.
    pub fn attach(&self, chain: &mut Vec<Proto>, states: &mut [State]) {
        let mut at = 0;
        while at + 1 < chain.len() {
            if !self.parent_degenerate(&chain[at], &chain[at + 1]) {
                at += 1;
                continue;
            }
            let parent = chain.remove(at + 1);
            let survivor = chain[at].flags;
            if self.rules.group_flags == GroupFlags::Refreshed
                && let Some(above) = chain.get_mut(at + 1)
            {
                set_own_group_flags(above, survivor, states);
            }
            chain[at].flags |= parent.flags & SdFlags::PREFER_SIBLING;
        }
        if chain.first().is_some_and(|base| self.degenerate(base)) {
            chain.remove(0);
            if let Some(base) = chain.first_mut() {
                set_own_group_flags(base, SdFlags::empty(), states);
            }
        }
    }

    /// `sd_degenerate`.
    fn degenerate(&self, sd: &Proto) -> bool {
        if self.spans.weight(sd.span) == 1 {
            return true;
        }
        let needs_groups = sd.flags - SdFlags::WAKE_AFFINE;
        let balances = !needs_groups.is_empty() && sd.groups.len() > 1;
        !balances && !sd.flags.contains(SdFlags::WAKE_AFFINE)
    }

    /// `sd_parent_degenerate`.
    fn parent_degenerate(&self, sd: &Proto, parent: &Proto) -> bool {
        if self.degenerate(parent) {
            return true;
        }
        if sd.span != parent.span {
            return false;
        }
        let counted =
            if parent.groups.len() == 1 { parent.flags & self.kept_with_one_group() } else { parent.flags };
        sd.flags.contains(counted)
    }

    /// Flags that count although the level has a single group.
    fn kept_with_one_group(&self) -> SdFlags {
        let mut kept = SdFlags::WAKE_AFFINE;
        if self.rules.one_group_keeps_numa {
            kept |= SdFlags::NUMA | SdFlags::OVERLAP | SdFlags::ASYM_PACKING | SdFlags::BALANCE_WAKE;
            kept.set(SdFlags::SERIALIZE, self.several_nodes);
        }
        kept
    }
}

/// Sets the flags of the first group of the CPU's list, which other lists see only where they share it.
fn set_own_group_flags(sd: &mut Proto, flags: SdFlags, states: &mut [State]) {
    match sd.own_flags.first_mut() {
        Some(own) => *own = flags,
        None => {
            if let Some(&own) = sd.groups.first() {
                states[own as usize].shared_flags = Some(flags);
            }
        }
    }
}
