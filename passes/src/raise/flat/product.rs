//! Products of numbers and a constant, which are the same in whatever order they are written.

use ad_dialect::ir::{OpExt, Val, ValExt, int_of};

use crate::support::{
    builder::{Builder, CMP_SGT, same_value},
    combinator::constant_index,
    place::Sum,
};

/// A product of a constant and numbers.
#[derive(Clone)]
pub struct Product<'c> {
    /// The constant.
    pub times: i64,
    /// The numbers.
    pub factors: Vec<Val<'c>>,
}

impl<'c> Product<'c> {
    /// No numbers.
    pub fn constant(times: i64) -> Self {
        Self { times, factors: vec![] }
    }

    /// What a value is the product of, each of which is no product.
    pub fn of(value: Val<'c>) -> Self {
        if let Some(constant) = constant_index(value) {
            return Self::constant(constant);
        }
        let product = value.defining_op().filter(|op| op.op_name() == "arith.muli");
        match product.and_then(|op| Some((op.opnd(0)?, op.opnd(1)?))) {
            Some((a, b)) => Self::of(a).with(&Self::of(b)),
            None => Self { times: 1, factors: vec![value] },
        }
    }

    /// The product with another one.
    pub fn with(mut self, other: &Self) -> Self {
        self.times *= other.times;
        self.factors.extend(&other.factors);
        self
    }

    /// What another one is multiplied with to be this one.
    pub fn quotient(&self, other: &Self) -> Option<Self> {
        let mut factors = self.factors.clone();
        for &factor in &other.factors {
            let at = factors.iter().position(|&own| same_value(own, factor))?;
            factors.remove(at);
        }
        let fits = other.times > 0 && self.times % other.times == 0;
        fits.then(|| Self { times: self.times / other.times, factors })
    }

    /// Whether it is the same as another one, in whatever order.
    pub fn is(&self, other: &Self) -> bool {
        let one = self.quotient(other);
        one.is_some_and(|one| one.times == 1 && one.factors.is_empty())
    }

    /// Whether it differs from another one by the constant only.
    pub fn is_like(&self, other: &Self) -> bool {
        Self { times: other.times, factors: self.factors.clone() }.is(other)
    }

    /// The number.
    pub fn value(&self, b: &Builder<'c>) -> Val<'c> {
        let mut factors = self.factors.iter().copied();
        let Some(first) = factors.next() else { return b.index(self.times) };
        let product = factors.fold(first, |product, factor| b.mul(product, factor));
        if self.times == 1 { product } else { b.mul(product, b.index(self.times)) }
    }

    /// Sums that it is no smaller than.
    pub fn bounds(&self) -> Vec<Sum> {
        match self.factors[..] {
            [] => vec![Sum::constant(self.times)],
            [factor] => no_larger(factor)
                .into_iter()
                .map(|value| Sum::default().plus(&Sum::of(value), self.times))
                .collect(),
            _ => vec![],
        }
    }
}

/// A value, and what it is the largest of.
fn no_larger<'c>(value: Val<'c>) -> Vec<Val<'c>> {
    let mut found = vec![value];
    let Some(op) = value.defining_op() else { return found };
    match (op.op_name(), &op.operand_list()[..]) {
        ("arith.maxsi", operands) => found.extend(operands),
        // c ? a : b, where c is a > b
        ("arith.select", &[condition, a, b]) => {
            let is_larger = condition.defining_op().is_some_and(|compare| {
                compare.op_name() == "arith.cmpi"
                    && compare.attr("predicate").and_then(int_of) == Some(CMP_SGT)
                    && compare.opnd(0).is_some_and(|own| same_value(own, a))
                    && compare.opnd(1).is_some_and(|own| same_value(own, b))
            });
            found.extend([a, b].into_iter().filter(|_| is_larger));
        }
        _ => {}
    }
    found
}
