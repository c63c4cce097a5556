//! Raises `tensor.pad` and `tensor.concat` to insertions of slices.
//!
//! A padded tensor is a filled one, or a generated one where the padding depends on
//! the index, with the source inserted; so its adjoint is a slice, and that of an
//! active padding value the sum of the rest. A concatenation inserts its operands one
//! after the other into an uninitialised tensor.

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i64_array, int_of};
use melior::ir::ValueLike;

use crate::support::{
    builder::Builder,
    diag::{Result, error, internal_error},
    region::move_body,
};

/// `tensor.pad`
pub fn pad<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let (Some(source), Some(result), Some(body)) = (op.opnd(0), op.res(0), op.body(0)) else {
        return Ok(None);
    };
    let [Some(low), Some(high)] =
        ["static_low", "static_high"].map(|name| op.attr(name).and_then(i64_array))
    else {
        return Err(internal_error(op, "padding without sizes"));
    };
    if low.iter().chain(&high).any(|&width| width < 0 && width != DYNAMIC) {
        return Err(error(op, "takes something away: use 'tensor.extract_slice' for that"));
    }
    let mut operands = op.operand_list().into_iter().skip(1);
    let mut widths = |statics: &[i64]| -> Vec<Val<'c>> {
        let mut dynamic = |&size: &i64| (size == DYNAMIC).then(|| operands.next()).flatten();
        statics.iter().map(|size| dynamic(size).unwrap_or_else(|| b.index(*size))).collect()
    };
    let (lows, highs) = (widths(&low), widths(&high));
    let shape = result.r#type().shape();
    let sizes: Vec<_> = (0..shape.len())
        .filter(|&d| shape[d] == DYNAMIC)
        .map(|d| b.add(b.add(lows[d], b.dim(source, d)), highs[d]))
        .collect();
    let padding = body.term().and_then(|term| term.opnd(0));
    let base = match padding {
        Some(value) if value.parent_block().is_none_or(|block| block != body) => {
            b.fill(value, b.empty(result.r#type(), &sizes))
        }
        _ => generated(b, body, &sizes, result)?,
    };
    if source.r#type().shape().contains(&0) {
        return Ok(Some(vec![base]));
    }
    let offsets: Vec<_> = (0..low.len()).map(|d| (low[d], lows[d])).collect();
    Ok(Some(vec![inserted(b, source, base, &offsets)]))
}

/// A tensor whose elements a body computes from their indices; the body's operations
/// move there.
fn generated<'c>(
    b: &Builder<'c>,
    body: Blk<'c>,
    sizes: &[Val<'c>],
    like: Val<'c>,
) -> Result<Val<'c>> {
    let arguments = body.arg_list();
    let types = vec![b.index_type(); arguments.len()];
    let full = like.r#type();
    let op = b.op_with("tensor.generate", sizes, &[full], &[], &[types]);
    b.fill_body(op, 0, "tensor.yield", |inner, indices| Ok(move_body(&inner, body, indices)))?;
    Ok(op.res(0).unwrap_or(like))
}

/// The tensor with a part inserted at offsets, given as they are in attributes and as
/// values.
fn inserted<'c>(
    b: &Builder<'c>,
    part: Val<'c>,
    tensor: Val<'c>,
    offsets: &[(i64, Val<'c>)],
) -> Val<'c> {
    let shape = part.r#type().shape();
    let dynamic_offsets =
        offsets.iter().filter(|(fixed, _)| *fixed == DYNAMIC).map(|(_, offset)| *offset);
    let mut operands = vec![part, tensor];
    operands.extend(dynamic_offsets);
    let offset_count = operands.len() as i32 - 2;
    operands.extend(b.dynamic_dims(part));
    let size_count = operands.len() as i32 - 2 - offset_count;
    let fixed = offsets.iter().map(|(fixed, _)| *fixed).collect();
    let ones = vec![1; shape.len()];
    let segments = [1, 1, offset_count, size_count, 0];
    b.slice_op("tensor.insert_slice", &operands, tensor.r#type(), &[fixed, shape, ones], &segments)
}

/// Where each part of a concatenation begins along its dimension, as it is in
/// attributes and as a value, and at last where all end.
pub fn offsets<'c>(b: &Builder<'c>, parts: &[Val<'c>], along: usize) -> Vec<(i64, Val<'c>)> {
    let mut offsets = vec![(0, b.index(0))];
    for &part in parts {
        let (fixed, offset) = offsets[offsets.len() - 1];
        let size = part.r#type().shape()[along];
        let is_fixed = fixed != DYNAMIC && size != DYNAMIC;
        let next = if is_fixed {
            (fixed + size, b.index(fixed + size))
        } else {
            (DYNAMIC, b.add(offset, b.dim(part, along)))
        };
        offsets.push(next);
    }
    offsets
}

/// `tensor.concat`
pub fn concat<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let parts = op.operand_list();
    let (Some(&first), Some(result)) = (parts.first(), op.res(0)) else { return Ok(None) };
    let Some(along) = op.attr("dim").and_then(int_of).and_then(|dim| usize::try_from(dim).ok())
    else {
        return Err(internal_error(op, "concatenation without dimension"));
    };
    let offsets = offsets(b, &parts, along);
    let shape = result.r#type().shape();
    let size = |d: usize| if d == along { offsets[parts.len()].1 } else { b.dim(first, d) };
    let sizes: Vec<_> = (0..shape.len()).filter(|&d| shape[d] == DYNAMIC).map(size).collect();
    let mut tensor = b.empty(result.r#type(), &sizes);
    for (&part, &offset) in parts.iter().zip(&offsets) {
        if part.r#type().shape().contains(&0) {
            continue;
        }
        let mut position = vec![(0, offsets[0].1); shape.len()];
        position[along] = offset;
        tensor = inserted(b, part, tensor, &position);
    }
    Ok(Some(vec![tensor]))
}
