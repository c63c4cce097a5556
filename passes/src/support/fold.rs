//! Integers that are known although nobody has folded them yet.

use ad_dialect::ir::{OpExt, Val, ValExt, int_of};

/// The value of an integer that arithmetic makes of constants; a truth value is 0 or another number.
pub fn folded(value: Val<'_>) -> Option<i64> {
    let op = value.defining_op()?;
    if op.op_name() == "arith.constant" {
        return op.attr("value").and_then(int_of);
    }
    let operand = |i| op.opnd(i).and_then(folded);
    if op.op_name() == "arith.select" {
        return operand(if operand(0)? != 0 { 1 } else { 2 });
    }
    if op.op_name() == "arith.index_cast" {
        return operand(0);
    }
    let (a, b) = (operand(0)?, operand(1)?);
    match op.op_name() {
        "arith.addi" => a.checked_add(b),
        "arith.subi" => a.checked_sub(b),
        "arith.muli" => a.checked_mul(b),
        "arith.andi" => Some(a & b),
        "arith.ori" => Some(a | b),
        "arith.minsi" => Some(a.min(b)),
        "arith.maxsi" => Some(a.max(b)),
        "arith.divui" if a >= 0 && b > 0 => Some(a / b),
        "arith.ceildivsi" if b > 0 => Some(a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0)),
        "arith.cmpi" => holds(op.attr("predicate").and_then(int_of)?, a, b).map(i64::from),
        _ => None,
    }
}

/// Whether a signed comparison holds, by the number of the predicate.
fn holds(predicate: i64, a: i64, b: i64) -> Option<bool> {
    Some(match predicate {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a <= b,
        4 => a > b,
        5 => a >= b,
        _ => return None,
    })
}
