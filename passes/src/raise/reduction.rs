//! Raises `vector.reduction` by anything but + to a chain of applications to the
//! lanes, whose derivative is right at zeros and at ties; a sum has a rule of its own.

use ad_dialect::ir::{Op, OpExt, TyExt, Val};
use melior::ir::ValueLike;

use crate::support::{builder::Builder, diag::Result};

/// The operation of `arith` that combines two numbers.
fn combining(op: Op<'_>) -> Option<&'static str> {
    Some(match op.attr("kind")?.to_string().as_str() {
        "#vector.kind<mul>" => "arith.mulf",
        "#vector.kind<minimumf>" => "arith.minimumf",
        "#vector.kind<maximumf>" => "arith.maximumf",
        "#vector.kind<minnumf>" => "arith.minnumf",
        "#vector.kind<maxnumf>" => "arith.maxnumf",
        _ => return None,
    })
}

/// From the value to start from, if there is one, and the first lane to the last.
pub fn reduction<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let operands = op.operand_list();
    let (Some(&vector), Some(result), Some(name)) = (operands.first(), op.res(0), combining(op))
    else {
        return Ok(None);
    };
    if !result.r#type().is_float_type() {
        return Ok(None);
    }
    let b = b.with_fastmath_of(op);
    let lanes = b.to_elements(vector).into_iter();
    let numbers = operands.get(1).copied().into_iter().chain(lanes);
    Ok(numbers.reduce(|sum, lane| b.float_op(name, &[sum, lane])).map(|value| vec![value]))
}
