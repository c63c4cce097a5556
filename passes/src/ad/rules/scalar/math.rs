//! The partial derivatives of `math`.

use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};

use ad_dialect::ir::{Op, OpExt, Val};
use melior::ir::ValueLike;

use super::{
    Domain::{AboveOne, NonZero, Positive, Real, Smooth, Unit},
    Is, One, Over, Row, Scalar, Times, TimesWhere, Where, Zero, row,
};
use crate::{
    ad::{jvp::Jvp, rules::Rule, vjp::Vjp},
    support::diag::Result,
};

/// A row per operation, by theme.
pub const TABLE: &[Row] = &[
    // Exponentials and logarithms.
    row("math.exp", &[Times(|s| s.y)], Real),
    row("math.exp2", &[Times(|s| s.scaled(LN_2, s.y))], Real),
    row("math.expm1", &[Times(|s| s.b.add(s.y, s.constant(1.0)))], Real),
    row("math.log", &[Over(|s| s.x[0])], Positive),
    row("math.log2", &[Over(|s| s.scaled(LN_2, s.x[0]))], Positive),
    row("math.log10", &[Over(|s| s.scaled(LN_10, s.x[0]))], Positive),
    row("math.log1p", &[Over(|s| s.b.add(s.x[0], s.constant(1.0)))], Positive),
    // Powers and roots.
    row("math.powf", &[Times(powf_by_base), Times(powf_by_exponent)], Positive),
    row("math.fpowi", &[Times(fpowi_by_base), Zero], NonZero),
    // 1/(2 y), by a division that others by y share
    row("math.sqrt", &[Times(|s| s.scaled(0.5, s.reciprocal(s.y)))], Positive),
    // -y^3/2
    row("math.rsqrt", &[Times(|s| s.b.mul(s.scaled(-0.5, s.y), s.square(s.y)))], Positive),
    // 1/(3 y^2)
    row("math.cbrt", &[Over(|s| s.scaled(3.0, s.square(s.y)))], NonZero),
    // Circular functions.
    row("math.sin", &[Times(|s| s.float("math.cos", s.x))], Real),
    row("math.cos", &[Times(|s| s.b.neg(s.float("math.sin", s.x)))], Real),
    row("math.tan", &[Times(|s| s.b.add(s.square(s.y), s.constant(1.0)))], Unit),
    row("math.asin", &[Over(|s| s.float("math.sqrt", &[one_minus_square(s)]))], Unit),
    row("math.acos", &[Over(|s| s.b.neg(s.float("math.sqrt", &[one_minus_square(s)])))], Unit),
    row("math.atan", &[Over(|s| s.b.add(s.square(s.x[0]), s.constant(1.0)))], Real),
    // The angle of (x, y): (x dy - y dx)/(x^2 + y^2)
    row(
        "math.atan2",
        &[Times(|s| over_square_sum(s, 1)), Times(|s| s.b.neg(over_square_sum(s, 0)))],
        NonZero,
    ),
    // Hyperbolic functions.
    row("math.sinh", &[Times(|s| s.float("math.cosh", s.x))], Real),
    row("math.cosh", &[Times(|s| s.float("math.sinh", s.x))], Real),
    row("math.tanh", &[Times(|s| s.b.sub(s.constant(1.0), s.square(s.y)))], Real),
    row("math.asinh", &[Over(asinh_divisor)], Real),
    row("math.acosh", &[Over(acosh_divisor)], AboveOne),
    row("math.atanh", &[Over(one_minus_square)], Unit),
    // Error functions: 2/sqrt(pi) exp(-x^2)
    row("math.erf", &[Times(|s| gauss(s, FRAC_2_SQRT_PI))], Real),
    row("math.erfc", &[Times(|s| gauss(s, -FRAC_2_SQRT_PI))], Real),
    // Signs, bounds and sums.
    row("math.absf", &[TimesWhere(is_not_zero, |s| s.sign(s.x[0]))], Smooth),
    row(
        "math.copysign",
        &[TimesWhere(is_not_zero, |s| s.b.mul(s.sign(s.x[0]), s.sign(s.x[1]))), Zero],
        NonZero,
    ),
    row(
        "math.clampf",
        &[
            Where(is_within_bounds),
            Where(|s| s.compare(Is::Less, s.x[0], s.x[1])),
            Where(|s| s.compare(Is::Less, s.x[2], s.x[0])),
        ],
        Smooth,
    ),
    row("math.fma", &[Times(|s| s.x[1]), Times(|s| s.x[0]), One], Real),
    // Steps.
    row("math.ceil", &[Zero], Smooth),
    row("math.floor", &[Zero], Smooth),
    row("math.round", &[Zero], Smooth),
    row("math.roundeven", &[Zero], Smooth),
    row("math.trunc", &[Zero], Smooth),
];

/// `y x^(y-1)`; the exponent 0 is replaced so that `0 * 0^-1` does not arise.
fn powf_by_base<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let one = s.constant(1.0);
    let is_zero = s.compare(Is::Equal, s.x[1], s.constant(0.0));
    let less = s.b.sub(s.b.select(is_zero, one, s.x[1]), one);
    s.b.mul(s.x[1], s.float("math.powf", &[s.x[0], less]))
}

