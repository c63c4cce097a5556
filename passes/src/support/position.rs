//! Which element or row of an array an operation accesses.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, Val, ValExt, i32_array, i64_array};

use super::{builder::same_value, region::is_outside};

/// An index.
#[derive(Clone, Copy)]
pub enum Position<'c> {
    /// A value.
    At(Val<'c>),
    /// A number.
    Constant(i64),
}

/// For each dimension, the index of a `tensor.extract`, an `insert` or a slice that has size one there.
pub fn positions<'c>(op: Op<'c>) -> Option<Vec<Option<Position<'c>>>> {
    let operands = op.operand_list();
    match op.op_name() {
        "tensor.extract" => Some(operands[1..].iter().map(|&i| Some(Position::At(i))).collect()),
        "tensor.insert" => Some(operands[2..].iter().map(|&i| Some(Position::At(i))).collect()),
        name => {
            let first = if name == "tensor.extract_slice" { 1 } else { 2 };
            let offsets = op.attr("static_offsets").and_then(i64_array)?;
            let sizes = op.attr("static_sizes").and_then(i64_array)?;
            i32_array(op.attr("operandSegmentSizes")?)?;
            let mut dynamic = operands[first..].iter();
            let mut position = |(offset, size): (i64, i64)| {
                let at = match offset {
                    DYNAMIC => Position::At(*dynamic.next()?),
                    offset => Position::Constant(offset),
                };
                (size == 1).then_some(at)
            };
            Some(offsets.into_iter().zip(sizes).map(&mut position).collect())
        }
    }
}

/// Whether an index is another one in each iteration of a loop, given its induction variable.
pub fn is_own_index<'c>(index: Val<'c>, iv: Val<'c>, of: Op<'c>) -> bool {
    if same_value(index, iv) {
        return true;
    }
    let Some(op) = index.defining_op() else { return false };
    let (Some(x), Some(y)) = (op.opnd(0), op.opnd(1)) else { return false };
    match op.op_name() {
        "arith.addi" | "arith.subi" => {
            is_own_index(x, iv, of) && is_outside(of, y)
                || is_own_index(y, iv, of) && is_outside(of, x)
        }
        _ => false,
    }
}
