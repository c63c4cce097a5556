//! Operations in the body of a map that have parallel operations in their own bodies: where the map is distributed, these
//! bodies take their place.
//!
//! ```text
//! ys = map (\x -> with_acc e (\acc -> map (\.. -> update_acc acc i v) ..)) xs
//!         ==>
//! ys = with_acc (replicate n e) (\acc -> map (\x k -> map (\.. -> update_acc acc k i v) ..) xs (iota n))
//!
//! ys = map (\x -> if c then f x else g x) xs  =>  ys = if c then map f xs else map g xs
//! ```
//! An accumulator gets a row for each iteration; a condition has to be the same for all of them.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::{
    accumulators::follow,
    atomic::{buffer, contents, is_atomic},
    nest::is_part,
    part::Part,
};
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    elementwise::everywhere,
    extent::{extent_of, is_regular},
    region::{copy_ops, is_outside},
    size::Size,
};

/// Whether the body of an operation can take its place, and has something parallel.
pub fn is_distributed<'c>(root: Op<'c>, op: Op<'c>) -> bool {
    let has_parts = || {
        op.blocks()
            .into_iter()
            .flat_map(|block| block.body_ops())
            .any(|inner| is_part(inner) || is_distributed(root, inner))
    };
    let suits = if is_accumulation(op) {
        op.operand_list().into_iter().all(|array| {
            let number = everywhere(array);
            let is_known = number.is_some_and(|number| is_outside(root, number));
            is_known && is_atomic(array.r#type().scalar()) && is_regular(root, array)
        })
    } else {
        let condition = op.opnd(0).filter(|_| op.op_name() == "scf.if");
        condition.is_some_and(|condition| is_outside(root, condition))
    };
    suits && has_parts()
}

/// Whether an operation makes accumulators.
pub fn is_accumulation(op: Op<'_>) -> bool {
    op.op_name() == "soac.with_acc"
}

/// The rows of what such an operation, which is all of a segment, gives to others.
pub fn distribute<'c>(b: &Builder<'c>, part: &Part<'_, 'c>) -> Result<Vec<Val<'c>>> {
    match part.segment.ops.first() {
        Some(&op) if is_accumulation(op) => accumulation(b, part, op),
        Some(&op) => branch(b, part, op),
        None => Ok(vec![]),
    }
}

fn accumulation<'c>(b: &Builder<'c>, part: &Part<'_, 'c>, op: Op<'c>) -> Result<Vec<Val<'c>>> {
    let (starts, outs) = (op.operand_list(), &part.segment.outs);
    let buffers: Option<Vec<_>> = starts.iter().map(|&start| rows(b, part, start)).collect();
    let Some((buffers, body)) = buffers.zip(op.body(0)) else {
        return Err(internal_error(op, "accumulators have no buffers"));
    };
    let is_array = |out: &Val<'c>| out.position() < starts.len();
    let others: Vec<_> = outs.iter().copied().filter(|out| !is_array(out)).collect();
    let mut at = vec![];
    let made = part.nest(b, &others, &mut |b, names, indices| {
        at = indices.to_vec();
        names.extend(body.arg_list().iter().map(ValExt::key).zip(buffers.iter().copied()));
        let ends = copy_ops(b, body, names);
        Ok(others.iter().map(|out| ends[out.position()]).collect())
    })?;
    buffers.iter().try_for_each(|&buffer| follow(b.context(), buffer, &at))?;
    let mut made = made.into_iter();
    let array = |out: &Val<'c>| match buffers.get(out.position()) {
        Some(&buffer) => contents(b, buffer, part.nest.rows_of(0, *out)),
        None => made.next(),
    };
    Ok(outs.iter().filter_map(array).collect())
}

/// A buffer with a row for each iteration, filled with what an array is filled with.
fn rows<'c>(b: &Builder<'c>, part: &Part<'_, 'c>, array: Val<'c>) -> Option<Val<'c>> {
    let number = everywhere(array)?;
    let r#type = part.nest.rows_of(0, array);
    let widths = part.widths.iter().copied();
    let extents =
        (0..array.r#type().shape().len()).map(|d| Size::of_extent(b, extent_of(array, d)));
    let all = r#type.shape().into_iter().zip(widths.chain(extents));
    let sizes: Vec<_> =
        all.filter(|(known, _)| *known == DYNAMIC).map(|(_, size)| size.value(b)).collect();
    buffer(b, b.fill(number, b.empty(r#type, &sizes)))
}

fn branch<'c>(b: &Builder<'c>, part: &Part<'_, 'c>, op: Op<'c>) -> Result<Vec<Val<'c>>> {
    let outs = &part.segment.outs;
    let Some(condition) = op.opnd(0) else { return Ok(vec![]) };
    let types: Vec<_> = outs.iter().map(|&out| part.nest.rows_of(0, out)).collect();
    let made = b.if_else(condition, &types, |b, then| {
        let Some(body) = op.body(usize::from(!then)) else { return Ok(vec![]) };
        part.nest(&b, outs, &mut |b, names, _| {
            let ends = copy_ops(b, body, names);
            Ok(outs.iter().map(|out| ends[out.position()]).collect())
        })
    })?;
    Ok(made.result_list())
}