/// `log(x) x^y`, with 0 for the logarithm at 0.
fn powf_by_exponent<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let is_zero = s.compare(Is::Equal, s.x[0], s.constant(0.0));
    let base = s.b.select(is_zero, s.constant(1.0), s.x[0]);
    s.b.mul(s.float("math.log", &[base]), s.y)
}

/// `n x^(n-1)`
fn fpowi_by_base<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    s.power_below("math.fpowi", s.b.val("arith.sitofp", &[s.x[1]], s.x[0].r#type()))
}

/// `(1 - x)(1 + x)`, which keeps its digits near 1.
fn one_minus_square<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let one = s.constant(1.0);
    s.b.mul(s.b.sub(one, s.x[0]), s.b.add(one, s.x[0]))
}

/// `sqrt(x - 1) sqrt(x + 1)`, which keeps its digits near 1 and does not overflow.
fn acosh_divisor<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let one = s.constant(1.0);
    let root = |x| s.float("math.sqrt", &[x]);
    s.b.mul(root(s.b.sub(s.x[0], one)), root(s.b.add(s.x[0], one)))
}

/// `sqrt(x^2 + 1)` as `|a| sqrt((c/a)^2 + 1)` with the larger `a` and the smaller `c` of `x` and 1,
/// which does not overflow.
fn asinh_divisor<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let one = s.constant(1.0);
    let (_, large, small) = by_size(s, s.x[0], one);
    let ratio = s.b.div(small, large);
    let root = s.float("math.sqrt", &[s.b.add(s.square(ratio), one)]);
    s.b.mul(s.float("math.absf", &[large]), root)
}

/// An operand divided by the sum of the squares of both, which neither overflows nor underflows: with
/// the larger `a`, the smaller `c` and `r = c/a`, it is `1/(a + c r)` for `a` and `r/(a + c r)` for `c`.
fn over_square_sum<'c>(s: &Scalar<'_, 'c>, operand: usize) -> Val<'c> {
    let (is_first, large, small) = by_size(s, s.x[0], s.x[1]);
    let (one, ratio) = (s.constant(1.0), s.b.div(small, large));
    let (if_first, if_second) = if operand == 0 { (one, ratio) } else { (ratio, one) };
    let dividend = s.b.select(is_first, if_first, if_second);
    s.b.div(dividend, s.b.add(large, s.b.mul(small, ratio)))
}

/// Whether the first of two numbers is the larger one, signs aside; the larger and the smaller one. They
/// are chosen with their signs, so that they have no kink at 0.
fn by_size<'c>(s: &Scalar<'_, 'c>, x: Val<'c>, y: Val<'c>) -> (Val<'c>, Val<'c>, Val<'c>) {
    let size = |x| s.float("math.absf", &[x]);
    let is_first = s.compare(Is::Greater, size(x), size(y));
    (is_first, s.b.select(is_first, x, y), s.b.select(is_first, y, x))
}

/// `factor exp(-x^2)`
fn gauss<'c>(s: &Scalar<'_, 'c>, factor: f64) -> Val<'c> {
    s.scaled(factor, s.float("math.exp", &[s.b.neg(s.square(s.x[0]))]))
}

fn is_not_zero<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    s.compare(Is::NotEqual, s.x[0], s.constant(0.0))
}

fn is_within_bounds<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let above = s.compare(Is::AtLeastOrNan, s.x[0], s.x[1]);
    let below = s.compare(Is::AtMostOrNan, s.x[0], s.x[2]);
    s.b.same("arith.andi", &[above, below])
}

/// The name of the only operation with two results.
pub const SINCOS: &str = "math.sincos";

/// `sin, cos = sincos x`: `sin_dot = cos x_dot`, `cos_dot = -sin x_dot`, and
/// `x_bar += cos sin_bar - sin cos_bar`.
pub struct SinCos;

impl Rule for SinCos {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let copy = jvp.copy(op);
        let (Some(x), Some(sin), Some(cos)) = (op.opnd(0), op.res(0), op.res(1)) else {
            return Ok(());
        };
        let (Some(x_dot), Some(new_sin), Some(new_cos)) =
            (jvp.tangent(x), copy.res(0), copy.res(1))
        else {
            return Ok(());
        };
        let b = jvp.b.with_fastmath_of(op);
        if jvp.is_active(sin) {
            jvp.set_tangent(sin, b.mul(x_dot, new_cos));
        }
        if jvp.is_active(cos) {
            jvp.set_tangent(cos, b.mul(x_dot, b.neg(new_sin)));
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(x), Some(sin), Some(cos)) = (op.opnd(0), op.res(0), op.res(1)) else {
            return Ok(());
        };
        let b = vjp.b.with_fastmath_of(op);
        if let Some(sin_bar) = vjp.cotangents.take(sin) {
            vjp.add_dense(x, b.mul(sin_bar, vjp.primal(cos)))?;
        }
        if let Some(cos_bar) = vjp.cotangents.take(cos) {
            vjp.add_dense(x, b.mul(cos_bar, b.neg(vjp.primal(sin))))?;
        }
        Ok(())
    }
}
