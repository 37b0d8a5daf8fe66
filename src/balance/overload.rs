//! The root domain's overload flag: when it is set, and when a pass may clear it (spec 1.6).

/// `add_nr_running`: the flag is set when a queue goes from less than two tasks of all classes to two or more.
pub fn set_by_enqueue(nr_before: u32, nr_after: u32) -> bool {
    nr_before < 2 && nr_after >= 2
}

/// `update_sd_lb_stats`: the flag after a statistics pass. Only a domain without parent changes it to what was
/// computed, and so may clear it; passes below leave it alone.
pub fn after_stats(flag: bool, has_parent: bool, computed: bool) -> bool {
    if has_parent { flag } else { computed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_crossing_sets_it() {
        assert!(set_by_enqueue(1, 2));
        assert!(set_by_enqueue(0, 3));
        assert!(!set_by_enqueue(2, 3));
        assert!(!set_by_enqueue(0, 1));
    }

    #[test]
    fn only_a_top_level_pass_clears_it() {
        assert!(after_stats(true, true, false));
        assert!(!after_stats(true, false, false));
        assert!(!after_stats(false, true, true));
        assert!(after_stats(false, false, true));
    }
}
