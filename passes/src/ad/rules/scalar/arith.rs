//! The partial derivatives of `arith`.

use super::{
    Cast,
    Domain::{NonZero, Real, Smooth},
    Is, MinusOne, One, Over, Row, Times, Where, row,
};

/// A row per operation, in the order of the dialect's reference.
pub const TABLE: &[Row] = &[
    row("arith.negf", &[MinusOne], Real),
    row("arith.addf", &[One, One], Real),
    row("arith.subf", &[One, MinusOne], Real),
    row("arith.mulf", &[Times(|s| s.x[1]), Times(|s| s.x[0])], Real),
    // d(a/b) = da/b - (a/b)/b db
    row("arith.divf", &[Over(|s| s.x[1]), Times(|s| s.b.neg(s.b.div(s.y, s.x[1])))], NonZero),
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
    row(
        "arith.maximumf",
        &[
            Where(|s| s.compare(Is::AtLeast, s.x[0], s.x[1])),
            Where(|s| s.compare(Is::LessOrNan, s.x[0], s.x[1])),
        ],
        Smooth,
    ),
    row(
        "arith.minimumf",
        &[
            Where(|s| s.compare(Is::AtMost, s.x[0], s.x[1])),
            Where(|s| s.compare(Is::GreaterOrNan, s.x[0], s.x[1])),
        ],
        Smooth,
    ),
    // These ignore a NaN, so the operand that was chosen is known from the result.
    row("arith.maxnumf", CHOSEN, Smooth),
    row("arith.minnumf", CHOSEN, Smooth),
    row("arith.extf", &[Cast], Real),
    row("arith.truncf", &[Cast], Real),
];

/// The operand that equals the result.
const CHOSEN: &[super::Partial] = &[
    Where(|s| s.compare(Is::Equal, s.x[0], s.y)),
    Where(|s| s.compare(Is::NotEqual, s.x[0], s.y)),
];
