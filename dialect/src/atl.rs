//! What the operations of the `atl` dialect say, read and written.
//!
//! The accessors of this dialect are not generated from `td/AtlOps.td` as those of
//! the others are: the generator would name a function `gen`, a keyword of Rust.

use std::collections::HashMap;

use melior::{Context, ir::Attribute};

use crate::{
    ir::{Op, OpExt, Val, ValExt, ValueKey, int_of},
    linalg::{Expr, index_map, map_attribute},
};

/// An affine expression over values: a sum of values times constants, and a constant.
#[derive(Clone, Debug, Default)]
pub struct Affine<'c> {
    /// The values and their factors; each value is there once, and no factor is zero.
    pub terms: Vec<(Val<'c>, i64)>,
    /// What is added to them.
    pub constant: i64,
}

impl<'c> Affine<'c> {
    /// A constant.
    pub fn constant(constant: i64) -> Self {
        Self { terms: vec![], constant }
    }

    /// An index or a size.
    pub fn value(value: Val<'c>) -> Self {
        Self { terms: vec![(value, 1)], constant: 0 }
    }

    /// The factor of a value, zero if it is not there.
    pub fn factor(&self, value: Val<'c>) -> i64 {
        self.terms.iter().find(|(v, _)| *v == value).map_or(0, |(_, factor)| *factor)
    }

    /// The sum with another times a constant; none if a number leaves the range of `i64`.
    pub fn plus(&self, other: &Self, times: i64) -> Option<Self> {
        let mut sum = self.clone();
        for (value, factor) in &other.terms {
            let product = factor.checked_mul(times)?;
            match sum.terms.iter_mut().find(|(v, _)| v == value) {
                Some((_, known)) => *known = known.checked_add(product)?,
                None => sum.terms.push((*value, product)),
            }
        }
        sum.terms.retain(|(_, factor)| *factor != 0);
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(times)?)?;
        Some(sum)
    }

    /// The expression with another in place of a value.
    pub fn substitute(&self, value: Val<'c>, by: &Self) -> Option<Self> {
        let mut rest = self.clone();
        rest.terms.retain(|(v, _)| *v != value);
        rest.plus(by, self.factor(value))
    }
}

/// How `atl.compare` compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=`
    Equal,
}

impl Comparison {
    /// The value of the attribute `comparison`, of type `i32`.
    pub fn number(self) -> i64 {
        match self {
            Self::Less => 0,
            Self::LessOrEqual => 1,
            Self::Equal => 2,
        }
    }
}

/// How an `atl.compare` compares.
pub fn comparison(op: Op<'_>) -> Option<Comparison> {
    let number = int_of(op.attr("comparison")?)?;
    [Comparison::Less, Comparison::LessOrEqual, Comparison::Equal]
        .into_iter()
        .find(|c| c.number() == number)
}

/// The affine expressions of an `atl.access`, an `atl.compare` or an `atl.member`: one for each
/// index, the two sides, or the indices and, with `at`, the number of the tuple.
pub fn expressions<'c>(op: Op<'c>) -> Option<Vec<Affine<'c>>> {
    let (count, map) = index_map(op.attr("map")?)?;
    let operands = op.operand_list();
    let values = operands.get(operands.len().checked_sub(count)?..)?;
    let values: Vec<_> = values.iter().map(|value| Affine::value(*value)).collect();
    map.iter().map(|expr| affine(expr, &values)).collect()
}

/// The result of an affine map at places that are affine; none if it is not affine after all.
pub fn affine<'c>(expr: &Expr, values: &[Affine<'c>]) -> Option<Affine<'c>> {
    match expr {
        Expr::Loop(i) => values.get(*i).cloned(),
        Expr::Constant(c) => Some(Affine::constant(*c)),
        Expr::Add(pair) => affine(&pair[0], values)?.plus(&affine(&pair[1], values)?, 1),
        Expr::Mul(pair) => {
            let (a, b) = (affine(&pair[0], values)?, affine(&pair[1], values)?);
            let (sum, times) = if b.terms.is_empty() { (a, b) } else { (b, a) };
            times.terms.is_empty().then(|| Affine::default().plus(&sum, times.constant))?
        }
        Expr::Mod(_) | Expr::FloorDiv(_) | Expr::CeilDiv(_) => None,
    }
}

/// The operands `indices` and the attribute `map` for affine expressions.
pub fn operands_and_map<'c>(
    context: &'c Context,
    expressions: &[Affine<'c>],
) -> Option<(Vec<Val<'c>>, Attribute<'c>)> {
    let mut values: Vec<Val<'c>> = vec![];
    let mut dims: HashMap<ValueKey, usize> = HashMap::new();
    let mut map = vec![];
    for expression in expressions {
        let mut sum = Expr::Constant(expression.constant);
        for (value, factor) in &expression.terms {
            let dim = *dims.entry(value.key()).or_insert_with(|| {
                values.push(*value);
                values.len() - 1
            });
            let product = Expr::Mul(Box::new([Expr::Loop(dim), Expr::Constant(*factor)]));
            sum = Expr::Add(Box::new([sum, product]));
        }
        map.push(sum);
    }
    let map = map_attribute(context, values.len(), &map)?;
    Some((values, map))
}

#[cfg(test)]
mod tests {
    use super::{Comparison, comparison, expressions, operands_and_map};
    use crate::ir::{OpExt, ValExt, parse_ops};

    #[test]
    fn expressions_are_read_and_written() {
        let context = crate::context();
        let text = "func.func @f(%x: tensor<?x?xf64>, %i: index, %j: index) {
            %e = atl.access %x[(%i - 2 * %j + 3) * 2 + 4 * %j, %j + %i] : tensor<?x?xf64>
            %p = atl.compare %j <= %i + 1
            return }";
        let function = parse_ops(&context, text).and_then(|ops| ops.first().copied());
        let ops = function.and_then(|f| f.body(0)).map(|b| crate::ir::BlkExt::ops(&b));
        let [access, compare, _] = ops.as_deref().unwrap_or_default() else {
            panic!("the program is valid");
        };
        let (i, j) = (access.operand_list()[1], access.operand_list()[2]);
        let read = expressions(*access).unwrap_or_default();
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].factor(i), read[0].factor(j), read[0].constant), (2, 0, 6));
        assert_eq!(read[0].terms.len(), 1);
        assert_eq!((read[1].factor(i), read[1].factor(j), read[1].constant), (1, 1, 0));
        let shifted = read[1].substitute(i, &read[0]).unwrap_or_default();
        assert_eq!((shifted.factor(i), shifted.factor(j), shifted.constant), (2, 1, 6));
        let (values, map) = operands_and_map(&context, &read).expect("both are affine");
        assert_eq!(values.iter().map(|v| v.key()).collect::<Vec<_>>(), [i.key(), j.key()]);
        assert_eq!(map.to_string(), "affine_map<(d0, d1) -> (d0 * 2 + 6, d0 + d1)>");
        assert_eq!(comparison(*compare), Some(Comparison::LessOrEqual));
    }
}
