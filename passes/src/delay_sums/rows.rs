//! Sums of rows.
//!
//! ```text
//! for t < n (S = S0, Z) { z = ..; S' = S with [..m] += reduce (+) 0 z; Z' = Z with [t] = z }
//!         ==>
//! for t < n (Z) { z = ..; Z' = Z with [t] = z };  S = S0 with [..m] += reduce (+) 0 (concat Z)
//! ```
//! The derivative for the bias of a recurrent network is such a sum. It may be added to a leading part of what the loop
//! carries, whose sizes are the smallest of some: behind the loop also of those of the rows, which need not fit where there
//! is no iteration.
//!
//! Requires what products do, and that the rows of an iteration are reduced, by an operator that is associative then. What
//! adds one row in each iteration stays as it is written.

use ad_dialect::ir::{
    BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of, i64_array, tensor_type,
};
use melior::{Context, ir::ValueLike, ir::operation::OperationLike};

use super::{Factor, counts_rows};
use crate::{
    acc_to_reduce::{add_arrays, add_common},
    simplify::start::{adds_arguments, terms},
    support::{
        builder::{Builder, same_value},
        combinator::{BOUNDS, input_count, is_same_place, slice_sizes},
        diag::Result,
        extent::{Extent, extent_of, extent_of_value},
        region::{is_outside, made_for_one},
        zero::is_zero,
    },
};

/// A sum of rows that a loop adds to what it carries.
pub struct RowSum<'c> {
    around: Op<'c>,
    position: usize,
    /// What makes the sum in the loop, from the last operation to the first.
    made_by: Vec<Op<'c>>,
    /// The rows of all iterations.
    rows: Val<'c>,
    /// How many dimensions an iteration adds up.
    summed: usize,
    /// For each dimension of the sum, what the part that is added to is at most as large as.
    bounds: Vec<Vec<Extent<'c>>>,
}

impl<'c> RowSum<'c> {
    /// The sum that a loop carries at a position, if it can be made behind it.
    pub fn of(around: Op<'c>, position: usize) -> Option<Self> {
        let body = around.body(0).filter(|_| counts_rows(around))?;
        let own = *body.arg_list().get(position + 1)?;
        let alone = |value| made_for_one(value, body);
        let mut made_by = vec![alone(*body.ends().get(position)?)?];
        let mut bounds = vec![vec![]; own.r#type().shape().len()];
        let insert = made_by.first().copied().filter(|op| op.op_name() == "tensor.insert_slice");
        if let Some(insert) = insert {
            bound_by(&mut bounds, around, insert)?;
            made_by.push(alone(insert.opnd(0)?)?);
        }
        let [x, y] = terms(*made_by.last()?)?;
        let is_old = |value: Val<'c>| match insert {
            None => same_value(value, own) && own.users().len() == 1,
            Some(insert) => alone(value).is_some_and(|part| is_part(part, insert, own)),
        };
        let (old, mut added) = [(x, y), (y, x)].into_iter().find(|(old, _)| is_old(*old))?;
        made_by.extend(insert.and_then(|_| old.defining_op()));
        let mut made = alone(added)?;
        if made.op_name() == "tensor.extract_slice" {
            bound_by(&mut bounds, around, made)?;
            made_by.push(made);
            added = made.opnd(0)?;
            made = alone(added)?;
        }
        let mut summed = 0;
        while is_sum(made) {
            made_by.push(made);
            summed += 1;
            added = made.opnd(0)?;
            match alone(added) {
                Some(next) => made = next,
                None => break,
            }
        }
        let Factor::Rows(rows) = Factor::of(around, body, added).filter(|_| summed > 0)? else {
            return None;
        };
        // A part of the array may have fewer dimensions.
        let rank = |value: Val<'c>| value.r#type().shape().len();
        if rank(old) != rank(own) || rank(rows) != 1 + summed + rank(own) {
            return None;
        }
        for (d, bounds) in bounds.iter_mut().enumerate() {
            bounds.push(extent_of(rows, 1 + summed + d));
        }
        Some(Self { around, position, made_by, rows, summed, bounds })
    }

