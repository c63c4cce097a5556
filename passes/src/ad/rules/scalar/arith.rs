//! The partial derivatives of `arith`.

use ad_dialect::ir::Val;

use super::{
    Cast,
    Domain::{NonZero, Real, Smooth},
    Is, MinusOne, One, Row, Scalar, Times, Unless, Where, row,
};

/// A row per operation, in the order of the dialect's reference.
pub const TABLE: &[Row] = &[
    row("arith.negf", &[MinusOne], Real),
    row("arith.addf", &[One, One], Real),
    row("arith.subf", &[One, MinusOne], Real),
    row("arith.mulf", &[Times(|s| s.x[1]), Times(|s| s.x[0])], Real),
    // d(a/b) = (da - (a/b) db) 1/b: one division, also for several seeds.
    row(
        "arith.divf",
        &[Times(|s| s.reciprocal(s.x[1])), Times(|s| s.b.neg(s.b.mul(s.y, s.reciprocal(s.x[1]))))],
        NonZero,
    ),
    // x - trunc(x/y) y; the quotient is rounded from (y' - x)/y, where x/y may
    // already have been rounded up to the next integer.
    row(
        "arith.remf",
        &[
            One,
            Times(|s| {
                let quotient = s.b.div(s.b.sub(s.y, s.x[0]), s.x[1]);
                s.float("math.roundeven", &[quotient])
            }),
        ],
        Smooth,
    ),
    // One operand is chosen, the first one of equals.
    row("arith.maximumf", &[Where(is_at_least), Unless(is_at_least)], Smooth),
    row("arith.minimumf", &[Where(is_at_most), Unless(is_at_most)], Smooth),
    // These ignore a NaN, so the operand that was chosen is known from the result.
    row("arith.maxnumf", &[Where(is_first), Unless(is_first)], Smooth),
    row("arith.minnumf", &[Where(is_first), Unless(is_first)], Smooth),
    row("arith.extf", &[Cast], Real),
    row("arith.truncf", &[Cast], Real),
];

fn is_at_least<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    s.compare(Is::AtLeast, s.x[0], s.x[1])
}

fn is_at_most<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    s.compare(Is::AtMost, s.x[0], s.x[1])
}

/// Whether the result is the first operand.
fn is_first<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    s.compare(Is::Equal, s.x[0], s.y)
}
