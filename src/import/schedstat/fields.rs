//! What the columns mean, by version and by how many there are.

/// Counters of a CPU line that are kept, in the order of versions 15 and later.
pub(super) const CPU_FIELDS: [&str; 7] =
    ["yields", "schedules", "went_idle", "wakeups", "local_wakeups", "timeslices", "array_switches"];
/// Counters of one idle type, in the order of version 17.
pub(super) const TYPE_FIELDS: [&str; 11] = [
    "count",
    "balanced",
    "failed",
    "imbalance_load",
    "imbalance_util",
    "imbalance_task",
    "imbalance_misfit",
    "gained",
    "hot_gained",
    "nobusyq",
    "nobusyg",
];
/// Index of the idle types in [`DomainCounts::types`].
pub(super) const TYPES: [&str; 3] = ["idle", "busy", "newidle"];
/// Counters at the end of a domain line.
pub(super) const TAIL_FIELDS: [&str; 12] = [
    "alb_count",
    "alb_failed",
    "alb_pushed",
    "sbe_count",
    "sbe_balanced",
    "sbe_pushed",
    "sbf_count",
    "sbf_balanced",
    "sbf_pushed",
    "ttwu_wake_remote",
    "ttwu_move_affine",
    "ttwu_move_balance",
];

/// The counters of a CPU line. `None` is a field that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CpuCounts {
    /// In the order of [`CPU_FIELDS`]; all but `timeslices` have 32 bits in the kernel.
    pub(super) fields: [Option<u64>; CPU_FIELDS.len()],
    pub(super) run: Option<u64>,
    pub(super) wait: Option<u64>,
}

/// The counters of a domain line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct DomainCounts {
    /// In the order of [`TYPES`]; `imbalance` before version 17 stands in place 3, with places 4 to 6 empty.
    pub(super) types: [[Option<u64>; TYPE_FIELDS.len()]; 3],
    /// Whether the imbalance is apart by unit.
    pub(super) by_unit: bool,
    pub(super) tail: [Option<u64>; TAIL_FIELDS.len()],
}

impl DomainCounts {
    /// Every counter.
    pub(super) fn all(&self) -> impl Iterator<Item = Option<u64>> + '_ {
        self.types.iter().flatten().chain(&self.tail).copied()
    }
}

/// Field names of a type row as they are told: before version 17 the imbalances are one sum.
pub(super) fn type_field(at: usize, by_unit: bool) -> Option<&'static str> {
    match at {
        3 if !by_unit => Some("imbalance"),
        4..=6 if !by_unit => None,
        _ => TYPE_FIELDS.get(at).copied(),
    }
}

/// Reads the counters of a CPU line: 9 from version 15 on, 12 before. `None` for any other number of them.
pub(super) fn cpu(values: &[Option<u64>]) -> Option<CpuCounts> {
    let of = |values: &[Option<u64>], yields: Option<u64>, arrays: Option<u64>| {
        let [schedules, idle, wakeups, local, run, wait, slices] = *values else { return None };
        Some(CpuCounts { fields: [yields, schedules, idle, wakeups, local, slices, arrays], run, wait })
    };
    match values.len() {
        // The second is a zero that the kernel kept for the scripts of old.
        9 => of(&values[2..], values[0], None),
        12 => of(&values[5..], values[3], values[4]),
        _ => None,
    }
}

/// How many counters of a domain line there must be.
pub(super) fn known_length(n: usize) -> bool {
    matches!(n, 36 | 45)
}

/// Reads the counters of a domain line. From version 16 on busy comes before idle.
pub(super) fn domain(values: &[Option<u64>], version: Option<u32>) -> Option<DomainCounts> {
    let per_type = match values.len() {
        36 => 8,
        45 => 11,
        _ => return None,
    };
    let mut out = DomainCounts { by_unit: per_type == 11, ..DomainCounts::default() };
    let busy_first = version.map_or(out.by_unit, |v| v >= 16);
    let order = if busy_first { [1, 0, 2] } else { [0, 1, 2] };
    let (types, tail) = values.split_at(per_type * 3);
    for (of_type, values) in order.into_iter().zip(types.chunks_exact(per_type)) {
        let row = &mut out.types[of_type];
        if out.by_unit {
            row.copy_from_slice(values);
        } else {
            row[..4].copy_from_slice(&values[..4]);
            row[7..].copy_from_slice(&values[4..]);
        }
    }
    out.tail.copy_from_slice(tail);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<Option<u64>> {
        text.split(' ').map(|n| n.parse().ok()).collect()
    }

    #[test]
    fn versions_that_mean_the_same_read_the_same() {
        let tail = "2 1 1 0 0 0 0 0 0 70 12 0";
        let (idle, busy, newidle) =
            ("100 90 2 16 9 1 3 85", "40 36 1 2048 3 0 0 34", "500 450 20 60 31 0 5 440");
        let old = domain(&numbers(&format!("{idle} {busy} {newidle} {tail}")), Some(15));
        let new = domain(&numbers(&format!("{busy} {idle} {newidle} {tail}")), Some(16));
        assert!(old.is_some());
        assert_eq!(old, new);
        let units = "40 36 1 2048 0 0 0 3 0 0 34 100 90 2 0 0 16 0 9 1 3 85 500 450 20 0 0 60 0 31 0 5 440";
        let newest = domain(&numbers(&format!("{units} {tail}")), Some(17)).unwrap_or_default();
        assert_eq!(newest.types[0][5], Some(16));
        assert_eq!(newest.types[1][3], Some(2048));
        assert_eq!(newest.types[2][7], Some(31));
        assert_eq!(cpu(&numbers("0 0 0 0 0 1200 400 800 650 7 3 790")).map(|c| c.run), Some(Some(7)));
        assert_eq!(cpu(&numbers("1 2 3")), None);
    }
}
