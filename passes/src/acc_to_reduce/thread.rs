//! Hands the value of an update out of its nest as it is: each scope around the update
//! gets one more result, which is summed behind every map that no index depends on.

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of, i32_array};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{
    analysis::{Scope, Site},
    target::sum_into,
};
use crate::support::{
    builder::Builder,
    combinator::{array_result_count, input_count},
    diag::Result,
};

/// Hands what an update of the array `start` adds out of its nest; returns the new
/// `soac.with_acc` and the contributions behind it.
pub fn thread<'c>(
    context: &'c Context,
    root: Op<'c>,
    site: &Site<'c>,
    start: Val<'c>,
) -> Result<(Op<'c>, Val<'c>)> {
    let indexed = site.index_levels();
    let zero = |b: &Builder<'c>, full: Type<'c>| b.zeros(full, &[]);
    let whole = start.r#type().shape().len().saturating_sub(site.indices.len());
    let sum = |b: &Builder<'c>, level: usize, array| match indexed.contains(&level) {
        true => Ok(array),
        false => sum_into(b, array, start, whole),
    };
    hand_out(context, root, &site.path, site.value, &zero, &sum)
}

/// Hands a value out of the scopes around it. `other` makes what a branch yields that
/// does not have the value; behind each level goes on what `behind` makes of its results.
pub fn hand_out<'c>(
    context: &'c Context,
    root: Op<'c>,
    path: &[Scope<'c>],
    mut value: Val<'c>,
    other: &dyn Fn(&Builder<'c>, Type<'c>) -> Val<'c>,
    behind: &dyn Fn(&Builder<'c>, usize, Val<'c>) -> Result<Val<'c>>,
) -> Result<(Op<'c>, Val<'c>)> {
    let mut level = path.iter().filter(|scope| matches!(scope, Scope::Map(_))).count();
    for scope in path.iter().rev() {
        let op = scope.op();
        let location = op.location();
        let (at, result, chosen) = match scope {
            Scope::Map(_) => {
                level -= 1;
                let inputs = op.operand_list().into_iter().take(input_count(op));
                let sizes = inputs.filter_map(|v| v.r#type().shape().first().copied());
                let size = sizes.max().unwrap_or(DYNAMIC);
                (array_result_count(op), array_of(size, value.r#type()), None)
            }
            Scope::Branch(_, branch) | Scope::Known(_, branch) => {
                (op.result_count(), value.r#type(), Some(*branch))
            }
            Scope::Once(_) => (op.result_count(), value.r#type(), None),
        };
        let new = with_result(context, op, at, result, |number, block| match block.term() {
            Some(end) if chosen.is_some_and(|branch| branch != number) => {
                other(&Builder::before(context, end, block).with_location(location), result)
            }
            _ => value,
        });
        value = new.res(at).unwrap_or(value);
        if matches!(scope, Scope::Map(_))
            && let Some(block) = new.block()
        {
            value = behind(&Builder::after(context, new, block), level, value)?;
        }
    }
    let new = with_result(context, root, root.result_count(), value.r#type(), |_, _| value);
    Ok((new, new.result_list().last().copied().unwrap_or(value)))
}

/// Rebuilds an operation around its own blocks with one more result at a position;
/// the closure gives what each block ends with for it.
fn with_result<'c>(
    context: &'c Context,
    op: Op<'c>,
    at: usize,
    result: Type<'c>,
    value: impl Fn(usize, Blk<'c>) -> Val<'c>,
) -> Op<'c> {
    let Some(block) = op.block() else { return op };
    let b = Builder::before(context, op, block);
    let old_results = op.result_list();
    let mut types: Vec<_> = old_results.iter().map(|old| old.r#type()).collect();
    types.insert(at.min(types.len()), result);
    let blocks = op.blocks();
    let regions: Vec<Vec<Type<'c>>> = blocks
        .iter()
        .map(|block| block.arg_list().iter().map(|argument| argument.r#type()).collect())
        .collect();
    let segments = op.attr("operandSegmentSizes").and_then(i32_array);
    let segments = segments.map(|sizes| ("operandSegmentSizes", b.i32s_attr(&sizes)));
    let attributes: Vec<_> = segments.into_iter().collect();
    let new = b.op_with(op.op_name(), &op.operand_list(), &types, &attributes, &regions);
    for (number, (old, fresh)) in blocks.into_iter().zip(new.blocks()).enumerate() {
        let added = value(number, old);
        for (argument, replacement) in old.arg_list().into_iter().zip(fresh.arg_list()) {
            argument.replace_all_uses(replacement);
        }
        let renamed = old.arg_list().iter().position(|argument| argument.key() == added.key());
        let added = renamed.and_then(|i| fresh.arg_list().get(i).copied()).unwrap_or(added);
        if let Some(end) = old.term() {
            let mut values = end.operand_list();
            values.insert(at.min(values.len()), added);
            end.set_operands(&values);
        }
        for inner in old.ops() {
            inner.detach();
            fresh.push(inner);
        }
    }
    let mut new_results = new.result_list();
    if at < new_results.len() {
        new_results.remove(at);
    }
    for (old, fresh) in old_results.into_iter().zip(new_results) {
        old.replace_all_uses(fresh);
    }
    op.erase();
    new
}

/// Forgets an update.
pub fn forget(update: Op<'_>) {
    if let (Some(result), Some(acc)) = (update.res(0), update.opnd(0)) {
        result.replace_all_uses(acc);
        update.erase();
    }
}
