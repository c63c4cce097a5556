//! Polynomials in sizes.

use crate::affine::{Affine, Size, Term};
use std::collections::BTreeMap;

/// A sum of products of sizes, each times a number that is not zero. Numbers that
/// leave the range of 128 bits stay at its end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial {
    /// The factors of a product are in order.
    terms: BTreeMap<Vec<Size>, i128>,
}

impl Polynomial {
    /// A number.
    pub fn constant(value: i128) -> Polynomial {
        Polynomial::default().with(vec![], value)
    }

    /// A size that has no index in it, zero if it is a negative number.
    pub fn of(size: &Affine) -> Polynomial {
        if let Some(size) = size.as_constant() {
            return Polynomial::constant(i128::from(size.max(0)));
        }
        let constant = Polynomial::constant(i128::from(size.offset()));
        size.terms().fold(constant, |sum, (term, factor)| match term {
            Term::Size(size) => sum.with(vec![size], i128::from(factor)),
            Term::Index(index) => panic!("a size has the index {index:?}"),
        })
    }

    fn with(mut self, factors: Vec<Size>, times: i128) -> Polynomial {
        let own = self.terms.entry(factors).or_insert(0);
        *own = own.saturating_add(times);
        self.terms.retain(|_, times| *times != 0);
        self
    }

    /// The sum of this and a multiple of another.
    pub fn plus(&self, other: &Polynomial, times: i128) -> Polynomial {
        other.terms.iter().fold(self.clone(), |sum, (factors, own)| {
            sum.with(factors.clone(), own.saturating_mul(times))
        })
    }

    /// The product with another.
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (left, times) in &self.terms {
            for (right, own) in &other.terms {
                let mut factors = [&left[..], right].concat();
                factors.sort();
                product = product.with(factors, times.saturating_mul(*own));
            }
        }
        product
    }

    /// The sizes that occur.
    pub fn sizes(&self) -> impl Iterator<Item = Size> + '_ {
        self.terms.keys().flatten().copied()
    }

    /// Whether this is nothing.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value where sizes are what `value_of` says.
    pub fn evaluate(&self, value_of: &dyn Fn(Size) -> i64) -> i128 {
        let terms = self.terms.iter().map(|(factors, times)| {
            let factors = factors.iter().map(|size| i128::from(value_of(*size)));
            factors.fold(*times, i128::saturating_mul)
        });
        terms.fold(0, i128::saturating_add)
    }
}

impl std::fmt::Display for Polynomial {
    /// The products of most sizes come first.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut terms: Vec<(&Vec<Size>, i128)> =
            self.terms.iter().map(|(factors, times)| (factors, *times)).collect();
        terms.sort_by_key(|(factors, _)| std::cmp::Reverse(factors.len()));
        if terms.is_empty() {
            return write!(f, "0");
        }
        for (position, (factors, times)) in terms.into_iter().enumerate() {
            let sign = match (times < 0, position) {
                (true, 0) => "-",
                (true, _) => " - ",
                (false, 0) => "",
                (false, _) => " + ",
            };
            let mut parts: Vec<String> = Vec::new();
            if times.unsigned_abs() != 1 || factors.is_empty() {
                parts.push(times.unsigned_abs().to_string());
            }
            for group in factors.chunk_by(|left, right| left == right) {
                let name = format!("n{}", group[0].0);
                parts.push(match group.len() {
                    1 => name,
                    power => format!("{name}^{power}"),
                });
            }
            write!(f, "{sign}{}", parts.join("*"))?;
        }
        Ok(())
    }
}
