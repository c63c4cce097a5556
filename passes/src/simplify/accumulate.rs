//! Accumulators that start from zeros take over what they are added to [FUT 4.2].
//!
//! ```text
//! b = with_acc zeros body; c = b + y         =>  c = with_acc y body
//! b = with_acc zeros body; a' = a[] += b     =>  a' = body on a itself
//! b = with_acc zeros body; a' = a[] += -b    =>  b = with_acc zeros (body with -v for v); a' = a[] += b
//! ```
//! Either way nothing of the size of the array is filled, added or stored.

use std::collections::HashSet;

use ad_dialect::{
    capi::{is_acc, is_trivially_dead},
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    accumulator::updates,
    builder::{Builder, same_value},
    region::free_values,
    zero::{is_number, is_zero},
};

/// Rewrites one place; false when there is none left.
pub fn take_over<'c>(context: &'c Context, module: Op<'c>) -> bool {
    let mut all = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.with_acc" {
            all.push(op);
        }
    });
    all.into_iter().any(|op| {
        hoist(context, op).is_some()
            || (0..op.operand_count()).any(|i| {
                add_into(op, i).is_some()
                    || inline_into(context, op, i).is_some()
                    || negate_inside(context, op, i).is_some()
            })
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
fn inline_into<'c>(context: &'c Context, op: Op<'c>, i: usize) -> Option<()> {
    let (update, result) = only_reader(op, i)?;
    let acc = update.opnd(0)?;
    if update.op_name() != "soac.update_acc"
        || update.operand_count() != 2
        || same_value(acc, result)
    {
        return None;
    }
    move_to(op, update, &[acc])?;
    op.body(0)?.arg_list().get(i)?.replace_all_uses(acc);
    result.replace_all_uses(acc);
    let updated = update.res(0)?;
    let ends = rebuild(context, op, Some(i), &|_| true)?;
    updated.replace_all_uses(ends);
    update.erase();
    Some(())
}

/// Makes the body add negated elements if an accumulator gets the negated array.
fn negate_inside<'c>(context: &'c Context, op: Op<'c>, i: usize) -> Option<()> {
    let (negation, result) = only_reader(op, i)?;
    let negated = negation.res(0).filter(|_| is_negation(negation))?;
    let is_added = |op: &Op<'c>| op.op_name() == "soac.update_acc" && op.operand_count() == 2;
    if !matches!(negated.users().as_slice(), [reader] if is_added(reader)) {
        return None;
    }
    let updates = updates(op, i);
    let value = |update: &Op<'c>| update.operand_list().last().copied();
    if !updates.iter().filter_map(value).all(|value| value.r#type().is_float_type()) {
        return None;
    }
    for update in updates {
        let b = Builder::before(context, update, update.block()?);
        update.set_operand(update.operand_count() - 1, b.neg(value(&update)?));
    }
    negated.replace_all_uses(result);
    negation.erase();
    Some(())
}

/// Whether a map negates the elements of an array.
fn is_negation(map: Op<'_>) -> bool {
    let body = map.body(0).filter(|_| map.op_name() == "soac.map" && map.operand_count() == 1);
    let ops = body.map(|body| body.ops()).unwrap_or_default();
    let ([negation, end], Some(element)) = (&ops[..], body.and_then(|b| b.arg_list().pop())) else {
        return false;
    };
    let is = |value: Option<Val<'_>>, other| value.is_some_and(|value| same_value(value, other));
    negation.op_name() == "arith.negf"
        && is(negation.opnd(0), element)
        && negation.res(0).is_some_and(|negated| is(end.opnd(0), negated))
}

/// Moves what does not touch an accumulator out of the body, and drops the further
/// results that are then known outside or that nobody reads.
fn hoist<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let (body, block) = (op.body(0)?, op.block()?);
    let mut inside: HashSet<ValueKey> = body.arg_list().iter().map(ValExt::key).collect();
    let mut changed = false;
    for inner in body.body_ops() {
        let mut read = inner.operand_list();
        read.extend(free_values(&inner.blocks()));
        if read.iter().any(|value| inside.contains(&value.key())) || !is_trivially_dead(inner) {
            inside.extend(inner.result_list().iter().map(ValExt::key));
        } else {
            inner.detach();
            block.insert_before(op, inner);
            changed = true;
        }
    }
    let arrays = op.operand_count();
    let yielded = body.term()?.operand_list();
    let mut drop = HashSet::new();
    for (k, (result, value)) in op.result_list().into_iter().zip(&yielded).enumerate() {
        if k < arrays {
            continue;
        }
        // An accumulator from outside that the body only hands on is free again outside.
        let known = !inside.contains(&value.key());
        if known {
            result.replace_all_uses(*value);
        }
        if result.users().is_empty() && (known || !is_acc(value.r#type())) {
            drop.insert(k);
        }
    }
    if !drop.is_empty() {
        rebuild(context, op, None, &|k| !drop.contains(&k));
        changed = true;
    }
    changed.then_some(())
}

/// Rebuilds a `soac.with_acc` around its own body, without array `gone`, whose updated
/// accumulator becomes a further result, and without the further results that are not
/// to be kept. Returns the updated accumulator, or any value when there is none.
fn rebuild<'c>(
    context: &'c Context,
    op: Op<'c>,
    gone: Option<usize>,
    keep: &dyn Fn(usize) -> bool,
) -> Option<Val<'c>> {
    let (body, block) = (op.body(0)?, op.block()?);
    let (arrays, results) = (op.operand_list(), op.result_list());
    let end = body.term()?;
    let yielded = end.operand_list();
    let count = arrays.len();
    let stays = |k: usize| Some(k) != gone && (k < count || keep(k));
    // What is yielded, in the new order, and the results that it replaces.
    let mut order: Vec<usize> = (0..yielded.len()).filter(|&k| stays(k)).collect();
    order.extend(gone);
    let values: Vec<_> = order.iter().filter_map(|&k| yielded.get(k).copied()).collect();
    let starts: Vec<_> =
        (0..count).filter(|&k| stays(k)).filter_map(|k| arrays.get(k).copied()).collect();
    let arguments: Vec<_> =
        (0..count).filter(|&k| stays(k)).filter_map(|k| body.arg_list().get(k).copied()).collect();
    end.erase();
    let mut new = values.clone();
    if starts.is_empty() {
        for inner in body.ops() {
            inner.detach();
            block.insert_before(op, inner);
        }
    } else {
        let extra: Vec<_> = values.iter().skip(starts.len()).map(|v| v.r#type()).collect();
        let b = Builder::before(context, op, block);
        let built = b.with_acc(&starts, &extra, |b, accs| {
            for (old, new) in arguments.iter().zip(accs) {
                old.replace_all_uses(*new);
            }
            for inner in body.ops() {
                inner.detach();
                b.insert(inner);
            }
            // An argument may be yielded as it is.
            let renamed = values.iter().map(|value| {
                let same = arguments.iter().zip(accs).find(|(old, _)| same_value(**old, *value));
                same.map_or(*value, |(_, new)| *new)
            });
            Ok(renamed.collect())
        });
        new = built.ok()?;
    }
    for (&k, &value) in order.iter().zip(&new) {
        if Some(k) != gone
            && let Some(result) = results.get(k)
        {
            result.replace_all_uses(value);
        }
    }
    op.erase();
    new.last().copied()
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
    if needed.iter().any(|value| value.defining_op().is_some_and(|def| def.key() == op.key())) {
        return None;
    }
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
