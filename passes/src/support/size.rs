//! Numbers that are known when the program is compiled or when it runs.

use ad_dialect::ir::{DYNAMIC, TyExt, Val};
use melior::ir::ValueLike;

use super::{
    builder::{Builder, CMP_SGE},
    combinator::constant_index,
    extent::Extent,
};

/// A number, or a value of type `index` (`i1` for conditions).
#[derive(Clone, Copy)]
pub enum Size<'c> {
    /// A number of the program's text.
    Known(i64),
    /// A value, known when the program runs.
    Value(Val<'c>),
}

impl<'c> Size<'c> {
    /// That of a value, which may be a constant.
    pub fn of_value(value: Val<'c>) -> Self {
        constant_index(value).map_or(Self::Value(value), Self::Known)
    }

    /// That of a dimension.
    pub fn of_extent(b: &Builder<'c>, extent: Extent<'c>) -> Self {
        match extent {
            Extent::Known(number) => Self::Known(number),
            Extent::Value(value) => Self::of_value(value),
            Extent::Dim(array, d) => Self::of_value(b.dim(array, d)),
        }
    }

    /// The number of elements of an array.
    pub fn of_array(b: &Builder<'c>, array: Val<'c>) -> Self {
        let shape = array.r#type().shape();
        (0..shape.len())
            .fold(Self::Known(1), |product, d| product.times(b, Self::of_value(b.dim(array, d))))
    }

    /// The number as a value.
    pub fn value(self, b: &Builder<'c>) -> Val<'c> {
        match self {
            Self::Known(number) => b.index(number),
            Self::Value(value) => value,
        }
    }

    /// What a type says of it.
    pub fn in_type(self) -> i64 {
        match self {
            Self::Known(number) => number,
            Self::Value(_) => DYNAMIC,
        }
    }

    /// The sum with another one.
    pub fn plus(self, b: &Builder<'c>, other: Self) -> Self {
        match (self, other) {
            (Self::Known(x), Self::Known(y)) => Self::Known(x.saturating_add(y)),
            (Self::Known(0), y) => y,
            (x, Self::Known(0)) => x,
            (x, y) => Self::Value(b.add(x.value(b), y.value(b))),
        }
    }

    /// One less.
    pub fn minus_one(self, b: &Builder<'c>) -> Self {
        match self {
            Self::Known(x) => Self::Known(x - 1),
            Self::Value(x) => Self::Value(b.sub(x, b.index(1))),
        }
    }

    /// The difference, or zero where that would be negative.
    pub fn minus(self, b: &Builder<'c>, other: Self) -> Self {
        match (self, other) {
            (Self::Known(x), Self::Known(y)) => Self::Known(x.saturating_sub(y).max(0)),
            (x, Self::Known(0)) => x,
            (x, y) => {
                let difference = b.sub(x.value(b), y.value(b));
                Self::Value(b.same("arith.maxsi", &[difference, b.index(0)]))
            }
        }
    }

    /// It, divided by a positive number and rounded up.
    pub fn divided_by(self, b: &Builder<'c>, number: i64) -> Self {
        match (self, number) {
            (x, 1) => x,
            (Self::Known(x), _) => Self::Known(x / number + (x % number).signum()),
            (Self::Value(x), _) => Self::Value(b.same("arith.ceildivsi", &[x, b.index(number)])),
        }
    }

    /// The smaller one of it and a number.
    pub fn at_most(self, b: &Builder<'c>, number: i64) -> Self {
        match self {
            Self::Known(x) => Self::Known(x.min(number)),
            Self::Value(x) => Self::Value(b.same("arith.minsi", &[x, b.index(number)])),
        }
    }

    /// The product with another one.
    pub fn times(self, b: &Builder<'c>, other: Self) -> Self {
        match (self, other) {
            (Self::Known(x), Self::Known(y)) => Self::Known(x.saturating_mul(y)),
            (Self::Known(0), _) | (_, Self::Known(0)) => Self::Known(0),
            (Self::Known(1), y) => y,
            (x, Self::Known(1)) => x,
            (x, y) => Self::Value(b.mul(x.value(b), y.value(b))),
        }
    }

    /// Whether it is at least another number: none if it is not, known if it is.
    pub fn at_least(self, b: &Builder<'c>, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(x), Self::Known(y)) => (x >= y).then_some(Self::Known(1)),
            (_, Self::Known(0)) => Some(Self::Known(1)),
            (x, y) => Some(Self::Value(b.compare(CMP_SGE, x.value(b), y.value(b)))),
        }
    }

    /// Whether two conditions hold.
    pub fn and(self, b: &Builder<'c>, other: Self) -> Self {
        match (self, other) {
            (Self::Known(_), y) => y,
            (x, Self::Known(_)) => x,
            (Self::Value(x), Self::Value(y)) => Self::Value(b.same("arith.andi", &[x, y])),
        }
    }
}
