//! Deterministic random numbers, and arithmetic on lists of values as vectors of floats.

use crate::program::Type;
use crate::value::{Tensor, Value};

/// A small generator of reproducible numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator; equal seeds give equal sequences.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n - 1`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.bits() % n as u64) as usize }
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number between `low` and `high`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An element of a list that has one at least.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// A value shaped like `like` whose floats are drawn from -1 to 1, rounded to the type.
pub fn random_like(rng: &mut Rng, like: &Value, ty: &Type) -> Value {
    let elem = ty.elem();
    if !elem.is_float() && !elem.is_complex() {
        return like.clone();
    }
    let kind = elem.float_kind();
    map_floats(like, |_| kind.round(rng.uniform(-1.0, 1.0)))
}

/// The value with every float replaced.
pub fn map_floats(value: &Value, mut f: impl FnMut(f64) -> f64) -> Value {
    match value {
        Value::Float(x) => Value::Float(f(*x)),
        Value::Complex([re, im]) => Value::Complex([f(*re), f(*im)]),
        Value::Tensor(t) => match (t.floats(), t.complexes()) {
            (Some(x), _) => {
                Value::Tensor(Tensor::from_floats(t.shape(), x.iter().map(|&x| f(x)).collect()))
            }
            (_, Some(x)) => {
                let moved = x.iter().map(|&[re, im]| [f(re), f(im)]).collect();
                Value::Tensor(Tensor::from_complexes(t.shape(), moved))
            }
            _ => value.clone(),
        },
        other => other.clone(),
    }
}

/// `x + h d` on the floats of two values of one shape.
pub fn moved(x: &Value, h: f64, d: &Value) -> Value {
    let mut steps = d.float_elements().into_iter();
    map_floats(x, |x| x + h * steps.next().unwrap_or(0.0))
}

/// All floats of a list of values, in order.
pub fn flatten(values: &[Value]) -> Vec<f64> {
    values.iter().flat_map(Value::float_elements).collect()
}

/// The largest magnitude; NaN if there is one, 0 for an empty list.
pub fn largest(x: &[f64]) -> f64 {
    x.iter()
        .fold(0.0, |m: f64, &x| if x.is_nan() || m.is_nan() { f64::NAN } else { m.max(x.abs()) })
}

/// The largest magnitude of the finite floats of some values.
pub fn magnitude(values: &[Value]) -> f64 {
    let finite: Vec<f64> = flatten(values).into_iter().filter(|x| x.is_finite()).collect();
    largest(&finite)
}

/// The largest difference of two lists relative to the larger of their largest entry and `floor`.
///
/// Equal infinities and NaN in the same place agree; lists of different lengths do not.
pub fn distance(a: &[f64], b: &[f64], floor: f64) -> f64 {
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    let finite = |m: f64, &x: &f64| if x.is_finite() { m.max(x.abs()) } else { m };
    let scale = a.iter().chain(b).fold(floor, finite);
    let mut worst = 0.0f64;
    for (&x, &y) in a.iter().zip(b) {
        if x == y || (x.is_nan() && y.is_nan()) {
            continue;
        }
        let error = (x - y).abs() / scale;
        worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
    }
    worst
}

/// Compares two lists of results: floats by relative distance, everything else exactly.
///
/// Arrays without elements agree whatever their other sizes are. Floats are compared relative to at least `floor`: below it
/// they are what rounding leaves of zero.
pub fn results_distance(a: &[Value], b: &[Value], floor: f64) -> f64 {
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    a.iter().zip(b).map(|(x, y)| value_distance(x, y, floor)).fold(0.0, f64::max)
}

fn value_distance(a: &Value, b: &Value, floor: f64) -> f64 {
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => distance(&[*x], &[*y], floor),
        (Value::Complex(x), Value::Complex(y)) => distance(x, y, floor),
        (Value::Tensor(s), Value::Tensor(t)) if s.is_empty() && t.is_empty() => 0.0,
        (Value::Tensor(s), Value::Tensor(t)) if s.shape() == t.shape() => {
            match (s.floats(), t.floats(), s.complexes(), t.complexes()) {
                (Some(x), Some(y), ..) => distance(x, y, floor),
                (_, _, Some(x), Some(y)) => distance(x.as_flattened(), y.as_flattened(), floor),
                _ if s == t => 0.0,
                _ => f64::INFINITY,
            }
        }
        _ if a == b => 0.0,
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_reproducible_and_in_range() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        for _ in 0..100 {
            let x = a.uniform(-2.0, 3.0);
            assert_eq!(x, b.uniform(-2.0, 3.0));
            assert!((-2.0..3.0).contains(&x));
            assert!(a.below(5) < 5);
            b.below(5);
        }
    }

    #[test]
    fn distance_is_relative_to_the_largest_entry() {
        assert_eq!(distance(&[100.0, 1.0], &[100.0, 2.0], 0.0), 0.01);
        assert_eq!(distance(&[f64::NAN], &[f64::NAN], 0.0), 0.0);
        assert_eq!(distance(&[f64::INFINITY], &[f64::INFINITY], 0.0), 0.0);
        assert_eq!(distance(&[f64::INFINITY], &[1.0], 0.0), f64::INFINITY);
        assert_eq!(distance(&[f64::NAN], &[1.0], 0.0), f64::INFINITY);
        assert_eq!(distance(&[1.0], &[], 0.0), f64::INFINITY);
    }

    #[test]
    fn what_rounding_leaves_of_zero_is_measured_by_the_floor() {
        let (zero, rounding) = ([Value::Float(0.0)], [Value::Float(1e-17)]);
        assert_eq!(results_distance(&zero, &rounding, 0.0), 1.0);
        assert_eq!(results_distance(&zero, &rounding, 1e-5), 1e-12);
        assert_eq!(results_distance(&[Value::Int(0)], &[Value::Int(1)], 1e9), f64::INFINITY);
    }
}
