//! `check domains`: the domain trees that a kernel built.

use super::Tally;
use balancescope::topology::Release;

/// Compares every recorded field of one file.
pub fn check(_label: &str, _text: &str, _release: Release, _tally: &mut Tally) -> Result<(), String> {
    Err("Not here yet.".to_owned())
}
