//! The names a link may use that other rooms own: workloads with their parameters, switches, machines.

use super::units::Unit;
use super::value::Spelling;
use crate::balance::Rules;
use crate::topology::Release;
use crate::workload::{self, KINDS, Param, REPLAY};

/// The workloads' names.
pub(super) fn workloads() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.name).chain([REPLAY]).collect()
}

/// The parameters of a workload, in its fixed order.
pub(super) fn params(kind: &str) -> &'static [Param] {
    workload::kind(kind).map_or(&[], |kind| kind.params)
}

/// How a parameter or cost is written. A time without a unit is taken in `assumed`.
pub(super) fn spelling(unit: workload::Unit, assumed: Unit) -> Spelling {
    match unit {
        workload::Unit::Time => Spelling::Time(assumed),
        workload::Unit::Count => Spelling::Count,
        workload::Unit::Nice => Spelling::Nice,
    }
}

/// A release's switches and their values.
pub(super) fn switches(release: Release) -> Vec<(&'static str, String)> {
    Rules::of(release).switches()
}
