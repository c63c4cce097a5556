//! The lines along which a program is looked at: which elements move, and how far.
//!
//! Elements of about one size move together, by steps of their size, while all others stay. A step that suits a small
//! element would be lost in the rounding of a large one, and one that suits the large one would cross the poles near the
//! small one.

use crate::numbers::{largest, map_floats};
use crate::value::Value;

/// Elements of one band differ by up to so many powers of two; the middle band is that of 1.
const WIDTH: f64 = 12.0;
/// Sizes of bands beyond are no numbers.
const LAST: f64 = 85.0;

/// Elements of about one size in an argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// About how large they are: a power of two, and 1 for elements that are about 1 or zero.
    pub size: f64,
    /// The largest one of them.
    pub largest: f64,
    /// Which of the floats they are.
    members: Vec<bool>,
}

/// The bands of an argument, at least one, from small to large elements.
pub fn bands(x: &Value) -> Vec<Band> {
    let magnitudes = magnitudes(x);
    let numbers: Vec<i32> = magnitudes.iter().map(|&m| number(m)).collect();
    let mut present = numbers.clone();
    present.sort_unstable();
    present.dedup();
    if present.is_empty() {
        present.push(0);
    }
    let band = |&band: &i32| {
        let members: Vec<bool> = numbers.iter().map(|&number| number == band).collect();
        let inside = magnitudes.iter().zip(&members).filter(|(_, member)| **member);
        let largest = inside.map(|(m, _)| *m).fold(0.0, f64::max);
        let size = (f64::from(band) * WIDTH).exp2();
        // The next power of two may be more than a narrow float can be.
        let size = if band > 0 { size.min(largest.log2().floor().exp2()) } else { size };
        Band { size, largest, members }
    };
    present.iter().map(band).collect()
}

impl Band {
    /// A direction in which these elements go, and no others.
    pub fn direction(&self, x_dot: &Value) -> Value {
        let mut members = self.members.iter();
        map_floats(x_dot, |x_dot| if members.next() == Some(&true) { x_dot } else { 0.0 })
    }
}

/// The number of the band of a magnitude.
fn number(magnitude: f64) -> i32 {
    if magnitude == 0.0 || !magnitude.is_finite() {
        return 0;
    }
    (magnitude.log2() / WIDTH).round().clamp(-LAST, LAST) as i32
}

/// Whether the floats of a value are real and imaginary parts in turn.
pub fn is_complex(value: &Value) -> bool {
    match value {
        Value::Complex(_) => true,
        Value::Tensor(tensor) => tensor.complexes().is_some(),
        _ => false,
    }
}

/// The magnitude of every float, or for the parts of a complex number the larger one.
fn magnitudes(x: &Value) -> Vec<f64> {
    let floats = x.float_elements();
    if is_complex(x) {
        floats.chunks(2).flat_map(|z| [largest(z); 2]).collect()
    } else {
        floats.into_iter().map(f64::abs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Tensor;

    fn vector(x: &[f64]) -> Value {
        Value::Tensor(Tensor::from_floats(&[x.len()], x.to_vec()))
    }

    #[test]
    fn elements_of_one_size_move_together() {
        let bands = bands(&vector(&[0.0, 1e-6, 0.5, -3e-6, 1e6, f64::INFINITY, -40.0]));
        let ones = vector(&[1.0; 7]);
        let moves: Vec<_> = bands.iter().map(|b| b.direction(&ones).float_elements()).collect();
        let sizes: Vec<_> = bands.iter().map(|b| b.size).collect();
        assert_eq!(sizes, [2f64.powi(-24), 1.0, 2f64.powi(19)]);
        assert_eq!(moves[0], [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(moves[1], [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
        assert_eq!(moves[2], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn parts_of_a_complex_number_move_together() {
        let bands = bands(&Value::Complex([3e-9, 0.0]));
        let moved = bands[0].direction(&Value::Complex([1.0, -1.0])).float_elements();
        assert_eq!((bands.len(), moved[0]), (1, -moved[1]));
        assert!((1e-11..1e-7).contains(&bands[0].size));
    }

    #[test]
    fn sizes_are_numbers() {
        for x in [f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX, f64::from(f32::MAX)] {
            let [band] = &bands(&Value::Float(x))[..] else { panic!("{x}") };
            assert!(band.size > 0.0 && band.size <= x.max(1e-300), "{x}: {}", band.size);
        }
        assert_eq!(bands(&vector(&[])).len(), 1);
        assert_eq!(bands(&Value::Float(f64::NAN))[0].size, 1.0);
    }
}
