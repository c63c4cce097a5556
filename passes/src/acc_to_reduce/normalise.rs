//! Rewrites that make more updates look alike.

use ad_dialect::{
    capi,
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    bounds::trip_count,
    builder::Builder,
    combinator::constant_index,
    place::Sum,
    region::{is_outside, move_body},
};

/// Adds two updates of one element in a row to one update.
pub fn merge_updates<'c>(context: &'c Context, second: Op<'c>) -> Option<()> {
    let first = second.opnd(0)?.defining_op().filter(|op| op.op_name() == "soac.update_acc")?;
    let (old, new) = (first.operand_list(), second.operand_list());
    let (value, indices) = new.get(1..)?.split_last()?;
    let (old_value, old_indices) = old.get(1..)?.split_last()?;
    let same = indices.len() == old_indices.len()
        && indices.iter().zip(old_indices).all(|(a, b)| a.key() == b.key());
    let alike = value.r#type() == old_value.r#type() && value.r#type().shape().is_empty();
    if !same || !alike || first.block() != second.block() {
        return None;
    }
    let b = Builder::before(context, second, second.block()?);
    let sum = b.add(*old_value, *value);
    second.set_operand(0, *old.first()?);
    second.set_operand(new.len() - 1, sum);
    // Nothing else used the first update: accumulators are linear.
    first.erase();
    Some(())
}

/// Makes a map of a loop that carries nothing but accumulators.
pub fn map_of_loop<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let (operands, body, block) = (op.operand_list(), op.body(0)?, op.block()?);
    let (bounds, accs) = operands.split_at_checked(3)?;
    let carries = !accs.is_empty() && accs.iter().all(|acc| capi::is_acc(acc.r#type()));
    let [lower, upper, step] = *bounds else { return None };
    let b = Builder::before(context, op, block);
    if !carries || lower.r#type() != b.index_type() || op.attr("unsignedCmp").is_some() {
        return None;
    }
    let is = |value: Val<'c>, number| constant_index(value) == Some(number);
    if is(lower, 0) && is(step, 1) {
        forwards(op, *body.arg_list().first()?, upper);
    }
    let outside = outermost(context, op, bounds);
    // A constant may be defined further in.
    let known = bounds.iter().map(|&v| constant_index(v).map_or(v, |number| outside.index(number)));
    let count = trip_count(&outside, &known.collect::<Vec<_>>());
    let types: Vec<_> = accs.iter().map(|acc| acc.r#type()).collect();
    let size = constant_index(count).unwrap_or(DYNAMIC);
    let new = b.map(&[b.iota(count, size)], accs, &types, |b, arguments| {
        let (number, accs) = arguments.split_first().map_or((lower, arguments), |(n, r)| (*n, r));
        let scaled = if is(step, 1) { number } else { b.mul(number, step) };
        let index = if is(lower, 0) { scaled } else { b.add(lower, scaled) };
        Ok(move_body(&b, body, &[&[index], accs].concat()))
    });
    for (old, new) in op.result_list().into_iter().zip(new.ok()?) {
        old.replace_all_uses(new);
    }
    op.erase();
    Some(())
}

/// Counts forwards what a loop from 0 on counts from its last iteration down: the order of updates does not matter.
fn forwards<'c>(op: Op<'c>, number: Val<'c>, upper: Val<'c>) {
    let is_last = |value: Val<'c>| {
        let behind = Sum::of(value).plus(&Sum::of(upper), -1).as_constant();
        is_outside(op, value) && behind == Some(-1)
    };
    let uses = number.uses();
    let is_down = |&(user, operand): &(Op<'c>, usize)| {
        user.op_name() == "arith.subi" && operand == 1 && user.opnd(0).is_some_and(is_last)
    };
    if uses.iter().all(is_down) {
        for (user, _) in uses {
            user.result_list().into_iter().for_each(|down| down.replace_all_uses(number));
            user.erase();
        }
    }
}

/// Builds as far out as the values are known, so that a width does not seem to depend
/// on a map around the loop.
fn outermost<'c>(context: &'c Context, op: Op<'c>, values: &[Val<'c>]) -> Builder<'c> {
    let mut here = op;
    // A division must not run unless the loop does.
    let is_safe = values.last().and_then(|step| constant_index(*step)).is_some();
    while let Some(parent) = here.parent().filter(|_| is_safe)
        && ["soac.map", "soac.with_acc", "scf.for", "scf.if"].contains(&parent.op_name())
        && values.iter().all(|value| is_outside(parent, *value) || constant_index(*value).is_some())
    {
        here = parent;
    }
    match here.block().or(op.block()) {
        Some(block) => Builder::before(context, here, block),
        None => unreachable!("a loop outside of a block"),
    }
}
