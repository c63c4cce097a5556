//! Arithmetic with zeros, and negations.
//!
//! x + 0 = x; 0 - x = -x; x + (-y) = x - y; x - (-y) = x + y; -(-x) = x; acc += 0 is acc.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};

use crate::support::{builder::Builder, fastmath::allows, zero::is_zero};

/// The value that the operation's result equals, if it can be said more simply.
pub fn fold<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    let (x, y) = (op.opnd(0), op.opnd(1));
    let b = &b.with_fastmath_of(op);
    match op.op_name() {
        "arith.addf" | "complex.add" => {
            let (x, y) = (x?, y?);
            if is_zero(y) {
                return Some(x);
            }
            if is_zero(x) {
                return Some(y);
            }
            match (negated(x), negated(y)) {
                (_, Some(y)) => Some(b.float_op("arith.subf", &[x, y])),
                (Some(x), None) => Some(b.float_op("arith.subf", &[y, x])),
                _ => None,
            }
        }
        "arith.subf" => {
            let (x, y) = (x?, y?);
            if is_zero(x) {
                return Some(b.float_op("arith.negf", &[y]));
            }
            negated(y).map(|y| b.float_op("arith.addf", &[x, y]))
        }
        "arith.negf" => negated(x?),
        "arith.mulf" => fold_product(op, x?, y?),
        "soac.update_acc" => {
            let value = op.operand_list().last().copied()?;
            is_zero(value).then_some(x?)
        }
        _ => None,
    }
}

/// A product with zero is zero only where infinities and NaNs are ruled out.
fn fold_product<'c>(op: Op<'c>, x: Val<'c>, y: Val<'c>) -> Option<Val<'c>> {
    if !["nnan", "nsz"].iter().all(|flag| allows(op, flag)) {
        return None;
    }
    [x, y].into_iter().find(|factor| is_zero(*factor))
}

fn negated(value: Val<'_>) -> Option<Val<'_>> {
    let op = value.defining_op().filter(|op| op.op_name() == "arith.negf")?;
    op.opnd(0)
}
