//! Loops by their bounds: how often they run, and loops and maps over the same numbers.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i64_array};
use melior::ir::{Type, ValueLike};

use super::{builder::Builder, combinator::constant_index, diag::Result};

/// Lower bound, upper bound and step of a loop.
pub type Bounds<'c> = [Val<'c>; 3];

/// The number of iterations: `max(0, ceil((ub - lb) / step))`.
pub fn trip_count<'c>(b: &Builder<'c>, bounds: &[Val<'c>]) -> Val<'c> {
    let is = |value, number| constant_index(value) == Some(number);
    let (from_start, each) = (is(bounds[0], 0), is(bounds[2], 1));
    let upper = b.as_index(bounds[1]);
    if from_start && each && is_size(bounds[1]) {
        return upper;
    }
    let extent = if from_start { upper } else { b.sub(upper, b.as_index(bounds[0])) };
    let trips =
        if each { extent } else { b.same("arith.ceildivsi", &[extent, b.as_index(bounds[2])]) };
    b.same("arith.maxsi", &[trips, b.index(0)])
}

/// Whether a number is known not to be negative.
fn is_size(value: Val<'_>) -> bool {
    constant_index(value).is_some_and(|number| number >= 0)
        || value.defining_op().is_some_and(|op| match op.op_name() {
            "tensor.dim" | "memref.dim" => true,
            "arith.maxsi" => op.operand_list().into_iter().any(is_size),
            _ => false,
        })
}

/// What a loop calls its iteration number `k`.
pub fn induction_variable<'c>(b: &Builder<'c>, bounds: &[Val<'c>], k: Val<'c>) -> Val<'c> {
    let k = b.index_as(k, bounds[0].r#type());
    b.add(bounds[0], b.mul(k, bounds[2]))
}

/// The bounds of an `scf.forall` or `scf.parallel`, by dimension.
pub fn of_parallel<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Vec<Bounds<'c>>> {
    let operands = op.operand_list();
    if op.op_name() == "scf.parallel" {
        let rank = op.body(0)?.arg_list().len();
        let at = |d| operands.get(d).copied();
        let bounds = |d| Some([at(d)?, at(rank + d)?, at(2 * rank + d)?]);
        return (0..rank).map(bounds).collect();
    }
    let mut dynamic = operands.into_iter();
    let mut column = |name: &str| -> Option<Vec<Val<'c>>> {
        let fixed = op.attr(name).and_then(i64_array)?;
        let value = |n| if n == DYNAMIC { dynamic.next() } else { Some(b.index(n)) };
        fixed.into_iter().map(value).collect()
    };
    let lower = column("staticLowerBound")?;
    let upper = column("staticUpperBound")?;
    let step = column("staticStep")?;
    Some((0..lower.len()).map(|d| [lower[d], upper[d], step[d]]).collect())
}

/// What a nest of loops or maps does innermost: from the numbers of the loops, and what these carry, to what they carry next or
/// the elements that maps make.
pub type Leaf<'a, 'c> =
    &'a mut dyn FnMut(&Builder<'c>, &[Val<'c>], &[Val<'c>]) -> Result<Vec<Val<'c>>>;

/// A nest of `scf.for`, one per dimension behind the numbers that there are.
pub fn nest_of_loops<'c>(
    b: &Builder<'c>,
    bounds: &[Bounds<'c>],
    ivs: &mut Vec<Val<'c>>,
    carried: &[Val<'c>],
    leaf: Leaf<'_, 'c>,
) -> Result<Vec<Val<'c>>> {
    let Some(range) = bounds.get(ivs.len()) else { return leaf(b, ivs, carried) };
    let new = b.for_loop(*range, carried, |inner, iv, carried| {
        ivs.push(iv);
        let next = nest_of_loops(&inner, bounds, ivs, carried, leaf);
        ivs.pop();
        next
    })?;
    Ok(new.result_list())
}

/// A nest of `soac.map` over numbers from 0 on, one per count behind the numbers that there are; the arrays that it makes have
/// the types.
pub fn nest_of_maps<'c>(
    b: &Builder<'c>,
    counts: &[Val<'c>],
    numbers: &mut Vec<Val<'c>>,
    types: &[Type<'c>],
    leaf: Leaf<'_, 'c>,
) -> Result<Vec<Val<'c>>> {
    let Some(&count) = counts.get(numbers.len()) else { return leaf(b, numbers, &[]) };
    let size = types.first().map_or(DYNAMIC, |array| array.shape()[0]);
    b.map(&[b.iota(count, size)], &[], types, |b, number| {
        numbers.extend(number);
        let rows: Vec<_> = types.iter().map(TyExt::row).collect();
        let made = nest_of_maps(&b, counts, numbers, &rows, leaf);
        numbers.pop();
        made
    })
}
