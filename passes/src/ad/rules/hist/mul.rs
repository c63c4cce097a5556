//! Differentiates: `soac.hist` when the operator is *, also elementwise on rows.
//!
//! Primal: `hs = hist (*) 1 is vs dest`
//! Forward sweep: the hist itself; before it, per bin and with the destination's
//! element: `ps` the product of the nonzeros, `zs` how many zeros there are, `ss` the
//! sum of the zeros. If the destination is an array filled with one value, the return
//! sweep computes the three, and only if a product is zero or NaN: else there is no zero, and
//! no value is asked whether it is one.
//! Return sweep, with `b = is[i]`:
//! ```text
//! vs_bar[i] += if vs[i] != 0     then hs[b] / vs[i] * hs_bar[b]
//!              else if zs[b] = 1 then ps[b] * hs_bar[b]
//!              else if zs[b] = 2 then ps[b] * (ss[b] - vs[i]) * hs_bar[b]   -- a zero
//!              else 0
//! dest_bar[b] += the same with dest[b] in place of vs[i]
//! ```
//! Source: [FUT 5.1.2], with the rule for reductions with * [FUT 5.1.1]. The paper
//! computes hs from ps and zs, and says 0 where zs is 2. Here hs stays a product and
//! the other zero is `ss[b] - vs[i]`, so that the derivative of this rule is right at
//! zeros too: that of `x y` with respect to y is x, whose derivative is not 0.
//! Requires: the neutral element is one.
//! Ensures: O(m) work for m values, whatever the number of bins, and O(log m) depth; where
//! a destination was filled, as much as that has cost for a look at the products.
//! Edge cases: an ignored value gets zero; an empty bin hands on its cotangent. Where a
//! product of nonzeros overflows or underflows the quotient is wrong. Third derivatives
//! at bins with three zeros or more are 0. Complex products have the general rule.
//! Tests: test/ad/vjp/hist-mul.mlir, test/ad/numeric/hist-mul.mlir,
//! test/ad/numeric/hist-mul-filled.mlir, test/ad/numeric/hist-nested.mlir.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, array_of};
use melior::ir::{Type, ValueLike};

use super::{
    component::{Bars, Component, each_component},
    hist_flows, hist_jvp,
};
use crate::{
    ad::{
        activity::Flows,
        cotangent::Contribution,
        jvp::Jvp,
        rules::{
            Rule,
            operator::{Kind, is_each},
        },
        vjp::Vjp,
    },
    simplify::constant::filled_with,
    support::{
        builder::{Builder, CMP_EQ, Is},
        diag::{Result, internal_error},
    },
};

/// The rule for histograms with *.
pub struct HistMul;

impl Rule for HistMul {
    fn applies(&self, op: Op<'_>) -> bool {
        let is_float = |h: &Val<'_>| !h.r#type().scalar().is_complex_type();
        is_each(op, Kind::Mul) && op.result_list().iter().all(is_float)
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        hist_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        hist_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        each_component(op, vjp, bars)
    }
}

fn bars<'c>(vjp: &mut Vjp<'_, 'c>, c: &Component<'c>, dest_wanted: bool) -> Result<Bars<'c>> {
    let f = c.forward;
    // Read in the forward sweep: afterwards the destination may have been overwritten.
    let held = f.gather(c.dest, &c.at, c.v.r#type(), None)?;
    let h = c.copy.result_list()[c.number];
    let b = vjp.b;
    let start = filled_with(c.dest).filter(|value| value.r#type() == h.r#type().scalar());
    let bins = match start {
        Some(start) => zeros_if_any(&b, c, h, start)?,
        None => {
            let into = Zeros::scratch(&f, c);
            let starts = f.scatter(&c.at, &taken_apart(&f, c, held)?, &into);
            Zeros::count(&f, c, &starts)?
        }
    };
    let shares = |values: Val<'c>| -> Result<Val<'c>> {
        let inputs = [&[values], &c.at[..]].concat();
        let bars = b.map(&inputs, &[], &[c.v.r#type()], |b, args| {
            let (indices, inside) = b.in_range(&args[1..], h);
            let zero = b.zero_scalar(args[0].r#type());
            let share = b.if_else(inside, &[zero.r#type()], |b, inside| {
                Ok(vec![if inside {
                    share(&b, args[0], &indices, h, c.h_bar, &bins)?
                } else {
                    zero
                }])
            })?;
            Ok(share.result_list())
        })?;
        Ok(bars[0])
    };
    let v_bar = shares(c.v)?;
    if !dest_wanted {
        return Ok((Contribution::Dense(v_bar), None));
    }
    let dest_bar = b.scatter(&c.at, &[shares(held)?], &[c.h_bar]);
    Ok((Contribution::Dense(v_bar), Some(dest_bar[0])))
}

/// The product of the nonzeros, the sum of the zeros and their number; undefined for
/// bins that no value falls into.
struct Zeros<'c> {
    product: Val<'c>,
    sum: Val<'c>,
    count: Val<'c>,
    /// Whether there may be a zero at all, if that is known.
    any: Option<Val<'c>>,
}

impl<'c> Zeros<'c> {
    fn types(c: &Component<'c>, index: Type<'c>) -> [Type<'c>; 3] {
        let float = c.v.r#type().scalar();
        [float, float, index]
    }

    /// Undefined for all bins.
    fn scratch(b: &Builder<'c>, c: &Component<'c>) -> [Val<'c>; 3] {
        Self::types(c, b.index_type()).map(|scalar| c.scratch(b, scalar))
    }

    /// Of all values and what the bins start with.
    fn count(b: &Builder<'c>, c: &Component<'c>, starts: &[Val<'c>]) -> Result<Self> {
        let values = taken_apart(b, c, c.v)?;
        let float = c.v.r#type().scalar();
        let hist = |k: usize, neutral: Val<'c>, name: &'static str| -> Result<Val<'c>> {
            let combined =
                b.hist(&c.at, &values[k..=k], &starts[k..=k], &[neutral], |b, args| {
                    Ok(vec![b.same(name, args)])
                })?;
            Ok(combined[0])
        };
        Ok(Self {
            product: hist(0, b.one(float), "arith.mulf")?,
            sum: hist(1, b.zero_scalar(float), "arith.addf")?,
            count: hist(2, b.index(0), "arith.addi")?,
            any: None,
        })
    }
}

/// What is needed where there are zeros, if there are any; else it is undefined for all bins.
///
/// All bins start with one value and were filled in O(m) work for m bins before, so that as much can
/// be spent on a look at the products: with a zero they are zero or NaN.
fn zeros_if_any<'c>(
    b: &Builder<'c>,
    c: &Component<'c>,
    h: Val<'c>,
    start: Val<'c>,
) -> Result<Zeros<'c>> {
    let types = Zeros::scratch(b, c).map(|array| array.r#type());
    let any = may_have_zero(b, h)?;
    let bins = b.if_else(any, &types, |b, taken| {
        if !taken {
            return Ok(Zeros::scratch(&b, c).to_vec());
        }
        let into = Zeros::scratch(&b, c);
        let starts = take_apart(&b, start).into_iter().zip(into);
        let starts: Vec<_> = starts.map(|(start, array)| b.fill(start, array)).collect();
        let Zeros { product, sum, count, .. } = Zeros::count(&b, c, &starts)?;
        Ok(vec![product, sum, count])
    })?;
    let [product, sum, count] = bins.result_list()[..] else {
        return Err(internal_error(c.copy, "three arrays"));
    };
    Ok(Zeros { product, sum, count, any: Some(any) })
}

