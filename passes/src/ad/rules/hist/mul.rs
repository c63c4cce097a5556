//! Differentiates: `soac.hist` when the operator is *, also elementwise on rows.
//!
//! Primal: `hs = hist (*) 1 is vs dest`
//! Forward sweep: the hist itself; before it, per bin and with the destination's
//! element: `ps` the product of the nonzeros, `zs` how many zeros there are, `ss` the
//! sum of the zeros.
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
//! Ensures: O(m) work for m values, whatever the number of bins, and O(log m) depth. If the
//! destination is an array filled with one value, the three start as such arrays, too.
//! Edge cases: an ignored value gets zero; an empty bin hands on its cotangent. Where a
//! product of nonzeros overflows or underflows the quotient is wrong. Third derivatives
//! at bins with three zeros or more are 0. Complex products have the general rule.
//! Tests: test/ad/vjp/hist-mul.mlir, test/ad/numeric/hist-mul.mlir,
//! test/ad/numeric/hist-nested.mlir.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, array_of};
use melior::ir::ValueLike;

use super::{
    component::{Bars, Component, each_component},
    hist_flows, hist_jvp,
};
use crate::{
    ad::{
        activity::Flows,
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
        diag::Result,
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
    let bins = count_zeros(&f, c, held)?;
    let h = c.copy.result_list()[c.number];
    let b = vjp.b;
    let shares = |values: Val<'c>| -> Result<Val<'c>> {
        let inputs = [&[values], &c.at[..]].concat();
        let bars = b.map(&inputs, &[], &[c.v.r#type()], |b, args| {
            let (indices, inside) = b.in_range(&args[1..], h);
            let zero = b.zero_scalar(args[0].r#type());
            let share = b.if_else(inside, &[zero.r#type()], |b, inside| {
                Ok(vec![if inside {
                    share(&b, args[0], &indices, h, c.h_bar, &bins)
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
        return Ok((v_bar, None));
    }
    let dest_bar = b.scatter(&c.at, &[shares(held)?], &[c.h_bar]);
    Ok((v_bar, Some(dest_bar[0])))
}

/// The product of the nonzeros, the sum of the zeros and their number; undefined for
/// bins that no value falls into.
struct Zeros<'c> {
    product: Val<'c>,
    sum: Val<'c>,
    count: Val<'c>,
}

fn count_zeros<'c>(f: &Builder<'c>, c: &Component<'c>, held: Val<'c>) -> Result<Zeros<'c>> {
    let (float, width) = (c.v.r#type().scalar(), c.v.r#type().shape()[0]);
    let index = f.index_type();
    let types = [c.v.r#type(), c.v.r#type(), array_of(width, index)];
    let taken_apart = |values: Val<'c>| {
        f.map(&[values], &[], &types, |b, value| Ok(take_apart(&b, value[0]).to_vec()))
    };
    let values = taken_apart(c.v)?;
    let starts = match filled_with(c.dest).filter(|value| value.r#type() == float) {
        // All bins start alike, and were filled in O(m) work for m bins before.
        Some(value) => {
            let starts = take_apart(f, value);
            starts.iter().map(|&start| f.fill(start, c.scratch(f, start.r#type()))).collect()
        }
        None => {
            let into = [float, float, index].map(|scalar| c.scratch(f, scalar));
            f.scatter(&c.at, &taken_apart(held)?, &into)
        }
    };
    let hist = |k: usize, neutral: Val<'c>, name: &'static str| -> Result<Val<'c>> {
        let combined = f.hist(&c.at, &values[k..=k], &starts[k..=k], &[neutral], |b, args| {
            Ok(vec![b.same(name, args)])
        })?;
        Ok(combined[0])
    };
    Ok(Zeros {
        product: hist(0, f.one(float), "arith.mulf")?,
        sum: hist(1, f.zero_scalar(float), "arith.addf")?,
        count: hist(2, f.index(0), "arith.addi")?,
    })
}

/// What a value adds to the product of the nonzeros, the sum of the zeros and their number.
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
) -> Val<'c> {
    let [h, h_bar, product, sum, count] =
        [h, h_bar, zeros.product, zeros.sum, zeros.count].map(|array| b.element(array, indices));
    let is_zero = equals_zero(b, v);
    let divisor = b.select(is_zero, b.one(v.r#type()), v);
    let of_nonzero = b.mul(b.div(h, divisor), h_bar);
    let alone = b.mul(product, h_bar);
    let other = b.sub(sum, v);
    let of_two = b.mul(alone, other);
    let is = |number: i64| b.compare(CMP_EQ, count, b.index(number));
    let of_many = b.select(is(2), of_two, b.zero_scalar(v.r#type()));
    let of_zero = b.select(is(1), alone, of_many);
    b.select(is_zero, of_zero, of_nonzero)
}

fn equals_zero<'c>(b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
    b.compare_floats(Is::Equal, value, b.zero_scalar(value.r#type()))
}