    /// Makes the sum behind the loop; what the loop carried for it is left to canonicalisation.
    pub fn delay(&self, context: &'c Context) -> Result<()> {
        let Self { around, position, ref made_by, rows, summed, ref bounds } = *self;
        let (Some(block), Some(body)) = (around.block(), around.body(0)) else { return Ok(()) };
        let (Some(result), Some(end)) = (around.res(position), body.term()) else { return Ok(()) };
        let Some(start) = around.opnd(BOUNDS + position) else { return Ok(()) };
        let Some(&reduce) = made_by.last() else { return Ok(()) };
        let b = Builder::after(context, around, block).deriving(reduce);
        let total = sum_all(&b, rows, 1 + summed)?;
        let new = add_common(&b, around, start, total, bounds)?;
        result.replace_all_uses(new);
        end.set_operand(position, body.arg_list()[position + 1]);
        made_by.iter().for_each(|op| op.erase());
        Ok(())
    }
}

/// Whether an operation adds up the rows of one array.
fn is_sum(op: Op<'_>) -> bool {
    let starts_from_zero = op.opnd(1).is_some_and(is_zero);
    op.op_name() == "soac.reduce" && input_count(op) == 1 && starts_from_zero && adds_arguments(op)
}

/// Whether an operation takes out of an array what another one puts there.
fn is_part<'c>(extract: Op<'c>, insert: Op<'c>, array: Val<'c>) -> bool {
    let is_array = |operand: Option<Val<'c>>| operand.is_some_and(|own| same_value(own, array));
    extract.op_name() == "tensor.extract_slice"
        && is_array(extract.opnd(0))
        && is_array(insert.opnd(1))
        && array.users().len() == 2
        && is_same_place(extract, insert)
}

/// Takes down what the sizes of a leading part, the same in all iterations of a loop, are at most.
fn bound_by<'c>(bounds: &mut [Vec<Extent<'c>>], around: Op<'c>, slice: Op<'c>) -> Option<()> {
    let statics = |name| slice.attr(name).and_then(i64_array);
    let is_leading = statics("static_offsets")?.iter().all(|&offset| offset == 0)
        && statics("static_strides")?.iter().all(|&stride| stride == 1);
    let (sizes, mut dynamic) = (statics("static_sizes")?, slice_sizes(slice)?.into_iter());
    if !is_leading || sizes.len() != bounds.len() {
        return None;
    }
    for (bounds, size) in bounds.iter_mut().zip(sizes) {
        match size {
            DYNAMIC => bounds.extend(least_of(around, dynamic.next()?)?),
            size => bounds.push(Extent::Known(size)),
        }
    }
    Some(())
}

/// The sizes that a value is the smallest one of, if they are known in front of a loop; none of them is negative.
fn least_of<'c>(around: Op<'c>, value: Val<'c>) -> Option<Vec<Extent<'c>>> {
    let op = value.defining_op().filter(|_| is_outside(around, value))?;
    match op.op_name() {
        "arith.minsi" => {
            let [one, other] = [0, 1].map(|i| op.opnd(i).and_then(|of| least_of(around, of)));
            Some([one?, other?].concat())
        }
        "tensor.dim" => Some(vec![extent_of_value(value)]),
        _ => None,
    }
}

/// The sum of an array along its first dimensions.
fn sum_all<'c>(b: &Builder<'c>, array: Val<'c>, summed: usize) -> Result<Val<'c>> {
    let (shape, scalar) = (array.r#type().shape(), array.r#type().scalar());
    let (first, kept) = shape.split_at(summed);
    let count = if first.contains(&DYNAMIC) { DYNAMIC } else { first.iter().product() };
    let groups: Vec<_> =
        [(0..summed).collect()].into_iter().chain((summed..shape.len()).map(|d| vec![d])).collect();
    let row = tensor_type(kept, scalar);
    let all = b.collapse(array, &groups, array_of(count, row));
    let dynamic = (summed..shape.len()).filter(|&d| shape[d] == DYNAMIC);
    let sizes: Vec<_> = dynamic.map(|d| extent_of(array, d).value(b)).collect();
    let zero = b.zeros(row, &sizes);
    let sums = b.reduce(&[all], &[zero], |b, pair| Ok(vec![add_arrays(&b, pair[0], pair[1])?]))?;
    Ok(sums[0])
}
