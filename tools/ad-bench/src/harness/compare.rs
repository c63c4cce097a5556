//! How far the results of two tools are apart.

use std::fmt;

use anyhow::{Result, ensure};

use super::problem::Entry;
use crate::array::Array;

/// The largest difference between two results of an entry.
pub struct Deviation {
    /// Which of the results it is.
    pub position: usize,
    /// The difference, relative to the largest entry of both arrays; infinite if one of the values
    /// is not a number.
    pub size: f64,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "result {} deviates by {:.1e} of its largest entry", self.position, self.size)
    }
}

/// The worst deviation among the results of an entry. It is an error if there are not as many
/// results as the entry has, or if shapes differ.
pub fn deviation(entry: &Entry, left: &[Array], right: &[Array]) -> Result<Deviation> {
    for results in [left, right] {
        ensure!(
            results.len() == entry.ranks.len(),
            "{} results, not {}",
            results.len(),
            entry.ranks.len()
        );
    }
    let mut worst = Deviation { position: 0, size: 0.0 };
    for (position, (left, right)) in left.iter().zip(right).enumerate() {
        ensure!(
            left.shape == right.shape,
            "result {position} has shape {:?}, not {:?}",
            right.shape,
            left.shape
        );
        let size = apart(&left.to_f64(), &right.to_f64());
        if size > worst.size {
            worst = Deviation { position, size };
        }
    }
    Ok(worst)
}

fn apart(left: &[f64], right: &[f64]) -> f64 {
    let largest = left.iter().chain(right).fold(f64::MIN_POSITIVE, |most, v| most.max(v.abs()));
    let worst = left.iter().zip(right).fold(0.0_f64, |worst, (l, r)| {
        let difference = if l == r { 0.0 } else { (l - r).abs() };
        // `max` would drop what is not a number.
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    });
    if worst.is_finite() { worst / largest } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::problem::Element;

    const ENTRY: Entry = Entry { name: "f", element: Element::F64, ranks: &[1] };

    fn between(left: &[f64], right: &[f64]) -> Result<f64> {
        let array = |v: &[f64]| Array::f64(&[v.len()], v.to_vec());
        Ok(deviation(&ENTRY, &[array(left)?], &[array(right)?])?.size)
    }

    #[test]
    fn relative_to_the_largest_entry() -> Result<()> {
        assert_eq!(between(&[1.0, 100.0], &[2.0, 100.0])?, 0.01);
        assert_eq!(between(&[0.0], &[0.0])?, 0.0);
        assert_eq!(between(&[], &[])?, 0.0);
        Ok(())
    }

    #[test]
    fn values_that_are_no_numbers() -> Result<()> {
        assert_eq!(between(&[f64::NAN, 1.0], &[1.0, 1.0])?, f64::INFINITY);
        assert_eq!(between(&[1.0, f64::NAN], &[1.0, f64::NAN])?, f64::INFINITY);
        assert_eq!(between(&[f64::INFINITY], &[1.0])?, f64::INFINITY);
        Ok(())
    }

    #[test]
    fn shapes_must_agree() {
        assert!(between(&[1.0], &[1.0, 2.0]).is_err());
        assert!(deviation(&ENTRY, &[], &[]).is_err());
    }
}
