//! Accumulators that start from zeros take over what they are added to [FUT 4.2].
//!
//! ```text
//! b = with_acc zeros body; c = b + y         =>  c = with_acc y body
//! b = with_acc zeros body; a' = a[] += b     =>  a' = body on a itself
//! ```
//! Either way nothing of the size of the array is filled, added or stored.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::zero::{is_number, is_zero};
use crate::support::builder::same_value;

/// Rewrites one place; false when there is none left.
pub fn take_over<'c>(_context: &'c Context, module: Op<'c>) -> bool {
    let mut all = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.with_acc" {
            all.push(op);
        }
    });
    all.into_iter().any(|op| {
        (0..op.operand_count()).any(|i| add_into(op, i).is_some() || inline_into(op, i).is_some())
    })
}

/// The only reader of array `i` of the `soac.with_acc`, if the array starts as zeros.
fn only_reader<'c>(op: Op<'c>, i: usize) -> Option<(Op<'c>, Val<'c>)> {
    let (start, result) = (op.opnd(i)?, op.res(i)?);
    if !is_zero(start) || !is_number(start) {
        return None;
    }
    match result.users().as_slice() {
        [reader] if reader.block() == op.block() => Some((*reader, result)),
        _ => None,
    }
}

/// Makes the accumulator start from the other term of a sum.
fn add_into<'c>(op: Op<'c>, i: usize) -> Option<()> {
    let (sum, result) = only_reader(op, i)?;
    if !["arith.addf", "complex.add"].contains(&sum.op_name()) {
        return None;
    }
    let other = sum.operand_list().into_iter().find(|term| !same_value(*term, result))?;
    move_to(op, sum, &[other])?;
    op.set_operand(i, other);
    sum.res(0)?.replace_all_uses(result);
    sum.erase();
    Some(())
}

/// Makes the body accumulate into the accumulator that its result is added to.
fn inline_into<'c>(op: Op<'c>, i: usize) -> Option<()> {
    let (update, result) = only_reader(op, i)?;
    let acc = update.opnd(0)?;
    // One array only, so that the body can run in place of the operation.
    if update.op_name() != "soac.update_acc"
        || update.operand_count() != 2
        || same_value(acc, result)
        || op.operand_count() != 1
    {
        return None;
    }
    move_to(op, update, &[acc])?;
    let (body, block) = (op.body(0)?, op.block()?);
    let end = body.term()?;
    body.arg_list().first()?.replace_all_uses(acc);
    let yielded = end.operand_list();
    update.res(0)?.replace_all_uses(*yielded.first()?);
    update.erase();
    for inner in body.body_ops() {
        inner.detach();
        block.insert_before(op, inner);
    }
    let results = op.result_list();
    for (old, new) in results.into_iter().zip(yielded).skip(1) {
        old.replace_all_uses(new);
    }
    op.erase();
    Some(())
}

/// Makes sure that the values are there when `op` runs: leaves it where it is, or
/// moves it down to its reader when nothing in between reads its results.
fn move_to<'c>(op: Op<'c>, reader: Op<'c>, needed: &[Val<'c>]) -> Option<()> {
    let block = op.block()?;
    let ops = block.ops();
    let position = |wanted: Op<'c>| ops.iter().position(|op| op.key() == wanted.key());
    let (here, there) = (position(op)?, position(reader)?);
    let late = needed.iter().any(|value| {
        value.defining_op().is_some_and(|definition| {
            definition.block() == Some(block)
                && position(definition).is_some_and(|place| place > here)
        })
    });
    if !late {
        return Some(());
    }
    let between = ops.get(here + 1..there)?;
    let reads = between.iter().any(|other| {
        let mut found = false;
        other.for_each(&mut |inner| {
            found |= inner
                .operand_list()
                .iter()
                .any(|value| value.defining_op().is_some_and(|def| def.key() == op.key()));
        });
        found
    });
    if reads {
        return None;
    }
    op.detach();
    block.insert_before(reader, op);
    Some(())
}
