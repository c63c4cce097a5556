//! Accumulators become buffers, which every thread updates.
//!
//! An accumulator is only handed around, so that the buffer stands for it wherever it goes.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::atomic::{buffer, contents, is_atomic, update};
use crate::support::{
    atomic::{ADD_FLOAT, ADD_INTEGER},
    builder::{Builder, same_value},
    combinator::{array_result_count, input_count},
    diag::{Result, error, internal_error},
    region::{control_blocks, move_body, replace},
};

/// Makes buffers of the accumulators in a block, if they are used by parallel operations; what is inside of those is
/// left as it is. Adds them to a list.
pub fn become_buffers<'c>(
    context: &'c Context,
    block: Blk<'c>,
    all: &mut Vec<Val<'c>>,
) -> Result<()> {
    for op in block.body_ops() {
        if op.op_name() == "soac.with_acc" {
            become_buffer(context, op, block, all)?;
            continue;
        }
        control_blocks(op).into_iter().try_for_each(|inner| become_buffers(context, inner, all))?;
    }
    Ok(())
}

fn become_buffer<'c>(
    context: &'c Context,
    op: Op<'c>,
    block: Blk<'c>,
    all: &mut Vec<Val<'c>>,
) -> Result<()> {
    let Some(body) = op.body(0) else { return Ok(()) };
    let arrays = op.operand_list();
    if let Some(array) = arrays.iter().find(|array| !is_atomic(array.r#type().scalar())) {
        let scalar = array.r#type().scalar();
        return Err(error(op, &format!("accumulates {scalar}, which a GPU cannot do")));
    }
    // What was inside may itself have accumulators, and so comes in front of the operation.
    become_buffers(context, body, all)?;
    let b = Builder::before(context, op, block);
    let mut buffers = vec![];
    for &array in &arrays {
        buffers.push(buffer(&b, array).ok_or_else(|| internal_error(op, "array has no buffer"))?);
    }
    all.extend(&buffers);
    for (accumulator, &buffer) in body.arg_list().into_iter().zip(&buffers) {
        accumulator.replace_all_uses(buffer);
    }
    for &buffer in &buffers {
        follow(context, buffer, &[])?;
    }
    let ends = move_body(&b, body, &[]);
    let arrays = arrays.iter().zip(&buffers);
    let arrays: Option<Vec<_>> =
        arrays.map(|(a, &buffer)| contents(&b, buffer, a.r#type())).collect();
    let mut results = arrays.ok_or_else(|| internal_error(op, "buffer has no contents"))?;
    results.extend(ends.into_iter().skip(buffers.len()));
    replace(op, &results);
    Ok(())
}

/// Puts the buffer in place of the accumulator wherever that is handed on; the accumulator is what the buffer has at some
/// indices.
pub fn follow<'c>(context: &'c Context, buffer: Val<'c>, at: &[Val<'c>]) -> Result<()> {
    while let Some((user, position)) =
        buffer.uses().into_iter().find(|(user, i)| !is_done(*user, *i))
    {
        let Some(block) = user.block() else { break };
        let b = Builder::before(context, user, block);
        match user.op_name() {
            "soac.update_acc" => {
                let operands = user.operand_list();
                let Some((&value, indices)) = operands[1..].split_last() else { break };
                let is_integer = value.r#type().scalar().is_int_or_index_type();
                let kind = if is_integer { ADD_INTEGER } else { ADD_FLOAT };
                update(&b, kind, buffer, &[at, indices].concat(), value)?;
                replace(user, &[buffer]);
            }
            "soac.map" => without_accumulators(&b, user)?,
            "scf.for" => {
                let Some(body) = user.body(0) else { break };
                becomes(
                    &[body.arg_list().get(position - 2), user.res(position - 3).as_ref()],
                    buffer,
                );
            }
            "scf.while" => {
                let arguments = user.blocks().into_iter().map(|block| block.arg_list());
                for list in arguments {
                    becomes(&[list.get(position)], buffer);
                }
                becomes(&[user.res(position).as_ref()], buffer);
            }
            "scf.yield" | "scf.condition" | "soac.yield" => {
                let skipped = usize::from(user.op_name() == "scf.condition");
                let Some(around) = user.parent() else { break };
                becomes(&[around.res(position - skipped).as_ref()], buffer);
            }
            _ => return Err(error(user, "cannot be given an accumulator on a GPU")),
        }
    }
    Ok(())
}

/// Whether an operation that uses a buffer has been seen to.
fn is_done(user: Op<'_>, position: usize) -> bool {
    let has_type = |value: Option<&Val<'_>>| value.is_none_or(|value| !value.r#type().is_acc());
    match user.op_name() {
        "memref.atomic_rmw" | "bufferization.to_tensor" => true,
        // The body of the operation at hand, or a map, is seen to as a whole.
        "soac.yield" => {
            let around = user.parent().filter(|around| around.op_name() == "soac.with_acc");
            let result = around.and_then(|around| around.res(position));
            result.is_none_or(|result| !result.r#type().is_acc())
        }
        "scf.for" => {
            has_type(
                user.body(0).and_then(|body| body.arg_list().get(position - 2).copied()).as_ref(),
            ) && has_type(user.res(position.wrapping_sub(3)).as_ref())
        }
        "scf.while" => {
            let lists = user.blocks().into_iter().map(|block| block.arg_list());
            lists.into_iter().all(|list| has_type(list.get(position)))
                && has_type(user.res(position).as_ref())
        }
        "scf.yield" | "scf.condition" => {
            let skipped = usize::from(user.op_name() == "scf.condition");
            has_type(user.parent().and_then(|around| around.res(position - skipped)).as_ref())
        }
        _ => false,
    }
}

/// Lets the buffer stand for values, which have its type from now on.
fn becomes<'c>(values: &[Option<&Val<'c>>], buffer: Val<'c>) {
    for &&value in values.iter().flatten() {
        if !same_value(value, buffer) {
            value.replace_all_uses(buffer);
            value.set_type(buffer.r#type());
        }
    }
}

/// A map without the accumulators that are buffers: what it is given for them is used in its body, and is what comes out.
fn without_accumulators<'c>(b: &Builder<'c>, map: Op<'c>) -> Result<()> {
    let Some(body) = map.body(0) else { return Ok(()) };
    let operands = map.operand_list();
    let (inputs, accs) = operands.split_at(input_count(map));
    let arrays = array_result_count(map);
    let kept: Vec<_> = (0..accs.len()).filter(|&k| accs[k].r#type().is_acc()).collect();
    let still: Vec<_> = kept.iter().map(|&k| accs[k]).collect();
    let mut types: Vec<_> = map.result_list().iter().take(arrays).map(|r| r.r#type()).collect();
    types.extend(still.iter().map(|acc| acc.r#type()));
    let new = b.deriving(map).map(inputs, &still, &types, |b, arguments| {
        let (elements, own) = arguments.split_at(inputs.len());
        let mut within = accs.to_vec();
        kept.iter().zip(own).for_each(|(&k, &acc)| within[k] = acc);
        let ends = move_body(&b, body, &[elements, &within].concat());
        let accs = kept.iter().filter_map(|&k| ends.get(arrays + k));
        Ok(ends[..arrays].iter().chain(accs).copied().collect())
    })?;
    let mut results = [&new[..arrays], accs].concat();
    kept.iter().zip(&new[arrays..]).for_each(|(&k, &acc)| results[arrays + k] = acc);
    replace(map, &results);
    Ok(())
}
