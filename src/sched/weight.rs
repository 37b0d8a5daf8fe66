//! Nice weights and the kernel's way of dividing by one.
//!
//! Sources: core.c `sched_prio_to_weight` (all releases modelled), fair.c 6.1.192 `__calc_delta`.

/// Weight of nice 0.
pub const NICE_0: u32 = 1_024;

/// Weight of a SCHED_IDLE task.
pub const IDLE: u32 = 3;

/// Weights of nice -20 to 19.
const WEIGHTS: [u32; 40] = [
    88_761, 71_755, 56_483, 46_273, 36_291, 29_154, 23_254, 18_705, 14_949, 11_916, 9_548, 7_620, 6_100,
    4_904, 3_906, 3_121, 2_501, 1_991, 1_586, 1_277, 1_024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110,
    87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// Weight of a nice level; values outside -20 to 19 are taken as the nearest.
pub fn of_nice(nice: i8) -> u32 {
    WEIGHTS[(i32::from(nice.clamp(-20, 19)) + 20) as usize]
}

/// `2^32 / weight` as the kernel's table holds it: to the nearest, but rounded down for 56, 45, 29 and 23.
pub fn inverse_of_nice_weight(weight: u32) -> u64 {
    let weight = u64::from(weight.max(1));
    let down = (1u64 << 32) / weight;
    let nearest = ((1u64 << 32) + weight / 2) / weight;
    if matches!(weight, 56 | 45 | 29 | 23) { down } else { nearest }
}

/// The inverse of a queue's total weight: `floor((2^32 - 1) / weight)`.
pub fn inverse_of_total(weight: u64) -> u64 {
    u64::from(u32::MAX) / weight.max(1)
}

/// `delta * weight / b`, where `inverse` is the inverse of b, with the kernel's shifts and rounding.
pub fn scale(delta: u64, weight: u32, inverse: u64) -> u64 {
    let mut factor = u64::from(weight) * inverse;
    let mut shift = 32;
    while factor >> 32 != 0 {
        factor >>= 1;
        shift -= 1;
    }
    ((u128::from(delta) * u128::from(factor)) >> shift) as u64
}

/// Virtual time for `delta` ns at a nice weight: `delta * 1024 / weight`; `delta` itself at weight 1024.
pub fn virtual_time(delta: u64, weight: u32) -> u64 {
    if weight == NICE_0 { delta } else { scale(delta, NICE_0, inverse_of_nice_weight(weight)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ends_and_the_middle_of_the_table() {
        assert_eq!((of_nice(-20), of_nice(0), of_nice(19)), (88_761, 1_024, 15));
        assert_eq!((of_nice(-128), of_nice(127)), (88_761, 15));
    }

    #[test]
    fn each_nice_step_is_about_a_quarter() {
        for pair in WEIGHTS.windows(2) {
            let ratio = f64::from(pair[0]) / f64::from(pair[1]);
            assert!((1.15..1.36).contains(&ratio), "{pair:?}");
        }
    }

    #[test]
    fn four_inverses_are_rounded_down() {
        assert_eq!(inverse_of_nice_weight(1_024), 4_194_304);
        assert_eq!(inverse_of_nice_weight(15), 286_331_153);
        assert_eq!(inverse_of_nice_weight(56), 76_695_844);
        assert_eq!(inverse_of_nice_weight(23), 186_737_708);
    }

    #[test]
    fn virtual_time_of_nice_zero_is_time() {
        assert_eq!(virtual_time(123_456_789, NICE_0), 123_456_789);
    }

    proptest! {
        #[test]
        fn virtual_time_is_close_to_the_exact_quotient(delta in 0u64..1_000_000_000, nice in -20i8..=19) {
            let weight = of_nice(nice);
            let exact = u128::from(delta) * 1_024 / u128::from(weight);
            let got = u128::from(virtual_time(delta, weight));
            prop_assert!(got.abs_diff(exact) <= 1 + exact / 1_000_000);
        }
    }
}
