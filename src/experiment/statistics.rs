//! Mean and standard deviation.

use serde::Serialize;

/// Mean and spread of one figure over several runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Runs that have the figure.
    pub n: usize,
    /// Their mean; `None` without any.
    pub mean: Option<f64>,
    /// Their sample standard deviation (n - 1); `None` below two.
    pub sd: Option<f64>,
}

impl Spread {
    /// Of these values, in two passes, so that large means cost no digits.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        let count = n as f64;
        let mean = (n > 0).then(|| values.iter().sum::<f64>() / count);
        let squares = |mean: f64| values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>();
        let sd = mean.filter(|_| n > 1).map(|mean| (squares(mean) / (count - 1.0)).sqrt());
        Self { n, mean, sd }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_deviation_of_known_values() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((spread.n, spread.mean), (8, Some(5.0)));
        assert!((spread.sd.unwrap() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(Spread::of(&[1e15, 1e15 + 1.0]).sd, Some(0.5_f64.sqrt()));
    }

    #[test]
    fn too_few_values_have_no_spread() {
        assert_eq!(Spread::of(&[]), Spread { n: 0, mean: None, sd: None });
        assert_eq!(Spread::of(&[3.0]), Spread { n: 1, mean: Some(3.0), sd: None });
    }
}
