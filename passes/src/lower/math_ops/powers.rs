//! Powers with integer exponents in kernels.
//!
//! libdevice has those of floats with exponents of 32 bits, and none of integers.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, with_scalar};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, r#type::IntegerType},
};

use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SLT},
    diag::Result,
};

/// Whether a power is in a kernel that does not have it.
pub fn is_wanted(op: Op<'_>) -> bool {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    let is_i32 = op.opnd(1).is_some_and(|n| n.r#type().scalar().to_string() == "i32");
    around.any(|op| op.op_name() == "gpu.module") && !(op.op_name() == "math.fpowi" && is_i32)
}

fn integer<'c>(context: &'c Context, like: Type<'c>, bits: u32) -> Type<'c> {
    with_scalar(like, IntegerType::new(context, bits).into())
}

/// The width of an integer type.
fn width(r#type: Type<'_>) -> u32 {
    IntegerType::try_from(r#type.scalar()).map_or(64, |integer| integer.width())
}

/// A power of a float: with an exponent of 32 bits if it has fewer, and in double precision, with the sign by itself, if it
/// has more.
pub fn of_float<'c>(
    b: &Builder<'c>,
    x: Val<'c>,
    n: Val<'c>,
    flags: &[(&str, Attribute<'c>)],
) -> Val<'c> {
    let (is, exponent) = (x.r#type(), n.r#type());
    if width(exponent) < 32 {
        let n = b.val("arith.extsi", &[n], integer(b.context(), exponent, 32));
        return b.val_with("math.fpowi", &[x, n], is, flags);
    }
    let double = with_scalar(is, Type::float64(b.context()));
    let is_double = is == double;
    let wide = if is_double { x } else { b.val("arith.extf", &[x], double) };
    let size = b.same("math.absf", &[wide]);
    let power = b.same("math.powf", &[size, b.val("arith.sitofp", &[n], double)]);
    let odd = b.same("arith.andi", &[n, b.int_like(n, 1)]);
    let is_odd = b.compare(CMP_EQ, odd, b.int_like(n, 1));
    let sign = b.same("math.copysign", &[power, wide]);
    let made = b.select(is_odd, sign, power);
    if is_double { made } else { b.val("arith.truncf", &[made], is) }
}

/// A power of an integer: squares of it, multiplied where the exponent has a bit. With a negative exponent it is the quotient
/// of 1 and the power, rounded towards zero, and that of zero is 0.
pub fn of_integer<'c>(b: &Builder<'c>, x: Val<'c>, n: Val<'c>) -> Result<Val<'c>> {
    let (zero, one) = (b.int_like(x, 0), b.int_like(x, 1));
    let bounds = [0, i64::from(width(x.r#type())), 1].map(|bound| b.index(bound));
    let odd = |b: &Builder<'c>, n| b.compare(CMP_EQ, b.same("arith.andi", &[n, one]), one);
    let all = b.for_loop(bounds, &[one, x, n], |b, _, state| {
        let [made, square, rest] = [state[0], state[1], state[2]];
        let more = b.same("arith.muli", &[made, square]);
        let made = b.select(odd(&b, rest), more, made);
        let square = b.same("arith.muli", &[square, square]);
        Ok(vec![made, square, b.same("arith.shrui", &[rest, one])])
    })?;
    let minus = b.sub(zero, one);
    let of_minus = b.select(odd(b, n), minus, one);
    let small = b.select(b.compare(CMP_EQ, x, minus), of_minus, zero);
    let small = b.select(b.compare(CMP_EQ, x, one), one, small);
    let made = all.result_list();
    Ok(b.select(b.compare(CMP_SLT, n, zero), small, made[0]))
}
