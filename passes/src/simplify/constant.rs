//! Arrays whose elements all have one value.
//!
//! A slice of such an array is a smaller one, and a combinator reads the value
//! instead of the array.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i32_array, i64_array};
use melior::ir::ValueLike;

use crate::support::{
    builder::{Builder, same_value},
    combinator::{slice_sizes, strip_casts},
};

/// The one value of a filled tensor.
pub fn filled_with(array: Val<'_>) -> Option<Val<'_>> {
    let op = strip_casts(array).defining_op()?;
    ["linalg.fill", "tensor.splat"].contains(&op.op_name()).then(|| op.opnd(0))?
}

/// A slice of a filled tensor is a smaller filled tensor.
pub fn fold<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    if op.op_name() != "tensor.extract_slice" {
        return None;
    }
    let value = filled_with(op.opnd(0)?)?;
    let result = op.res(0)?.r#type();
    let sizes = slice_sizes(op)?;
    let dynamic = result.shape().into_iter().filter(|&size| size == DYNAMIC).count();
    let statics = op.attr("static_sizes").and_then(i64_array)?;
    let unknown = statics.iter().filter(|&&size| size == DYNAMIC).count();
    if dynamic != sizes.len() || unknown != sizes.len() {
        return None;
    }
    Some(b.fill(value, b.empty(result, &sizes)))
}

/// Makes the body of a map, reduction or hist read the value of a filled input directly.
/// The input stays, for its size; canonicalisation drops it where it can.
///
/// An operator with a value in place of its right operand no longer combines any two parts, which `Group::has_operator`
/// tells by the operand that is not read. Of an operator on tuples, that component may be dropped later, and nothing would
/// tell; so those stay as they are.
pub fn read_directly<'c>(b: &Builder<'c>, op: Op<'c>) -> bool {
    let Some(body) = op.body(0) else { return false };
    let segments = op.attr("operandSegmentSizes").and_then(i32_array).unwrap_or_default();
    let segment = |i: usize| segments.get(i).copied().unwrap_or(0) as usize;
    // Where the inputs are among the operands and the arguments: the right operands of
    // a reduction come after the left ones.
    let (skip, inputs, first) = match op.op_name() {
        "soac.map" => (0, segment(0), 0),
        "soac.reduce" => (0, segment(0), segment(0)),
        "soac.hist" => (segment(0), segment(1), segment(1)),
        _ => return false,
    };
    if op.op_name() != "soac.map" && inputs > 1 {
        return false;
    }
    let arguments = body.arg_list();
    let mut changed = false;
    for (i, array) in op.operand_list().into_iter().skip(skip).take(inputs).enumerate() {
        let (Some(value), Some(argument)) = (filled_with(array), arguments.get(first + i)) else {
            continue;
        };
        if argument.users().is_empty() {
            continue;
        }
        let row = argument.r#type();
        let direct = if row.as_tensor().is_none() {
            value
        } else {
            let shape = row.shape();
            let dynamic = (0..shape.len()).filter(|&d| shape.get(d) == Some(&DYNAMIC));
            let sizes: Vec<_> = dynamic.map(|d| b.dim(array, d + 1)).collect();
            b.fill(value, b.empty(row, &sizes))
        };
        if !same_value(direct, *argument) {
            argument.replace_all_uses(direct);
            changed = true;
        }
    }
    changed
}
