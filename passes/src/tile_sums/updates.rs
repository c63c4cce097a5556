//! Sums that updates of accumulators make.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{
    build::{Sum, term_of},
    nest::Nest,
};
use crate::{
    acc_to_reduce::{Index, Site, add_arrays, forget},
    support::{
        accumulator::updates, builder::Builder, diag::Result, extent::extent_of, hand_in::hand_in,
        region::all_of, zero::is_zero,
    },
};

/// Makes what the accumulators of a function add up in tiles; returns how many sums.
pub fn run<'c>(context: &'c Context, function: Op<'c>) -> Result<u64> {
    let mut count = 0;
    for root in all_of(function, "soac.with_acc") {
        for position in 0..root.operand_count() {
            for update in updates(root, position) {
                count += u64::from(replace(context, root, position, update)?);
            }
        }
    }
    Ok(count)
}

/// Adds what an update makes, as an array that is made in tiles, to the array of its accumulator, if that can be done.
fn replace<'c>(
    context: &'c Context,
    root: Op<'c>,
    position: usize,
    update: Op<'c>,
) -> Result<bool> {
    let find = || {
        let site = Site::new(root, update).ok()?;
        Some((Nest::around(update, None, Some(root))?, site.value))
    };
    let (Some(start), Some(result)) = (root.opnd(position), root.res(position)) else {
        return Ok(false);
    };
    let is_number = find().is_some_and(|(_, value)| value.r#type().is_float_type());
    if !is_number || result.users().is_empty() {
        return Ok(false);
    }
    let Some((nest, term)) = term_of(context, &mut || find())? else { return Ok(false) };
    let Some((outer, kept)) = indices(&nest, root, update, start) else { return Ok(false) };
    let Some(block) = root.block() else { return Ok(false) };
    let maps = nest.maps[..outer].to_vec();
    let Some(front) = nest.front.block() else { return Ok(false) };
    let zero = Builder::before(context, nest.front, front).zero_scalar(start.r#type().scalar());
    let Some(array) = (Sum { nest, kept, start: zero, term }).array(context)? else {
        return Ok(false);
    };
    let Some(sums) = hand_in(context, &maps, array) else { return Ok(false) };
    let is_only = updates(root, position).len() == 1;
    forget(update);
    let b = Builder::after(context, root, block);
    let sums = b.cast(sums, result.r#type());
    let users: Vec<_> = result.uses();
    let total = if is_only && is_zero(start) { sums } else { add_arrays(&b, result, sums)? };
    for (user, operand) in users {
        user.set_operand(operand, total);
    }
    Ok(true)
}

/// How many maps are around the accumulator, and the maps whose iterations are indices of all that is accumulated into:
/// these first, then those of the update. None if an index is something else, or does not run over all of its dimension,
/// or if no map is left to be summed over.
fn indices<'c>(
    nest: &Nest<'c>,
    root: Op<'c>,
    update: Op<'c>,
    start: Val<'c>,
) -> Option<(usize, Vec<usize>)> {
    let site = Site::new(root, update).ok()?;
    let outer = nest.maps.len() - site.levels().len().min(nest.maps.len());
    let own = site.indices.iter().enumerate().map(|(d, index)| match index {
        Index::Iteration(level, more) if more.is_empty() => {
            let level = outer + level;
            nest.runs_over(level, extent_of(start, d)).then_some(level)
        }
        _ => None,
    });
    let own = own.collect::<Option<Vec<_>>>()?;
    let kept: Vec<_> = (0..outer).chain(own).collect();
    (kept.len() >= 2 && kept.len() < nest.maps.len()).then_some((outer, kept))
}