/// Whether an element of an array of any rank is zero or NaN.
fn may_have_zero<'c>(b: &Builder<'c>, array: Val<'c>) -> Result<Val<'c>> {
    let Some(&size) = array.r#type().shape().first() else {
        return Ok(b.compare_floats(Is::EqualOrNan, array, b.zero_scalar(array.r#type())));
    };
    let rows = b.map(&[array], &[], &[array_of(size, b.bool_type())], |b, row| {
        Ok(vec![may_have_zero(&b, row[0])?])
    })?;
    let none = b.truth(false);
    let any = b.reduce(&rows, &[none], |b, args| Ok(vec![b.same("arith.ori", args)]))?;
    Ok(any[0])
}

/// What each value adds to the product of the nonzeros, the sum of the zeros and their number.
fn taken_apart<'c>(b: &Builder<'c>, c: &Component<'c>, values: Val<'c>) -> Result<Vec<Val<'c>>> {
    let width = c.v.r#type().shape()[0];
    let types = Zeros::types(c, b.index_type()).map(|scalar| array_of(width, scalar));
    b.map(&[values], &[], &types, |b, value| Ok(take_apart(&b, value[0]).to_vec()))
}

/// The same of one value: what it adds to the product of the nonzeros, the sum of the zeros and their number.
fn take_apart<'c>(b: &Builder<'c>, value: Val<'c>) -> [Val<'c>; 3] {
    let (one, zero) = (b.one(value.r#type()), b.zero_scalar(value.r#type()));
    let is_zero = equals_zero(b, value);
    [
        b.select(is_zero, one, value),
        b.select(is_zero, value, zero),
        b.select(is_zero, b.index(1), b.index(0)),
    ]
}

/// The cotangent of one value of a bin.
fn share<'c>(
    b: &Builder<'c>,
    v: Val<'c>,
    indices: &[Val<'c>],
    h: Val<'c>,
    h_bar: Val<'c>,
    zeros: &Zeros<'c>,
) -> Result<Val<'c>> {
    let of = |b: &Builder<'c>, array: Val<'c>| b.element(array, indices);
    let h_bar = of(b, h_bar);
    let is_zero = equals_zero(b, v);
    let is_zero = zeros.any.map_or(is_zero, |any| b.same("arith.andi", &[any, is_zero]));
    let share = b.if_else(is_zero, &[v.r#type()], |b, is_zero| {
        if !is_zero {
            return Ok(vec![b.mul(b.div(of(&b, h), v), h_bar)]);
        }
        let [product, sum, count] =
            [zeros.product, zeros.sum, zeros.count].map(|array| of(&b, array));
        let alone = b.mul(product, h_bar);
        let of_two = b.mul(alone, b.sub(sum, v));
        let is = |number: i64| b.compare(CMP_EQ, count, b.index(number));
        let of_many = b.select(is(2), of_two, b.zero_scalar(v.r#type()));
        Ok(vec![b.select(is(1), alone, of_many)])
    })?;
    Ok(share.result_list()[0])
}

fn equals_zero<'c>(b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
    b.compare_floats(Is::Equal, value, b.zero_scalar(value.r#type()))
}
