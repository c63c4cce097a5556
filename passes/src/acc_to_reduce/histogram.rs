//! An accumulator whose indices are read or computed becomes a histogram.
//!
//! ```text
//! map (\i -> upd [f i] (g i) acc)  =>  hist (+) 0 (map f is) (map g is)
//! ```

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, array_of, tensor_type};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{
    analysis::{Scope, iteration_of, path},
    place::makes_more,
    target::add_arrays,
    thread::{forget, hand_out},
};
use crate::support::{builder::Builder, combinator::input_count, diag::Result, region::is_outside};

/// Whether the update is the only thing that one map around it makes.
pub fn is_histogram<'c>(root: Op<'c>, update: Op<'c>) -> bool {
    let Ok(path) = path(root, update) else { return false };
    let maps: Vec<_> = path.iter().filter(|scope| matches!(scope, Scope::Map(_))).collect();
    let is_guarded = path.iter().any(|scope| matches!(scope, Scope::Branch(..)));
    let operands = update.operand_list();
    let rows = operands.last().is_some_and(|value| value.r#type().shape().contains(&DYNAMIC));
    let [map] = maps.as_slice() else { return false };
    // Where a branch around the map is not taken, nothing says how wide the map would be.
    let first = path.iter().find(|scope| !matches!(scope, Scope::Once(_)));
    let widths = map.op().operand_list().into_iter().take(input_count(map.op()));
    let is_wide = widths.into_iter().all(|v| v.r#type().shape().first() == Some(&DYNAMIC));
    let is_around = is_wide && matches!(first, Some(Scope::Branch(..)));
    let is_open = is_guarded && rows || is_around;
    operands.len() > 2 && !is_open && !makes_more(map.op(), &[update])
}

/// Which operand of an update is out of bounds where a branch is not taken: an index that is not the number of an iteration.
fn guarded_index<'c>(path: &[Scope<'c>], update: Op<'c>) -> usize {
    let levels: Vec<_> = path.iter().filter_map(|scope| scope.level()).collect();
    let operands = update.operand_list();
    let indices = 1..operands.len().saturating_sub(1);
    let computed = indices.into_iter().find(|&i| iteration_of(&levels, operands[i]).is_none());
    computed.unwrap_or(1)
}

/// Replaces the update by a histogram; returns the new `soac.with_acc` and the array.
pub fn histogram<'c>(
    context: &'c Context,
    root: Op<'c>,
    update: Op<'c>,
    start: Val<'c>,
) -> Result<(Op<'c>, Val<'c>)> {
    // A branch that is not taken gives an index that is out of bounds, which is ignored. One is enough: another one may
    // say that no two iterations update the same element.
    let nowhere = |b: &Builder<'c>, full: Type<'c>| {
        if full == b.index_type() { b.index(-1) } else { b.zeros(full, &[]) }
    };
    let (mut root, mut arrays) = (root, vec![]);
    let guarded = path(root, update).map_or(1, |path| guarded_index(&path, update));
    for operand in 1..update.operand_count() {
        // Again, because handing a value out rebuilds what is around the update.
        let (Ok(mut path), Some(value)) = (path(root, update), update.opnd(operand)) else { break };
        if operand != guarded {
            path.retain(|scope| {
                !matches!(scope, Scope::Branch(..) | Scope::Known(..))
                    || !is_outside(scope.op(), value)
            });
        }
        let (new, array) = hand_out(context, root, &path, value, &nowhere, &|_, _, all| Ok(all))?;
        root = new;
        // The arrays before this one are results of the new operation, too.
        arrays.push(array);
        let count = arrays.len();
        let results = new.result_list();
        arrays = results.get(results.len() - count..).unwrap_or_default().to_vec();
    }
    let (Some((&values, indices)), Some(block)) = (arrays.split_last(), root.block()) else {
        return Ok((root, start));
    };
    let b = Builder::after(context, root, block);
    let shape = start.r#type().shape();
    let rest = shape.get(indices.len()..).unwrap_or_default();
    let scalar = start.r#type().scalar();
    let element = if rest.is_empty() { scalar } else { tensor_type(rest, scalar) };
    let dynamic = (indices.len()..shape.len()).filter(|&d| shape.get(d) == Some(&DYNAMIC));
    let sizes: Vec<_> = dynamic.map(|d| b.dim(start, d)).collect();
    let zero = b.zeros(element, &sizes);
    let width = values.r#type().shape().first().copied().unwrap_or(DYNAMIC);
    let values = b.cast(values, array_of(width, element));
    let sums = b.hist(indices, &[values], &[start], &[zero], |b, pair| match pair {
        [x, y] => Ok(vec![add_arrays(&b, *x, *y)?]),
        _ => Ok(vec![]),
    })?;
    forget(update);
    Ok((root, sums.first().copied().unwrap_or(start)))
}
