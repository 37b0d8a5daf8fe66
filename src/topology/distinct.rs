//! Sets of numbers as sorted lists. One function for all of them is compiled once, where a tree or a sort for
//! every type of element would make up a good part of what a visitor of the page downloads.

/// The values in ascending order, each once.
pub fn distinct(mut values: Vec<u64>) -> Vec<u64> {
    values.sort_unstable();
    values.dedup();
    values
}

/// Two numbers as one that orders as the pair does.
pub fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The first number of a [`pair`].
pub fn first_of(pair: u64) -> u32 {
    (pair >> 32) as u32
}

/// The second number of a [`pair`].
pub fn second_of(pair: u64) -> u32 {
    pair as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_order_by_their_first_number_and_then_by_their_second() {
        let pairs = [(3, 0), (0, u32::MAX), (u32::MAX, 1), (0, 0), (3, 0)];
        let ordered = distinct(pairs.iter().map(|&(a, b)| pair(a, b)).collect());
        let back: Vec<(u32, u32)> = ordered.into_iter().map(|p| (first_of(p), second_of(p))).collect();
        assert_eq!(back, [(0, 0), (0, u32::MAX), (3, 0), (u32::MAX, 1)]);
    }
}
